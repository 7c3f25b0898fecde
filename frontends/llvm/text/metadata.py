"""What nodes of metadata, and attributes, say of the range of a value."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_ATTRIBUTE: Final = re.compile(r"range\(i(\d+) (-?\d+), (-?\d+)\)")
_PAIR: Final = re.compile(r"i(\d+) (-?\d+)")


def ranges_of(node: str, width: int) -> tuple[tuple[int, int], ...]:
    """Return the half-open ranges that a node ``!{iN low, iN high, …}`` says; nothing where it
    is not understood.
    """
    found = _PAIR.findall(node)
    if (
        not re.fullmatch(r"(?:distinct )?!\{(?:i\d+ -?\d+(?:, )?)+\}", node.strip())
        or len(found) % 2
        or any(int(w) != width for w, _ in found)
    ):
        return ()
    values = [int(v) for _, v in found]
    return tuple(zip(values[::2], values[1::2], strict=True))


def attribute_ranges(attributes: Iterable[str], width: int) -> tuple[tuple[int, int], ...]:
    """Return the half-open ranges of those attributes that are ``range(iN low, high)``."""
    found = (m for a in attributes if (m := _ATTRIBUTE.fullmatch(a)) is not None)
    return tuple((int(m[2]), int(m[3])) for m in found if int(m[1]) == width)
