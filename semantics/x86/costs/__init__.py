"""Price tables of x86 CPUs, shipped as text, and the scripts that make them from llvm-mca."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from isel.cost.prices import Prices, read_prices

TABLES = (
    "alderlake",
    "haswell",
    "icelake-server",
    "sapphirerapids",
    "skylake-avx512",
    "znver3",
    "znver4",
    "znver5",
)

# CPUs without a table of their own and the table that is nearest in ports and widths.
_NEAREST = {
    "sapphirerapids": (
        "emeraldrapids",
        "graniterapids",
        "graniterapids-d",
        "diamondrapids",
        "x86-64-v4",
    ),
    "icelake-server": ("icelake-client", "rocketlake", "tigerlake", "cannonlake"),
    "skylake-avx512": ("skx", "cascadelake", "cooperlake", "knl", "knm"),
    "alderlake": (
        "raptorlake",
        "meteorlake",
        "arrowlake",
        "arrowlake-s",
        "arrowlake_s",
        "lunarlake",
        "pantherlake",
        "gracemont",
        "sierraforest",
    ),
    "znver3": (
        "znver2",
        "znver1",
        "bdver1",
        "bdver2",
        "bdver3",
        "bdver4",
        "btver1",
        "btver2",
        "barcelona",
        "amdfam10",
        "k8",
        "opteron",
        "athlon64",
    ),
}


def table_for(cpu: str) -> str:
    """Return the name of the table that prices ``cpu``: its own, or the nearest."""
    if cpu in TABLES:
        return cpu
    return next((table for table, cpus in _NEAREST.items() if cpu in cpus), "haswell")


@cache
def prices_of(table: str) -> Prices:
    """Read the shipped table ``table``."""
    return read_prices(
        files(__package__).joinpath(f"{table}.tsv").read_text(encoding="utf-8"), f"{table}.tsv"
    )


def prices_for(cpu: str) -> Prices:
    """Return the prices for ``cpu``, its own or those of the nearest CPU (``.cpu`` names it)."""
    return prices_of(table_for(cpu))
