"""Memory for native code, with guard bytes around it."""

from __future__ import annotations

import ctypes
from typing import Final

ALIGNMENT: Final = 128
GUARD: Final = 128  # bytes before and after each buffer that no function may touch
_FILL: Final = 0xA5


class OutOfBounds(Exception):
    """A function wrote outside its buffers."""


class Buffer:
    """Memory with guard bytes on both sides, at an address that is ``offset`` modulo
    ``alignment``.
    """

    __slots__ = ("_memory", "_start", "size")

    def __init__(self, contents: bytes, alignment: int = ALIGNMENT, offset: int = 0) -> None:
        self.size = len(contents)
        self._memory = ctypes.create_string_buffer(
            bytes([_FILL]) * (self.size + 2 * GUARD + alignment)
        )
        self._start = GUARD + (offset - ctypes.addressof(self._memory) - GUARD) % alignment
        self.write(contents)

    @property
    def address(self) -> int:
        """The address of the first byte."""
        return ctypes.addressof(self._memory) + self._start

    def write(self, contents: bytes) -> None:
        """Replace the contents from the first byte on."""
        ctypes.memmove(self.address, contents, len(contents))

    def read(self) -> bytes:
        """Return the contents; raise :class:`OutOfBounds` if a guard byte has changed."""
        raw = self._memory.raw
        end = self._start + self.size
        if raw[: self._start].strip(bytes([_FILL])) or raw[end:-1].strip(bytes([_FILL])):
            raise OutOfBounds("a function wrote outside its buffers")
        return raw[self._start : end]
