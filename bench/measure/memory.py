"""Memory between pages that nobody may touch: a function that reads or writes beyond what it is
given ends its process, instead of what lies there.
"""

from __future__ import annotations

import ctypes
import mmap
from typing import Final

SIZE: Final = 1 << 18  # bytes that may be touched of what is made
BEFORE: Final = 1 << 16  # of these before the pointer: a filter reads the row above
_FENCE: Final = 1 << 24  # on each side; an access farther away may hit something
_NONE: Final = 0
_ANY: Final = mmap.PROT_READ | mmap.PROT_WRITE


class Fenced:
    """Bytes at an address that is ``offset`` after a page, fences on both sides.

    Raises :class:`MemoryError` where the system gives none.
    """

    def __init__(self, contents: bytes, offset: int = 0) -> None:
        """``contents`` are all that may be touched; the address is :data:`BEFORE` within them."""
        self._size = len(contents)
        inner = -(-(self._size + offset) // mmap.PAGESIZE) * mmap.PAGESIZE
        self._libc = ctypes.CDLL(None, use_errno=True)
        whole = inner + 2 * _FENCE
        self._libc.mmap.restype = ctypes.c_void_p
        where = self._libc.mmap(
            None,
            ctypes.c_size_t(whole),
            _NONE,
            mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS,
            -1,
            ctypes.c_long(0),
        )
        if where is None or where == ctypes.c_void_p(-1).value:
            raise MemoryError("no memory between fences")
        inside = ctypes.c_void_p(where + _FENCE)
        if self._libc.mprotect(inside, ctypes.c_size_t(inner), _ANY):
            raise MemoryError("no memory between fences")
        self._whole = (ctypes.c_void_p(where), ctypes.c_size_t(whole))
        self._start = where + _FENCE + offset
        self.address = self._start + BEFORE
        self.write(contents)

    def write(self, contents: bytes) -> None:
        """Replace everything."""
        ctypes.memmove(self._start, contents, len(contents))

    def read(self) -> bytes:
        """Return everything."""
        return ctypes.string_at(self._start, self._size)

    def close(self) -> None:
        """Give the memory back; nothing may run on it any more."""
        self._libc.munmap(*self._whole)
