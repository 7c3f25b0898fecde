"""Rows of a price table that a machine contradicts, corrected by tables of what was seen.

``cycles`` is the reciprocal throughput, or ``as ymm`` for that of the same form on registers of
half the width where that is less, or ``N times ymm`` for N times that, on its ports, or ``cd*2``
for the work on one group of ports, as tables write it, or ``8b to 89`` for the work of one group
on another that takes as long; ``latency`` is a number, or ``A to B`` for rows that say A; ``-``
leaves either as it is.  Names are patterns of :mod:`fnmatch`; a line sees what earlier ones made.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache

from isel.cost.ports import Usage, port_bound
from isel.cost.prices import Price, Prices, read_usage
from isel.shipped import rows_of
from semantics.x86 import costs
from semantics.x86.costs.fitted import scaled


@dataclass(frozen=True, slots=True)
class Correction:
    """A line of the table."""

    cpu: str
    mnemonics: tuple[str, ...]
    operands: str
    cycles: str
    latency: str

    def covers(self, form: str) -> bool:
        """Tell whether the line is about a form."""
        mnemonic, _, operands = form.rpartition(" ")
        return fnmatchcase(operands, self.operands) and any(
            fnmatchcase(mnemonic, m) for m in self.mnemonics
        )


@cache
def corrections() -> tuple[Correction, ...]:
    """Return the shipped tables: what was concluded, then what was timed form by form."""
    rows: list[list[str]] = []
    for name in ("corrections.tsv", "timed.tsv"):
        rows += list(rows_of(costs.__file__, name))[1:]
    return tuple(Correction(c, tuple(m.split("|")), o, t, n) for c, m, o, t, n in rows)


def corrected(prices: Prices) -> tuple[Prices, int]:
    """Return a table of llvm-mca with its CPU's corrections, and how many rows they changed."""
    rows = dict(prices.rows)
    for line in corrections():
        if line.cpu != prices.cpu:
            continue
        for form in covered_by(line, rows):
            narrow = rows.get(_halved(form)) if line.cycles.endswith("ymm") else None
            rows[form] = _timed(_priced(rows[form], narrow, line.cycles), line.latency)
    changed = sum(rows[form] != row for form, row in prices.rows.items())
    return replace(prices, rows=rows), changed


def covered_by(line: Correction, rows: Mapping[str, Price]) -> list[str]:
    """Return the forms that a line is about; those of names without patterns are looked up."""
    if not any(c in "*?[" for name in (*line.mnemonics, line.operands) for c in name):
        return [f for m in line.mnemonics if (f := f"{m} {line.operands}") in rows]
    return [f for f in rows if line.covers(f)]


def _priced(row: Price, narrow: Price | None, cycles: str) -> Price:
    if cycles.endswith("ymm"):
        return row if narrow is None else _like(row, narrow, cycles)
    if "*" in cycles:
        return _on_ports(row, read_usage(cycles))
    if " to " in cycles:
        return _elsewhere(row, *(read_usage(f"{ports}*1").ports for ports in cycles.split(" to ")))
    if cycles == "-":
        return row
    found = float(cycles)
    usages = tuple(replace(u, cycles=round(u.cycles, 4)) for u in scaled(row.usages, found))
    return replace(row, usages=usages, throughput=round(found, 4))


def _like(row: Price, narrow: Price, cycles: str) -> Price:
    times, _, of = cycles.partition(" times ")
    if of:
        usages = tuple(replace(u, cycles=int(times) * u.cycles) for u in narrow.usages)
        return replace(row, usages=usages, throughput=int(times) * narrow.throughput)
    less = port_bound(narrow.usages) < port_bound(row.usages)
    return replace(narrow, latency=row.latency) if less else row


def _on_ports(row: Price, work: Usage) -> Price:
    """Return a row with other work on a group of ports that it uses."""
    usages = tuple(work if u.ports == work.ports else u for u in row.usages)
    return replace(row, usages=usages, throughput=max(row.throughput, port_bound(usages)))


def _elsewhere(row: Price, here: int, there: int) -> Price:
    """Return a row with the work on a group of ports on another one, which it keeps as long."""
    share = there.bit_count() / here.bit_count()
    usages = (
        Usage(there, round(u.cycles * share, 3)) if u.ports == here else u for u in row.usages
    )
    return replace(row, usages=tuple(usages))


def _timed(row: Price, latency: str) -> Price:
    if latency == "-":
        return row
    only, to, new = latency.rpartition(" to ")
    return replace(row, latency=int(new)) if not to or row.latency == int(only) else row


def _halved(form: str) -> str:
    """Return a form on registers, and with broadcasts, of half the width."""
    narrow = {"zmm": "ymm", "ymm": "xmm"}
    half = re.sub("zmm|ymm", lambda m: narrow[m[0]], form)
    return re.sub(r"1to(\d+)", lambda m: f"1to{int(m[1]) // 2}", half)
