"""How much is kept: the limits of :mod:`isel.ir`."""

from __future__ import annotations

from typing import Final

KEPT_TERMS: Final = 60_000  # whose ranges, or sums, are remembered at a time
