"""Python's search for cyclic garbage, made rare while terms are made by the million: they are
kept anyway, and hardly anything is a cycle.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_OBJECTS: Final = 1_000_000  # made and not yet dropped between two looks
_OLDER: Final = (20, 50)


@contextmanager
def rarely() -> Iterator[None]:
    """Look for cyclic garbage rarely."""
    before = gc.get_threshold()
    gc.set_threshold(_OBJECTS, *_OLDER)
    try:
        yield
    finally:
        gc.set_threshold(*before)
