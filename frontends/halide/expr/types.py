"""The types of Halide's expressions: signed, unsigned and floating-point elements, and vectors
of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from isel.errors import UnknownName

Code: TypeAlias = Literal["int", "uint", "float"]
_NAME: Final = re.compile(r"(?P<code>int|uint|float|bfloat)(?P<bits>\d+)(?:x(?P<lanes>\d+))?$")
_BITS: Final = {
    "int": (8, 16, 32, 64),
    "uint": (1, 8, 16, 32, 64),
    "float": (16, 32, 64),
    "bfloat": (16,),
}


@dataclass(frozen=True, slots=True)
class Type:
    """``lanes`` elements of ``bits`` bits; widths beyond those that Halide prints occur inside
    of definitions.
    """

    code: Code
    bits: int
    lanes: int = 1

    @property
    def low(self) -> int:
        """The least integer of the type."""
        return -(1 << (self.bits - 1)) if self.code == "int" else 0

    @property
    def high(self) -> int:
        """The greatest integer of the type."""
        return (1 << (self.bits - (self.code == "int"))) - 1

    @property
    def signed(self) -> bool:
        """Tell whether elements are signed integers."""
        return self.code == "int"

    @property
    def is_float(self) -> bool:
        """Tell whether elements are floating-point numbers."""
        return self.code == "float"

    @property
    def is_bool(self) -> bool:
        """Tell whether elements are truth values."""
        return self.code == "uint" and self.bits == 1

    @property
    def wide(self) -> Type:
        """The type of twice the bits."""
        return replace(self, bits=2 * self.bits)

    @property
    def narrow(self) -> Type:
        """The type of half the bits."""
        return replace(self, bits=self.bits // 2)

    @property
    def as_int(self) -> Type:
        """The signed type of the same bits."""
        return replace(self, code="int")

    @property
    def as_uint(self) -> Type:
        """The unsigned type of the same bits."""
        return replace(self, code="uint")

    def of(self, lanes: int) -> Type:
        """Return a vector of ``lanes`` such elements."""
        return replace(self, lanes=lanes)

    def wrapped(self, value: int) -> int:
        """Return the integer of the type that is congruent to ``value``."""
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if value > self.high else value

    def __str__(self) -> str:
        return f"{self.code}{self.bits}" + (f"x{self.lanes}" if self.lanes > 1 else "")


BOOL: Final = Type("uint", 1)
INT32: Final = Type("int", 32)
FLOAT32: Final = Type("float", 32)


def read_type(text: str) -> Type | None:
    """Read the name of a type (``uint8``, ``int16x8``, ``bool``); None for any other word."""
    if text == "bool":
        return BOOL
    m = _NAME.match(text)
    if (
        m is None
        or int(m["bits"]) not in _BITS[m["code"]]
        or (m["lanes"] is not None and int(m["lanes"]) < 2)
    ):
        return None
    code: Code = "float" if m["code"] == "bfloat" else m["code"]  # type: ignore[assignment]
    return Type(code, int(m["bits"]), int(m["lanes"] or 1))


def known_type(text: str) -> Type:
    """Read the name of a type; raises :class:`isel.errors.UnknownName`."""
    found = read_type(text)
    if found is None:
        raise UnknownName(
            "type", text, tuple(f"{c}{b}" for c in ("int", "uint") for b in (8, 16, 32, 64))
        )
    return found
