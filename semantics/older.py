"""A target as an older LLVM generates code for it: without the instructions that it does not
select, and without 512 bits where they are a feature of their own that is switched off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from isel.shipped import rows_of
from isel.spec.instruction import Instruction
from isel.spec.target import Target
from semantics import searched_for
from semantics.target import ChangedTarget, LibraryTarget


@dataclass(frozen=True)
class OlderTarget(ChangedTarget):
    """``target`` without the instructions of these names; ``narrowing`` has the features without
    which registers have at most so many bits.

    What other emissions mean is the same, so the digest is; calls of instructions that are not to
    be emitted are understood.
    """

    left_out: frozenset[str]
    narrowing: tuple[tuple[str, int], ...] = ()

    def instructions(self) -> Sequence[Instruction]:
        """Return every instruction that is selected, in a fixed order."""
        return _selected(self)

    def features(self, cpu: str, attributes: str) -> frozenset[str]:
        """See :class:`isel.spec.target.Target`; ``-NAME`` is among them for a narrowing feature
        that is switched off.
        """
        found = self.target.features(cpu, attributes)
        items = [part.strip() for part in attributes.split(",")]
        last = {item[1:]: item for item in items}
        return found | {f"-{f}" for f, _ in self.narrowing if last.get(f) == f"-{f}"}

    def vector_bits(self, features: frozenset[str], attributes: Mapping[str, str]) -> int:
        """See :class:`isel.spec.target.Target`."""
        bits = self.target.vector_bits(features, attributes)
        return min([bits, *(n for f, n in self.narrowing if f"-{f}" in features)])


@dataclass(frozen=True, slots=True)
class TargetsOf:
    """Finds the target of a triple for an older version of LLVM; it can be sent to other
    processes.
    """

    version: int

    def __call__(self, triple: str) -> Target:
        """Return the target of a triple; raise :class:`isel.errors.UnknownName`."""
        return older_target(searched_for(triple), self.version)


def older_target(target: Target, version: int) -> Target:
    """Return a target as an older LLVM generates code for it."""
    left_out = not_selected(target.name, version)
    known = target.narrowing if isinstance(target, LibraryTarget) else ()
    narrowing = tuple((x.feature, x.bits) for x in known if version in x.versions)
    return OlderTarget(target, left_out, narrowing) if left_out or narrowing else target


@cache
def _selected(older: OlderTarget) -> tuple[Instruction, ...]:
    return tuple(i for i in older.target.instructions() if i.name not in older.left_out)


@cache
def not_selected(target: str, version: int) -> frozenset[str]:
    """Return the instructions whose emissions an older LLVM does not select as the linked one
    does.
    """
    rows = rows_of(__file__, target, "older.tsv")
    return frozenset(name for name, versions in rows if str(version) in versions.split())
