"""What the importer asks of a vendor's function: its parameters and its result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Parameter(Protocol):
    """A parameter, or the result."""

    @property
    def name(self) -> str:
        """Its name in formulas."""
        ...

    @property
    def bits(self) -> int:
        """Its size in bits."""
        ...

    @property
    def immwidth(self) -> int:
        """The bits of an immediate that count, 0 where the vendor does not say."""
        ...

    @property
    def legal(self) -> Sequence[int]:
        """The values of an immediate, none where the vendor does not say."""
        ...

    @property
    def is_vector(self) -> bool:
        """Tell whether this is a vector of elements."""
        ...

    @property
    def is_mask(self) -> bool:
        """Tell whether this is a register of predicates."""
        ...

    @property
    def is_immediate(self) -> bool:
        """Tell whether this must be a constant."""
        ...

    @property
    def element(self) -> tuple[bool, int]:
        """Whether elements are signed, and their width (0 where the vendor does not say)."""
        ...


class Prototype(Protocol):
    """A function of a vendor's list."""

    @property
    def result(self) -> Parameter:
        """The result."""
        ...

    @property
    def parameters(self) -> Sequence[Parameter]:
        """The parameters, in C order."""
        ...
