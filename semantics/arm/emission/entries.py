"""The imported entries as learning asks for them: C types, features, immediates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from semantics.arm.importer.spec import Argument, CKind, Intrinsic, Parameter, parameters_of
from semantics.emission.prototype import CType, Key, Kind


@dataclass(frozen=True, slots=True)
class Value:
    """A parameter: a register, or an immediate."""

    name: str
    immediate: int
    c: CType


@dataclass(frozen=True, slots=True)
class Entry:
    """Implements :class:`semantics.emission.prototype.Entry`; ``arguments`` are those of C."""

    name: str
    features: tuple[str, ...]
    instructions: tuple[str, ...]
    arguments: tuple[Argument, ...]
    result: Parameter
    spelled: str

    @property
    def key(self) -> Key:
        """What tells entries apart."""
        return self.name, ()

    @property
    def parameters(self) -> tuple[Value, ...]:
        """The registers and immediates, in C order; those of a tuple are numbered."""
        every = (p for a in self.arguments for p in parameters_of(a))
        return tuple(Value(p.name, 8 * bool(p.legal), c_type(p.kind)) for p in every)

    @property
    def immediates(self) -> tuple[Value, ...]:
        """The parameters that are constants."""
        return tuple(p for p in self.parameters if p.immediate)

    @property
    def returned(self) -> CType:
        """The C type of the result."""
        return c_type(self.result.kind)


def c_type(kind: CKind) -> CType:
    """Return a type of ``arm_neon.h`` and what clang makes of it."""
    if not kind.lanes:
        return CType(Kind.SCALAR, kind.width, f"i{kind.width}")
    return CType(Kind.VECTOR, kind.bits, f"<{kind.lanes} x i{kind.width}>")


def entries_of(
    listed: Sequence[Intrinsic], features: Mapping[str, frozenset[str]]
) -> tuple[Entry, ...]:
    """Return the entries that were imported, whose features are given by name."""
    return tuple(_entry(e, features[e.name]) for e in listed if e.name in features)


def _entry(e: Intrinsic, features: frozenset[str]) -> Entry:
    instructions = tuple(i.lower() for i in e.instructions)
    needed = tuple(sorted(features))
    return Entry(e.name, needed, instructions, e.arguments, e.result, e.returned)
