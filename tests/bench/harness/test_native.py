"""The driver calls what it is given as often as asked; guarded arrays notice writes beside
them; differences are named.
"""

from __future__ import annotations

import ctypes
from functools import partial

import numpy as np
import pytest

from bench.harness.native import CFunction, Guarded, difference
from frontends.llvm.linked import binding
from frontends.llvm.linked.buffer import OutOfBounds
from frontends.llvm.linked.worker import LlvmWorker

COUNTER = """define void @count(ptr %p, i32 %by) {
  %old = load i32, ptr %p
  %new = add i32 %old, %by
  store i32 %new, ptr %p
  ret void
}
"""


def counted(repetitions: int) -> int:
    """Return the count after some calls that add 3 each."""
    code = binding.object_code(
        COUNTER, triple=binding.host_triple(), cpu=binding.host_cpu(), features=""
    )
    count = ctypes.c_int32(0)
    CFunction(code, "count", 2).bind(ctypes.addressof(count), 3)(repetitions)
    return count.value


@pytest.mark.parametrize(("repetitions", "expected"), [(1, 3), (6, 18), (100, 300)])
def test_calls(repetitions: int, expected: int) -> None:
    with LlvmWorker() as worker:
        assert worker.run(partial(counted, repetitions)) == expected


def test_guarded_arrays() -> None:
    array = np.arange(6, dtype=np.int16).reshape(2, 3)
    guarded = Guarded(array)
    guarded.array[1, 2] = 77
    assert guarded.copy()[1, 2] == 77
    assert array[1, 2] == 5
    guarded.refill()
    assert len(set(guarded.copy().tobytes())) == 1
    assert guarded.address == guarded.array.ctypes.data
    ctypes.memset(guarded.address + 12, 0, 1)
    with pytest.raises(OutOfBounds):
        guarded.copy()


def test_differences() -> None:
    array = np.array([[1, 2], [3, 4]], dtype=np.uint8)
    assert difference(array, array.copy()) == ""
    assert (
        difference(array, np.array([[1, 2], [9, 9]], dtype=np.uint8))
        == "2 of 4 elements differ, the first at (1, 0): 9, expected 3"
    )
    assert difference(array, array.astype(np.int8)).startswith("shape and type are (2, 2) int8")
    assert difference(array, array.ravel()).startswith("shape and type are (4,) uint8")
