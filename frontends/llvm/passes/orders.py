"""Which passes of loops seem to come in another order: a wrong guess costs a proof."""

from __future__ import annotations

from itertools import pairwise

from frontends.llvm.passes.counting import Cycle, Loop, loop_that_counts
from frontends.llvm.passes.witness import Exchange
from frontends.llvm.text.view import View


def guess_exchange(source: View, target: View) -> Exchange | None:
    """Return loops whose passes seem to be exchanged, None where none do."""
    (mine, outer), (theirs, others) = map(_loops, (source, target))
    if len(mine) > len(theirs):
        return _in_turn(source, target, mine, theirs)
    return next(filter(None, map(_in_another, outer, others)), None)


def _loops(view: View) -> tuple[list[Cycle], list[tuple[Cycle, Cycle]]]:
    """Return the loops of a function that count and have one block, and pairs of one in another."""
    every = {c.header: c for b in view.blocks if (c := loop_that_counts(view, b.label)) is not None}
    alone = [c for c in every.values() if c.latch == c.header]
    around = ((every.get(c.before), c) for c in alone)
    return alone, [(o, c) for o, c in around if o is not None and o.latch == c.out != o.header]


def _in_turn(source: View, target: View, mine: list[Cycle], theirs: list[Cycle]) -> Exchange | None:
    """Return two loops, one behind the other, that store as much as one of the target's."""
    wanted = [_stores(target, c) for c in theirs]
    for k, (a, b) in enumerate(pairwise(mine)):
        sums = [_stores(source, c) for c in mine]
        sums[k : k + 2] = [sums[k] + sums[k + 1]]
        if a.out in (b.header, b.before) and sums[: k + 1] == wanted[: k + 1]:
            return Exchange(a.header, b.header)
    return None


def _stores(view: View, c: Cycle) -> int:
    return sum(i.opcode == "store" for i in view.block(c.header).instrs)


def _in_another(mine: tuple[Cycle, Cycle], theirs: tuple[Cycle, Cycle]) -> Exchange | None:
    """Return a nest of which several passes seem to be one, or one loop to be around the other."""
    (a, b), (x, y) = mine, theirs
    one, other, two, last = (c.numbers if isinstance(c, Loop) else range(0) for c in (a, b, x, y))
    times, rest = divmod(two.step, one.step)
    if times > 1 and not rest and (one.start, one.stop) == (two.start, two.stop):
        return Exchange(a.header, b.header, times)
    names = (a.counter.name, b.counter.name) == (y.counter.name, x.counter.name)
    turned = (one, other) == (last, two) and (names or one != other)
    return Exchange(a.header, b.header) if turned else None
