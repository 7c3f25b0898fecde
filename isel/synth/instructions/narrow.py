"""Terms in the widths that instructions have: high halves of products, low parts of sums, products
and logic, and odd widths where no value goes beyond them.

What is made of the result is proved against the window as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeAlias

from isel.egraph.terms import Ask, Fixpoint, RuleSet, ruled
from isel.ir.build import extract, make, sext
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr
from isel.ir.ops import natural
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
        clamped = self._clamp(e)
        if clamped is not None:
            # Where no instruction computes it, in a width of instructions, as a whole: rules for
            # low parts would take the saturation apart again.
            return clamped if self._is_offered(clamped) else widen(clamped) or clamped
        made = self._rules.first(e)
        if made is None and e.op == "extract" and e.int_attr(0) == 0 and not self._is_offered(e):
            return widen(e)
        return made

    def _clamp(self, e: Expr) -> Expr | None:
        """Return what a clamp is: a sum that saturates, or a clamp of a saturated term."""
        sums = ruled("axioms", "sum.sadd", "sum.ssub", "sum.uadd", "sum.usub")
        for x in _saturations(e):
            made = sums.first(x)
            if made is not None:
                return made
        made = ruled("clamp").first(e)
        cut = None if made else ruled("axioms", "bits.choice").first(e)
        return ruled("clamp").first(cut) if cut else made

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


def _saturations(e: Expr) -> list[Expr]:
    """Return a term and the saturations that it is: what need not be there of one is anywhere."""
    found = [e]
    for names in (("sat.s.high", "sat.s.low", "sat.su.high", "sat.su.low"), ("sat.su.u",)):
        found += [made for x in found for _, made in ruled("axioms", *names).every(x)]
    return found


def widen(e: Expr) -> Expr | None:
    """Return an equal term of a slice of something of odd width, computed in the next natural
    width; None where that may differ.
    """
    if e.op != "extract":
        return None
    inner = e.args[0]
    if inner.width == natural(inner.width) or inner.width > 64:
        return None
    whole = _wide(sext(inner, natural(inner.width)), {})
    return None if whole is None else extract(whole, e.int_attr(0), e.width)


def _wide(e: Expr, done: dict[Expr, Expr | None]) -> Expr | None:
    """Return an equal term in natural widths down to where the term had such by itself."""
    if e in done:
        return done[e]
    done[e] = None
    odd = any(a.width != natural(a.width) for a in e.args)
    if not odd or (e.width == natural(e.width) and e.op not in ("sext", "zext")):
        done[e] = e
        return e
    made = ruled("widen").first(e)
    if made is not None:
        args = tuple([a for x in made.args if (a := _wide(x, done)) is not None])
        done[e] = make(made.op, args, made.attr) if len(args) == len(made.args) else None
    return done[e]
