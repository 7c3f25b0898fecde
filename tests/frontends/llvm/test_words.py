"""What became of windows and functions, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.report.phrases import became, count_up, cycles, heat, sentence
from frontends.llvm.report.tried import FunctionReport, Outcome, Place, WindowReport
from frontends.llvm.text.parse import parse_module

KEPT = WindowReport(
    Place("f", "r", 1),
    Outcome.KEPT,
    (),
    steps=9,
    selected="vpavgb (zmm)",
    reason="no program found that costs less",
)
JUDGED = replace(
    KEPT, attempts=1, cost_before=5.0, cost_after=5.25, reason="not faster", chosen="vpaddb (ymm)"
)


@pytest.mark.parametrize(
    ("instructions", "said"),
    [
        ([], ""),
        ([("a", "x")], "a (x)"),
        ([("a", "x"), ("b", "x"), ("a", "x")], "2 x a + b (x)"),
        ([("a", "x"), ("a", "y"), ("b", "x")], "a (x) + a (y) + b (x)"),
        ([(m, "x") for m in "abcde"], "a + b + c + d + e (x)"),
        ([(m, "x") for m in "abcdefee"], "a + b + c + d + 4 more (x)"),
    ],
)
def test_instructions_are_counted(instructions: list[tuple[str, str]], said: str) -> None:
    assert count_up(instructions) == said


def test_costs_can_be_told_apart() -> None:
    assert cycles(29.44, 7.41) == "29.4 -> 7.4 cycles"
    assert cycles(5.84, 5.81) == "5.84 -> 5.81 cycles"
    assert cycles(4.0004, 4.0003) == "4.0004 -> 4.0003 cycles"
    assert cycles(4.0, 4.0) == "4.00 -> 4.00 cycles"


@pytest.mark.parametrize(
    ("window", "said"),
    [
        (KEPT, "kept: LLVM selects vpavgb (zmm) already; no program found that costs less"),
        (
            replace(KEPT, selected="a + b (x)"),
            "kept: LLVM selects a + b (x); no program found that costs less",
        ),
        (
            JUDGED,
            "kept: the cheapest program found, vpaddb (ymm), was not taken: not faster (5.0 -> 5.2 cycles)",
        ),
        (replace(JUDGED, chosen="vpavgb (zmm)"), "kept: LLVM selects vpavgb (zmm) already"),
        (replace(KEPT, outcome=Outcome.FAILED, reason="failed: E"), "left alone: failed: E"),
        (replace(KEPT, steps=0, reason="the time limit"), "kept: the time limit"),
        (
            replace(JUDGED, outcome=Outcome.REWRITTEN, operations=1, cost_after=4.0, reason=""),
            "1 operation -> vpaddb (ymm), 5.0 -> 4.0 cycles, proved for all inputs",
        ),
    ],
)
def test_what_became_of_a_window(window: WindowReport, said: str) -> None:
    assert became(window) == said


def test_hot_is_what_saves_most_in_the_deepest_loop() -> None:
    done = replace(KEPT, outcome=Outcome.REWRITTEN)
    f = FunctionReport("f", "", 9, 6, {}, cost=(9.0, 7.0))
    assert heat(f, [done]) == 2.0
    assert heat(f, [done, replace(done, depth=2), replace(KEPT, depth=3)]) == 200.0
    assert heat(replace(f, cost=None), [KEPT]) == 0.0
    assert sentence(f, [done, KEPT]) == "@f: 9.0 -> 7.0 cycles, 1 of 2 windows rewritten"


def test_loops_around_blocks() -> None:
    text = """\
define void @f(i1 %c) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %c, label %inner, label %"latch one"
"latch one":
  br i1 %c, label %outer, label %exit
exit:
  ret void
}
"""
    assert list(parse_module(normalise(text)).functions[0].view.depths) == [0, 1, 2, 1, 0]
