"""The integer-vector, register-only entries of the Intrinsics Guide as learning asks for them:
prototypes, features, immediates and mnemonics.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from semantics.emission.prototype import CType, Key, Kind
from semantics.x86.importer.features import features_of
from semantics.x86.importer.spec import Intrinsic, Parameter, is_integer_vector


@dataclass(frozen=True, slots=True)
class Value:
    """A parameter of a type of the guide; ``immediate`` is the number of bits of its constant, 0
    for a value.
    """

    name: str
    type: str
    immediate: int
    c: CType


@dataclass(frozen=True, slots=True)
class Entry:
    """Implements :class:`semantics.emission.prototype.Entry`; ``result`` is its type in the guide,
    where 20 names appear twice.
    """

    name: str
    cpuids: tuple[str, ...]
    result: str
    returned: CType
    parameters: tuple[Value, ...]
    instructions: tuple[str, ...]

    @property
    def key(self) -> Key:
        """What names the entry."""
        return self.name, self.cpuids

    @property
    def features(self) -> tuple[str, ...]:
        """LLVM's names of the features, sorted; with those of the register or mask where the
        Guide leaves them out.
        """
        masked = any(p.c.kind is Kind.MASK for p in self.parameters)
        return features_of(self.cpuids, masked, self.result == "__m512i")

    @property
    def immediates(self) -> tuple[Value, ...]:
        """The parameters that are constants."""
        return tuple(p for p in self.parameters if p.immediate)


def c_type(p: Parameter) -> CType:
    """Return a C type of the guide; clang has vectors as ``<n x i64>``."""
    if p.is_vector:
        return CType(Kind.VECTOR, p.bits, f"<{p.bits // 64} x i64>")
    return CType(Kind.MASK if p.is_mask else Kind.SCALAR, p.bits, f"i{p.bits}")


def entries_of(listed: Iterable[Intrinsic]) -> tuple[Entry, ...]:
    """Return every integer-vector, register-only entry with an instruction, in the file's order: of
    those of one key the first.
    """
    found: dict[Key, Entry] = {}
    for e in filter(is_integer_vector, listed):
        found.setdefault(e.key, _entry(e))
    return tuple(found.values())


def _entry(e: Intrinsic) -> Entry:
    values = (
        Value(p.name, p.type, (p.immwidth or 8) if p.is_immediate else 0, c_type(p))
        for p in e.parameters
    )
    mnemonics = dict.fromkeys(name for name, _ in e.instructions)
    return Entry(e.name, e.cpuids, e.result.type, c_type(e.result), tuple(values), tuple(mnemonics))
