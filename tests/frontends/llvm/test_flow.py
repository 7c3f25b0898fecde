"""Dominators, and the block before a loop."""

from __future__ import annotations

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from frontends.llvm.text.view import View
from isel.cost.loops import dominators


@pytest.mark.parametrize(
    ("successors", "above"),
    [
        ([(1,), (2,), ()], [None, 0, 1]),
        ([(1, 2), (3,), (3,), ()], [None, 0, 0, 0]),
        ([(1,), (2, 3), (1,), ()], [None, 0, 1, 1]),
        ([(2,), (), (1,)], [None, 2, 0]),
        ([(1, 2), (2,), (1,), (0,)], [None, 0, 0, None]),
        ([(1, 4), (2, 3), (4,), (4,), ()], [None, 0, 1, 1, 0]),
    ],
    ids=[
        "a row",
        "a diamond",
        "a loop",
        "out of order",
        "two entries, one not reached",
        "two ways",
    ],
)
def test_dominators(successors: list[tuple[int, ...]], above: list[int | None]) -> None:
    assert dominators(successors) == above


NEST = """
define void @f(i1 %c) {
entry:
  br i1 %c, label %outer, label %out

outer:
  br label %before

before:
  br label %inner

inner:
  br i1 %c, label %inner, label %latch

latch:
  br i1 %c, label %outer, label %out

out:
  ret void
}
"""


def flow(text: str) -> View:
    return parse_module(normalise(text)).functions[0].view


def test_the_home_of_a_block_is_the_last_one_outside_of_its_loop() -> None:
    f = flow(NEST)
    assert list(f.depths) == [0, 1, 1, 2, 1, 0]
    assert list(f.homes) == [None, 0, 0, 2, 0, None]
    assert f.end(2).text.strip().startswith("br label %inner")
    assert [f.dominates(2, k) for k in range(6)] == [False, False, True, True, True, False]


def test_nothing_is_added_where_an_exception_is_caught() -> None:
    f = flow("""
declare i32 @p(...)
declare void @g()

define void @f(i1 %c) personality ptr @p {
entry:
  invoke void @g() to label %loop unwind label %out

loop:
  br i1 %c, label %loop, label %out.plain

out:
  %x = landingpad { ptr, i32 } cleanup
  ret void

out.plain:
  ret void
}
""")
    assert f.depths[1] == 1 and f.homes[1] is None
