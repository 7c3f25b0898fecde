"""A function of which phis are computed where their block begins, as somebody says that they may
be: of its other phis, of what comes from above, and of memory as it is then.

By induction over what is executed: where a phi is (refines) what is said at the beginning of its
block, it is again the next time, if what comes by each edge is (refines) the same of what the other
phis are given there and of memory at the end of the block before; between the two nothing happens.
Whether it is so is asked of two functions that are one but for what is computed at these ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from frontends.llvm.function.graph import Graph, Kind, Place
from frontends.llvm.passes.left import Left, require
from frontends.llvm.passes.witness import States
from frontends.llvm.text.ast import Function, Instr, Local, Operand, VectorType
from frontends.llvm.text.parse import parse_instruction, with_ends
from frontends.llvm.text.rewording import locals_in, respell, spelled_edges
from frontends.llvm.text.view import incoming

_PURE: Final = (Kind.FUNCTION, Kind.LOAD)


@dataclass(frozen=True, slots=True)
class Stated:
    """A function without some phis; the same that also computes, at the ends of the blocks before,
    what is said of these; what comes from there with what is said of it, and which lanes are looked
    at; and what is computed ``ahead``, where blocks begin.
    """

    function: Function
    again: Function
    said: tuple[tuple[Operand, Operand, Sequence[bool]], ...]
    ahead: frozenset[str]


def state(graph: Graph, states: States) -> Stated:
    """Return what a function is if its phis are what is said; raises
    :class:`frontends.llvm.passes.left.Left` where that cannot be computed there.
    """
    found = _Stating(graph, states)
    ahead = frozenset(parse_instruction(x, 0).name for b in found.heads.values() for x in b)
    return Stated(found.function({}), found.function(found.ends), tuple(found.said), ahead)


class _Stating:
    """Lines by block: ``heads`` behind its phis, and ``ends`` before its end."""

    def __init__(self, graph: Graph, states: States) -> None:
        self.graph, self.view, self.states = graph, graph.function.view, states
        self.names = self.view.free_names("isel.said")
        self.heads, self.ends = dict[str, list[str]](), dict[str, list[str]]()
        self.gone, self.called = set[int](), dict[int, dict[str, str]]()
        self.said = list[tuple[Operand, Operand, Sequence[bool]]]()
        for name, lines in states.items():
            place = graph.places.get(name)
            if place is None or place.kind is not Kind.PHI or not lines:
                raise Left("what is said is of no phi")
            self._say(place, lines)
        self._check(Graph(self.function({}), graph.contents, graph.sizes))

    def _say(self, phi: Place, lines: Sequence[str]) -> None:
        """Write what computes a phi in its block, and in those before."""
        instrs = [parse_instruction(x, n) for n, x in enumerate(lines)]
        self._check_values(phi.block, instrs)
        require(instrs[-1].type == phi.instr.type, "what is said is another value")
        used, own = self._used(phi.instr)
        self.heads.setdefault(phi.block, []).extend(self._write(instrs, {}, own))
        given = {i.name: spelled_edges(i) for i in self.graph.phis(phi.block)}
        for before, o in incoming(phi.instr).items():
            require(self.graph.body[before][-1].kind is Kind.END, "a block ends with an effect")
            own, edge = next(self.names), {n: e[before] for n, e in given.items()}
            self.ends.setdefault(before, []).extend(self._write(instrs, edge, own))
            self.said.append((o, Local(own, phi.instr.type), used))

    def _used(self, phi: Instr) -> tuple[Sequence[bool], str]:
        """Tell of each lane of a phi whether it is looked at, and what is looked at is called: if
        shuffles are among others, these alone look at what is said.
        """
        count = phi.type.count if isinstance(phi.type, VectorType) else 1
        users = self.view.used_by(phi.name)
        moves, seen = [i for i in users if i.opcode == "shufflevector" and i.known], set[int]()
        for i in moves:
            first = [o == Local(phi.name, phi.type) for o in i.operands]
            seen.update(m % count for m in i.mask if m is not None and first[m // count])
        name = next(self.names) if 0 < len(moves) < len(users) else phi.name
        self.called.update({i.line: {phi.name: f"%{name}"} for i in moves if name != phi.name})
        self.gone |= {phi.line} if name == phi.name else set()
        return [k in seen or not moves for k in range(count)], name

    def _check_values(self, label: str, instrs: Sequence[Instr]) -> None:
        """Look that what lines compute is new, of what is there where a block begins."""
        known = self.graph.arguments.keys() | {i.name for i in self.graph.phis(label)}
        known -= self.states.keys()
        for i in instrs:
            named = {*locals_in(i.text)} - {i.name} - known
            there = all(self._is_above(n, label) for n in named)
            new = bool(i.name) and i.name not in self.view.names | known
            require(there and new, "what is said is of what is not there")
            known.add(i.name)

    def _is_above(self, name: str, label: str) -> bool:
        place = self.graph.places.get(name)
        below = place is not None and self.graph.dominates(place.block, label)
        return below and place is not None and place.block != label

    def _write(self, instrs: Sequence[Instr], values: Mapping[str, str], last: str) -> list[str]:
        """Return lines under other names, of other values."""
        own = [*(next(self.names) for _ in instrs[1:]), last]
        called = {i.name: f"%{name}" for i, name in zip(instrs, own, strict=True)}
        return [respell(i.text.strip(), {**values, **called}) for i in instrs]

    def function(self, ends: Mapping[str, Sequence[str]]) -> Function:
        """Return the function without the phis, with lines before the ends of blocks."""
        return with_ends(self.graph.function, self.gone, self.heads, ends, self.called)

    def _check(self, graph: Graph) -> None:
        """Look that what is said does nothing but compute, and load plainly."""
        names = {parse_instruction(x, 0).name for lines in self.heads.values() for x in lines}
        for i, kind in ((p.instr, p.kind) for n, p in graph.places.items() if n in names):
            plain = i.known and (kind is Kind.FUNCTION or not (i.flags or i.metadata))
            require(plain and kind in _PURE, "what is said does more than compute")
