"""Lanes of modules are terms of any width, literals by what they are to it."""

from __future__ import annotations

import pytest

from isel.cli.learning import lanes_of
from isel.ir.canon import canonical
from isel.ir.text import parse
from isel.learn.lanes import general
from tests.learn.toy import LIBRARY

MODULE = """\
target triple = "toy-unknown-linux-gnu"
define <16 x i8> @mean(<16 x i8> %a, <16 x i8> %b) {
  %x = zext <16 x i8> %a to <16 x i16>
  %y = zext <16 x i8> %b to <16 x i16>
  %s = add <16 x i16> %x, %y
  %h = lshr <16 x i16> %s, splat (i16 1)
  %t = trunc <16 x i16> %h to <16 x i8>
  ret <16 x i8> %t
}
"""


@pytest.mark.parametrize(
    ("lane", "text"),
    [
        ("(add a:8 128:8)", "(add x {-2**(w-1)}:w)"),
        ("(sext 64 (sub a:16 1:16))", "(sext {4*w} (sub x 1:w))"),
        ("(extract 3 8 (mul (zext 16 a:8) 9:16))", "(extract 3 w (mul (zext {2*w} x) 9:{2*w}))"),
        ("(add (zext 16 a:8) b:16)", ""),
        ("(add a:64 b:64)", ""),
    ],
)
def test_a_lane_by_the_width_of_its_elements(lane: str, text: str) -> None:
    found = general(canonical(parse(lane))[0])
    assert (found.text if found else "") == text


def test_the_lanes_of_a_module() -> None:
    texts = [t.text for t in lanes_of(MODULE, "m.ll", LIBRARY.machine)]
    assert texts == ["(extract 0 w (lshr (add (zext {2*w} x) (zext {2*w} y)) 1:{2*w}))"]
