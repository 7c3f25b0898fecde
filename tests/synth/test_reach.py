"""What one swizzle reaches, and that asking for what cannot be is no error."""

from __future__ import annotations

import numpy as np
import pytest

from isel.model.machine import Machine
from isel.synth.instructions.library import Library, library_of
from isel.synth.layout.elements import ANY
from isel.synth.layout.reach import Reach, Source, giving
from tests.synth.toy import ToyTarget


@pytest.fixture(scope="module")
def library() -> Library:
    return library_of(Machine(ToyTarget(), "toy", frozenset(), 512))


def test_an_unpack_is_found_by_its_result(library: Library) -> None:
    a, b = (Source(n, np.arange(16 * n, 16 * n + 16, dtype=np.int64), 0) for n in (0, 1))
    reach = Reach(library.swizzles(128), [a, b], 8, 16)
    goal = [x for k in range(8) for x in (k, 16 + k)]
    hit = reach.find(goal)
    assert (
        hit is not None
        and hit.form is not None
        and hit.form.instruction.name == "unpackl8.128"
        and hit.sources == (a, b)
    )
    goal[3] = ANY
    again = reach.find(goal)
    assert again is not None and again.form is hit.form
    assert reach.find(goal[::-1]) is None


def test_without_registers_nothing_is_reached(library: Library) -> None:
    # found by the fuzzer: seeds 190, 1026, 1047 and 1056 ended with an IndexError here
    empty = Reach(library.swizzles(128), [], 8, 16)
    assert empty.find(list(range(16))) is None
    assert empty.find([0, ANY] * 8) is None
    assert empty.find([ANY] * 16) is None
    assert empty.rows.fitting([(0, 0), (1, 1)], [ANY, ANY, 3]) and not empty.rows.fitting(
        [(0, 2)], [ANY, ANY, 3]
    )


def test_a_register_is_found_as_it_stands_before_its_swizzles(library: Library) -> None:
    dear, free = (Source(n, np.arange(16, dtype=np.int64), cost) for n, cost in ((0, 100), (1, 0)))
    reach = Reach(library.swizzles(128), [dear, free], 8, 16)
    hit = reach.find(list(range(16)))
    assert hit is not None and hit.form is None and hit.sources == (free,) and hit.cost == 0


def test_what_is_asked_of_operands_is_read_off_the_goal(library: Library) -> None:
    a, b = (Source(n, np.arange(16 * n, 16 * n + 16, dtype=np.int64), 0) for n in (0, 1))
    reach = Reach(library.swizzles(128), [a, b], 8, 16)
    goal = [x for k in range(8) for x in (k, 16 + k)]
    unpack = next(f for f in library.swizzles(128) if f.instruction.name == "unpackl8.128")
    assert unpack.invert(8, goal, ANY) == [[*range(8), *[ANY] * 8], [*range(16, 24), *[ANY] * 8]]
    candidates = [(unpack, [(reach.rows, read) for read in unpack.reads(8)])]
    assert list(giving(candidates, goal)) == [unpack]
    goal[5] = 30  # no register has it beside the others
    assert not list(giving(candidates, goal))
