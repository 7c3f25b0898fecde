"""Terms of odd widths in the widths that instructions have, where no value goes beyond the odd
width.
"""

from __future__ import annotations

from functools import cache

from isel.egraph.terms import RuleSet
from isel.ir.build import extract, make, sext
from isel.ir.expr import Expr
from isel.ir.ops import natural
from isel.rules.books import book
from isel.rules.proofs import proofs


@cache
def _rules() -> RuleSet:
    return RuleSet(book("widen").rules, proofs())


def widened(e: Expr) -> Expr | None:
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
    if e.is_const or not odd or (e.width == natural(e.width) and e.op not in ("sext", "zext")):
        done[e] = e
        return e
    made = _rules().first(e)
    if made is not None:
        args = tuple([a for x in made.args if (a := _wide(x, done)) is not None])
        done[e] = make(made.op, args, made.attr) if len(args) == len(made.args) else None
    return done[e]
