"""Numbers of all lanes as affine functions: of the lane's digits, and of an immediate or a
field of its bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Table: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Nest:
    """A loop nest, innermost digit first: ``rows[k] = base[k] + sum(strides[d][k] * digit d)``."""

    radices: tuple[int, ...]
    base: tuple[int, ...]
    strides: tuple[tuple[int, ...], ...]


def nest(rows: Table) -> Nest | None:
    """Write the columns of ``rows`` (numbers x lanes) as an affine function of mixed-radix
    digits, or None.
    """
    base = tuple(int(v) for v in rows[:, 0])
    radices: list[int] = []
    strides: list[tuple[int, ...]] = []
    while rows.shape[1] > 1:
        n = rows.shape[1]
        step = rows[:, 1] - rows[:, 0]
        for r in range(n, 1, -1):
            if (
                n % r == 0
                and (
                    rows.reshape(len(rows), n // r, r)
                    == rows[:, ::r, None] + step[:, None, None] * np.arange(r)
                ).all()
            ):
                break
        else:
            return None
        radices.append(r)
        strides.append(tuple(int(v) for v in step))
        rows = rows[:, ::r]
    return Nest(tuple(radices), base, tuple(strides))


@dataclass(frozen=True, slots=True)
class Field:
    """``scale * (imm >> low & 2**bits - 1)`` of immediate ``which``; ``bits = 0`` is the whole
    immediate, unshifted.
    """

    which: int
    scale: int
    low: int
    bits: int

    def at(self, settings: Sequence[int]) -> int:
        """Return the value for the immediates' values."""
        v = settings[self.which]
        return self.scale * ((v >> self.low) & ((1 << self.bits) - 1) if self.bits else v)


def fields(settings: Table, values: Table) -> list[tuple[int, Field | None]] | None:
    """Fit ``values`` (settings x columns) as base + field of one immediate, each column by itself.

    ``settings`` is settings x immediates.  Return base and field of each column, or None if some
    column has no fit.
    """
    count = values.shape[1]
    found: list[tuple[int, Field | None] | None] = [None] * count
    left = np.arange(count)

    def keep(
        mask: npt.NDArray[np.bool_],
        base: Table,
        scale: Table | None,
        which: int,
        low: int,
        bits: int,
    ) -> None:
        nonlocal left
        for at in np.flatnonzero(mask):
            field = None if scale is None else Field(which, int(scale[at]), low, bits)
            found[int(left[at])] = (int(base[at]), field)
        left = left[~mask]

    keep((values == values[:1]).all(axis=0), values[0], None, 0, 0, 0)
    for which in range(settings.shape[1]):
        column = settings[:, which]
        width = int(column.max()).bit_length()
        for bits, low in [
            (0, 0),
            *((b, s) for b in range(1, width + 1) for s in range(width - b + 1)),
        ]:
            if not len(left):
                break
            x = (column >> low) & ((1 << bits) - 1) if bits else column
            hi, lo = int(x.argmax()), int(x.argmin())
            if x[hi] == x[lo]:
                continue
            v = values[:, left]
            scale, rest = np.divmod(v[hi] - v[lo], x[hi] - x[lo])
            base = v[lo] - scale * x[lo]
            fits = (rest == 0) & (v == base + scale * x[:, None]).all(axis=0)
            keep(fits, base, scale, which, low, bits)
    done = [f for f in found if f is not None]
    return done if len(done) == count else None
