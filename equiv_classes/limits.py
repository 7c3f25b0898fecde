"""How long names are."""

from __future__ import annotations

from typing import Final

NAME_LONGEST: Final = 32
NAME_WORDS: Final = 5
