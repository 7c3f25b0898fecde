"""Does one value of the target refine one of the source?  Both as terms over leaves: what both
functions have alike at that point.

A leaf may be undef, so each use of it in the target is a *look* with a value of its own; the
source's uses are looks, too, and may be chosen: each as one whole look of the target at the same
leaf.  A proof for looks that have nothing in common holds for the registers that are not undef (all
looks are then the same), and for those that are, whatever values they may take.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm.function.graph import Graph, Kind, Place
from frontends.llvm.meaning.border import why_refused
from frontends.llvm.meaning.choice import Chooser
from frontends.llvm.meaning.executor import Executor
from frontends.llvm.meaning.intrinsics import rounds
from frontends.llvm.meaning.lanes import NO, Side, Value
from frontends.llvm.paths.inputs import poison_bit
from frontends.llvm.text.ast import Instr, Literal, Local
from frontends.llvm.text.syntax import integer_shape, number, shape_of
from isel.ir.build import bor
from isel.ir.expr import Expr, const, elem, leaves
from isel.ir.ranges import high

_BITWISE: Final = frozenset(("and", "or", "xor", "shl", "lshr"))
MOVES: Final = ("shufflevector", "insertelement")  # a scalar in all lanes is a scalar


@dataclass(frozen=True, slots=True)
class Part:
    """Lane ``offset`` bits into the leaf ``what``: its poison bit, and whether it may be undef."""

    what: str
    offset: int
    width: int
    poison: Expr
    settled: bool

    def look(self, chooser: Chooser, mark: str = "") -> Expr:
        """Return what the first look (``mark`` tells it apart) sees, or the value where all
        looks see one.
        """
        if self.settled:
            return self.value
        return chooser.anything(f"{self.what}{mark}", self.offset, self.width)

    @property
    def value(self) -> Expr:
        """Return the value of a leaf that is not undef."""
        return elem(self.what, self.offset, self.width)


def expandable(p: Place, graph: Graph) -> bool:
    """Tell whether an instruction is a term over its operands."""
    i = p.instr
    kinds = (i.type, *(o.type for o in i.operands))
    if (
        not i.known
        or rounds(i)
        or why_refused(i, graph.contents)
        or any(integer_shape(t) is None for t in kinds)
    ):
        return False
    return p.kind in (Kind.FUNCTION, Kind.DIVISION) or (
        p.kind is Kind.CHOICE and i.opcode in ("freeze", "call")
    )


@dataclass
class Cone(Executor):
    """Values of one side as terms; ``leaf`` gives those that are not followed."""

    side: Side = field(init=False)
    chooser: Chooser = field(init=False)
    graph: Graph = field(kw_only=True)
    leaf: Callable[[str], Value | None] = field(kw_only=True)
    # instructions that choose once what undef or poison is to them, and their operands then
    chosen: dict[str, tuple[Expr, ...]] = field(default_factory=dict)
    tables: Mapping[str, Instr] = field(default_factory=dict)  # what loads are, by name
    leaves: set[str] = field(default_factory=set)
    guessed: set[str] = field(default_factory=set)  # what rests on the choice of a literal's undef

    def __post_init__(self) -> None:
        self.chooser = Chooser("S" if self.side == "source" else "T")

    def look(self, parts: Sequence[Part], mark: str = "") -> Value:
        """Return the look ``mark``, or the first one, at lanes of a leaf."""
        lanes = tuple(p.look(self.chooser, mark) for p in parts)
        return Value(parts[0].width, lanes, tuple(p.poison for p in parts))

    def _instruction(self, name: str) -> Instr:
        return self.tables.get(name) or self.graph.places[name].instr

    def _leaf(self, name: str) -> Value | None:
        found = self.leaf(name)
        self.leaves.update(() if found is None else (name,))
        return found

    def _operands(self, i: Instr) -> list[Value]:
        """Return the operands of an instruction; of a vector that a literal index takes a lane of,
        that lane, and its index there.
        """
        at = number(i.operands[1]) if i.opcode == "extractelement" else None
        if at is None or at >= shape_of(i.operands[0].type)[0]:
            return super()._operands(i)
        first = const(0, shape_of(i.operands[1].type)[1])
        return [self.value(i.operands[0], slice(at, at + 1)), Value.of(first.width, [(first, NO)])]

    def _result(self, i: Instr, operands: Sequence[Value]) -> Value:
        found = super()._result(i, operands)
        if i.opcode in _BITWISE:
            from frontends.llvm.meaning.wide import by_parts

            return by_parts(found)
        return found

    def _note_undefined(self, i: Instr, when: Expr) -> None:
        if i.opcode == "call":  # a division was looked at before
            self.undefined = bor(self.undefined, when)

    def _choose(self, i: Instr, operands: Sequence[Value]) -> Sequence[Value]:
        """Return the operands of an instruction that chooses once: looks under names of its own,
        which are the same in every proof.
        """
        if i.name not in self.guessed and all(map(self._is_fixed, operands)):
            return operands
        found = [self.chooser.settled(v, self._mark(i)) for v in operands]
        self.chosen[i.name] = tuple(e for v in found for e in (*v.lanes, *v.poison))
        return found

    def _is_fixed(self, value: Value) -> bool:
        """Tell whether a value is neither poison nor undef."""
        late = self.chooser.late
        return all(p is NO for p in value.poison) and late.isdisjoint(leaves(*value.lanes))

    def _mark(self, i: Instr) -> str:
        return f"f{self.graph.numbers[i.name]}_"


@dataclass
class SourceCone(Cone):
    """The source's values: what is frozen is chosen as it is; only leaves, and what is moved,
    are looked at anew by each use.

    ``opaque`` gives the value of an instruction that is not followed after all; ``anew`` tells
    whether all that is used again is looked at anew, ``shared`` whether one look was taken for
    several uses.
    """

    side: Side = field(default="source", init=False)
    opaque: Callable[[str], Value] = field(kw_only=True)
    anew: bool = field(kw_only=True)
    shared: bool = False
    _narrow: set[str] = field(default_factory=set)  # what was given less than poison may be

    def looks_again(self, name: str) -> bool:
        """Tell whether another look costs nothing, or all take one, and note where one does not:
        the source need not choose alike at each use.
        """
        moved = name in self.leaves or self.graph.places[name].instr.opcode in MOVES
        self.shared |= not (moved or self.anew)
        return moved or self.anew

    def _operands(self, i: Instr) -> list[Value]:
        literals = (o for o in i.operands if isinstance(o, Literal))
        names = (o.name for o in i.operands if isinstance(o, Local))
        if any("undef" in o.lanes for o in literals) or not self.guessed.isdisjoint(names):
            self.guessed.add(i.name)
        return super()._operands(i)

    def _freeze(self, i: Instr, value: Value) -> Value:
        """Return a frozen value; what has something to choose is a leaf, as others may see it."""
        fixed = i.name not in self.guessed and self._is_fixed(value)
        return value if fixed else self.opaque(i.name)

    def _choose(self, i: Instr, operands: Sequence[Value]) -> Sequence[Value]:
        found = super()._choose(i, operands)
        if i.name in self.chosen and not self._anything(operands):
            self._narrow.add(i.name)
        return found

    def _result(self, i: Instr, operands: Sequence[Value]) -> Value:
        if i.name in self.tables and len(operands[0].lanes) <= high(operands[1].lanes[0]):
            return self.opaque(i.name)
        return super()._result(i, operands)

    def _anything(self, operands: Sequence[Value]) -> bool:
        """Tell whether all that is chosen of operands may be anything, each lane by itself: they
        are looks of which no two are one.  A term is what it can be, though poison is more.
        """
        rows = [row for v in operands for row in v.rows]
        late = self.chooser.late
        found = [e for e, p in rows if p is not NO or not late.isdisjoint(leaves(e))]
        return late.issuperset(found) and len(set(found)) == len(found)

    def chosen_in(self, value: Value) -> set[str]:
        """Return the instructions on whose choices a value may rest: what it does not mention may
        have been chosen in any way, if all ways were looked at.
        """
        seen = frozenset(leaves(*value.lanes, *value.poison))
        shown = {n: frozenset(leaves(*terms)) for n, terms in self.chosen.items()}
        bound = self.guessed | self._narrow
        return {n for n, xs in shown.items() if n in bound or not xs or xs & seen}


@dataclass
class TargetCone(Cone):
    """The target's values: each use of what may be undef is another look."""

    side: Side = field(default="target", init=False)

    def again(self, parts: Sequence[Part]) -> Value:
        """Return one more look at lanes of a leaf."""
        return self.chooser.again(self.look(parts))

    def first(self, o: Local) -> Value:
        """Return a value as its first use sees it."""
        self.compute(o.name)
        return self.done[o.name]

    def _is_free(self, value: Expr, poison: Expr) -> bool:
        """Tell whether a lane is a look at a leaf that nothing else sees: it is as free where it is
        poison as a choice would be.
        """
        if value not in self.chooser.late:
            return False
        return poison is poison_bit(value.source.split(".")[1], value.offset // value.width)
