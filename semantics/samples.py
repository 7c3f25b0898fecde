"""Operand values for tests of instructions: random, corner, small and sparse vectors, the same for the same seed."""

from __future__ import annotations

import zlib
from itertools import product

import numpy as np

from isel.ir.ops import Lanes, unsigned_dtype
from isel.spec.instruction import Immediate, Operand


def operand_values(operand: Operand, count: int, seed: int, salt: str) -> Lanes:
    """Return ``count`` values of an operand as an array of shape (count, lanes), each element below ``2**width``."""
    rng = np.random.default_rng((seed, zlib.crc32(f"{salt}/{operand.name}".encode())))
    shape = (count, operand.lanes)
    w = operand.width
    mask = np.uint64((1 << w) - 1)
    raw = rng.integers(0, 1 << 64, size=shape, dtype=np.uint64, endpoint=False) & mask
    top = 1 << (w - 1)
    corner_values = np.array([v & ((1 << w) - 1) for v in (0, 1, 2, top - 1, top, top + 1, -1, -2, 127, 128, 255, 256)], dtype=np.uint64)
    corners = corner_values[rng.integers(0, len(corner_values), size=shape)]
    small = rng.integers(0, 2 * w + 2, size=shape, dtype=np.uint64) & mask
    sparse = np.where(rng.random(shape) < 1 / 8, raw, np.uint64(0))
    first = np.where(np.arange(operand.lanes) == 0, small, np.uint64(0))
    splat = np.broadcast_to(corners[:, :1], shape)
    kind = np.arange(count)[:, None] % 10
    chosen = np.select([kind < 4, kind < 6, kind < 7, kind < 8, kind < 9], [raw, corners, small, sparse, first], splat)
    return np.ascontiguousarray(chosen[rng.permutation(count)].astype(unsigned_dtype(w)))


def immediate_choices(immediates: tuple[Immediate, ...], most: int, seed: int) -> list[dict[str, int]]:
    """Return assignments of the immediates: all of them, or ``most`` with the first and last legal values among them."""
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
