"""The text form of a price table, which :func:`isel.cost.prices.read_prices` reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple

from isel.cost.ports import Usage
from isel.cost.prices import COLUMNS, PORT_LETTERS, SPLITS, Price, Prices


def write_prices(prices: Prices, notes: Sequence[str]) -> str:
    """Return the table as text: header lines, column names, rows in order of their first form."""
    head = [
        f"# prices of {prices.cpu}",
        *(f"# {n}" for n in notes),
        f"# dispatch: {prices.dispatch}",
        f"# ports: {' '.join(prices.ports)}",
    ]
    if prices.closed is not None:
        head.append(
            f"# closed: {_letters(prices.closed.ports)} to {' '.join(prices.closed.kinds)} beside "
            f"{prices.closed.beside}"
        )
    if prices.likened is not None:
        head.append(f"# likened: {' '.join(prices.likened.mnemonics)} to {prices.likened.model}")
    if (s := prices.split) is not None:
        ways = zip(SPLITS, (s.load, s.store, s.whole_load, s.whole_store), strict=True)
        head += [f"# split {way}: {_usages(used)}".rstrip() for way, used in ways]
        head.append(f"# split source: {s.source}")
    for known in (prices.scheduler, prices.forwarding):
        if known is not None:
            name = type(known).__name__.lower()
            head.append(f"# {name}: {' '.join(map(str, astuple(known)))}")
    return "\n".join([*head, "\t".join(COLUMNS), *sorted(_rows(prices.rows))]) + "\n"


def _rows(rows: Mapping[str, Price]) -> Iterator[str]:
    """Yield a row for each set of mnemonics that have the same operand lists at the same price."""
    priced: dict[str, dict[str, list[str]]] = {}
    for form in sorted(rows):
        mnemonic, _, operands = form.rpartition(" ")
        priced.setdefault(_cells(rows[form]), {}).setdefault(mnemonic, []).append(operands)
    for cells, mnemonics in priced.items():
        alike: dict[tuple[str, ...], list[str]] = {}
        for mnemonic, lists in mnemonics.items():
            alike.setdefault(tuple(lists), []).append(mnemonic)
        yield from (
            f"{'|'.join(some)}\t{' '.join(lists)}\t{cells}" for lists, some in alike.items()
        )


def _cells(price: Price) -> str:
    f = price.forwarded
    latency = f"{price.latency}{'' if f is None else f' {f.kind}:{f.latency}'}"
    return f"{price.uops}\t{latency}\t{_number(price.throughput)}\t{_usages(price.usages)}"


def _usages(usages: Sequence[Usage]) -> str:
    return " ".join(f"{_letters(u.ports)}*{_number(u.cycles)}" for u in usages)


def _letters(mask: int) -> str:
    return "".join(letter for i, letter in enumerate(PORT_LETTERS) if mask >> i & 1)


def _number(value: float) -> str:
    return f"{round(value, 4):g}"
