"""Which IR is worth a look: a search of the text, before anything is imported that reads it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

SCALABLE: Final = b"<vscale x "


def has_vectors(text: bytes) -> bool:
    """Tell whether ``<N x iM`` occurs in LLVM IR, for natural numbers N and M."""
    place = text.find(b" x i")
    while place >= 0:
        if text[place + 4 : place + 5].isdigit():
            start = text.rfind(b"<", max(0, place - 20), place)
            if start >= 0 and text[start + 1 : place].isdigit():
                return True
        place = text.find(b" x i", place + 4)
    return False
