"""The word ``inrange`` as LLVM had it before 19, on an index of an address: newer ones read bounds
only.
"""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = ", inrange i"
# Text in quotes, which cannot hold a quote, stays as it is.
_PLACES: Final = re.compile(r'"[^"\n]*"|, inrange (?=i\d+ )')


def without_inrange(text: str) -> str:
    """Return a module's text without these words.

    Addresses out of range are then defined: right for a module that is to be refined, not for one
    that is to refine another.
    """
    if _WORD not in text:
        return text
    return _PLACES.sub(lambda m: m[0] if m[0][0] == '"' else ", ", text)
