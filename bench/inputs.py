"""Inputs of kernels: seeded random values with corner values among them, in arrays aligned for
vector loads.
"""

from __future__ import annotations

import math
import os
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.integer]
ALIGNMENT = 64
VECTOR = "ISEL_BENCH_VECTOR"  # the environment's name for the bytes of a vector in pipelines


def vector_bytes() -> int:
    """Return the bytes of a vector, which schedules and layouts of data depend on."""
    return int(os.environ.get(VECTOR, "64"))


def aligned(shape: tuple[int, ...], dtype: str) -> Array:
    """Return an array of zeros in C order whose first byte is aligned to ``ALIGNMENT`` bytes."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    room = np.zeros(size + ALIGNMENT, dtype=np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    return room[start : start + size].view(dtype).reshape(shape)


def draw(
    rng: np.random.Generator,
    shape: tuple[int, ...],
    dtype: str,
    low: int | None = None,
    high: int | None = None,
) -> Array:
    """Return values in ``low`` to ``high`` inclusive (default: the type's range).

    An eighth is all ``high`` and an eighth all ``low``, each in one run, so that sums over windows
    and rows meet their bounds; of the rest a quarter is ends, middles and their neighbours, and
    what is left is uniform.
    """
    limits = np.iinfo(dtype)
    least, most = limits.min if low is None else low, limits.max if high is None else high
    out = aligned(shape, dtype)
    flat = out.reshape(-1)
    flat[:] = rng.integers(least, most, flat.size, endpoint=True)
    middle = (least + most) // 2
    corners = np.clip([least, least + 1, -1, 0, 1, middle, middle + 1, most - 1, most], least, most)
    chosen = rng.random(flat.size) < 0.25
    flat[chosen] = rng.choice(corners, int(chosen.sum()))
    run = flat.size // 8
    first, second = rng.permutation(8)[:2] * run
    flat[first : first + run] = most
    flat[second : second + run] = least
    return out
