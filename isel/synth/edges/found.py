"""What edges are found as: an instruction that gives a term or holds it in some of its bits, and
what its result is joined with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from isel.ir.build import add, extract, lshr
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, const
from isel.synth.values.bank import Application
from isel.synth.values.lanefn import LaneFn, lane_fn


@dataclass(frozen=True, slots=True)
class Found:
    """``fn(args)``, joined with ``rest`` if there is one, may be a term, or hold it in its bits
    from ``by`` on; ``full`` where its pieces, more than two, are all of the term's but one at most.
    """

    fn: LaneFn
    args: tuple[Expr, ...]
    join: LaneFn
    rest: Expr | None = None
    by: int = 0
    full: bool = False

    def applications(self, width: int) -> list[Application]:
        """Return what is applied, one to the other, to have the ``width`` bits of the term."""
        every: list[Application] = [(self.fn, self.args)]
        wide = self.fn.width
        if self.by:
            every.append((lane_fn(lshr(formal(0, wide), const(self.by, wide))), _value(every)))
        if wide > width:
            every.append((lane_fn(extract(formal(0, wide), 0, width)), _value(every)))
        return every


def _value(every: list[Application]) -> tuple[Expr]:
    fn, args = every[-1]
    return (fn.apply(*args),)


def sum_of_two(width: int) -> LaneFn:
    """Return addition."""
    return of_two(add, width)


def of_two(build: Callable[[Expr, Expr], Expr], width: int) -> LaneFn:
    """Return a function of two values of ``width`` bits."""
    return lane_fn(canonical(build(formal(0, width), formal(1, width)))[0])


def arguments(fn: LaneFn, args: Mapping[Expr, Expr]) -> tuple[Expr, ...]:
    """Return operands by hole in the order of the holes."""
    return tuple(args[formal(i, w)] for i, w in enumerate(fn.widths))
