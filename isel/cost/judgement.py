"""Priced code before and after, compared block by block; ties lose, but to lighter code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from isel.cost.block import BlockCost, beyond_hidden
from isel.cost.code import Code
from isel.cost.gain import Makeup, is_gain, is_slower, least_gain
from isel.cost.limits import BLOCK, DIGITS, EQUAL, LIGHTER, SHOWS
from isel.cost.runs import UNKNOWN, Runs

_SLOWER = " would be slower"


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a rewrite may stay, why, and the cycles before and after.

    The cycles are what was compared: those of one pass through the block of the code before that
    runs most, and of all other blocks by how often they run for it; the return is not counted.
    They are 0 where there was nothing to price.  ``before_blocks`` are those of one pass through
    each block of LLVM IR, which ``runs`` so often, ``after_blocks`` of what it became, ``told`` of
    what the reason names.
    """

    accept: bool
    reason: str
    before: float = 0.0
    after: float = 0.0
    before_blocks: tuple[float, ...] = ()
    after_blocks: tuple[float, ...] = ()
    runs: tuple[float, ...] = ()
    told: tuple[float, ...] = ()

    @property
    def slower(self) -> bool:
        """Tell whether some part of the code would be slower."""
        return self.reason.endswith(_SLOWER)

    def cycles(self, *blocks: int) -> tuple[float, float] | None:
        """Return the cycles of blocks of LLVM IR for one pass through the first, or of the function
        where they are not known; None where nothing has a price.
        """
        before, after, runs = self.before, self.after, self.runs
        if max(blocks) < len(runs):
            both = self.before_blocks, self.after_blocks
            sums = (sum(runs[b] * of[b] for b in blocks) / runs[blocks[0]] for of in both)
            before, after = (round(x, DIGITS) for x in sums)
        return (before, after) if before or after else None


@dataclass(frozen=True, slots=True)
class Priced:
    """A function's code with the cost of each block, and the same where all memory is aligned;
    ``stores`` of the module it was made of tell how often loops were unrolled, ``runs`` how often
    its blocks run, ``makeup`` what each is made of, ``quickest`` what loops of several blocks take
    on the quickest way, ``elsewhere`` its cycles on other CPUs, 0 where some form has no price.
    """

    code: Code
    costs: tuple[BlockCost, ...]
    aligned: tuple[BlockCost, ...]
    stores: int
    runs: Mapping[str, Runs] = field(default_factory=dict)
    makeup: tuple[Makeup, ...] = ()
    quickest: tuple[float, ...] = ()
    elsewhere: tuple[float, ...] = ()

    @property
    def weights(self) -> tuple[float, ...]:
        """How often each block runs: by its source, as the one before it of as many loops, or
        by these.
        """
        last: dict[int, float] = {0: 1.0}
        found: list[float] = []
        for b in self.code.blocks:
            known = self.runs.get(b.source) if b.depth else None
            if known is not None:
                last[b.depth] = known.count
            found.append(last.get(b.depth, float(UNKNOWN ** min(b.depth, 6))))
        return tuple(found)

    def by_source(self, cycles: Sequence[float]) -> dict[str, float]:
        """Return cycles of blocks, summed over each block of LLVM IR that they are of: where
        nothing says so, that of the one ahead.
        """
        found, last = dict.fromkeys(self.runs, 0.0), next(iter(self.runs))
        for b, c in zip(self.code.blocks, cycles, strict=True):
            last = b.source if b.source in found else last
            found[last] += c
        return found

    @property
    def pass_cycles(self) -> float:
        """Cycles as :class:`Judgement` counts them."""
        cycles = zip(self.weights, self.costs, strict=True)
        return sum(w * c.cycles for w, c in cycles) / self.most

    @property
    def most(self) -> float:
        """How often the block runs that runs most."""
        return max(self.weights, default=1.0)

    def rest(self, k: int) -> bool:
        """Tell whether a block is of a loop that does what another one left over."""
        runs = self.runs.get(self.code.blocks[k].source)
        return runs is not None and runs.rest

    @property
    def deepest(self) -> int:
        """The most loops around a block."""
        return max((b.depth for b in self.code.blocks), default=0)

    @property
    def path(self) -> float:
        """Cycles of the blocks, one after the other, if none begins before the one ahead ends."""
        return sum(max(c.cycles, c.path) for c in self.costs)

    @property
    def latency(self) -> float:
        """Cycles of one pass through each loop block, as often as its loop is entered."""
        found, outside = 0.0, {0: 1.0}
        for b, weight, c in zip(self.code.blocks, self.weights, self.costs, strict=True):
            if b.repeats:
                found += outside.get(b.depth - 1, float(UNKNOWN ** (b.depth - 1))) * c.path
            outside[b.depth] = weight
        return found

    @property
    def cycles(self) -> tuple[float, ...]:
        """Cycles of each block."""
        return tuple(c.cycles for c in self.costs)

    def missing(self) -> Counter[str]:
        """Return the forms without a price, counted."""
        counts: Counter[str] = Counter()
        for c in self.costs:
            counts.update(dict(c.missing))
        return counts


