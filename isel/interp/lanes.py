"""The algebra of numpy arrays: one element a sample, any shape that broadcasts.

Widths up to 64 use the natural unsigned type; wider values are arrays of Python integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from isel.deferred import deferred
from isel.ir.ops import Attr, Lanes, Op, natural, unsigned_dtype

if TYPE_CHECKING:
    import numpy as np
else:
    np = deferred("numpy")


def pack(values: Sequence[int], width: int) -> Lanes:
    """Return ``values`` as an array fit for :class:`NumpyLanes`."""
    return np.array(values, dtype=unsigned_dtype(width) if width <= 64 else object)


class NumpyLanes:
    """Concrete values, one a sample, always reduced modulo ``2**width``."""

    def const(self, value: int, width: int) -> Lanes:
        """Return the literal as an array of one element."""
        return pack([value], width)

    def apply(
        self, op: Op, args: Sequence[Lanes], widths: Sequence[int], attr: Attr, width: int
    ) -> Lanes:
        """Apply one primitive element by element."""
        if width > 64 or any(w > 64 for w in widths):
            return self._wide(op, args, widths, attr, width)
        with np.errstate(over="ignore"):
            result = op.numpy(args, widths, attr)
        if natural(width) == width:
            return result
        return result & result.dtype.type((1 << width) - 1)

    def _wide(
        self, op: Op, args: Sequence[Lanes], widths: Sequence[int], attr: Attr, width: int
    ) -> Lanes:
        mask = (1 << width) - 1
        integers = [np.asarray(a, dtype=object) for a in args]
        # meanings without a condition serve arrays of integers as they stand; numpy refuses the
        # truth of an array
        try:
            result: Lanes = np.asarray(op.integer(integers, widths, attr) & mask)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            fn = np.frompyfunc(lambda *a: op.integer(a, widths, attr) & mask, len(args), 1)
            result = np.asarray(fn(*integers))
        return result if width > 64 else result.astype(unsigned_dtype(width))
