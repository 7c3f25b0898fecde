"""What one swizzle reaches, and that asking for what cannot be is no error."""

from __future__ import annotations

import numpy as np
import pytest

from isel.synth.elements import ANY
from isel.synth.library import Library, library_of
from isel.synth.machine import Machine
from isel.synth.reach import Reach, Source
from tests.synth.toy import ToyTarget


@pytest.fixture(scope="module")
def library() -> Library:
    return library_of(Machine(ToyTarget(), "toy", frozenset(), 512))


def test_an_unpack_is_found_by_its_result(library: Library) -> None:
    a, b = (Source(n, np.arange(16 * n, 16 * n + 16, dtype=np.int64), 0) for n in (0, 1))
    reach = Reach(library.swizzles(128), [a, b], 8)
    goal = np.array([x for k in range(8) for x in (k, 16 + k)], dtype=np.int64)
    hit = reach.find(goal)
    assert hit is not None and hit.form.instruction.name == "unpackl8.128" and hit.sources == (a, b)
    goal[3] = ANY
    again = reach.find(goal)
    assert again is not None and again.form is hit.form
    assert reach.find(goal[::-1].copy()) is None


def test_without_registers_nothing_is_reached(library: Library) -> None:
    # found by the fuzzer: seeds 190, 1026, 1047 and 1056 ended with an IndexError here
    empty = Reach(library.swizzles(128), [], 8)
    assert empty.find(np.arange(16, dtype=np.int64)) is None
    assert empty.find(np.array([0, ANY] * 8, dtype=np.int64)) is None
    assert empty.find(np.full(16, ANY, dtype=np.int64)) is None