def _worse(runs: Sequence[Sequence[_Pair]], scale: float) -> Iterator[tuple[str, float, float]]:
    """Yield parts of runs that are slower, or more work for what they save, and their cycles."""
    blocks = [p for run in runs for p in run if p.name]
    yield from (p.pass_of for p in blocks if is_slower(p.before, p.after))
    yield from (x for run in runs for x in _worse_nest(run, scale))
    yield from (p.crowd for p in blocks if p.crowds)


def _worse_nest(run: Sequence[_Pair], scale: float) -> Iterator[tuple[str, float, float]]:
    before, after = sum(p.before for p in run), sum(p.after for p in run)
    if any(p.name for p in run) and is_slower(before, after):
        yield "a loop nest", before / scale, after / scale


def _late(old: Priced, new: Priced, saved: float) -> Iterator[tuple[str, float, float]]:
    """Yield what is slower where the passes of a loop save less than the last of them, which the
    code behind it waits for, takes longer.
    """
    grown = new.latency - old.latency if same_shape(old, new) else 0.0
    what = "one pass of its loops, which grows by more than all passes save,"
    if is_slower(max(saved, 0.0), grown):
        yield what, old.latency, new.latency


def compare(old: Priced, new: Priced) -> Judgement:
    """Accept when no innermost loop block and no loop nest is worse, the whole is better, and one
    block is better by what its makeup asks for (:mod:`isel.cost.gain`).

    What is hoisted out of a loop makes the blocks around it longer: those may be, as long as their
    nest gains. Of an innermost loop block whose micro-operations grow, the cycles must shrink more:
    the port that hides them in the model may not be the port that limits the CPU.  A loop that does
    what another one left over, all that runs of a short input, may be slower or more
    micro-operations where all together is better by BLOCK, but not both.  The longest path of a
    pass may not grow by more than all passes save together, nor the quickest way through a loop of
    several blocks.  Where there is no loop the longest path counts a tenth beside the cycles; of
    two that take as many the one with fewer operations and a shorter path is better.
    """
    runs = _runs(old, new)
    pairs = [pair for run in runs for pair in run]
    scale = old.most
    before, after = (
        round(sum(side) / scale, DIGITS)
        for side in ([p.before for p in pairs], [p.after for p in pairs])
    )

    def says(accept: bool, reason: str, *told: float) -> Judgement:
        figures = tuple(round(x, DIGITS) for x in told)
        return Judgement(accept, reason, before, after, *_by_source(old, new, pairs), figures)

    unpriced = _find_unpriced(old, new)
    if unpriced is not None:
        return Judgement(False, f"no price for '{unpriced}'")
    spared = is_gain(before, after, BLOCK)
    worse = list(_worse([[p for p in run if not (spared and p.may_lose)] for run in runs], scale))
    straight = not (old.deepest or new.deepest)
    spared_path = SHOWS * (old.path - new.path)
    if straight and is_slower(before + spared_path, after):
        path = ("its longest path, which grows by more than is saved,", old.path, new.path)
        worse.append(path if spared_path < 0 else ("the whole", before, after))
    worse += _late(old, new, sum(p.before - p.after for p in pairs))
    if len(old.quickest) == len(new.quickest):
        ways = zip(old.quickest, new.quickest, strict=True)
        worse += [("the quickest way through a loop", *x) for x in ways if is_slower(*x)]
    if worse:
        what, *told = worse[0]
        return says(False, f"{what}{_SLOWER}", *told)
    if any(p.gains for p in pairs) and is_gain(before, after):
        return says(True, "faster")
    shorter = straight and not is_slower(before, after) and spared_path >= BLOCK * before
    if shorter and _is_lighter(old, new):
        return says(True, "as fast on a shorter path with fewer operations")
    return says(False, "not faster")


