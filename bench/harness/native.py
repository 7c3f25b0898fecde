"""Compiled C kernels in this process, and numpy arrays in memory that shows writes beside them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Final

import numpy as np

from bench.inputs import Array
from frontends.llvm.linked import binding
from frontends.llvm.linked.buffer import Buffer

_DRIVER: Final = "bench.drive"
_FILL: Final = 0x5A  # what outputs hold before a call, so that what is not written shows


class CFunction:
    """A function of an object file that takes ``count`` pointers or integers and returns
    nothing.
    """

    def __init__(self, code: bytes, entry: str, count: int) -> None:
        self._linked = binding.NativeModule(driver_text(entry, count), [code])
        words = [ctypes.c_int64] * (count + 1)
        self._entry = ctypes.CFUNCTYPE(None, *words)(self._linked.address(_DRIVER))

    def bind(self, *words: int) -> Callable[[int], None]:
        """Return what calls the function with these words a given number of times, at least
        once.
        """
        return lambda repetitions: self._entry(repetitions, *words)


def driver_text(entry: str, count: int) -> str:
    """Return the loop that calls ``entry``, as LLVM IR; words are passed as 64-bit integers,
    which pointers and narrower integers share registers with.
    """
    parameters = "".join(f", i64 %a{i}" for i in range(count))
    passed = ", ".join(f"i64 %a{i}" for i in range(count))
    return f"""declare void @{entry}({", ".join(["i64"] * count)})

define void @{_DRIVER}(i64 %n{parameters}) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  call void @{entry}({passed})
  %j = add nuw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}}
"""


class Guarded:
    """A numpy array in aligned memory with guard bytes on both sides."""

    def __init__(self, array: Array) -> None:
        self._buffer = Buffer(np.ascontiguousarray(array).tobytes())
        raw = memoryview((ctypes.c_char * self._buffer.size).from_address(self._buffer.address))
        self.array: Array = np.frombuffer(raw, array.dtype).reshape(array.shape)

    @property
    def address(self) -> int:
        """The address of the first element."""
        return self._buffer.address

    def refill(self) -> None:
        """Overwrite all elements with a pattern."""
        self._buffer.write(bytes([_FILL]) * self._buffer.size)

    def copy(self) -> Array:
        """Return a copy of the array; raises :class:`frontends.llvm.linked.buffer.OutOfBounds` if a
        guard byte has changed.
        """
        return np.frombuffer(self._buffer.read(), self.array.dtype).reshape(self.array.shape)


def difference(expected: Array, found: Array) -> str:
    """Return the first difference of two arrays in a line, empty if they are equal bit for bit."""
    if expected.shape != found.shape or expected.dtype != found.dtype:
        kind = f"{expected.shape} {expected.dtype}"
        return f"shape and type are {found.shape} {found.dtype}, expected {kind}"
    if expected.tobytes() == found.tobytes():
        return ""
    wrong = np.argwhere(expected != found)
    place = tuple(int(i) for i in wrong[0])
    first = f"the first at {place}: {found[place]}, expected {expected[place]}"
    return f"{len(wrong)} of {expected.size} elements differ, {first}"
