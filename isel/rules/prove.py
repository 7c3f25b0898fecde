"""Proofs of rules from raw terms at given widths, by solvers or for all values."""

from __future__ import annotations

from typing import Final, Protocol

from isel.errors import SyntaxProblem
from isel.ir.expr import leaves
from isel.ir.ops import WidthError
from isel.rules.conditions import Unsayable
from isel.rules.raw import Instance, instance
from isel.rules.syntax import Rule, Sizes
from isel.smt.enumeration import enumerate_inputs
from isel.smt.products import without_products
from isel.smt.query import Answer, GaveUp, Query, Unsat

_BITS: Final = 16  # of an instance that is evaluated for all inputs, at a few milliseconds


class Checker(Protocol):
    """Anything that answers queries within its own limits."""

    def check(self, query: Query) -> Answer:
        """Answer a query or give up."""
        ...


def claim(rule: Rule, sizes: Sizes) -> Instance | None:
    """Return what is to be shown at given widths; None where they cannot be.

    Raises :class:`SyntaxProblem` where left and right have different widths.
    """
    try:
        return instance(rule, dict(zip(rule.sizes, sizes, strict=True)))
    except Unsayable as error:
        raise SyntaxProblem(str(error), rule.source, rule.at, rule.file) from None
    except WidthError as error:
        raise SyntaxProblem(
            f"impossible width: {error} where {said(rule, sizes)}", rule.source, rule.at, rule.file
        ) from None


def prove(rule: Rule, sizes: Sizes, checker: Checker | None) -> Answer | None:
    """Show a rule at given widths; None where they cannot be.

    Few inputs are all looked at by the interpreter, others are put to ``checker``.
    """
    found = claim(rule, sizes)
    if found is None:
        return None
    if all(x is found.right for x in found.lefts):
        return Unsat("identity")
    if sum(x.width for x in leaves(found.wrong)) <= _BITS:
        answer = enumerate_inputs(found.wrong, _BITS)
        if answer is not None:
            return answer
    if checker is None:
        return GaveUp("no solver")
    unknowns = without_products(found.wrong)
    if unknowns is not None:
        answer = checker.check(Query((unknowns,)))
        if isinstance(answer, Unsat):
            return answer
    return checker.check(Query((found.wrong,)))


def said(rule: Rule, sizes: Sizes) -> str:
    """Return widths in words."""
    return ", ".join(f"{n} = {v}" for n, v in zip(rule.sizes, sizes, strict=True))
