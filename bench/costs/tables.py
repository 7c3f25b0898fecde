"""Price tables out of llvm-mca: one line of each form, what it costs, and which groups of ports it
uses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence

from bench.costs import groups
from bench.costs.mca import Fact, Mca, Tables
from isel.cost.code import Operation
from isel.cost.ports import Usage
from isel.cost.prices import Price, Prices


def one_line_per_form(lines: Sequence[str], read: Callable[[str], Operation]) -> dict[str, str]:
    """Return the first line of each instruction form, by form."""
    forms: dict[str, str] = {}
    for line in lines:
        forms.setdefault(read(line).form, line)
    return {form: forms[form] for form in sorted(forms)}


def priced(forms: Mapping[str, str], mca: Mca, cpu: str) -> tuple[Prices, int]:
    """Return the prices of forms, each with a line of its own, and how many groups of ports are
    guessed.
    """
    lines = list(forms.values())
    tables = mca.tables(lines, cpu)
    dispatch = mca.dispatch_width(cpu)
    usages, guessed = _usages(lines, tables, mca, cpu, dispatch)
    facts = zip(forms, tables.facts, usages, strict=True)
    rows = {form: Price(f.uops, f.latency, round(f.throughput, 4), u) for form, f, u in facts}
    return Prices(cpu, dispatch, tables.ports, rows, ""), guessed


def origin(mca: Mca, lines: Sequence[str]) -> tuple[str, str]:
    """Return the lines of a header that say which tool was asked what."""
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return f"tool: {mca.version()}", f"input: sha256 {digest}"


def _usages(
    lines: Sequence[str], tables: Tables, mca: Mca, cpu: str, dispatch: int
) -> tuple[list[tuple[Usage, ...]], int]:
    """Decompose one line of each distinct fact, which stands for one scheduling class."""
    first: dict[Fact, int] = {}
    for i, fact in enumerate(tables.facts):
        first.setdefault(fact, i)
    probes = groups.pure_groups(lines, tables.facts)
    some = list(first.values())
    found, guesses = groups.decompose(
        [lines[i] for i in some],
        [tables.facts[i] for i in some],
        _units(tables.ports),
        probes,
        mca,
        cpu,
        dispatch,
    )
    by_fact = dict(zip(first, found, strict=True))
    return [by_fact[fact] for fact in tables.facts], guesses


def _units(ports: Sequence[str]) -> list[int]:
    masks: dict[str, int] = {}
    for i, port in enumerate(ports):
        name, dot, _ = port.partition(".")
        if dot:
            masks[name] = masks.get(name, 0) | 1 << i
    return list(masks.values())
