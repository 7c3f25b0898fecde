"""From text that LLVM 22 reads to text that an older LLVM reads."""

from __future__ import annotations

import re
from typing import Final

from frontends.llvm.text.tokens import TOKEN

OLDEST: Final = 15  # the first with pointers that have no type
NEWEST: Final = 22
_POINTER: Final = re.compile(r"[\w>}\])]\s*\*")


def has_typed_pointers(text: str) -> bool:
    """Tell whether a module is text of before LLVM 15, with pointers that have types."""
    return _POINTER.search(text) is not None and any(m[0] == "*" for m in TOKEN.finditer(text))


def say_for(own: str, printed: str, version: int) -> str:
    """Return a module in the words of LLVM ``version``: the user's own text, or what LLVM 22
    printed of it where its pointers have types.
    """
    return older(printed if version < NEWEST and has_typed_pointers(own) else own, version)


def older(text: str, version: int) -> str:
    """Return a module in the words of LLVM ``version``; one in the words of 22 or of any version
    before may be given.

    What is left out makes code at least as defined.  Raises :class:`isel.errors.TooNew` for what
    that LLVM cannot be told.
    """
    if version >= NEWEST:
        return text
    from frontends.llvm.dialect.steps import take_steps

    return take_steps(text, version, OLDEST)
