"""Forms of instructions in tables of prices: found by name, and their cost in words."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from isel.cli.listing import Filter, choose, is_pattern
from isel.cost.prices import Price, Prices
from isel.errors import UsageProblem
from isel.spec.target import Target


def forms_like(target: Target, tables: Sequence[Prices], patterns: list[str]) -> list[str]:
    """Return the forms that patterns, mnemonics or instructions name, all for none; raises
    :class:`UsageProblem`.
    """
    if not any(map(is_pattern, patterns)):
        patterns = _patterns(target, patterns) if patterns else ["*"]
    every = sorted(set().union(*(t.rows for t in tables)))
    forms = [
        f for f in every if any(fnmatchcase(x, p) for p in patterns for x in (f, f.split()[0]))
    ]
    if not forms:
        raise UsageProblem(f"no form is called like {' or '.join(map(repr, patterns))}")
    return forms


def cycles_and_latency(table: Prices, form: str) -> str:
    """Return what a table says of a form in words, ``-`` where it has no row."""
    price: Price | None = table.of(form)
    return "-" if price is None else f"{cycles(table, form, price)} / {latency(price)}"


def latency(price: Price) -> str:
    """Return the latency, and that from an accumulator in brackets where it is less."""
    accumulator = "" if price.forwarded is None else f"({price.forwarded.latency})"
    return f"{price.latency}{accumulator}"


def cycles(table: Prices, form: str, price: Price) -> str:
    """Return the reciprocal throughput, without the hundredth a micro-operation that breaks
    ties.
    """
    return f"{((table.hundredths(form) or 0) - price.uops) / 100:.2f}"


def _patterns(target: Target, names: list[str]) -> list[str]:
    found = [i.mnemonic for i in choose(target, names, Filter())]
    return [f"{m} *" for m in dict.fromkeys([*found, *(n.removeprefix("v") for n in found)])]
