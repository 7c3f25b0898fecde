"""Which value of the target refines which of the source, at every point where both have been
computed.

A pair is in the relation because both are arguments, phis of one block, or the same instruction of
related operands; other pairs are asked for where something that can be seen depends on them, and
proved as terms (:mod:`frontends.llvm.cuts.terms`).  A value is what its instruction makes of the
*current* values of its operands wherever it may be used (each definition dominates its uses), so
that terms may go through blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from frontends.llvm.cuts.agreement import Made, choices_of
from frontends.llvm.cuts.apart import Apart
from frontends.llvm.cuts.block_memory import Bytes, Regions
from frontends.llvm.cuts.bytes import in_range, promise, ranges_in, reader, units
from frontends.llvm.cuts.joins import Set, Sets, together
from frontends.llvm.cuts.looks import (
    chosen_looks,
    lanes_of,
    once,
    seen_as,
    seen_wrong,
    where_defined,
)
from frontends.llvm.cuts.sides import Sides
from frontends.llvm.cuts.terms import MOVES, Part, SourceCone, TargetCone, expandable
from frontends.llvm.function.addresses import TargetAddresses
from frontends.llvm.function.graph import Graph, Kind, Place, operands
from frontends.llvm.meaning.lanes import NO, YES, Cannot, Value, recast
from frontends.llvm.meaning.limits import RELATION_DEPTH, RELATION_PROOFS
from frontends.llvm.meaning.lower import out_of_ranges
from frontends.llvm.meaning.ranges import within
from frontends.llvm.paths.inputs import poison_bit
from frontends.llvm.text.ast import Argument, Instr, Literal, Local, Operand, PtrType, Symbol
from frontends.llvm.text.identity import tokens
from frontends.llvm.text.syntax import integer_shape, shape_of
from isel.ir.build import bnot
from isel.ir.expr import Expr, const, leaves
from isel.model.verdict import Proved, Refuted, Unknown
from isel.verify.choices import Choices, Problem, refines
from isel.verify.prove import Known


@dataclass
class Relation:
    """What was found so far; ``image`` maps a value of the target to the source's."""

    source: Graph
    target: Graph
    sides: Sides
    blocks: Mapping[str, str]
    regions: Regions
    known: Known
    image: dict[str, str] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)  # values of the source that one of the target is
    # instructions of the source whose choice is that of one of the target
    taken: set[str] = field(default_factory=set)
    made: Made = field(default_factory=Made)  # of these what proofs rest on
    sets: Sets = field(default_factory=Sets)  # phis that hold the same together
    added: dict[str, Bytes] = field(default_factory=dict)  # loads of the target alone
    decided: dict[tuple[Operand, Operand], bool] = field(default_factory=dict)
    proofs: list[Proved] = field(default_factory=list)
    tried: int = 0
    open: bool = False  # solvers gave up on a proof: each of these may take all of their limits
    reason: str = ""

    def __post_init__(self) -> None:
        self.addresses = TargetAddresses(self.target, self.regions.addresses, self.same)
        self.apart = Apart(self.source, self.regions)

    def same(self, t: Operand) -> Operand | None:
        """Return the operand of the source that one of the target is known to be."""
        if isinstance(t, Local):
            name = self.image.get(t.name)
            return None if name is None else Local(name, t.type)
        fixed = isinstance(t, Literal) or self.sides.pairing.same(tokens(t.text), tokens(t.text))
        return t if fixed else None

    def put(self, t: str, s: str) -> None:
        """Note that a value of the target is one of the source."""
        self.image[t] = s
        self.met.add(s)
        place = self.source.places.get(s)
        if place is not None and place.kind is not Kind.FUNCTION:
            self.taken.add(s)

    def related(self, t: Operand, s: Operand, depth: int = 0) -> bool:
        """Tell whether an operand of the target was shown to refine one of the source."""
        if t.type != s.type and str(t.type) != str(s.type):
            return False
        if not isinstance(t, Local) and not isinstance(s, Local):
            return self._constants(t, s)
        if isinstance(t, Local) and self.same(t) == s:
            return True
        key = (t, s)
        if key not in self.decided:
            self.decided[key] = False  # while it is looked at
            self.decided[key] = (
                self._alike(t, s, depth) or self._same_address(t, s) or self._is_proved(t, s)
            )
        return self.decided[key]

    def _constants(self, t: Operand, s: Operand) -> bool:
        if isinstance(t, Literal) and isinstance(s, Literal):
            return all(
                x == y or y == "poison" or (y == "undef" and x != "poison")
                for x, y in zip(t.lanes, s.lanes, strict=True)
            )
        return (
            isinstance(t, Symbol)
            and isinstance(s, Symbol)
            and self.sides.pairing.same(tokens(s.text), tokens(t.text))
        )

    def _alike(self, t: Operand, s: Operand, depth: int) -> bool:
        """Tell whether both are the same function of related operands."""
        mine, theirs = self.source.place(s), self.target.place(t)
        if mine is None or theirs is None or depth > RELATION_DEPTH or mine.kind is not theirs.kind:
            return False
        if mine.kind is Kind.FUNCTION:
            return self.follows(theirs.instr, mine.instr, depth)
        if mine.kind is not Kind.CHOICE or mine.instr.name in self.taken:
            return False
        block = self.blocks[theirs.block]
        if not self.source.chosen_in_time(mine, theirs, block):
            return False
        if not self.follows(theirs.instr, mine.instr, depth):
            return False
        self.put(theirs.instr.name, mine.instr.name)
        return True

    def follows(self, t: Instr, s: Instr, depth: int = 0) -> bool:
        """Tell whether two instructions are the same, or the target's promises less, of related
        operands.
        """
        mine, theirs = self.source.shape(s), self.target.shape(t)
        if not mine.allows(theirs, self.sides.pairing):
            return False
        a, b = operands(self.source, s, mine.operands), operands(self.target, t, theirs.operands)
        return all(self.related(y, x, depth + 1) for x, y in zip(a, b, strict=True))

    def _same_address(self, t: Operand, s: Operand) -> bool:
        if not isinstance(t.type, PtrType):
            return False
        mine, theirs = self.regions.addresses.of(s), self.addresses.of(t)
        if mine is None or theirs is None or mine != theirs:
            return False
        # else it may be poison alone, or undef where the source's is less so
        return theirs.rests <= mine.rests and self.regions.writes.is_fixed(theirs.twice)

    def _is_proved(self, t: Operand, s: Operand) -> bool:
        if integer_shape(t.type) is None:
            return False
        return self._is_shown(lambda proof: proof.of(t, s))

    def is_made(self, t: Operand, s: Operand, lanes: Sequence[bool]) -> bool:
        """Tell whether some lanes of an operand were shown to refine those of one of the source, by
        what the target itself chooses if need be.
        """
        shown = self.related(t, s)
        return shown or self._is_shown(lambda proof: proof.of_lanes(t, s, lanes), own=True)

    def meets(self, found: Set, t: Sequence[Operand], s: Sequence[Operand]) -> bool:
        """Tell whether values that come to a set of phis were shown to be the same together."""
        return self._is_shown(lambda proof: proof.of_set(found, t, s))

    def _is_shown(self, prove: Callable[[_Proof], Proved | None], *, own: bool = False) -> bool:
        """Try to prove something as terms: first over values that both have, then over all that
        they are computed from, and then with a look for each use of what the source computes.
        """
        shared = True
        for deep, anew in ((False, False), (True, False), (True, True)):
            if anew and not shared:
                break
            self.tried += 1
            if self.tried > RELATION_PROOFS:
                raise Cannot(f"more than {RELATION_PROOFS} proofs")
            if self.open:
                raise Cannot(self.reason)
            attempt = _Proof(self, deep=deep, anew=anew, own=own)
            try:
                proof = prove(attempt)
            except Cannot as reason:
                self.reason = str(reason)
                continue
            if proof is not None:
                self.proofs.append(proof)
                return True
            shared = attempt.mine.shared
        return False


