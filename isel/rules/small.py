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
from isel.rules.raw import Instance
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
    most = _BYTE if rule.defines and not rule.commutes else SMALL  # of which nothing is to be shown
    found = _claims(rule, most)
    if not found:
        most = _BYTE  # a rule of halves needs widths that have some
        found = _claims(rule, most)
    holding = []
    for sizes, one in found.items():
        answer = prove(rule, sizes, None)
        if isinstance(answer, Sat):
            raise false(rule, sizes, answer)
        if isinstance(answer, Unsat) and isinstance(enumerate_inputs(one.premise), Sat):
            holding.append(sizes)
    if not holding:
        what = "the conditions never hold" if found else f"impossible width: none up to {most} fits"
        raise SyntaxProblem(what, rule.source, rule.at, rule.file)
    return tuple(holding)


def _claims(rule: Rule, most: int) -> dict[Sizes, Instance]:
    every = ((sizes, claim(rule, sizes)) for sizes in small_sizes(rule, most))
    return {sizes: found for sizes, found in every if found is not None}


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
