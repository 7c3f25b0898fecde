"""Does a function refine another one of the same control flow?  Loops included: block by block, by
induction over what is executed.

Both sides go through corresponding blocks in step.  Phis are unknowns, each of the target bound to
one of the source (a guess, that every edge into their block must confirm); memory holds the same
bytes on both sides (refined ones, which is no loss: what is executed is monotone), since the
effects of two blocks are the same, in order, of related operands.  What is shown of one block so
holds whenever it is reached.  The relation at a cut is that a value refines another; REFINEMENT and
``docs/architecture.md`` say why that is enough.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from itertools import islice
from typing import Final

from frontends.llvm.cuts.block_memory import Regions
from frontends.llvm.cuts.guards import Conditions
from frontends.llvm.cuts.joins import Set, arriving
from frontends.llvm.cuts.relation import Relation
from frontends.llvm.cuts.sides import Sides
from frontends.llvm.cuts.stores import join_stores
from frontends.llvm.cuts.wording import key_of, said_of, value_of
from frontends.llvm.function.graph import (
    SPECULATABLE,
    Graph,
    Kind,
    Place,
    in_time,
    pair_blocks,
)
from frontends.llvm.meaning.border import Rule, rule_of, said, why_refused
from frontends.llvm.meaning.lanes import Cannot
from frontends.llvm.meaning.limits import COMPARE_BLOCKS, COMPARE_GUESSES, COMPARE_TRIES
from frontends.llvm.passes.witness import Sums
from frontends.llvm.paths.heads import compare
from frontends.llvm.text.ast import Instr, Literal, Local, Operand, VectorType
from frontends.llvm.text.identity import head_tokens, local_names
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.text.view import incoming
from isel.model.verdict import Proved, Unknown
from isel.verify.prove import Known, conjoined

_ASIDE: Final = (Kind.PHI, Kind.SILENT)


class _WrongPhi(Exception):
    """A guess did not hold: the target's phi, the source's, and where."""

    def __init__(self, target: str, source: str, where: str) -> None:
        super().__init__(where)
        self.pair = (target, source)


def compare_by_cuts(sides: Sides) -> Proved | Unknown:
    """Return ``Proved`` if the target refines the source, else ``Unknown`` with the block and
    the value for which that was not shown.
    """
    wrong: dict[tuple[str, str], str] = {}
    joined: dict[Sums, None] = {}  # of which it is no use to relate phis one by one
    try:
        if refusal := _refusal(sides):
            return Unknown(refusal)
        source, target = sides.graph(0), sides.graph(1)
        blocks = pair_blocks(source, target)
        known: Known = {}  # in every guess
        source = Graph(join_stores(source, target, blocks), sides.contents[0], sides.sizes[0])
        sums = cache(partial(sides.sums, source.function.view, blocks))
        while len(wrong) < COMPARE_GUESSES:
            try:
                regions = Regions(source, sides.ahead)
                relation = Relation(source, target, sides, blocks, regions, known)
                _Comparison(relation, wrong, *joined).run()
                return conjoined(relation.proofs)
            except _WrongPhi as guess:
                found = sums().get(guess.pair[0])
                if found is not None and found not in joined:
                    joined[found] = None
                elif guess.pair[1]:
                    wrong[guess.pair] = str(guess)
                else:
                    return Unknown(next(iter(wrong.values()), str(guess)))
            except Cannot:
                if len(joined) == len({*sums().values()}):
                    raise
                joined.update(dict.fromkeys(sums().values()))
    except Cannot as why:
        return Unknown(next(iter(wrong.values()), str(why)))
    return Unknown(next(iter(wrong.values())))


def _refusal(sides: Sides) -> str:
    """Say why functions are not compared block by block, nothing where they are."""
    names = (local_names(sides.source), local_names(sides.target))
    if not sides.pairing.same(head_tokens(sides.source), head_tokens(sides.target), names):
        from frontends.llvm.cuts.inferred import keeps

        found = compare(sides.source, sides.target, sides.pairing)
        more = (f"the target is '{x}'" for a, x in found.more if not keeps(sides.graph(1), a, x))
        if problem := found.problem or next(more, ""):
            return f"the heads of the functions differ: {problem}"
    if max(len(sides.source.blocks), len(sides.target.blocks)) > COMPARE_BLOCKS:
        return f"more than {COMPARE_BLOCKS} blocks"
    return ""


class _Comparison:
    """One pass over both functions."""

    def __init__(
        self, relation: Relation, wrong: Mapping[tuple[str, str], str], *joined: Sums
    ) -> None:
        self.r, self.sides = relation, relation.sides
        self.joined = joined
        self.conditions = Conditions(relation.target, relation.regions.addresses, relation.same)
        self.wrong = wrong
        self.through: set[str] = set()  # blocks of the source that were related

    def run(self) -> None:
        """Relate every block; raise :class:`Cannot` or :class:`_WrongPhi` for the first thing
        that was not shown.
        """
        for mine, theirs in zip(self.r.source.arguments, self.r.target.arguments, strict=True):
            self.r.put(theirs, mine)
        for b, a in self.r.blocks.items():
            self._block(a, b)
            self.through.add(a)
        for b, a in self.r.blocks.items():
            self._edges(a, b)
        for t, s, lanes in self.sides.shown:
            if not self.r.is_made(t, s, lanes):
                raise Cannot(f"{value_of(t)} was not shown to be what is said{self._because()}")

    def _block(self, a: str, b: str) -> None:
        self._phis(a, b)
        offered = self.r.source.offered(a)
        seen = self.r.source.effects[a]
        for p in self.r.target.body[b]:
            if p.kind is Kind.EFFECT:
                self._effect(a, p, seen[p.segment] if p.segment < len(seen) else None)
            elif p.kind is Kind.END:
                self._end(a, self.r.source.end(a), p.instr)
            elif p.kind not in _ASIDE and not (self._same(p, offered) or self._like(a, p)):
                self._new(a, p)
        if len(self.r.target.effects[b]) != len(seen):
            raise Cannot(f"block %{a}: the target lacks '{said_of(seen[-1].instr)}'")

    def _phis(self, a: str, b: str) -> None:
        """Guess which phi of the source each of the target is: one that is left and does not
        contradict what is known, with inputs that look alike first.
        """
        sets = self.r.sets
        sets.find(self.joined, (self.r.source, self.r.target), a, b)
        left = [i for i in self.r.source.phis(a) if i.name not in sets.source]
        for t in self.r.target.phis(b):
            if t.name in sets.target:
                continue
            fitting = [s for s in left if self._may_be(s, t)]
            s = max(fitting, key=partial(self._looks_like, t), default=None)
            if s is None:
                why = f"block %{a}: %{t.name} of the target is no phi of the source"
                raise _WrongPhi(t.name, "", why)
            left = [x for x in left if x is not s]
            self.r.put(t.name, s.name)

    def _may_be(self, s: Instr, t: Instr) -> bool:
        if (t.name, s.name) in self.wrong or str(s.type) != str(t.type) or not t.flags <= s.flags:
            return False
        known = (x for x in self._incoming(s, t, known=True) if x[0] in self.through)
        return all(
            y is None or y == x or isinstance(x, Local) != isinstance(y, Local) for _, x, y in known
        )

    def _looks_like(self, t: Instr, s: Instr) -> bool:
        """Tell whether the inputs of two phis are made by instructions that say the same."""
        return all(
            key_of(self.r.source, x) == key_of(self.r.target, y)
            for _, x, y in self._incoming(s, t, known=False)
        )

    def _incoming(
        self, s: Instr, t: Instr, *, known: bool
    ) -> list[tuple[str, Operand, Operand | None]]:
        """Return what comes from each block that is reached; with ``known`` the target's as
        values of the source.
        """
        mine, theirs = incoming(s), incoming(t)
        reached = ((self.r.blocks[x], o) for x, o in theirs.items() if x in self.r.blocks)
        return [(a, mine[a], self.r.same(o) if known else o) for a, o in reached]

    def _same(self, p: Place, offered: Mapping[tuple[object, ...], Sequence[Place]]) -> bool:
        """Relate an instruction to the same one of the source's block, if it has it: one that
        promises as much first, and that no other is.
        """
        shape = self.r.target.shape(p.instr)
        names = tuple(self.r.source.first(self.r.image.get(n, "")) for n in shape.operands)

        def rank(s: Place) -> tuple[bool, bool]:
            return self.r.source.shape(s.instr).flags != shape.flags, s.instr.name in self.r.met

        found = (s for s in offered.get((shape.key, names), []) if in_time(s, p))
        for s in sorted(found, key=rank):
            free = s.kind in (Kind.FUNCTION, Kind.LOAD) or s.instr.name not in self.r.taken
            if free and self.r.source.shape(s.instr).allows(shape, self.sides.pairing):
                self.r.put(p.instr.name, s.instr.name)
                return True
        return False

    def _fits(self, p: Place, s: Place) -> bool:
        """Tell whether an instruction of the source is none of the target's yet and says the same,
        and no operand is known to be something else.
        """
        if s.instr.name in self.r.met | self.r.taken or not in_time(s, p):
            return False
        t, mine = self.r.target.shape(p.instr), self.r.source.shape(s.instr)
        return t.key == mine.key and all(
            self.r.image.get(y) == x or (y not in self.r.image and x not in self.r.met)
            for x, y in zip(mine.operands, t.operands, strict=True)
        )

    def _like(self, a: str, p: Place) -> bool:
        """Relate an instruction to one that differs in operands only, none of which is known to be
        something else, if these can be shown to be related.

        Vectors that are computed are left to what is made of them: what replaces a window is like
        its own instructions by chance only.
        """
        if p.kind is Kind.LOAD or (
            p.kind is Kind.FUNCTION and isinstance(p.instr.type, VectorType)
        ):
            return False
        alike = (s for s in self.r.source.body[a] if s.kind is p.kind and self._fits(p, s))
        for s in islice(alike, COMPARE_TRIES):
            if self.r.follows(p.instr, s.instr):
                self.r.put(p.instr.name, s.instr.name)
                return True
        return False

    def _new(self, a: str, p: Place) -> None:
        """Look at an instruction of the target alone: it must not be undefined behaviour."""
        i = p.instr
        if p.kind is Kind.LOAD:
            plain = not self.r.target.shape(i).metadata
            at = self.r.addresses.of(i.operands[0]) if plain else None
            found = self.r.regions.added(p, a, at)
            if found is None:
                raise Cannot(
                    f"block %{a}: memory: the load %{i.name} of the target reads what the source "
                    "does not read there"
                )
            self.r.added[i.name] = found
        elif p.kind is Kind.DIVISION and not self._divides(i):
            raise Cannot(
                f"block %{a}: the division %{i.name} of the target may be undefined behaviour"
            )
        elif i.opcode == "call":
            self._new_call(a, i)

    def _divides(self, i: Instr) -> bool:
        """Tell whether a division is by constants, none of which is 0 or -1."""
        by = i.operands[1] if i.known and len(i.operands) == 2 else None
        return isinstance(by, Literal) and all(
            isinstance(x, int) and x not in (0, (1 << shape_of(by.type)[1]) - 1) for x in by.lanes
        )

    def _new_call(self, a: str, i: Instr) -> None:
        """Note an instruction of the machine that the source lacks in the block; raise
        :class:`Cannot` for a call that demands something.
        """
        isa = self.sides.isas[1]
        instruction = isa.by_call(i.callee) if isa is not None else None
        if instruction is not None:
            self.sides.called.add(instruction.name)
        demands = any(
            rule_of(where, x) is not Rule.TRUE for where, x in said(i, self.r.target.contents)
        )
        anywhere = instruction is not None or self.r.target.declared(i.callee, SPECULATABLE)
        if (
            demands
            or not anywhere
            or why_refused(i, self.r.target.contents)
            or "mul.fix" in i.callee
        ):
            raise Cannot(
                f"block %{a}: the call '{said_of(i)}' of the target may be undefined behaviour"
            )

    def _effect(self, a: str, t: Place, s: Place | None) -> None:
        if s is None:
            raise Cannot(f"block %{a}: the source lacks '{said_of(t.instr)}'")
        if not (self._stores(s.instr, t.instr) or self.r.follows(t.instr, s.instr)):
            raise Cannot(
                f"block %{a}: '{said_of(s.instr)}' was not shown to stay what it is"
                f"{self._because()}"
            )
        if t.instr.name:
            self.r.put(t.instr.name, s.instr.name)

    def _stores(self, s: Instr, t: Instr) -> bool:
        """Tell whether two plain stores write related values to related places; the target's
        may promise less of its place.
        """
        if not (s.opcode == t.opcode == "store" and s.known and t.known and 0 < t.align <= s.align):
            return False
        promised = self.r.source.shape(s).promises(self.r.target.shape(t), self.sides.pairing)
        return promised and all(
            self.r.related(y, x) for x, y in zip(s.operands, t.operands, strict=True)
        )

    def _end(self, a: str, s: Instr, t: Instr) -> None:
        if not self.r.source.shape(s).promises(self.r.target.shape(t), self.sides.pairing):
            raise Cannot(f"block %{a}: the metadata of '{t.opcode}' differs")
        for x, y in zip(s.operands, t.operands, strict=True):
            guard = self.sides.checked.get(a) if str(x.type) != "label" else None
            known = str(x.type) == "label" or (guard is None and self.r.related(y, x))
            settled = self.r.regions.writes.settled
            if not (known or (guard and self.conditions.lie_apart(y, guard, settled))):
                raise Cannot(
                    f"block %{a}: {value_of(x)} of '{s.opcode}' was not shown to stay what it "
                    f"is{self._because()}"
                )

    def _edges(self, a: str, b: str) -> None:
        phis = self.r.target.phis(b)
        known = self.r.sets.target
        for found in dict.fromkeys(known[t.name] for t in phis if t.name in known):
            self._set_edges(a, b, found)
        for t in phis:
            if t.name in known:
                continue
            s = self.r.source.places[self.r.image[t.name]].instr
            for before, x, y in self._incoming(s, t, known=False):
                if y is None or not self.r.related(y, x):
                    where = (
                        f"block %{a}: %{s.name} was not shown to be {value_of(x)} when it comes "
                        f"from %{before}{self._because()}"
                    )
                    raise _WrongPhi(t.name, s.name, where)

    def _set_edges(self, a: str, b: str, found: Set) -> None:
        first = self.r.target.places[found.target[0]].instr
        for label in incoming(first):
            before = self.r.blocks.get(label)
            if before is None:
                continue
            mine = arriving(self.r.source, found.source, before)
            theirs = arriving(self.r.target, found.target, label)
            if not self.r.meets(found, theirs, mine):
                raise Cannot(
                    f"block %{a}: the accumulators %{', %'.join(found.source)} were not shown to "
                    f"reduce to the same value when they come from %{before}{self._because()}"
                )

    def _because(self) -> str:
        return f" ({self.r.reason})" if self.r.reason else ""
