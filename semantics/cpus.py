"""CPUs and features of a target, from the table that :mod:`semantics.probe` asks of LLVM."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from isel.errors import UnknownName
from isel.shipped import rows_in, text_of


@dataclass(frozen=True, slots=True)
class Cpus:
    """What each CPU has, what each feature implies, the features that only tune, the CPU that the
    empty name stands for, and the features of older LLVMs that this one has ``dropped``.
    """

    cpus: Mapping[str, frozenset[str]]
    implies: Mapping[str, frozenset[str]]
    tuning: frozenset[str]
    base: str
    dropped: frozenset[str]

    def of(self, cpu: str) -> frozenset[str]:
        """Return the features of a CPU; raise :class:`UnknownName`."""
        found = self.cpus.get(cpu or self.base)
        if found is None:
            raise UnknownName("CPU", cpu, tuple(self.cpus))
        return found

    def changed(self, features: frozenset[str], attributes: str) -> frozenset[str]:
        """Apply ``+a,-b`` from left to right as LLVM does: with what is implied, without what
        would imply.

        As in LLVM, what it does not know may be switched off, and what it has dropped may be
        switched on; another name that is unknown raises :class:`UnknownName`.
        """
        for item in filter(None, (part.strip() for part in attributes.split(","))):
            name = item[1:] if item[0] in "+-" else item
            if name not in self.implies and name not in self.tuning:
                if item[0] == "-" or name in self.dropped:
                    continue
                raise UnknownName("feature", name, (*self.implies, *sorted(self.tuning)))
            if item[0] == "-":
                features = frozenset(
                    f for f in features if f != name and name not in self.implies.get(f, ())
                )
            else:
                features = features | {name} | self.implies.get(name, frozenset())
        return features


def read_cpus(text: str, base: str, dropped: str = "") -> Cpus:
    """Read the table."""
    rows = list(rows_in(text))
    named = {
        kind: {row[1]: frozenset(row[2].split()) for row in rows if row[0] == kind}
        for kind in ("cpu", "feature", "tuning")
    }
    return Cpus(
        named["cpu"], named["feature"], frozenset(named["tuning"]), base, frozenset(dropped.split())
    )


@cache
def cpus_of(isa: str, base: str, dropped: str) -> Cpus:
    """Return the shipped table of an instruction set."""
    return read_cpus(text_of(__file__, isa, "cpus.tsv"), base, dropped)
