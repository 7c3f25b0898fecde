"""Accumulators that hold the same together: sets of phis at corresponding blocks whose lanes, all
joined, are equal, though no lane need be.

The relation at a loop head is: a lane of the source's set is poison, or no lane of the target's is
and both sets reduce to the same value.  It is shown for every edge, and used where a value joins
all lanes of the source's set and of nothing else of it.  Undef needs no more: each proof takes one
look at the target's lanes, and the source answers it with lanes of the same reduction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from frontends.llvm.cuts.graph import Graph
from frontends.llvm.cuts.terms import Part
from frontends.llvm.meaning.lanes import Value
from frontends.llvm.paths.choice import Cannot
from frontends.llvm.paths.inputs import poison_bit
from frontends.llvm.text.ast import Function, Instr, Operand, VectorType
from frontends.llvm.text.syntax import integer_shape
from frontends.llvm.text.view import View, incoming
from frontends.llvm.windows.webs import (
    Web,
    bundles_of,
    computed_from,
    join_of,
    reduction_of,
    webs_of,
)
from isel.ir.build import any_of, make
from isel.ir.expr import Expr, elem, leaves
from isel.spec.target import Target
from isel.verify.partition import joined, replaced

_LANES: Final = ("shufflevector", "insertelement", "extractelement")  # what moves lanes
_MINE: Final = "a"  # what names of lanes of the source's phis, and of no other leaves, begin with


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """A web of the target that stands for one of the source, and how what the target's lanes are
    together becomes a value of the source's lanes: ``cast`` to ``width`` bits.
    """

    source: Web
    target: Web
    width: int
    cast: str

    def whole(self, lanes: list[Expr]) -> Expr:
        """Return what lanes of the target are together, as a value of the source's width."""
        one = joined(self.target.join, lanes)
        if one.width == self.width:
            return one
        if one.width > self.width:
            return make("extract", (one,), (0, self.width))
        return make(self.cast, (one,), (self.width,))


@dataclass(frozen=True, slots=True, eq=False)
class Set:
    """The phis of a web in one block, on both sides."""

    joint: Joint
    source: tuple[str, ...]
    target: tuple[str, ...]


def joints_of(
    source: Function, target: Function, blocks: Mapping[str, str], isa: Target | None
) -> dict[str, Joint]:
    """Return the webs of the target that may stand for webs of the source by the names of their
    phis: those that are carried through the same blocks, in order.  What was joined so far may go
    through freezes, moves of lanes and instructions of the machine there: all of it is to be
    proved.
    """

    def computes(i: Instr) -> bool:
        return isa is not None and isa.by_call(i.callee) is not None

    def passes(i: Instr) -> bool:
        vector = isinstance(i.type, VectorType) and (i.opcode == "freeze" or computes(i))
        return vector or i.opcode in _LANES

    mine, theirs = _looked_at(source.view), _looked_at(target.view)
    waiting: dict[frozenset[str], list[Web]] = {}
    for web in webs_of(mine):
        waiting.setdefault(frozenset(mine.label(i.name) for i in web.phis), []).append(web)
    waiting.pop(frozenset(), None)
    found: dict[str, Joint] = {}
    for t in webs_of(theirs, passes):
        t = _accumulating(t, computes)
        key = frozenset(blocks.get(theirs.label(i.name), "") for i in t.phis)
        if not waiting.get(key):
            continue
        s = waiting[key].pop(0)
        width = integer_shape(s.root.type)
        if width is not None:
            joint = Joint(s, t, width[1], _cast(theirs, t))
            found.update((i.name, joint) for i in t.phis)
    return found


def _looked_at(view: View) -> View:
    """Return a view in which one reduction is left where a value is reduced again and again alike:
    a sum that a loop also stores is carried all the same.
    """
    users: dict[str, tuple[Instr, ...]] = {}
    for name, found in view.users.items():
        first = {reduction_of(u): u for u in reversed(found) if reduction_of(u)}
        users[name] = tuple(u for u in found if first.get(reduction_of(u), u) is u)
    return View(view.blocks, users)


def _accumulating(web: Web, computes: Callable[[Instr], bool]) -> Web:
    """Return a web without phis out of which lanes are only moved, and to which no loop joins
    anything: they carry elements of what is joined from one iteration to the next.
    """
    above = {n: _above(web, n) for n in web.members}
    joining = [n for n, i in web.members.items() if join_of(i) == web.join or computes(i)]
    phis = [i.name for i in web.phis]
    sums = {p for p in phis if any(p in above[j] for j in joining if j in above[p])}
    unmoved = _above(web, web.root.name, lambda i: i.opcode not in _LANES)
    gone = {p for p in phis if p not in unmoved and sums.isdisjoint((p, *above[p]))}
    return replace(web, members={n: i for n, i in web.members.items() if n not in gone})


def _above(web: Web, name: str, enters: Callable[[Instr], bool] = lambda _: True) -> frozenset[str]:
    """Return the members that one is computed from, by members that ``enters`` tells."""
    found = computed_from(web.members, web.members[name].operands, enters)
    return frozenset(i.name for i in found)


def _cast(view: View, web: Web) -> str:
    """Return by which extension the result of a reduction is used."""
    signed = any(u.opcode == "sext" for u in view.used_by(web.root.name))
    return "sext" if signed else "zext"


@dataclass
class Sets:
    """The sets of phis that hold the same together, by the names of the phis of either side."""

    source: Mapping[str, Set] = field(default_factory=dict)
    target: Mapping[str, Set] = field(default_factory=dict)

    def find(self, joints: Iterable[Joint], graphs: tuple[Graph, Graph], a: str, b: str) -> None:
        """Add the sets of two corresponding blocks; raise :class:`Cannot` where one side has
        none.
        """
        for joint in joints:
            mine = bundles_of(graphs[0].function.view, joint.source).get(a, ())
            theirs = bundles_of(graphs[1].function.view, joint.target).get(b, ())
            if len(mine) != len(theirs):
                raise Cannot(f"block %{a}: accumulators that are on one side only")
            for s, t in zip(mine, theirs, strict=True):
                found = Set(joint, s, t)
                self.source = {**self.source, **dict.fromkeys(s, found)}
                self.target = {**self.target, **dict.fromkeys(t, found)}

    def lanes(self, name: str, graph: Graph) -> Value | None:
        """Return the lanes of a phi of the source, None where it is in no set."""
        if name not in self.source:
            return None
        shape = integer_shape(graph.places[name].instr.type)
        assert shape is not None
        what = f"{_MINE}{graph.numbers[name]}"
        return Value(
            shape[1],
            tuple(elem(what, k * shape[1], shape[1]) for k in range(shape[0])),
            tuple(poison_bit(what, k) for k in range(shape[0])),
        )

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
                whole = found.joint.whole([x for n in found.target for x in look(n).lanes])
                e = replaced(e, found.joint.source.join, lanes, whole) or e
        return e


def arriving(graph: Graph, names: Sequence[str], label: str) -> list[Operand]:
    """Return what phis are given from a block."""
    phis = [graph.places[n].instr for n in names]
    return [incoming(i)[label] for i in phis]


def together(found: Set, values: Sequence[Value], *, target: bool) -> Value:
    """Return what all lanes of some values are together, on either side of a set."""
    lanes = [e for v in values for e in v.lanes]
    one = found.joint.whole(lanes) if target else joined(found.joint.source.join, lanes)
    return Value(one.width, (one,), (any_of(*(p for v in values for p in v.poison)),))
