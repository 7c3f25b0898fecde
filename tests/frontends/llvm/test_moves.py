"""A lane is followed through what only moves lanes, to the instruction that makes it."""

from __future__ import annotations

import pytest

from frontends.llvm.text.limits import MOVES_MOST
from frontends.llvm.text.moves import follow
from frontends.llvm.text.parse import parse_module

TEXT = """\
define <4 x i32> @f(<4 x i32> %a, <4 x i32> %b, i64 %n) {
  %s = add <4 x i32> %a, %b
  %t = shufflevector <4 x i32> %s, <4 x i32> %b, <4 x i32> <i32 5, i32 poison, i32 3, i32 0>
  %e = extractelement <4 x i32> %t, i64 2
  %v = insertelement <4 x i32> %t, i32 %e, i64 1
  %w = insertelement <4 x i32> %v, i32 %e, i64 %n
  %x = shufflevector <4 x i32> %v, <4 x i32> %w, <4 x i32> <i32 1, i32 3, i32 0, i32 4>
  ret <4 x i32> %x
}
"""


@pytest.mark.parametrize(
    ("lane", "way"),
    [
        (0, ["x 0", "v 1", "e 0", "t 2", "s 3"]),
        (1, ["x 1", "v 3", "t 3", "s 0"]),
        (2, ["x 2", "v 0", "t 0"]),  # of an argument
        (3, ["x 3", "w 0"]),  # inserted at a place that is not known
    ],
)
def test_the_way_of_a_lane(lane: int, way: list[str]) -> None:
    (f,) = parse_module(TEXT).functions
    end = f.view.work[-1].operands[0]
    assert [f"{i.name} {k}" for i, k in follow(f.view, end, lane)] == way
    assert list(follow(f.view, None, lane)) == []


def test_poison_comes_from_nowhere_and_a_long_way_is_cut() -> None:
    (f,) = parse_module(TEXT).functions
    (t,) = (i for i in f.view.work if i.name == "t")
    value = f.view.used_by("t")[0].operands[0]
    assert [i for i, _ in follow(f.view, value, 1)] == [t]
    lines = [f"  %x{k + 1} = insertelement <4 x i32> %x{k}, i32 %y, i64 1" for k in range(99)]
    text = "\n".join(["define void @f(<4 x i32> %x0, i32 %y) {", *lines, "  ret void", "}", ""])
    (g,) = parse_module(text).functions
    assert len(list(follow(g.view, g.view.work[-2].operands[0], 0))) == MOVES_MOST
