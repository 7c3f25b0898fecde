"""How much is kept of what rules say: one table."""

from __future__ import annotations

from typing import Final

KEPT_RANGES: Final = 1 << 15  # of operations of ranges (isel.rules.spans)
KEPT_SHAPES: Final = 4096  # operations with their widths
KEPT_BOOKS: Final = 16  # whose texts are kept, and readers of them
