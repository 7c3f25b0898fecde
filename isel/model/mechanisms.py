"""Mechanisms by name: what a run may do in parts that can be switched off and are counted.

The names that are off are a sorted tuple, which travels with the options to workers and into the
keys of caches; there is no other state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from isel.errors import UnknownName

Disabled: TypeAlias = tuple[str, ...]  # sorted, each once


@dataclass(frozen=True, slots=True)
class Mechanism:
    """A row of a table: ``name`` in small letters and hyphens, one for all tables; the ``kind`` of
    table; what it does, in one line.
    """

    name: str
    kind: str
    says: str


EDGES: Final = tuple(
    Mechanism(name, "edges", says)
    for name, says in (
        ("chains", "long sums of products, a link at a time"),
        ("dot-products", "sums by instructions that add up several: products, groups, neighbours"),
        ("lookups", "bytes that are a function of a byte by tables or by a matrix of bits; sets"),
        ("second-level", "instructions on what another instruction gives"),
    )
)
TACTICS: Final = tuple(
    Mechanism(name, "tactics", says)
    for name, says in (
        ("egraph", "lanes as what they are, whatever their spelling: equality saturation"),
        ("cegis", "programs of few operations for lanes that are not shown the cheapest"),
        ("bit-fields", "bits of neighbouring elements gathered, moved by literals and masked"),
        ("joint-goals", "registers solved together: with halves that are free, or moved in rounds"),
    )
)
# Names of the search.
SEARCH: Final[tuple[Mechanism, ...]] = (*EDGES, *TACTICS)


def enabled(disabled: Collection[str], name: str) -> bool:
    """Tell whether a mechanism is on."""
    return name not in disabled


def read_names(words: Iterable[str], table: Iterable[Mechanism], kind: str) -> Disabled:
    """Return the names in words such as ``a,b``; raise :class:`isel.errors.UnknownName` for one
    that the table, of a ``kind``, does not have.
    """
    known = tuple(row.name for row in table)
    names = {name.strip() for word in words for name in word.split(",") if name.strip()}
    for name in sorted(names):
        if name not in known:
            raise UnknownName(kind, name, known)
    return tuple(sorted(names))
