"""Lines of IR in the making, and what becomes of those of a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from frontends.llvm.splicing.emit import Value, tree, type_text
from frontends.llvm.splicing.write import Edits, is_record, without
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.text.rewording import rename, shuffle

_OPCODES = ("add", "and", "or", "xor")


@dataclass
class Code:
    """Lines in the making, for one place."""

    fresh: Callable[[], str]
    declarations: dict[str, str]
    lines: list[str] = field(default_factory=list)

    def define(self, body: str, lanes: int, width: int) -> Value:
        """Add a line that defines a value."""
        name = self.fresh()
        self.lines.append(f"%{name} = {body}")
        return Value(f"%{name}", lanes, width)

    def call(self, name: str, result: tuple[int, int], args: Sequence[Value]) -> Value:
        """Add a call of an intrinsic, overloaded by its first operand."""
        first = args[0]
        suffix = f"v{first.lanes}i{first.width}" if first.lanes > 1 else f"i{first.width}"
        callee = f"llvm.{name}.{suffix}"
        kinds = ", ".join(type_text(a.lanes, a.width) for a in args)
        self.declarations[callee] = f"declare {type_text(*result)} @{callee}({kinds}) memory(none)"
        given = ", ".join(a.typed for a in args)
        return self.define(f"call {type_text(*result)} @{callee}({given})", *result)

    def join(self, how: str, values: Sequence[Value]) -> Value:
        """Join vectors or scalars, neighbours first."""
        return tree(values, partial(self._two, how))

    def _two(self, how: str, a: Value, b: Value) -> Value:
        if how in _OPCODES:
            return self.define(f"{how} {a.typed}, {b.text}", a.lanes, a.width)
        return self.call(how, (a.lanes, a.width), (a, b))

    def cast(self, opcode: str, v: Value, width: int) -> Value:
        """Convert a value to another width."""
        if v.width == width:
            return v
        kind = type_text(v.lanes, width)
        return self.define(f"{opcode} {v.typed} to {kind}", v.lanes, width)

    def shuffle(self, a: Value, b: Value | None, mask: Sequence[int]) -> Value:
        """Pick lanes of one vector or two."""
        if b is None and list(mask) == list(range(a.lanes)):
            return a
        other = "poison" if b is None else b.text
        return self.define(shuffle(a.type, a.text, other, mask), len(mask), a.width)

    def concat(self, parts: Sequence[Value]) -> Value:
        """Put vectors of one length behind each other."""
        return tree(parts, lambda a, b: self.shuffle(a, b, range(2 * a.lanes)))


@dataclass
class Changes:
    """What becomes of the lines of a function: what goes before and behind them, and which go."""

    before: dict[int, list[str]] = field(default_factory=dict)
    after: dict[int, list[str]] = field(default_factory=dict)
    later: dict[int, list[str]] = field(default_factory=dict)
    gone: dict[int, str] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    declarations: dict[str, str] = field(default_factory=dict)

    def add(self, other: Changes) -> None:
        """Take over what becomes of the lines of another web."""
        for mine, theirs in (
            (self.before, other.before),
            (self.after, other.after),
            (self.later, other.later),
        ):
            for at, lines in theirs.items():
                mine.setdefault(at, []).extend(lines)
        self.gone.update(other.gone)
        self.renamed.update(other.renamed)
        self.declarations.update(other.declarations)

    def new(self) -> tuple[str, ...]:
        """Return the new lines in the order of their places."""
        places = sorted({*self.before, *self.after, *self.later})
        rows = (d.get(at, ()) for at in places for d in (self.before, self.after, self.later))
        return tuple(x.strip() for row in rows for x in row)

    def edits(self, module: Module, function: Function) -> Edits:
        """Return the changed lines; debug records of values that are gone say so."""
        lines: dict[int, tuple[str, ...]] = {}
        names = [n for n in self.gone.values() if n not in self.renamed]
        for at in function.span:
            line = module.lines[at]
            text = rename(line, self.renamed) if self.renamed else line
            kept = () if at in self.gone else (without(text, names) if is_record(line) else text,)
            new = (
                *self.before.get(at, ()),
                *kept,
                *self.after.get(at, ()),
                *self.later.get(at, ()),
            )
            if new != (line,):
                lines[at - function.first] = new
        return Edits(lines, self.declarations)
