"""Price tables of x86 CPUs, shipped as text, and the scripts that make them from llvm-mca."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from isel.cost.prices import Prices, read_prices

TABLES = ("haswell", "sapphirerapids", "znver4")

# CPUs without a table of their own and the table that is nearest in ports and widths.
_NEAREST = {
    "sapphirerapids": ("skx", "skylake-avx512", "cascadelake", "cooperlake", "cannonlake", "icelake-client", "icelake-server", "rocketlake", "tigerlake", "emeraldrapids")
    + ("graniterapids", "graniterapids-d", "diamondrapids", "knl", "knm", "x86-64-v4"),
    "znver4": ("znver5", "znver3", "znver2", "znver1", "bdver1", "bdver2", "bdver3", "bdver4", "btver1", "btver2", "barcelona", "amdfam10", "k8", "opteron", "athlon64"),
}


def table_for(cpu: str) -> str:
    """Return the name of the table that prices ``cpu``: its own, or the nearest."""
    if cpu in TABLES:
        return cpu
    return next((table for table, cpus in _NEAREST.items() if cpu in cpus), "haswell")


@cache
def prices_of(table: str) -> Prices:
    """Read the shipped table ``table``."""
    return read_prices(files(__package__).joinpath(f"{table}.tsv").read_text(encoding="utf-8"), f"{table}.tsv")


def prices_for(cpu: str) -> Prices:
    """Return the prices for ``cpu``, its own or those of the nearest CPU (``.cpu`` names it)."""
    return prices_of(table_for(cpu))


def form_of(mnemonic: str, *kinds: str) -> str:
    """Return the form of a mnemonic with operand kinds, destination first: ``zmm``, ``mem``, ``imm``, ``k``, ``r32``."""
    return f"{mnemonic} {','.join(kinds)}" if kinds else mnemonic


def price_of(mnemonic: str, kinds: tuple[str, ...], cpu: str) -> int | None:
    """Return the price in hundredths of a cycle of throughput, plus one per micro-operation; None where there is no row."""
    return prices_for(cpu).hundredths(form_of(mnemonic, *kinds))


def price_by_bits(mnemonic: str, bits: int, cpu: str) -> int | None:
    """Return the dearest price among the register forms of ``mnemonic`` whose widest register has ``bits`` bits.

    For callers that know an instruction by name and size only; memory, masked and scalar forms do not count.
    """
    return _register_prices(table_for(cpu)).get((mnemonic, bits))


@cache
def _register_prices(table: str) -> dict[tuple[str, int], int]:
    prices = prices_of(table)
    found: dict[tuple[str, int], int] = {}
    for form in prices.rows:
        mnemonic, _, operands = form.partition(" ")
        kinds = operands.split(",")
        widths = [_WIDTHS[k] for k in kinds if k in _WIDTHS]
        if not widths or not all(k in _WIDTHS or k in _NARROW for k in kinds):
            continue
        price = prices.hundredths(form)
        if price is not None:
            found[mnemonic, max(widths)] = max(found.get((mnemonic, max(widths)), 0), price)
    return found


_WIDTHS = {"xmm": 128, "ymm": 256, "zmm": 512}
_NARROW = frozenset({"imm", "k", "r64", "r32", "r16", "r8"})
