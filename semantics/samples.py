"""Operand values for tests of instructions: random, corner, small and sparse vectors, the same
for the same seed.
"""

from __future__ import annotations

import zlib
from functools import cache
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from isel.ir.ops import Lanes, unsigned_dtype
from isel.spec.instruction import Immediate, Operand

_GRID: Final = 6  # corners that are combined with each other: the first of _corners
_SHARES: Final = (0.45, 0.15, 0.1, 0.1, 0.1, 0.1)


def operand_values(operand: Operand, count: int, seed: int, salt: str, position: int = 0) -> Lanes:
    """Return ``count`` values of an operand as an array of shape (count, lanes), each element below
    ``2**width``.

    Every fifth value is of a grid: over those, the operands of one instruction (by their
    ``position``) take all combinations of six corners.  The others are random, corners, small,
    sparse, small in the first element, or splats.
    """
    rng = np.random.default_rng((seed, zlib.crc32(f"{salt}/{operand.name}".encode())))
    shape = (count, operand.lanes)
    w = operand.width
    mask = np.uint64((1 << w) - 1)
    raw = rng.integers(0, 1 << 64, size=shape, dtype=np.uint64, endpoint=False) & mask
    corner_values = np.array([v & ((1 << w) - 1) for v in _corners(w)], dtype=np.uint64)
    corners = corner_values[rng.integers(0, len(corner_values), size=shape)]
    small = rng.integers(0, 2 * w + 2, size=shape, dtype=np.uint64) & mask
    sparse = np.where(rng.random(shape) < 1 / 8, raw, np.uint64(0))
    first = np.where(np.arange(operand.lanes) == 0, small, np.uint64(0))
    splat = np.broadcast_to(corners[:, :1], shape)
    kind = rng.choice(6, size=(count, 1), p=_SHARES)
    values = np.select([kind == k for k in range(6)], [raw, corners, small, sparse, first, splat])
    cell = np.arange((count + 4) // 5 * operand.lanes).reshape(-1, operand.lanes)
    values[::5] = corner_values[cell // _GRID**position % _GRID]
    return np.ascontiguousarray(values.astype(unsigned_dtype(w)))


def _corners(w: int) -> tuple[int, ...]:
    top = 1 << (w - 1)
    return (top, -1, 0, top - 1, 1, top + 1, 2, -2, 127, 128, 255, 256)


@cache
def pool(width: int, lanes: int, position: int, size: int, seed: int) -> Lanes:
    """Return ``size`` values of any operand of that shape and position, shape (size, lanes):
    instructions of like operands share them.
    """
    return operand_values(Operand("pool", width, lanes), size, seed, str(position), position)


@cache
def pool_bytes(
    width: int, lanes: int, position: int, size: int, seed: int
) -> npt.NDArray[np.uint8]:
    """Return :func:`pool` as it lies in memory, shape (size, bytes of a value)."""
    return np.frombuffer(
        to_bytes(pool(width, lanes, position, size, seed), width), dtype=np.uint8
    ).reshape(size, -1)


def immediate_choices(
    immediates: tuple[Immediate, ...], most: int, seed: int
) -> list[dict[str, int]]:
    """Return assignments of the immediates: all of them, or ``most`` with the first and last
    legal values among them.
    """
    if not immediates:
        return [{}]
    every = list(product(*(m.values for m in immediates)))
    if len(every) > most:
        rng = np.random.default_rng((seed, len(every)))
        inner = rng.choice(len(every) - 2, size=max(most - 2, 0), replace=False) + 1
        every = [every[0], *(every[k] for k in sorted(inner.tolist())), every[-1]]
    return [{m.name: v for m, v in zip(immediates, values, strict=True)} for values in every]


def to_bytes(values: Lanes, operand_width: int) -> bytes:
    """Return the array as it lies in memory: little endian, masks as bits padded to a byte."""
    if operand_width == 1 and values.shape[1] > 1:
        return np.packbits(values.astype(np.uint8), axis=1, bitorder="little").tobytes()
    return values.astype(values.dtype.newbyteorder("<")).tobytes()


def from_bytes(data: bytes, lanes: int, width: int, count: int) -> Lanes:
    """Return the array of shape (count, lanes) that :func:`to_bytes` wrote."""
    if width == 1 and lanes > 1:
        bits = np.frombuffer(data, dtype=np.uint8).reshape(count, -1)
        return np.unpackbits(bits, axis=1, bitorder="little")[:, :lanes]
    return np.frombuffer(data, dtype=unsigned_dtype(width).newbyteorder("<")).reshape(count, lanes)
