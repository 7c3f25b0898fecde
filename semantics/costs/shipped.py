"""The price tables that ship with an instruction set, by the CPUs that they are for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from isel.cost.prices import Prices, read_prices
from isel.shipped import rows_of


@dataclass(frozen=True, slots=True)
class Shipped:
    """Tables in a package, the CPUs without one by their nearest table, and the table of all
    others.
    """

    package: str
    tables: tuple[str, ...]
    nearest: Mapping[str, tuple[str, ...]]
    otherwise: str

    def table_for(self, cpu: str) -> str:
        """Return the name of the table that prices ``cpu``: its own, or the nearest."""
        if cpu in self.tables:
            return cpu
        return next((table for table, cpus in self.nearest.items() if cpu in cpus), self.otherwise)

    def prices_of(self, table: str) -> Prices:
        """Read the shipped table ``table``."""
        return _read(self.package, table)

    def prices_for(self, cpu: str) -> Prices:
        """Return the prices for ``cpu``, its own or those of the nearest (``.cpu`` names it)."""
        return _read(self.package, self.table_for(cpu))


def nearest(module: str) -> dict[str, tuple[str, ...]]:
    """Return the CPUs without a table by their nearest, as ``nearest.tsv`` beside a module says."""
    rows = rows_of(module, "nearest.tsv")
    return {table: tuple(c if c != "-" else "" for c in cpus.split()) for table, cpus in rows}


@cache
def _read(package: str, table: str) -> Prices:
    name = f"{table}.tsv"
    return read_prices(files(package).joinpath(name).read_text(encoding="utf-8"), name)
