"""Accumulators that hold the same together: sets of phis at corresponding blocks whose lanes, all
joined, are equal, though no lane need be.

The relation at a loop head is: a lane of the source's set is poison, or no lane of the target's is
and both sets reduce to the same value.  It is shown for every edge, and used where a value joins
all lanes of the source's set and of nothing else of it.  Undef needs no more: each proof takes one
look at the target's lanes, and the source answers it with lanes of the same reduction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm.cuts.terms import Part
from frontends.llvm.function.graph import Graph
from frontends.llvm.meaning.lanes import Cannot, Value
from frontends.llvm.passes.witness import Sums
from frontends.llvm.paths.inputs import poison_bit
from frontends.llvm.text.ast import Operand
from frontends.llvm.text.syntax import integer_shape
from frontends.llvm.text.view import incoming
from isel.ir.build import any_of, make
from isel.ir.expr import Expr, elem, leaves
from isel.ir.joins import JOINS
from isel.verify.partition import joined, replaced

_CASTS: Final = ("zext", "sext")
_MINE: Final = "a"  # what names of lanes of the source's phis, and of no other leaves, begin with


@dataclass(frozen=True, slots=True, eq=False)
class Set:
    """Phis of one block, on both sides, that hold the same together, and how what the target's
    lanes are together becomes a value of the source's lanes, of so many bits.
    """

    sums: Sums
    source: tuple[str, ...]
    target: tuple[str, ...]
    width: int

    def whole(self, lanes: list[Expr]) -> Expr:
        """Return what lanes of the target are together, as a value of the source's width."""
        one = joined(self.sums.other, lanes)
        if one.width == self.width:
            return one
        if one.width > self.width:
            return make("extract", (one,), (0, self.width))
        return make(self.sums.cast, (one,), (self.width,))


@dataclass
class Sets:
    """The sets of phis that hold the same together, by the names of the phis of either side."""

    source: Mapping[str, Set] = field(default_factory=dict)
    target: Mapping[str, Set] = field(default_factory=dict)

    def find(self, sums: Iterable[Sums], graphs: tuple[Graph, Graph], a: str, b: str) -> None:
        """Add the sets of two corresponding blocks; raise :class:`Cannot` where something is said
        of others than phis of theirs, alike and each once.
        """
        rows = ((x, *names) for x in sums for names in x.phis.get(b, ()))
        for x, mine, theirs in rows:
            known = x.join in JOINS and x.other in JOINS and x.cast in _CASTS
            new = self.source.keys().isdisjoint(mine) and self.target.keys().isdisjoint(theirs)
            widths = _width(graphs[0], a, mine), _width(graphs[1], b, theirs)
            if not (known and new and all(widths)):
                raise Cannot(f"block %{a}: what is said of accumulators is not of their kind")
            found = Set(x, (*mine,), (*theirs,), widths[0])
            self.source = {**self.source, **dict.fromkeys(mine, found)}
            self.target = {**self.target, **dict.fromkeys(theirs, found)}

    def lanes(self, name: str, graph: Graph) -> Value | None:
        """Return the lanes of a phi of the source, None where it is in no set."""
        if name not in self.source:
            return None
        shape = integer_shape(graph.places[name].instr.type)
        assert shape is not None
        what, (count, width) = f"{_MINE}{graph.numbers[name]}", shape
        rows = ((elem(what, k * width, width), poison_bit(what, k)) for k in range(count))
        return Value.of(width, rows)

    def holds(self, x: Expr) -> bool:
        """Tell whether a leaf is a lane of a phi of the source, which is no look: each use of it
        may see another value, and what follows the target's lanes is not noted as a choice.
        """
        return bool(self.source) and x.source.startswith(_MINE)

    def parts(self, name: str, source: Graph, target: Graph) -> list[Part] | None:
        """Return the lanes of a phi of the target, poison where one of the source's is."""
        found = self.target.get(name)
        if found is None:
            return None
        mine = [v for n in found.source if (v := self.lanes(n, source)) is not None]
        poison = any_of(*(p for v in mine for p in v.poison))
        shape = integer_shape(target.places[name].instr.type)
        assert shape is not None
        what = f"j{target.numbers[name]}"
        return [Part(what, k * shape[1], shape[1], poison, settled=False) for k in range(shape[0])]

    def met(self, value: Value, graph: Graph, look: Callable[[str], Value]) -> Value:
        """Return a value of the source with what the target's sets hold in place of its own;
        ``look`` gives the target's phis as they were looked at.
        """
        lanes = tuple(self._meet(e, graph, look) for e in value.lanes)
        return Value(value.width, lanes, value.poison)

    def _meet(self, e: Expr, graph: Graph, look: Callable[[str], Value]) -> Expr:
        for found in dict.fromkeys(self.source.values()):
            mine = [v for n in found.source if (v := self.lanes(n, graph)) is not None]
            lanes = frozenset(x for v in mine for x in v.lanes)
            if not lanes.isdisjoint(leaves(e)):
                whole = found.whole([x for n in found.target for x in look(n).lanes])
                e = replaced(e, found.sums.join, lanes, whole) or e
        return e


def _width(graph: Graph, label: str, names: Sequence[str]) -> int:
    """Return of how many bits the lanes of phis of a block are, 0 for others and where one is named
    twice.
    """
    known = {i.name: integer_shape(i.type) for i in graph.phis(label)}
    found = {shape[1] if (shape := known.get(n)) else 0 for n in names}
    return found.pop() if len(found) == 1 and len({*names}) == len(names) else 0


def arriving(graph: Graph, names: Sequence[str], label: str) -> list[Operand]:
    """Return what phis are given from a block."""
    phis = [graph.places[n].instr for n in names]
    return [incoming(i)[label] for i in phis]


def together(found: Set, values: Sequence[Value], *, target: bool) -> Value:
    """Return what all lanes of some values are together, on either side of a set."""
    lanes = [e for v in values for e in v.lanes]
    one = found.whole(lanes) if target else joined(found.sums.join, lanes)
    return Value(one.width, (one,), (any_of(*(p for v in values for p in v.poison)),))
