"""What nodes of metadata say."""

from __future__ import annotations

import re
from typing import Final

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
