"""Rules shown at all small widths for all values, or a counterexample."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from isel.errors import SyntaxProblem
from isel.ir.expr import Expr
from isel.ir.ops import signed
from isel.rules.proofs import Proofs
from isel.rules.prove import claim, prove, said
from isel.rules.syntax import Book, Rule, Sizes
from isel.rules.syntax import leaves as leaves_of
from isel.smt.enumeration import enumerate_inputs
from isel.smt.query import Sat, Unsat

SMALL: Final = 4
_BYTE: Final = 8


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


def _value(x: Expr, value: int) -> str:
    s = signed(value, x.width)
    return str(value) if s == value else f"{value} ({s})"


def check(found: Book, known: Proofs) -> None:
    """Show the rules that the list of proofs does not have at small widths, or raise."""
    for rule in found.rules:
        if not known.listed(rule):
            check_small(rule)
