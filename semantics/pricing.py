"""What machine code of a target costs: the reader of its assembly and the prices of a CPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from isel.cost.code import Dialect
from isel.cost.prices import Prices
from isel.errors import UnknownName
from isel.spec.target import Target
from semantics import isa_named, isas
from semantics.forms import forms
from semantics.machine import Mistake


@dataclass(frozen=True, slots=True)
class Pricing:
    """The prices of a CPU, how its assembly is written, and the forms that the linked LLVM selects
    by mistake; ``others`` are the prices of other CPUs that code is for which names none.
    """

    prices: Prices
    dialect: Dialect
    mistaken: Mapping[str, Mistake]
    others: tuple[Prices, ...] = ()


def priced_cpus(target: Target) -> tuple[str, ...]:
    """Return the CPUs that a target has tables of prices for, by name; none for a target
    without prices.
    """
    return tuple(isa_named(target.name).priced())


def pricing(target: str, cpu: str) -> Pricing:
    """Return the pricing of ``cpu``; raises UnknownName for a target without prices."""
    _priced(target)
    isa = isa_named(target)
    others = tuple(map(isa.prices, isa.cpus_of_level(cpu)))
    return Pricing(isa.prices(cpu), isa.dialect(), isa.mistaken(), others)


@cache
def priced_as(target: str, cpu: str, features: frozenset[str]) -> str:
    """Return the CPU whose prices hold for ``cpu`` with ``features``: itself, or, where its table
    has no price for instructions that only these features bring, the nearest that has them.

    Compilers call a CPU that they do not know ``x86-64`` and name all of its features.
    """
    isa = next((i for i in isas() if i.name == target and i.priced()), None)
    if isa is None:
        return cpu
    known = isa.target()
    used = [i for i in known.instructions() if i.features <= features]
    needed = frozenset(f for i in used for f in i.features)
    if cpu in isa.priced() and needed <= known.features(cpu, ""):
        return cpu  # without a look at its table
    prices, selected = isa.prices(cpu), forms(target)
    more = needed - known.features(prices.cpu, "")
    if not any(
        more & i.features and any(prices.of(form) is None for form in selected.get(i.name, ()))
        for i in used
    ):
        return cpu

    def distance(other: str) -> tuple[int, int]:
        has = known.features(other, "")
        return len(needed - has), len(has ^ features)

    return min(sorted(isa.priced()), key=distance)


def _priced(target: str) -> Sequence[str]:
    found = next((i.priced() for i in isas() if i.name == target), ())
    if not found:
        known = tuple(i.name for i in isas() if i.priced())
        raise UnknownName("target with prices", target, known)
    return found
