"""Twelve kernels as a numba user writes them: plain Python over arrays, with Python's integers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Argument: TypeAlias = "npt.NDArray[np.integer] | np.integer"
ROWS: Final = 8  # of the matrix


class Ints(Protocol):
    """An array of integers, as the kernels use it."""

    @property
    def size(self) -> int:
        """How many there are."""
        ...

    def __getitem__(self, at: int | tuple[int, int], /) -> int: ...
    def __setitem__(self, at: int, value: object, /) -> None: ...


def mulq15(out: Ints, a: Ints, b: Ints) -> None:
    """Multiply numbers with 15 bits behind the point, rounded."""
    for i in range(out.size):
        out[i] = min(32767, (np.int32(a[i]) * np.int32(b[i]) + 16384) >> 15)


def luma(out: Ints, red: Ints, green: Ints, blue: Ints) -> None:
    """Weigh the colours of planes."""
    for i in range(out.size):
        out[i] = (77 * red[i] + 150 * green[i] + 29 * blue[i] + 128) >> 8


def average(out: Ints, a: Ints, b: Ints) -> None:
    """Take rounded means."""
    for i in range(out.size):
        out[i] = (a[i] + b[i] + 1) >> 1


def sad(a: Ints, b: Ints) -> object:
    """Sum absolute differences."""
    total: int | np.integer = 0
    for i in range(a.size):
        total += abs(np.int32(a[i]) - np.int32(b[i]))
    return total


def blend(out: Ints, a: Ints, b: Ints, alpha: Ints) -> None:
    """Mix two images by a mask, of 255 for all of the first."""
    for i in range(out.size):
        out[i] = (a[i] * alpha[i] + b[i] * (255 - alpha[i]) + 127) // 255


def gray(out: Ints, colours: Ints) -> None:
    """Weigh colours that lie side by side."""
    for i in range(out.size):
        red, green, blue = colours[3 * i], colours[3 * i + 1], colours[3 * i + 2]
        out[i] = (77 * red + 150 * green + 29 * blue) >> 8


def blur(out: Ints, a: Ints) -> None:
    """Weigh neighbours by 1, 2 and 1."""
    for i in range(1, out.size - 1):
        out[i] = (a[i - 1] + 2 * a[i] + a[i + 1] + 2) >> 2


def quantise(out: Ints, a: Ints, scale: int) -> None:
    """Scale by 16 bits behind the point, and clamp to a byte."""
    for i in range(out.size):
        scaled = (np.int32(a[i]) * scale + 32768) >> 16
        out[i] = min(max(scaled, 0), 255)


def threshold(out: Ints, a: Ints, limit: int) -> None:
    """Tell light from dark."""
    for i in range(out.size):
        out[i] = 255 if a[i] > limit else 0


def dot64(a: Ints, b: Ints) -> int:
    """Sum products in 64 bits."""
    total = 0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


def popcount(out: Ints, a: Ints) -> None:
    """Count the bits of each byte in parallel, without a table."""
    for i in range(out.size):
        pairs = a[i] - ((a[i] >> 1) & 0x55)
        nibbles = (pairs & 0x33) + ((pairs >> 2) & 0x33)
        out[i] = (nibbles + (nibbles >> 4)) & 0x0F


def matrow(out: Ints, matrix: Ints, vector: Ints) -> None:
    """Multiply a matrix by a vector of bytes, row by row."""
    for i in range(out.size):
        total = 0
        for j in range(vector.size):
            total += matrix[i, j] * vector[j]
        out[i] = total


@dataclass(frozen=True, slots=True)
class Row:
    """A kernel with the types of its result and arguments, as numba names them.

    ``shapes`` are those of its arguments for ``n`` items; none for a number.
    """

    kernel: Callable[..., object]
    result: str
    types: str
    shapes: Callable[[int], tuple[tuple[int, ...], ...]]

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self.kernel.__name__

    @property
    def signature(self) -> str:
        """What numba compiles it for."""
        dimensions = map(len, self.shapes(1))
        arrays = ("", "[::1]", "[:, ::1]")
        words = (f"{t}{arrays[d]}" for t, d in zip(self.types.split(), dimensions, strict=True))
        return f"{self.result}({', '.join(words)})"

    def inputs(self, rng: np.random.Generator, size: int) -> list[Argument]:
        """Return an argument a type, all its values equally likely."""
        return [
            draw(rng, np.dtype(t), shape)
            for t, shape in zip(self.types.split(), self.shapes(size), strict=True)
        ]


def draw(rng: np.random.Generator, kind: np.dtype[np.integer], shape: tuple[int, ...]) -> Argument:
    """Return an array of random integers, or one number."""
    limits = np.iinfo(kind)
    values = rng.integers(limits.min, limits.max, shape, kind, endpoint=True)
    return values if shape else kind.type(values)


KERNELS: Final = (
    Row(mulq15, "void", "int16 int16 int16", lambda n: ((n,),) * 3),
    Row(luma, "void", "uint8 uint8 uint8 uint8", lambda n: ((n,),) * 4),
    Row(average, "void", "uint8 uint8 uint8", lambda n: ((n,),) * 3),
    Row(sad, "int64", "uint8 uint8", lambda n: ((n,),) * 2),
    Row(blend, "void", "uint8 uint8 uint8 uint8", lambda n: ((n,),) * 4),
    Row(gray, "void", "uint8 uint8", lambda n: ((n,), (3 * n,))),
    Row(blur, "void", "uint8 uint8", lambda n: ((n,),) * 2),
    Row(quantise, "void", "uint8 int16 int32", lambda n: ((n,), (n,), ())),
    Row(threshold, "void", "uint8 uint8 uint8", lambda n: ((n,), (n,), ())),
    Row(dot64, "int64", "int64 int64", lambda n: ((n,),) * 2),
    Row(popcount, "void", "uint8 uint8", lambda n: ((n,),) * 2),
    Row(matrow, "void", "int32 int8 int8", lambda n: ((ROWS,), (ROWS, n), (n,))),
)
