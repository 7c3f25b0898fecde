"""Terms in the widths that instructions have: high halves of products, low parts of sums, products
and logic.

What is made of the result is proved against the window as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeAlias

from isel.egraph.terms import Ask, Fixpoint, RuleSet, ruled
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr
from isel.ir.ranges import decide
from isel.rules.books import book
from isel.rules.derived import umulhi

Offered: TypeAlias = Callable[[Expr], bool]


class Narrower:
    """Rewrites terms for one set of instructions; ``offered`` tells whether a canonical lane
    function is one of theirs.
    """

    def __init__(self, offered: Offered) -> None:
        self._offered = offered
        self._round = Fixpoint(ruled("round").first)
        self._narrow = Fixpoint(self._narrower)

    @cached_property
    def _rules(self) -> RuleSet:
        guards: dict[str, Ask] = {"offered": self._is_offered, "narrows": self._narrows}
        return RuleSet(book("narrow").rules, guards)

    def __call__(self, e: Expr) -> Expr:
        """Return an equal term."""
        return self._narrow(self._round(decide(e)))

    def _narrower(self, e: Expr) -> Expr | None:
        if e.op in ("udiv", "sdiv"):
            from isel.synth.instructions.divide import divide

            return divide(e, self._gives_high)
        turned = ruled("axioms", "turn.s", "turn.mixed", "turn.u", "distance.u.choice").first(e)
        if turned is not None:
            return turned
        clamped = _clamp(e)
        return self._rules.first(e) if clamped is None else clamped

    def _is_offered(self, e: Expr) -> bool:
        """Tell whether an instruction computes a term of leaves."""
        return self._offered(canonical(e)[0])

    def _gives_high(self, width: int) -> bool:
        """Tell whether an instruction gives the high half of a product."""
        return self._is_offered(umulhi(formal(0, width), formal(1, width)))

    def _narrows(self, whole: Expr, part: Expr) -> bool:
        """Tell whether the low part of a term is more than a slice of it."""
        made = self._narrow(part)
        return made.op != "extract" or made.args[0] is not whole


def _clamp(e: Expr) -> Expr | None:
    """Return what a clamp is: a sum that saturates, or a clamp of a saturated term."""
    sums = ruled("axioms", "sum.sadd", "sum.ssub", "sum.uadd", "sum.usub")
    for x in _saturations(e):
        made = sums.first(x)
        if made is not None:
            return made
    made = ruled("clamp").first(e)
    cut = None if made else ruled("axioms", "bits.choice").first(e)
    return ruled("clamp").first(cut) if cut else made


def _saturations(e: Expr) -> list[Expr]:
    """Return a term and the saturations that it is: what need not be there of one is anywhere."""
    found = [e]
    for names in (("sat.s.high", "sat.s.low", "sat.su.high", "sat.su.low"), ("sat.su.u",)):
        found += [made for x in found for _, made in ruled("axioms", *names).every(x)]
    return found
