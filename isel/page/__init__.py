"""HTML pages in one file: parts, a style for light and dark and narrow screens, and pictures as
SVG.  No scripts, nothing from a network.

What is :data:`Html` is markup; every other string is escaped where it becomes some.
"""

from __future__ import annotations

from isel.page.parts import (
    Html,
    document,
    entry,
    folded,
    joined,
    paragraph,
    preformatted,
    side_by_side,
    table,
    tag,
    text,
)
from isel.page.plots import Series, bars, dots
from isel.page.wires import wires

__all__ = [
    "Html", "Series", "bars", "document", "dots", "entry", "folded", "joined", "paragraph",
    "preformatted", "side_by_side", "table", "tag", "text", "wires",
]  # fmt: skip
