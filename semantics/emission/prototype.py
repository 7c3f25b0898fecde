"""What learning asks of a vendor's function: the C types of its parameters and its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeAlias

Key: TypeAlias = tuple[str, tuple[str, ...]]


class Kind(Enum):
    """What a C type is to a machine."""

    VECTOR = "vector"
    MASK = "mask"
    SCALAR = "scalar"


@dataclass(frozen=True, slots=True)
class CType:
    """A C type: its kind, its size in bits, and the IR type that clang gives it."""

    kind: Kind
    bits: int
    ir: str


class Parameter(Protocol):
    """A parameter in C order; ``immediate`` is the number of bits of its constant, 0 for a
    value.
    """

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def immediate(self) -> int:
        """The bits of its constant, 0 for a value."""
        ...

    @property
    def c(self) -> CType:
        """Its C type."""
        ...


class Entry(Protocol):
    """One intrinsic of a vendor's list."""

    @property
    def name(self) -> str:
        """The name of the function."""
        ...

    @property
    def key(self) -> Key:
        """What tells entries apart."""
        ...

    @property
    def features(self) -> tuple[str, ...]:
        """LLVM's names of the features, sorted."""
        ...

    @property
    def instructions(self) -> tuple[str, ...]:
        """The mnemonics that it may be."""
        ...

    @property
    def parameters(self) -> Sequence[Parameter]:
        """The parameters, in C order."""
        ...

    @property
    def immediates(self) -> Sequence[Parameter]:
        """The parameters that are constants."""
        ...

    @property
    def returned(self) -> CType:
        """The C type of the result."""
        ...

    def __hash__(self) -> int: ...
