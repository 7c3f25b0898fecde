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

from frontends.llvm.facts.graph import Graph, Kind, Place
from frontends.llvm.meaning.intrinsics import rounds
from frontends.llvm.meaning.lanes import NO, Cannot, Side, Value
from frontends.llvm.meaning.limits import TERMS_INSTRUCTIONS, TERMS_LANES
from frontends.llvm.meaning.lower import literal_value, meaning_of
from frontends.llvm.paths.border import why_refused
from frontends.llvm.paths.choice import Chooser, Names
from frontends.llvm.paths.inputs import constant, poison_bit
from frontends.llvm.text.ast import Instr, Literal, Local, Operand
from frontends.llvm.text.syntax import integer_shape, number, shape_of
from isel.ir.build import bor, ite
from isel.ir.expr import Expr, const, elem, leaves
from isel.ir.ranges import high
from isel.spec.target import Target

_EVERY: Final = slice(None)
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
class Cone:
    """Values of one side as terms; ``leaf`` gives those that are not followed."""

    side: Side
    graph: Graph
    isa: Target | None
    leaf: Callable[[str], Value | None]
    done: dict[str, Value] = field(default_factory=dict)
    undefined: Expr = NO
    # instructions that choose once what undef or poison is to them, and their operands then
    chosen: dict[str, tuple[Expr, ...]] = field(default_factory=dict)
    tables: Mapping[str, Instr] = field(default_factory=dict)  # what loads are, by name
    lanes: int = 0
    leaves: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.chooser = Chooser("S" if self.side == "source" else "T", Names())

    def value(self, o: Operand, lanes: slice = _EVERY) -> Value:
        """Return an operand, or lanes of it, as this use of it sees it."""
        if isinstance(o, Literal):
            return self.literal(o).of_lanes(lanes)
        if not isinstance(o, Local):
            raise Cannot(f"the operand {o.text}")
        self._compute(o.name)
        return self.use(o.name, lanes)

    def given(self, i: Instr) -> list[Value]:
        """Return the operands of an instruction; of a vector that a literal index takes a lane of,
        that lane, and its index there.
        """
        at = number(i.operands[1]) if i.opcode == "extractelement" else None
        if at is None or at >= shape_of(i.operands[0].type)[0]:
            return [self.value(o) for o in i.operands]
        first = const(0, shape_of(i.operands[1].type)[1])
        return [self.value(i.operands[0], slice(at, at + 1)), Value.of(first.width, [(first, NO)])]

    def use(self, name: str, lanes: slice = _EVERY) -> Value:
        """Return lanes of a value that was computed as one more use of it sees them."""
        found = self.done[name].of_lanes(lanes)
        if name in self.used and self.looks_again(name):
            return self.chooser.again(found)
        self.used.add(name)
        return found

    def looks_again(self, name: str) -> bool:
        """Tell whether a value that was used is looked at anew by the next use."""
        return True

    def literal(self, o: Literal) -> Value:
        """Return a constant; the source's undef lanes are chosen as 0."""
        return literal_value(o)

    def look(self, parts: Sequence[Part], mark: str = "") -> Value:
        """Return the look ``mark``, or the first one, at lanes of a leaf."""
        lanes = tuple(p.look(self.chooser, mark) for p in parts)
        return Value(parts[0].width, lanes, tuple(p.poison for p in parts))

    def _compute(self, name: str) -> None:
        waiting = [name]
        while waiting:
            top = waiting[-1]
            found = None if top in self.done else self.leaf(top)
            if found is not None:
                self.done[top] = found
                self.leaves.add(top)
            if top in self.done:
                waiting.pop()
                continue
            i = self.tables.get(top) or self.graph.places[top].instr
            todo = [o.name for o in i.operands if isinstance(o, Local) and o.name not in self.done]
            waiting += todo
            if not todo:
                self.done[top] = self._note(self.lower(i))

    def _note(self, value: Value) -> Value:
        self.lanes += len(value.lanes)
        if len(self.done) > TERMS_INSTRUCTIONS or self.lanes > TERMS_LANES:
            raise Cannot("it is computed by too many instructions")
        return value

    def lower(self, i: Instr) -> Value:
        """Return the result of an instruction whose operands were computed."""
        return self.meant(i, self.given(i))

    def meant(self, i: Instr, operands: Sequence[Value]) -> Value:
        """Return what an instruction makes of its operands."""
        if i.opcode == "shufflevector":
            return self.chooser.apart(i.mask, *operands)
        found = meaning_of(i, operands, self.isa, self.side)
        if i.opcode == "call":  # a division was looked at before
            self.undefined = bor(self.undefined, found.undefined)
        if i.opcode in _BITWISE:
            from frontends.llvm.meaning.wide import by_parts

            return by_parts(found.value)
        return found.value

    def settled(self, i: Instr, operands: Sequence[Value]) -> list[Value]:
        """Return the operands of an instruction that chooses once: looks under names of its own,
        which are the same in every proof.
        """
        found = [self.chooser.settled(v, self._mark(i)) for v in operands]
        self.chosen[i.name] = tuple(e for v in found for e in (*v.lanes, *v.poison))
        return found

    def fixed(self, value: Value) -> bool:
        """Tell whether a value is neither poison nor undef."""
        late = self.chooser.late
        return all(p is NO for p in value.poison) and late.isdisjoint(leaves(*value.lanes))

    def _mark(self, i: Instr) -> str:
        return f"f{self.graph.numbers[i.name]}_"

    def by_target(self, i: Instr) -> bool:
        """Tell whether an instruction is one of the target's own."""
        return (
            i.opcode == "call" and self.isa is not None and self.isa.by_call(i.callee) is not None
        )


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
    _guessed: set[str] = field(default_factory=set)  # what rests on the choice of a literal's undef
    _narrow: set[str] = field(default_factory=set)  # what was given less than poison may be

    def looks_again(self, name: str) -> bool:
        """Tell whether another look costs nothing, or all take one, and note where one does not:
        the source need not choose alike at each use.
        """
        moved = name in self.leaves or self.graph.places[name].instr.opcode in MOVES
        self.shared |= not (moved or self.anew)
        return moved or self.anew

    def lower(self, i: Instr) -> Value:
        """Lower; a freeze that has something to choose is a leaf, as others may see its choice."""
        operands = self.given(i)
        if i.name in self.tables and len(operands[0].lanes) <= high(operands[1].lanes[0]):
            return self.opaque(i.name)
        guessed = any(
            "undef" in o.lanes
            if isinstance(o, Literal)
            else isinstance(o, Local) and o.name in self._guessed
            for o in i.operands
        )
        if guessed:
            self._guessed.add(i.name)
        choosing = guessed or not all(map(self.fixed, operands))
        if i.opcode == "freeze":
            return self.opaque(i.name) if choosing else operands[0]
        if choosing and self.by_target(i):
            if not self._anything(operands):
                self._narrow.add(i.name)
            operands = self.settled(i, operands)  # no later use may choose anew
        return self.meant(i, operands)

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
        bound = self._guessed | self._narrow
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
        self._compute(o.name)
        return self.done[o.name]

    def literal(self, o: Literal) -> Value:
        """Return a constant; an undef lane is anything."""
        return constant(o, self.chooser)

    def lower(self, i: Instr) -> Value:
        """Lower; freezes and instructions of the target choose once."""
        operands = self.given(i)
        if i.opcode != "freeze" and not self.by_target(i):
            return self.meant(i, operands)
        settled = operands if all(map(self.fixed, operands)) else self.settled(i, operands)
        return (
            self._freeze(i, *operands, *settled) if i.opcode == "freeze" else self.meant(i, settled)
        )

    def _freeze(self, i: Instr, value: Value, settled: Value) -> Value:
        """Return a value frozen; a look at a leaf that nothing else sees is as free where it is
        poison as a choice would be.
        """
        free = self.chooser.fresh("freeze", self._mark(i))
        lanes = list[Expr]()
        for k, (old, p) in enumerate(zip(value.lanes, settled.poison, strict=True)):
            e, late = settled.lanes[k], old in self.chooser.late
            alone = late and p is poison_bit(old.source.split(".")[1], old.offset // old.width)
            free_lane = elem(free, k * value.width, value.width)
            lanes.append(e if p is NO or alone else ite(p, free_lane, e))
        return Value(value.width, tuple(lanes), (NO,) * len(lanes))
