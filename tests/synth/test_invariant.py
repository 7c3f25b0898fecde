"""What is invariant is prepared in front of a loop."""

from __future__ import annotations

from isel.ir.expr import const, show
from isel.ir.text import parse
from isel.synth.goals.invariants import preparer

TOTAL = "(add v[0]:32 (zext 32 x[0]:8))"
WIDE = "(add (sext 33 v[0]:32) (zext 33 x[0]:8))"
EXACT = parse(f"(eq (sext 33 (extract 0 32 {WIDE})) {WIDE})")
ANY = const(1, 1)


def clamp(total: str, bits: int = 32) -> str:
    low = f"(let ((%0 {total}) (%1 (ite (slt %0 255:{bits}) %0 255:{bits})))"
    return f"{low} (extract 0 8 (ite (slt %1 0:{bits}) 0:{bits} %1)))"


def test_a_sum_that_does_not_wrap_saturates_twice() -> None:
    lane = parse(clamp(TOTAL))
    made = show(preparer({"v"})(lane, EXACT))
    assert "(zext 9 x[0]:8)" in made and "1024:32" in made


def test_a_sum_that_may_wrap_or_that_changes_stays() -> None:
    lane = parse(clamp(TOTAL))
    assert preparer({"v"})(lane, ANY) is lane
    assert preparer({"w"})(lane, EXACT) is lane


def test_what_is_near_zero_is_split_as_it_is() -> None:
    lane = parse(clamp("(add (sext 32 v[0]:16) (zext 32 x[0]:8))"))
    made = show(preparer({"v"})(lane, ANY))
    assert "(zext 9 x[0]:8)" in made and "1024:32" not in made


def test_what_is_extended_is_clamped_before() -> None:
    lane = parse(clamp("(add (sext 64 v[0]:32) (zext 64 x[0]:8))", 64))
    made = show(preparer({"v"})(lane, ANY))
    assert "(slt v[0]:32 1024:32)" in made
