"""The algebra of unsigned Python integers: any width, one value."""

from __future__ import annotations

from collections.abc import Sequence

from isel.ir.ops import Attr, Op


class Integer:
    """Concrete values."""

    def const(self, value: int, width: int) -> int:
        """Return the literal."""
        return value

    def apply(
        self, op: Op, args: Sequence[int], widths: Sequence[int], attr: Attr, width: int
    ) -> int:
        """Apply one primitive."""
        return op.integer(args, widths, attr) & ((1 << width) - 1)
