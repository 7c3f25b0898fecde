"""Instructions that work lane by lane, as text with twice as many lanes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm.splicing.write import location
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, Literal, Local, Operand, Type, VectorType
from frontends.llvm.text.syntax import shape_of

_OPS: Final = frozenset((
    "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "and", "or", "xor", "shl", "lshr", "ashr",
    "icmp", "select", "zext", "sext", "trunc",
))  # fmt: skip
_CALLS: Final = re.compile(r"llvm\.([su](min|max|add\.sat|sub\.sat)|abs|fsh[lr]|ctpop)\.v")


@dataclass(slots=True)
class Writer:
    """Lines with wide instructions in place of pairs; ``body`` waits for a store."""

    names: Iterator[str]
    seen: Sequence[Instr]
    lines: dict[int, tuple[str, ...]] = field(default_factory=dict)
    new: dict[str, str] = field(default_factory=dict)
    body: list[str] = field(default_factory=list)
    needs: dict[str, str] = field(default_factory=dict)

    def write(self, a: Instr, b: Instr) -> None:
        """Write one instruction in place of two."""
        for leaf, kind in vectors_of(a).items():
            if leaf not in self.new:  # both halves look at it
                self.new[leaf] = next(self.names)
                both = build.shuffle(Local(leaf, kind), [*range(kind.count)] * 2)
                self.body.append(both.line(self.new[leaf]))
        self.new |= {a.name: next(self.names)} if a.name else {}
        if a.callee:
            self.needs |= declaration(a)
        self.lines |= {a.line: (), b.line: ()}
        if a.opcode == "load":
            low, high = (
                (half(i, k, self.new[a.name]),) * (i in self.seen) for k, i in enumerate((a, b))
            )
            self.lines |= {a.line: (text(a, self.new), *low), b.line: high}
            return
        self.body.append(text(a, self.new))
        if a.opcode == "store":
            self.lines[max(a.line, b.line)] = tuple(self.body)
            self.body.clear()


def is_doubled(i: Instr) -> bool:
    """Tell whether two instructions are one with twice as many lanes: each lane is the same
    function of the lanes of the operands, or lanes move.
    """
    if i.opcode == "shufflevector":
        o = i.operands[1]
        return isinstance(o, Local) or (isinstance(o, Literal) and {*o.lanes} == {"poison"})
    return i.opcode in _OPS or _CALLS.match(i.callee) is not None


def says_same(a: Instr, b: Instr) -> bool:
    """Tell whether two instructions differ in nothing but their operands."""
    said = [(i.opcode, i.type, i.flags, i.predicate, i.callee, i.mask, i.known) for i in (a, b)]
    return said[0] == said[1] and a.known


def text(i: Instr, names: Mapping[str, str]) -> str:
    """Return an instruction with twice as many lanes and other names, without its metadata."""
    given = [_widen(o, names) for o in i.operands]
    if i.opcode == "store":
        return build.store(given[0], given[1], i.align) + location(i)
    body = build.like(i, given, _double(i.type), mask=_moves(i))
    return body.line(names[i.name], location(i))


def _moves(i: Instr) -> Iterator[int | None]:
    """Yield the moves of lanes within a half, and the same within the other."""
    n = shape_of(i.operands[0].type)[0]
    starts = ((0, 2 * n), (n, 3 * n))  # of both operands' halves, of all that can move
    return (None if m is None else half[m // n] + m % n for half in starts for m in i.mask)


def vectors_of(i: Instr) -> dict[str, VectorType]:
    """Return the vectors of the function that an instruction looks at, by name."""
    named = (o for o in i.operands if isinstance(o, Local))
    return {o.name: o.type for o in named if isinstance(o.type, VectorType)}


def half(i: Instr, k: int, name: str) -> str:
    """Return an instruction's value as a half of one that has twice as many lanes."""
    n, kind = shape_of(i.type)[0], _double(i.type)
    return build.shuffle(Local(name, kind), range(k * n, k * n + n)).line(i.name)


def declaration(i: Instr) -> dict[str, str]:
    """Return what a call with twice as many lanes needs declared, by name."""
    given, kind = [_widen(o, {}) for o in i.operands], _double(i.type)
    name = build.overload(i.callee, kind)
    return {name: build.declaration(name, kind, given)}


def _widen(o: Operand, names: Mapping[str, str]) -> Operand:
    """Return an operand of which both halves are alike, or that is ``names``' by now."""
    if isinstance(o, Literal):
        both = o.lanes * (1 + isinstance(o.type, VectorType))
        return build.constant(both, shape_of(o.type)[1])
    return Local(names.get(o.name, o.name), _double(o.type)) if isinstance(o, Local) else o


def _double(kind: Type) -> Type:
    """Return the type of twice as many lanes, where there are some."""
    return VectorType(2 * kind.count, kind.elem) if isinstance(kind, VectorType) else kind
