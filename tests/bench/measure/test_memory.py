"""Memory between fences: what is written is read, and what is beyond ends the process."""

from __future__ import annotations

import ctypes
from functools import partial

import pytest

from bench.measure.memory import BEFORE, SIZE, Fenced
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed


def test_contents_and_place() -> None:
    fenced = Fenced(bytes(SIZE), 640)
    assert fenced.address % 4096 == 640
    ctypes.memmove(fenced.address, b"x", 1)
    assert fenced.read()[BEFORE] == ord("x")
    fenced.write(bytes(SIZE))
    assert fenced.read() == bytes(SIZE)
    fenced.close()


def touch(distance: int) -> int:
    """Read a byte at a distance from what may be touched first."""
    fenced = Fenced(bytes(SIZE))
    return ctypes.string_at(fenced.address - BEFORE + distance, 1)[0]


@pytest.mark.parametrize("distance", [-1, SIZE, SIZE + (1 << 23)])
def test_what_is_beyond_ends_the_process(distance: int) -> None:
    with LlvmWorker() as worker:
        assert worker.run(partial(touch, SIZE - 1)) == 0
        found = worker.run(partial(touch, distance))
    assert isinstance(found, WorkerFailed) and "SIGSEGV" in found.reason
