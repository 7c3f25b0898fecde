"""Seeded samples of leaves: corners, all leaves at one corner, sparse and random values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from isel.deferred import deferred
from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes
from isel.ir.expr import Expr, leaves
from isel.ir.ops import Lanes, unsigned_dtype

if TYPE_CHECKING:
    import numpy as np
else:
    np = deferred("numpy")

_SMALL: Final = 10
_SAMPLES: Final = 96


def sample_model(failing: Expr) -> dict[Expr, int] | None:
    """Look for an assignment that makes a one-bit term 1 among seeded random, corner and sparse
    values.
    """
    holes = leaves(failing)
    if not holes:
        return {} if failing.is_const and failing.value else None
    return first_hit(failing, columns(holes, _SAMPLES))


def first_hit(failing: Expr, env: Mapping[Expr, Lanes]) -> dict[Expr, int] | None:
    """Return the first of some samples of leaves for which a one-bit term is 1."""
    hits = evaluate_all([failing], env, NumpyLanes())[failing].nonzero()[0]
    return {x: int(v[hits[0]]) for x, v in env.items()} if len(hits) else None


def columns(holes: Sequence[Expr], count: int) -> dict[Expr, Lanes]:
    """Return ``count`` samples a leaf; the same leaves give the same samples.

    In every fourth row all leaves are small, with or without a sign: premises say that sums do not
    wrap.
    """
    rng = np.random.default_rng(len(holes))
    found = {x: _column(rng, x.width, count) for x in holes}
    rows = np.arange(3, count, 4)
    bits = np.arange(len(rows)) % _SMALL + 1
    for x in (x for x in holes if 1 < x.width <= 64):
        low = (1 << np.minimum(bits, x.width)) - 1
        raw = rng.integers(0, 1 << 32, size=len(rows)) & low
        signed = np.where(np.arange(len(rows)) % 2, raw - (low + 1) // 2, raw)
        found[x][rows] = (signed & ((1 << x.width) - 1 if x.width < 64 else -1)).astype(
            unsigned_dtype(x.width)
        )
    return found


def _column(rng: np.random.Generator, width: int, count: int) -> Lanes:
    """Return samples: first rows where every leaf has the same corner value and bits are 0 or
    random, then mixed ones.
    """
    w = min(width, 64)
    top = np.uint64((1 << w) - 1)
    raw = rng.integers(0, 1 << 63, size=count, dtype=np.uint64) * np.uint64(2) + rng.integers(
        0, 2, size=count, dtype=np.uint64
    )
    corners = np.array(
        [0, 1, (1 << w) - 1, 1 << (w - 1), (1 << (w - 1)) - 1, 2 % (1 << w)], dtype=np.uint64
    )
    kind = rng.random(count)
    values = np.where(kind < 0.3, corners[rng.integers(0, len(corners), count)], raw)
    values = np.where(kind > 0.8, raw >> np.uint64(64 - (w + 1) // 2), values) & top
    n = len(corners)
    values[:n] = corners if w > 1 else 0
    values[n : 2 * n] = corners if w > 1 else values[n : 2 * n]
    return values.astype(object) if width > 64 else values.astype(unsigned_dtype(width))
