"""Instructions that work lane by lane, as text with twice as many lanes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm.splicing.write import location
from frontends.llvm.text.ast import Instr, Literal, Local, VectorType
from frontends.llvm.text.rewording import LOCAL, shuffle
from frontends.llvm.transform.site import Scope

_OPS: Final = frozenset((
    "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "and", "or", "xor", "shl", "lshr", "ashr",
    "icmp", "select", "zext", "sext", "trunc",
))  # fmt: skip
_CALLS: Final = re.compile(r"llvm\.([su](min|max|add\.sat|sub\.sat)|abs|fsh[lr]|ctpop)\.v")
_PARTS: Final = re.compile(rf"{LOCAL.pattern}|(?P<sign><|\.v)(?P<n>\d+)(?= x |i\d)")
_BEHIND: Final = re.compile(r"(, ![\w.]+ !\d+| #\d+)+$")


@dataclass(slots=True)
class Writer:
    """Lines with wide instructions in place of pairs; ``body`` waits for a store."""

    scope: Scope
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
                self.body.append(f"%{self.new[leaf]} = {twice(leaf, kind)}")
        self.new |= {a.name: next(self.names)} if a.name else {}
        self.needs |= declaration(a)
        self.lines |= {a.line: (), b.line: ()}
        if a.opcode == "load":
            low, high = (
                self.scope.indent(a, *([half(i, k, self.new[a.name])] * (i in self.seen)))
                for k, i in enumerate((a, b))
            )
            wide = self.scope.indent(a, text(a, self.new))
            self.lines |= {a.line: (*wide, *low), b.line: high}
            return
        self.body.append(text(a, self.new))
        if a.opcode == "store":
            self.lines[max(a.line, b.line)] = self.scope.indent(a, *self.body)
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
    if i.opcode == "shufflevector":
        return f"%{names[i.name]} = {_moves(i, names)}{location(i)}"
    return _double(_BEHIND.sub("", i.text.strip()), names) + location(i)


def _moves(i: Instr, names: Mapping[str, str]) -> str:
    """Return the moves of lanes within a half, and the same within the other."""
    (x, y), kind = i.operands, i.operands[0].type
    assert isinstance(kind, VectorType) and isinstance(x, Local)
    n = kind.count
    starts = ((0, 2 * n), (n, 3 * n))  # of both operands' halves, of all that can move
    lanes = (None if m is None else half[m // n] + m % n for half in starts for m in i.mask)
    second = f"%{names[y.name]}" if isinstance(y, Local) else "poison"
    return shuffle(VectorType(2 * n, kind.elem), f"%{names[x.name]}", second, lanes)


def vectors_of(i: Instr) -> dict[str, VectorType]:
    """Return the vectors of the function that an instruction looks at, by name."""
    named = (o for o in i.operands if isinstance(o, Local))
    return {o.name: o.type for o in named if isinstance(o.type, VectorType)}


def twice(name: str, kind: VectorType) -> str:
    """Return a vector and the same one behind it, as an expression."""
    return shuffle(kind, f"%{name}", "poison", [*range(kind.count)] * 2)


def half(i: Instr, k: int, name: str) -> str:
    """Return an instruction's value as a half of one that has twice as many lanes."""
    assert isinstance(i.type, VectorType)
    n, kind = i.type.count, VectorType(2 * i.type.count, i.type.elem)
    return f"%{i.name} = {shuffle(kind, f'%{name}', 'poison', range(k * n, k * n + n))}"


def declaration(i: Instr) -> dict[str, str]:
    """Return what a call with twice as many lanes needs declared, by name."""
    types = ", ".join(_double(str(o.type), {}) for o in i.operands)
    name = _double(i.callee, {})
    return {name: f"declare {_double(str(i.type), {})} @{name}({types})"} if name else {}


def _double(said: str, names: Mapping[str, str]) -> str:
    def part(m: re.Match[str]) -> str:
        if m["n"]:
            return f"{m['sign']}{2 * int(m['n'])}"
        return f"%{names[m[1]]}" if m[1] in names else m[0]

    return _PARTS.sub(part, said)
