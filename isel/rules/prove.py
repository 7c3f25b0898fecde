"""Proofs of rules from raw terms: at given widths by solvers, at small ones for all values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, Protocol, TypeAlias

from isel.errors import SyntaxProblem
from isel.ir.expr import Expr, leaves
from isel.ir.ops import WidthError, signed
from isel.rules.conditions import Unsayable
from isel.rules.raw import Instance, instance
from isel.rules.syntax import Rule
from isel.rules.syntax import leaves as leaves_of
from isel.smt.enumeration import enumerate_inputs
from isel.smt.products import without_products
from isel.smt.query import Answer, GaveUp, Query, Sat, Unsat

Sizes: TypeAlias = tuple[int, ...]
SMALL: Final = 4
_BYTE: Final = 8
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


def small_sizes(rule: Rule, most: int = SMALL) -> Iterator[Sizes]:
    """Yield small widths and whatever attributes go with them; many of them cannot be."""
    widths = {x.width.name for x in leaves_of(rule.left) if x.width is not None}
    yield from product(*(range(int(name in widths), most + 1) for name in rule.sizes))


def check_small(rule: Rule) -> tuple[Sizes, ...]:
    """Show a rule at all small widths for all inputs; return those at which conditions can hold.

    Raises :class:`SyntaxProblem` with a counterexample, or where there is nothing to show.
    """
    possible, holding = 0, []
    most = _BYTE if rule.defines and not rule.commutes else SMALL  # of which nothing is to be shown
    if not any(claim(rule, sizes) for sizes in small_sizes(rule, most)):
        most = _BYTE  # a rule of halves needs widths that have some
    for sizes in small_sizes(rule, most):
        found = claim(rule, sizes)
        if found is None:
            continue
        possible += 1
        answer = prove(rule, sizes, None)
        if isinstance(answer, Sat):
            raise false(rule, sizes, answer)
        if isinstance(answer, Unsat) and isinstance(enumerate_inputs(found.premise), Sat):
            holding.append(sizes)
    if not possible:
        raise SyntaxProblem(
            f"impossible width: none up to {most} fits", rule.source, rule.at, rule.file
        )
    if not holding:
        raise SyntaxProblem("the conditions never hold", rule.source, rule.at, rule.file)
    return tuple(holding)


def false(rule: Rule, sizes: Sizes, found: Sat) -> SyntaxProblem:
    """Return the error for a rule that does not hold, with its counterexample."""
    values = ", ".join(f"{x.source} = {_value(x, v)}" for x, v in found.model.items())
    where = ", ".join(x for x in (said(rule, sizes), values) if x)
    return SyntaxProblem(f"'{rule.name}' is false where {where}", rule.source, rule.at, rule.file)


def said(rule: Rule, sizes: Sizes) -> str:
    """Return widths in words."""
    return ", ".join(f"{n} = {v}" for n, v in zip(rule.sizes, sizes, strict=True))


def _value(x: Expr, value: int) -> str:
    s = signed(value, x.width)
    return str(value) if s == value else f"{value} ({s})"
