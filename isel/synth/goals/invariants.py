"""Terms in which what is invariant is prepared in front of a loop, at any price there.

What is made of the result is proved against the window as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from isel.egraph.terms import Fixpoint, RuleSet
from isel.ir.build import make, sext, trunc
from isel.ir.expr import Expr, const, leaves, postorder, substitute
from isel.ir.ranges import range_of
from isel.rules.books import book
from isel.rules.derived import expanded

_SUMS: Final = ("add", "sub")


def preparer(sources: set[str]) -> Callable[[Expr, Expr], Expr]:
    """Return what rewrites a lane that is asked for where a term holds, for invariant sources."""

    def is_fixed(e: Expr) -> bool:
        return all(x.source in sources for x in leaves(e))

    rules = RuleSet(book("invariants").rules, {"fixed": is_fixed})

    def prepare(lane: Expr, defined: Expr) -> Expr:
        sums = [s for s in _exact(lane, defined) if any(map(is_fixed, s.args))]

        def step(e: Expr) -> Expr | None:
            near = (_near(e, s, is_fixed) for s in sums if e.op == "extract")
            return next((made for x in (*near, e) if (made := rules.first(x))), None)

        return Fixpoint(step)(lane)

    return prepare


def _exact(lane: Expr, defined: Expr) -> Iterator[Expr]:
    """Yield the sums and differences in a lane that do not wrap, by their ranges or where a term
    holds: those that are made in a bit more there, too.
    """
    wide = {_cut(e) for e in postorder([defined]) if e.op in _SUMS and e.width > 1}
    for e in postorder([lane]):
        if e.op in _SUMS and (e in wide or max(_bits(a) for a in e.args) < e.width):
            yield e


def _cut(e: Expr) -> Expr:
    return make(e.op, tuple(trunc(a, e.width - 1) for a in e.args))


def _bits(e: Expr) -> int:
    return range_of(e).signed_bits


def _near(e: Expr, total: Expr, is_fixed: Callable[[Expr], bool]) -> Expr:
    """Return a term that is clamped with what is invariant in a sum as near to zero as what the
    rest of the sum and the clamp can reach.
    """
    fixed, rest = sorted(total.args, key=is_fixed, reverse=True)
    held = fixed.args[0] if fixed.op == "sext" else fixed
    reach = max(_bits(rest), e.width) + 1
    if is_fixed(rest) or not reach < min(_bits(fixed), held.width) - 1:
        return e
    least, most = const(-(1 << reach), held.width), const(1 << reach, held.width)
    near = sext(expanded("smax", (expanded("smin", (held, most), ()), least), ()), total.width)
    args = tuple(near if a is fixed else a for a in total.args)
    return substitute(e, {total: make(total.op, args)}, make)
