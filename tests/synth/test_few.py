"""Questions about programs of few operations: the upper part of a lane that is asked for."""

from isel.ir.expr import show
from isel.ir.text import parse
from isel.synth.lanes.graph import LaneClass
from isel.synth.requests import upper_of


def _upper(text: str) -> tuple[str, str] | None:
    found = upper_of(LaneClass(parse(text), (), {}, wanted=True))
    return None if found is None else (show(found.term), show(found.parts[0]))


def test_a_lane_is_cut_below_its_whole_sum() -> None:
    lane = "(extract 0 8 (ashr (add (add x0:32 x1:32) 2048:32) 12:32))"
    upper = "(extract 0 8 (ashr x0:32 12:32))"
    assert _upper(lane) == (upper, "(add (add x0:32 x1:32) 2048:32)")


def test_a_lane_whose_leaf_is_read_above_as_well_is_not_cut_there() -> None:
    assert _upper("(ite (ult (lshr (mul x0:8 3:8) 1:8) x0:8) x0:8 7:8)") is None
