"""How much is tried for a call."""

from __future__ import annotations

from typing import Final

CUTS_TRIES: Final = 4
LOWER_SETTINGS: Final = 256
JOINED_TERMS: Final = 160
