"""Which modules hold nothing to rewrite, told from their text before anything is loaded."""

from __future__ import annotations

import re
from typing import Final

_VECTOR: Final = re.compile(r"<\s*\d+\s+x\s+i\d+\s*>")


def has_no_windows(text: str) -> bool:
    """Tell whether no value of a module is a vector of integers, of which every window computes
    one.
    """
    return _VECTOR.search(text) is None
