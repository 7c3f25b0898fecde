"""A witness of two functions that nobody has handed over: what they look like.  A wrong one costs a
proof and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from frontends.llvm.meaning.bounds import bounds_of
from frontends.llvm.passes.counting import cycle_of, loop_of
from frontends.llvm.passes.few import Few, few_of, loops_of_few
from frontends.llvm.passes.witness import Leg, Stand, Witness
from frontends.llvm.text.ast import Instr, VectorType
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.text.view import View, labels, phis_of

# A block of the source, and in which pass of a loop whose passes stand one after the other.
_At: TypeAlias = tuple[str, tuple[Few, int] | None]


def guess(source: View, target: View, thin: bool = False) -> Witness | None:
    """Return a witness, None where each block seems to be one, or nothing is known; ``thin`` looks
    for vectors of fewer bits as well.
    """
    legs = _Guess(source, target, {c.header: c for c in loops_of_few(source)}).legs()
    if thin:
        bounds = bounds_of(source)
        legs = {b: replace(x, bits=_bits(source, target, b, x, bounds)) for b, x in legs.items()}
    plain = all(x.runs == (x.stand.label,) and not x.bits for x in legs.values())
    return None if plain else legs


def _bits(
    source: View, target: View, b: str, leg: Leg, bounds: Mapping[str, int]
) -> tuple[tuple[str, int], ...]:
    """Return phis of vectors that seem to have fewer bits in the target, with these."""
    phis = phis_of(source.block(leg.stand.label))
    found = dict[str, int]()
    for lanes, bits in sorted((_shapes(phis_of(target.block(b))) - _shapes(phis)).elements()):
        able = (i.name for i in phis if _fits(i, lanes, bits, bounds.get(i.name, 1 << bits)))
        if name := next((x for x in able if x not in found), ""):
            found[name] = bits
    return (*found.items(),)


def _shapes(phis: Sequence[Instr]) -> Counter[tuple[int, int]]:
    """Return how many phis are vectors of so many lanes of so many bits."""
    return Counter(x for i in phis if (x := shape_of(i.type))[0] > 1)


def _fits(phi: Instr, lanes: int, bits: int, bound: int) -> bool:
    """Tell whether lanes of a phi that are bounded have no more than so many bits."""
    shape = shape_of(phi.type)
    return shape[0] == lanes and bound < 1 << bits < 1 << shape[1]


def guess_frozen(source: View, target: View) -> list[str]:
    """Return scalars that are loaded and seem to be frozen for all others, as they are not yet."""
    one, new = ({i.name for i in v.work if _is_frozen(v, i)} for v in (source, target))
    return sorted(i.name for i in source.work if i.name in new - one and i.opcode == "load")


def _is_frozen(view: View, i: Instr) -> bool:
    users = [u.opcode for u in view.used_by(i.name)] if i.opcode == "load" else []
    return users == ["freeze"] and not isinstance(i.type, VectorType)


def ways_of(view: View, label: str) -> list[str]:
    """Return what may follow a block, in the order of its end's text."""
    return labels(view.end(view.numbers[label]))


