"""What machine code of a target costs: the reader of its assembly and the prices of a CPU."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from isel.cost.code import AsmLine
from isel.cost.prices import Prices
from isel.errors import UnknownName
from isel.spec.target import Target


@dataclass(frozen=True, slots=True)
class Pricing:
    """The prices of a CPU and the function that reads a line of its assembly."""

    prices: Prices
    dialect: Callable[[str], AsmLine]


def reference_cpu(target: Target) -> str:
    """Return the CPU with the most features of those that a target has a table of prices for
    (the first by name).
    """
    if target.name != "x86":
        raise UnknownName("target with prices", target.name, ("x86",))
    from semantics.x86.costs import TABLES

    return min(TABLES, key=lambda cpu: (-len(target.features(cpu, "")), cpu))


def priced_cpus(target: Target) -> tuple[str, ...]:
    """Return the CPUs that a target has tables of prices for, by name; none for a target
    without prices.
    """
    if target.name != "x86":
        return ()
    from semantics.x86.costs import TABLES

    return TABLES


def pricing(target: str, cpu: str) -> Pricing:
    """Return the pricing of ``cpu``; raises UnknownName for a target without prices."""
    if target != "x86":
        raise UnknownName("target with prices", target, ("x86",))
    from semantics.x86.asm import read_line
    from semantics.x86.costs import prices_for

    return Pricing(prices_for(cpu), read_line)
