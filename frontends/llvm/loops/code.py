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
BEFORE, BEHIND, LAST = range(3)  # where new lines go


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
    """What becomes of the lines of a function: what is ``placed`` before one, behind it, or behind
    all that is, and which go.
    """

    placed: list[tuple[int, int, str]] = field(default_factory=list)
    gone: dict[int, str] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    declarations: dict[str, str] = field(default_factory=dict)

    def add(self, other: Changes) -> None:
        """Take over what becomes of the lines of another web."""
        self.placed += other.placed
        self.gone.update(other.gone)
        self.renamed.update(other.renamed)
        self.declarations.update(other.declarations)

    def new(self) -> list[tuple[int, int, str]]:
        """Return the new lines in the order of their places."""
        return sorted(self.placed, key=lambda x: x[:2])

    def edits(self, module: Module, function: Function) -> Edits:
        """Return the changed lines; debug records of values that are gone say so."""
        lines: dict[int, tuple[str, ...]] = {}
        names = [n for n in self.gone.values() if n not in self.renamed]
        new = {(at, side): list[str]() for at in function.span for side in (False, True)}
        for at, order, x in self.new():
            new[at, order > BEFORE].append(x)
        for at in function.span:
            line = module.lines[at]
            text = rename(line, self.renamed) if self.renamed else line
            kept = () if at in self.gone else (without(text, names) if is_record(line) else text,)
            found = (*new[at, False], *kept, *new[at, True])
            if found != (line,):
                lines[at - function.first] = found
        return Edits(lines, self.declarations)
