"""How far something long has come, told to whoever asked for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

# of what is counted, how many are done, and how many there are (0 where nobody knows)
Tell: TypeAlias = Callable[[str, int, int], None]


def silent(what: str, done: int, total: int) -> None:
    """Tell nobody."""