class _Proof:
    """One proof: the leaves of both sides."""

    def __init__(self, relation: Relation, *, deep: bool, anew: bool, own: bool) -> None:
        self.r = relation
        self.deep, self.own = deep, own
        self.facts: dict[Expr, None] = {}
        self.met: set[str] = set()  # values of the source that are leaves of the target's term
        isas = relation.sides.isas
        self.theirs = TargetCone(isas[1], graph=relation.target, leaf=self._target_leaf)
        self.mine = SourceCone(
            isas[0],
            graph=relation.source,
            leaf=self._source_leaf,
            opaque=self._source_value,
            anew=anew,
            tables=relation.sides.tables,
        )

    def of(self, t: Operand, s: Operand) -> Proved | None:
        """Prove that ``t`` refines ``s``, None if that was not shown."""
        return self._refines(self.theirs.value(t), self.mine.value(s))

    def of_lanes(self, t: Operand, s: Operand, lanes: Sequence[bool]) -> Proved | None:
        """Prove that some lanes of ``t`` refine those of ``s``."""
        target, source = self.theirs.value(t), self.mine.value(s)
        free = const(0, source.width), YES
        chosen = (row if x else free for row, x in zip(source.rows, lanes, strict=True))
        return self._refines(target, Value.of(source.width, chosen))

    def of_set(self, found: Set, t: Sequence[Operand], s: Sequence[Operand]) -> Proved | None:
        """Prove that operands are the same together."""
        target = together(found, [self.theirs.value(o) for o in t], target=True)
        return self._refines(target, together(found, [*map(self.mine.value, s)], target=False))

    def _refines(self, target: Value, source: Value) -> Proved | None:
        r = self.r
        source = r.sets.met(source, r.source, lambda name: self._look(name, target))
        if (source.width, len(source.lanes)) != (target.width, len(target.lanes)):
            return None
        chosen = self.mine.chosen_in(source)
        if any(r.sets.holds(x) for n in chosen for x in leaves(*self.mine.chosen[n])):
            raise Cannot("a choice that the source makes once would rest on accumulators")
        if chosen and not self._one_time(chosen):
            raise Cannot("a choice of the source would have to fit several of the target")
        target = target if self.theirs.chosen else where_defined(target, source)
        looks = chosen_looks(source, target, r.apart)
        if chosen and not once(looks):
            raise Cannot(
                "a choice that the source makes once would follow one that the target makes again"
            )
        choices = choices_of(chosen, looks, self.mine, self.theirs)
        if not r.made.agree(choices):
            raise Cannot("a choice of the source was made in another way")
        lanes = lanes_of(source, target, looks, frozenset(leaves(*self.facts)))
        problem = Problem(
            tuple(lanes), NO, self.theirs.undefined, tuple(self.facts), Choices(), Choices(), ()
        )
        if seen_wrong(problem):
            r.reason = "not shown to be equal"
            return None
        sides, hints = r.sides, r.sides.guesses.hints
        match verdict := refines(problem, r.known, sides.effort, sides.checker, hints):
            case Proved():
                r.taken |= chosen
                r.made.known.update(choices)
                return verdict
            case Refuted(_, where):
                r.reason = f"not shown to be equal{f' at {where}' if where else ''}"
            case Unknown(reason):
                r.reason = reason
                r.open = True
        return None

    def _one_time(self, chosen: set[str]) -> bool:
        """Tell whether the source's choices are made together, each time after those of the target
        or with them, and are nobody else's.

        A choice that the target makes before a loop may be followed in each iteration; where both
        are seen it is still the one that was followed last.
        """
        mine = {self.r.source.places[n].block for n in chosen}
        theirs = {self.r.blocks[self.r.target.places[n].block] for n in self.theirs.chosen}
        free = all(n not in self.r.taken or self.r.made.by(n) for n in chosen)
        followed = all(self.r.source.dominates(b, a) for a in mine for b in theirs)
        return free and len(mine) == 1 and followed

    def _look(self, name: str, target: Value) -> Value:
        """Return a phi of the target as a value of the target looks at it, or as it was looked at
        first where that is not one look.
        """
        first = self.theirs.first(Local(name, self.r.target.places[name].instr.type))
        return seen_as(first, target)

    def _target_leaf(self, name: str) -> Value | None:
        place = self.r.target.places.get(name)
        joint = self.r.sets.parts(name, self.r.source, self.r.target)
        if joint is not None:
            return self.theirs.again(joint)
        if name in self.r.added:
            return self._view(self.theirs.again(self._bytes(self.r.added[name])), place)
        s = self.r.image.get(name)
        if self.own and place is not None and expandable(place, self.r.target):
            return None
        if s is not None:
            mine = self.r.source.places.get(s)
            if mine is not None and self._goes_through(mine):
                return None
            self.met.add(s)
            return self._view(self.theirs.again(self._parts(s)), reader(place, mine))
        if place is None or not expandable(place, self.r.target):
            raise Cannot(f"%{name} of the target is nothing that the source has")
        return None

    def _goes_through(self, p: Place) -> bool:
        """Tell whether an instruction of the source is followed where the target has it, too."""
        opcode, free = p.instr.opcode, p.instr.name not in self.r.taken
        followed = opcode in MOVES or (self.deep and opcode != "freeze")
        return followed and free and expandable(p, self.r.source)

    def _source_leaf(self, name: str) -> Value | None:
        place = self.r.source.places.get(name)
        if (
            place is not None
            and name not in self.met
            and (name not in self.r.taken or self.r.made.by(name))
            and (expandable(place, self.r.source) or name in self.mine.tables)
        ):
            return None
        return self._source_value(name)

    def _source_value(self, name: str) -> Value:
        joint = self.r.sets.lanes(name, self.r.source)
        if joint is not None:
            return joint
        value = self.mine.look(self._parts(name), f".l{self.r.source.numbers[name]}")
        return self._view(value, self.r.source.places.get(name))

    def _view(self, value: Value, place: Place | None) -> Value:
        """Return units of memory as the lanes of a load, poison where they are out of its range."""
        shape = integer_shape(place.instr.type) if place is not None else None
        if shape is None or place is None:
            return value
        found = recast(value, shape[1])
        said = dict(place.instr.metadata)
        if place.kind is not Kind.LOAD or "range" not in said or "noundef" in said:
            return found
        ranges = ranges_in(place.instr, self.r.source)
        if not ranges:
            raise Cannot(f"the range of %{place.instr.name}")
        return found.poison_where(lambda e: bnot(within(e, ranges)))

    def _parts(self, name: str) -> list[Part]:
        """Return the lanes of a value of the source as a leaf."""
        lies, k = self.r.regions.read(name), self.r.source.arguments.get(name)
        if lies is not None:
            return self._bytes(lies)
        a = None if k is None else self.r.source.function.arguments[k]
        count, width = shape_of((a or self.r.source.places[name].instr).type)
        if not count:
            raise Cannot(f"%{name} is no integer")
        settled, what = self.r.regions.writes.settled, f"r{self.r.source.numbers[name]}"
        seen, sure = settled.holds(name), settled.has_promise(name)
        bits = [NO if sure else poison_bit(what, k) for k in range(count)]
        parts = [Part(what, k * width, width, p, seen) for k, p in enumerate(bits)]
        if a is not None and sure:
            self._note(a, parts)
        return parts

    def _note(self, a: Argument, parts: Sequence[Part]) -> None:
        tests = out_of_ranges(a.attributes, parts[0].width)
        self.facts.update({bnot(t(p.value)): None for t in tests for p in parts})

    def _bytes(self, lies: Bytes) -> list[Part]:
        """Return units of memory, with what the source's loads promise of them."""
        known = ((r.instr, self.r.regions.read(r.instr.name)) for r in promise(lies))
        facts = (x for i, b in known if b is not None for x in in_range(i, b, self.r.source))
        self.facts.update(dict.fromkeys(facts))
        return units(lies)
