"""How much is looked at of a text, by module."""

from __future__ import annotations

from typing import Final

# text.masks
MASKS_SHOWN: Final = 4  # lanes of what is no pattern

# text.moves
MOVES_MOST: Final = 64  # shuffles and inserts that a lane is followed through

# text.operands
OPERANDS_MOST_LANES: Final = 1 << 16  # a longer vector is an operand as it is spelled