@dataclass(frozen=True, slots=True)
class _Guess:
    """Both functions, and loops of few passes in the source."""

    source: View
    target: View
    few: dict[str, Few]

    def legs(self) -> dict[str, Leg]:
        """Return what blocks of the target seem to be."""
        found = dict[str, Leg]()
        waiting = [(self.target.blocks[0].label, self._enter(self.source.blocks[0].label))]
        while waiting:
            b, at = waiting.pop()
            if b in found:
                continue
            rows = (self._two_passes, self._straight, self._split, self._plain)
            legs, end, then = next(x for row in rows if (x := row(b, at)))
            found.update(legs)
            waiting += zip(ways_of(self.target, end), then, strict=False)
        return found

    def _two_passes(self, b: str, at: _At) -> tuple[dict[str, Leg], str, list[_At]] | None:
        """Return the blocks of a doubled loop, the last of them, and what is behind."""
        a, ways, first = at[0], self.source, ways_of(self.target, b)
        wide = first[1] if len(first) == 2 else ""
        between = ways_of(self.target, wide)[0] if wide and self._is_loop(self.target, wide) else ""
        end = ways_of(self.target, between) if between else []
        if end[1:] != [*first, ""][:1] or not self._is_loop(ways, a) or cycle_of(ways, a) is None:
            return None
        legs = {
            b: Leg(Stand(a)),
            wide: Leg(Stand(a, last=False), (a, a)),
            between: Leg(Stand(a, ended=True, last=True)),
            first[0]: Leg(Stand(a, last=True), (a,)),
        }
        return self._behind(legs, end[0], at, a)

    def _behind(
        self, legs: dict[str, Leg], end: str, at: _At, header: str
    ) -> tuple[dict[str, Leg], str, list[_At]]:
        """Return blocks with one that goes to what is behind a loop."""
        out = [x for x in self._next(at) if x[0] != header]
        return {**legs, end: Leg(Stand(out[0][0]))}, end, out

    def _straight(self, b: str, at: _At) -> tuple[dict[str, Leg], str, list[_At]] | None:
        """Return all passes of a loop of one block as one, perhaps beside the loop."""
        a, ways = at[0], ways_of(self.target, b)
        c, chain = loop_of(self.source, a), self._chain(at)
        if c is None or chain[-1][0] != c.latch or self._goes_round(b):
            return None
        once, last = tuple(x for x, _ in chain), chain[-1]
        runs = once * len(c.numbers)
        if len(ways) < 2:
            then = [x for x in self._next(last) if x[0] != a]
            return {b: Leg(Stand(a), runs, early=True)}, b, then
        end = ways_of(self.target, ways[0])
        if len(end) != 1 or {*ways_of(self.target, ways[1])} != {ways[1], *end}:
            return None
        legs = {b: Leg(Stand(a)), ways[0]: Leg(Stand(a), runs, early=True)}
        return self._behind({**legs, ways[1]: Leg(Stand(a), once)}, end[0], last, a)

    def _chain(self, at: _At) -> list[_At]:
        """Return the blocks that surely follow each other in a pass that begins with one."""
        found = [at]
        while len(then := self._next(found[-1])) == 1 and then[0] not in found:
            found += then
        return found

    def _split(self, b: str, at: _At) -> tuple[dict[str, Leg], str, list[_At]] | None:
        """Return a block that is there twice, behind a check."""
        a, behind = at[0], _meeting(self.target, b)
        if not behind or _meeting(self.source, self._plain(b, at)[0][b].runs[-1]):
            return None
        first, second = ways_of(self.target, b)
        legs = {b: Leg(Stand(a)), first: Leg(Stand(a), (a,), early=True)}
        legs |= {second: Leg(Stand(a), (a,)), behind: Leg(Stand(a, ended=True))}
        return legs, behind, self._next(at)

    def _plain(self, b: str, at: _At) -> tuple[dict[str, Leg], str, list[_At]]:
        """Return a block that is as many of the source as surely follow each other there."""
        ways, runs = ways_of(self.target, b), [at[0]] * self._times(b, at[0])
        while True:
            then = self._next(at, ways)
            if len(then) != 1 or not self._goes_on(at, then[0], ways):
                return {b: Leg(Stand(runs[0]), tuple(runs))}, b, then
            (at,) = then
            runs.append(at[0])

    def _times(self, b: str, a: str) -> int:
        """Return how many passes of a loop of one block are one."""
        one, other = loop_of(self.source, a), loop_of(self.target, b)
        if one is None or other is None or one.latch != a or other.latch != b:
            return 1
        times, rest = divmod(other.numbers.step, one.numbers.step)
        return 1 if rest or one.numbers[0] != other.numbers[0] else times

    def _goes_on(self, at: _At, then: _At, ways: Sequence[str]) -> bool:
        """Tell whether what surely comes next is in the same block of the target."""
        a, (few, k) = then[0], then[1] or at[1] or (None, 0)
        if few is None or len(ways) != 1:  # of a loop its first pass
            return few is not None or (ways[1:2] != [] and self._is_loop(self.source, a))
        if then[1] is None:
            return len(self.source.predecessors[self.source.numbers[a]]) == 1
        ways_in = few.passes[k].ways
        return a == few.header or sum(a in ways_in[x] for x in ways_in) == 1

    def _next(self, at: _At, ways: Sequence[str] = ()) -> list[_At]:
        """Return where the source goes, and the target in as many ways where it does too."""
        a, inside = at
        if inside is None:
            found = ways_of(self.source, a)
            to = [*ways, *("" for _ in found)]
            return [self._enter(x, y) for x, y in zip(found, to, strict=False)]
        few, k = inside
        then = few.passes[k].ways[a]
        if a != few.latch:
            return [(x, inside) for x in then]
        return [(x, (few, k + 1)) if x == few.header else self._enter(x) for x in then]

    def _enter(self, a: str, b: str = "") -> _At:
        """Return a block of the source, in the first pass of a loop that the target has not."""
        few, other = self.few.get(a), few_of(self.target, b) if b else None
        there = few and other and len(few.passes) == len(other.passes)
        return a, None if few is None or there else (few, 0)

    def _goes_round(self, b: str) -> bool:
        """Tell whether a block of the target begins a loop."""
        k = self.target.numbers[b]
        return any(self.target.dominates(k, p) for p in self.target.predecessors[k])

    def _is_loop(self, view: View, label: str) -> bool:
        """Tell whether a block is a loop by itself, that is left in one way."""
        ways = ways_of(view, label)
        return len(ways) == 2 and label in ways


def _meeting(view: View, label: str) -> str:
    """Return where two blocks meet that only a branch leads to and that only go there; empty where
    a block does not end so.
    """
    arms = ways_of(view, label)
    before = [view.predecessors[view.numbers[x]] for x in arms]
    ends = {tuple(ways_of(view, x)) for x in arms}
    behind = ends.pop() if len(arms) == 2 and len(ends) == 1 else ()
    if len(behind) != 1 or any(x != (view.numbers[label],) for x in before):
        return ""
    return behind[0] if len(view.predecessors[view.numbers[behind[0]]]) == 2 else ""
