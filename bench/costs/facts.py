"""Facts that llvm-mca does not say, in tables of an instruction set's own with their sources.

``splits.tsv`` has what an access of two cache lines costs, ``accumulators.tsv`` when an accumulator
has to be there, ``schedulers.tsv`` how many operations can wait for their operands,
``forwarding.tsv`` when a load has what was just stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from importlib.resources import files

from isel.cost.ports import Usage
from isel.cost.prices import Forwarded, Forwarding, Price, Prices, Scheduler, Split, read_usage
from isel.shipped import rows_in


def with_facts(prices: Prices, package: str) -> Prices:
    """Return a table with what the tables in ``package`` say of its CPU; a table may be absent."""
    return _forwarded(_forwarding(_scheduler(_split(prices, package), package), package), package)


def _rows(package: str, name: str, cpu: str) -> Iterator[list[str]]:
    """Yield the cells of the rows that name a CPU, without those that name it."""
    path = files(package) / name
    if not path.is_file():
        return
    _, *rows = rows_in(path.read_text(encoding="utf-8"))
    for cpus, *cells in rows:
        if cpu in cpus.split():
            yield cells


def _split(prices: Prices, package: str) -> Prices:
    for *ways, source in _rows(package, "splits.tsv", prices.cpu):
        if not {x for x in ways if "*" not in x} <= {"-", *prices.rows}:
            continue  # a table of a few forms
        load, store, whole_load, whole_store = (_usages(prices, x) for x in ways)
        prices = replace(prices, split=Split(load, store, whole_load, whole_store, source))
    return prices


def _scheduler(prices: Prices, package: str) -> Prices:
    for *entries, source in _rows(package, "schedulers.tsv", prices.cpu):
        general, lanes = map(int, entries)
        prices = replace(prices, scheduler=Scheduler(general, lanes, source))
    return prices


def _forwarding(prices: Prices, package: str) -> Prices:
    for *cycles, source in _rows(package, "forwarding.tsv", prices.cpu):
        renamed, latency, lanes, failed, blocked = map(int, cycles)
        found = Forwarding(renamed, latency, lanes, failed, blocked, source)
        prices = replace(prices, forwarding=found)
    return prices


def _usages(prices: Prices, form: str) -> tuple[Usage, ...]:
    """Return what a form uses, or what is written as tables write it."""
    if "*" in form:
        return tuple(map(read_usage, form.split()))
    return () if form == "-" else prices.rows[form].usages


def _forwarded(prices: Prices, package: str) -> Prices:
    rows = dict(prices.rows)
    for kind, mnemonics, operands, latency in _rows(package, "accumulators.tsv", prices.cpu):
        for form, row in rows.items():
            mnemonic, _, kinds = form.rpartition(" ")
            if fnmatchcase(kinds, operands) and any(
                fnmatchcase(mnemonic, m) for m in mnemonics.split("|")
            ):
                rows[form] = _from(row, Forwarded(kind, int(latency)))
    return replace(prices, rows=rows)


def _from(row: Price, forwarded: Forwarded) -> Price:
    """Return a price with an accumulator, where that arrives later than the other operands."""
    return replace(row, forwarded=forwarded) if forwarded.latency < row.latency else row
