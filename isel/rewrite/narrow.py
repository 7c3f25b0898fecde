"""Terms in the widths that instructions have: high halves of products, and low parts of sums,
products and logic.

What is made of the result is proved against the window as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import TypeAlias

from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr
from isel.ir.ranges import decide
from isel.rewrite.divide import divided
from isel.rewrite.widen import widened
from isel.rules.apply import Ask, Fixpoint, RuleSet
from isel.rules.books import book
from isel.rules.derived import umulhi
from isel.rules.proofs import proofs

Offered: TypeAlias = Callable[[Expr], bool]


class Narrower:
    """Rewrites terms for one set of instructions; ``offered`` tells whether a canonical lane
    function is one of theirs.
    """

    def __init__(self, offered: Offered) -> None:
        self._offered = offered
        self._narrow = Fixpoint(self._narrower)

    @cached_property
    def _clamps(self) -> RuleSet:
        return RuleSet(book("clamp").rules, proofs())

    @cached_property
    def _rules(self) -> RuleSet:
        guards: dict[str, Ask] = {"offered": self._is_offered, "narrows": self._narrows}
        return RuleSet(book("narrow").rules, proofs(), guards)

    def __call__(self, e: Expr) -> Expr:
        """Return an equal term."""
        return self._narrow(decide(e))

    def _narrower(self, e: Expr) -> Expr | None:
        if e.op in ("udiv", "sdiv"):
            return divided(e, self._gives_high)
        turned = _axioms("turn.s", "turn.u", "turn.mixed").first(e)
        if turned is not None:
            return turned
        clamped = self._clamped(e)
        if clamped is not None:
            # Where no instruction computes it, in a width of instructions, as a whole: rules for
            # low parts would take the saturation apart again.
            return clamped if self._is_offered(clamped) else widened(clamped) or clamped
        made = self._rules.first(e)
        if made is None and e.op == "extract" and e.int_attr(0) == 0 and not self._is_offered(e):
            return widened(e)
        return made

    def _clamped(self, e: Expr) -> Expr | None:
        """Return what a clamp is: a sum that saturates, or a clamp of a saturated term."""
        sums = _axioms("sum.sadd", "sum.ssub", "sum.uadd", "sum.usub")
        for x in _saturations(e):
            made = sums.first(x)
            if made is not None:
                return made
        cut = _axioms("bits.choice").first(e)
        return self._clamps.first(e) or (cut and self._clamps.first(cut))

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


@cache
def _axioms(*names: str) -> RuleSet:
    return RuleSet([r for r in book("axioms").rules if r.name in names], proofs())


def _saturations(e: Expr) -> list[Expr]:
    """Return a term and the saturations that it is: what need not be there of one is anywhere."""
    found = [e]
    for names in (("sat.s.high", "sat.s.low", "sat.su.high", "sat.su.low"), ("sat.su.u",)):
        found += [made for x in found for _, made in _axioms(*names).every(x)]
    return found