def _by_source(
    old: Priced, new: Priced, pairs: Sequence[_Pair]
) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    """Return the cycles of a pass through each block of LLVM IR, of what it became (of as many the
    one at its place, else that of its name and new ones behind it), and how often it runs.
    """
    if not (old.runs and new.runs):
        return (), (), ()
    cycles = [p.after / p.runs for p in pairs] if same_shape(old, new) else new.cycles
    before, after = old.by_source(old.cycles), dict.fromkeys(old.runs, 0.0)
    alike = dict(zip(new.runs, old.runs, strict=False)) if len(old.runs) == len(new.runs) else {}
    last = next(iter(old.runs))
    for name, c in new.by_source(cycles).items():
        last = alike.get(name, name if name in after else last)
        after[last] += c * new.runs[name].count / old.runs[last].count
    runs = tuple(r.count for r in old.runs.values())
    return tuple(before.values()), tuple(after.values()), runs


def _is_lighter(old: Priced, new: Priced) -> bool:
    """Tell whether dispatching the micro-operations takes clearly less."""
    before, after = (sum(c.dispatch for c in p.costs) for p in (old, new))
    return after <= before * LIGHTER


def _find_unpriced(old: Priced, new: Priced) -> str | None:
    """Equal instructions without a price cancel; return the first that does not.

    They cancel block by block where the blocks match, so that none moves into a loop unseen.
    """
    if same_shape(old, new):
        sides = [
            (dict(a.missing), dict(b.missing)) for a, b in zip(old.costs, new.costs, strict=True)
        ]
    else:
        sides = [
            (dict(_missing_at(old, d)), dict(_missing_at(new, d)))
            for d in sorted({b.depth for p in (old, new) for b in p.code.blocks})
        ]
    return next(
        (
            min(form for form in {**a, **b} if a.get(form) != b.get(form))
            for a, b in sides
            if a != b
        ),
        None,
    )


def _missing_at(side: Priced, depth: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for _, c in _costs_at(side, (depth,)):
        counts.update(dict(c.missing))
    return counts


def same_shape(old: Priced, new: Priced) -> bool:
    """Tell whether two codes have the same loops, whose iterations do the same: rewrites leave
    stores alone.
    """
    shapes = ([(b.depth, b.repeats) for b in p.code.blocks] for p in (old, new))
    return old.stores == new.stores and next(shapes) == next(shapes) and old.weights == new.weights


@dataclass(frozen=True, slots=True)
class _Pair:
    """Code before and after: its cycles, weighted by loop depth, and the cycles that dispatching
    its micro-operations takes.

    ``name`` is empty unless it is an innermost loop block; ``rest`` tells that its loop does what
    another one left over, ``runs`` how often its cycles are counted, ``least`` is the share that is
    a gain.
    """

    name: str
    before: float
    after: float
    dispatch_before: float
    dispatch_after: float
    rest: bool = False
    runs: float = 1.0
    least: float = BLOCK

    @property
    def gains(self) -> bool:
        return self.before > 0 and is_gain(self.before, self.after, self.least)

    @property
    def may_lose(self) -> bool:
        """Whether it may be slower, or more work, for what the loop before it gains."""
        heavier = is_slower(self.dispatch_before, self.dispatch_after)
        return self.rest and not (heavier and is_slower(self.before, self.after))

    @property
    def pass_of(self) -> tuple[str, float, float]:
        """What is said of a block that is slower: one pass through it."""
        return self.name, self.before / self.runs, self.after / self.runs

    @property
    def crowd(self) -> tuple[str, float, float]:
        """What is said of a block with more micro-operations."""
        more = f"{self.name}, with more operations for the cycles that it saves,"
        return more, self.dispatch_before, self.dispatch_after

    @property
    def crowds(self) -> bool:
        """Whether micro-operations grow more than cycles shrink."""
        more = self.dispatch_after > self.dispatch_before * (1 + BLOCK)
        before = self.before * self.dispatch_before - EQUAL
        return more and self.after * self.dispatch_after > before


def _runs(old: Priced, new: Priced) -> list[list[_Pair]]:
    """Return what is compared, by runs of loop blocks.

    Where the shapes of the two functions differ, the sums over each loop depth are compared
    instead, as one nest, or those over all loops where one has deeper ones or more of them.
    """
    if not same_shape(old, new):
        return _runs_by_depth(old, new)
    runs: list[list[_Pair]] = []
    for inside, blocks in groupby(
        range(len(old.costs)), key=lambda k: old.code.blocks[k].depth > 0
    ):
        run = list(blocks)
        deepest = max(new.code.blocks[k].depth for k in run) if inside else -1
        runs.append([_block_pair(old, new, k, deepest) for k in run])
    return runs


def _runs_by_depth(old: Priced, new: Priced) -> list[list[_Pair]]:
    depths = sorted({b.depth for p in (old, new) for b in p.code.blocks})
    if old.deepest == new.deepest and not _has_more_loops(old, new):
        return [[_depths(old, new, (0,))], [_depths(old, new, (d,)) for d in depths[1:]]]
    return [[_depths(old, new, (0,))], [_depths(old, new, depths[1:])]]


def _block_pair(old: Priced, new: Priced, k: int, deepest: int) -> _Pair:
    """Return a block on both sides; loop blocks as deep as the ``deepest`` are innermost."""
    block, weight, a, b = new.code.blocks[k], old.weights[k], old.costs[k], new.costs[k]
    extra = beyond_hidden(a.kinds, b) if deepest >= 0 else 0.0
    name = f"loop block {block.label or 'without a label'}" if block.depth == deepest else ""
    cycles = a.cycles * weight, (b.cycles + extra) * weight
    least = _least(old, new, (k,), (k,))
    return _Pair(name, *cycles, a.dispatch, b.dispatch, new.rest(k), weight, least)


def _has_more_loops(old: Priced, new: Priced) -> bool:
    """Tell whether code has loops whose passes were known where they were added."""
    return sum(b.depth > 0 for b in new.code.blocks) > sum(b.depth > 0 for b in old.code.blocks)


def _depths(old: Priced, new: Priced, depths: Collection[int]) -> _Pair:
    innermost = 0 not in depths and max(depths, default=0) == max(old.deepest, new.deepest)
    name = f"the loops of depth {' and '.join(map(str, depths))}" if innermost else ""
    hidden = sum((c.kinds for _, c in _costs_at(old, depths)), Counter[str]())
    cycles = _at(old, depths, None), _at(new, depths, hidden)
    work = [sum(w * c.dispatch for w, c in _costs_at(p, depths)) / old.most for p in (old, new)]
    places = ([k for k, b in enumerate(p.code.blocks) if b.depth in depths] for p in (old, new))
    return _Pair(name, *cycles, work[0], work[1], runs=old.most, least=_least(old, new, *places))


def _least(old: Priced, new: Priced, here: Sequence[int], there: Sequence[int]) -> float:
    """Return the share of its cycles that code has to save for what other code is made of."""
    sides = ([p.makeup[k] for k in of if p.makeup] for p, of in ((old, here), (new, there)))
    return least_gain(*sides, repeats=any(old.code.blocks[k].depth for k in here))


def _costs_at(side: Priced, depths: Collection[int]) -> list[tuple[float, BlockCost]]:
    """Return the blocks of these depths, each with how often it runs."""
    every = zip(side.code.blocks, side.weights, side.costs, strict=True)
    return [(w, c) for b, w, c in every if b.depth in depths]


def _at(side: Priced, depths: Collection[int], allowed: Counter[str] | None) -> float:
    chosen = _costs_at(side, depths)
    extra = 0.0
    if 0 not in depths and allowed is not None:
        extra = beyond_hidden(allowed, *(c for _, c in chosen))
    most = max((w for w, _ in chosen), default=0.0)
    return sum(w * c.cycles for w, c in chosen) + extra * most
