"""Effort is a ladder: more of it only adds to what less of it found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.pipeline.function import FunctionWork
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options
from frontends.llvm.pipeline.rungs import rungs
from frontends.llvm.pipeline.track import Attempt
from isel.cost.judgement import Judgement
from isel.model.answer import Result, Synthesizer
from isel.model.machine import Machine
from isel.model.window import Window
from isel.workers import Pool
from tests.frontends.llvm.test_opt import source
from tests.frontends.llvm.toy import TOOLS, Count, guess
from tests.planted.kernels import SUMMED
from tests.planted.run import rewritten

WIDE = source("wide")


class Nothing:
    def prepare(self, windows: Sequence[Window]) -> None:
        pass

    def search(self, window: Window) -> Result:
        return Result((), True, "no program found", 1)


class Making:
    """A search that finds its programs with some efforts only, and remembers what it was asked."""

    def __init__(self, *fruitful: int) -> None:
        self.fruitful = fruitful
        self.asked: list[int] = []

    def __call__(self, machine: Machine, pool: Pool | None, effort: int) -> Synthesizer:
        self.asked.append(effort)
        return guess(machine, pool, effort) if effort in self.fruitful else Nothing()


def written(making: Making, effort: int) -> str:
    return rewrite_module(WIDE, Options(effort=effort), replace(TOOLS, make=making), "wide.ll").text


def test_rungs_double_up_to_the_effort() -> None:
    assert [rungs(e) for e in (0, 1, 2, 3, 4, 8)] == [
        (0,),
        (1,),
        (1, 2),
        (1, 2, 3),
        (1, 2, 4),
        (1, 2, 4, 8),
    ]


@pytest.mark.parametrize("fruitful", [1, 2, 4])
def test_what_any_rung_found_is_written(fruitful: int) -> None:
    """The search with less effort comes first; what it found is kept where more finds nothing."""
    making = Making(fruitful)
    assert written(making, 4) == written(Making(1), 1) != normalise(WIDE, "wide.ll")
    assert making.asked == [1, 2, 4]
    assert written(Making(2), 1) == normalise(WIDE, "wide.ll")


class Dearer(Count):
    """A gate that has nothing against a rewrite of the source, and much against one of what is
    rewritten already.
    """

    def judge(self, before: str, after: str, function: str) -> Judgement:
        judgement = super().judge(before, after, function)
        return replace(judgement, accept="call" not in before)


def test_a_rung_is_kept_only_if_it_is_accepted_over_the_one_below() -> None:
    asked = Making(1, 2)
    tools = replace(TOOLS, make=asked, make_judge=lambda *_: Dearer())
    found = rewrite_module(WIDE, Options(effort=2), tools, "wide.ll")
    assert found.text == written(Making(1), 1) and asked.asked == [1, 2]


@pytest.mark.parametrize("whole", [False, True])
def test_beside_a_form_that_is_rewritten_whole_no_other_is_looked_into(
    whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[int, list[int]] = {}

    def noted(work: FunctionWork, round_: int) -> list[Attempt]:
        asked.setdefault(round_, []).append(number(work))
        return []

    def number(work: FunctionWork) -> int:
        return work.variant.way.number if work.variant.way else 0

    monkeypatch.setattr(FunctionWork, "agenda", noted)
    monkeypatch.setattr(FunctionWork, "whole", property(lambda work: whole and number(work) == 1))
    rewritten(SUMMED)
    forms = list(range(len(asked[0])))
    assert len(forms) > 1
    assert asked == dict.fromkeys(range(2 if whole else 4), forms)


@pytest.mark.parametrize("times", [2, 3])
def test_a_form_is_whole_if_it_is_so_many_times_as_fast(
    times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, works = FunctionWork.settle, list[FunctionWork]()

    def noted(work: FunctionWork) -> None:
        works.append(work)
        own(work)

    monkeypatch.setattr("frontends.llvm.pipeline.function.FUNCTION_FASTER", times)
    monkeypatch.setattr(FunctionWork, "settle", noted)
    rewritten(SUMMED)
    assert (works[0].cost(), works[0].whole) == ((1.0, 0.5), times == 2)
    assert all(w.whole for w in works[1:])


def test_what_more_loops_are_around_is_searched_first() -> None:
    """A time limit then leaves cold code alone first."""
    asked: list[int] = []

    class Asked(Nothing):
        def search(self, window: Window) -> Result:
            asked.append(len(window.roots[0].lanes))
            return super().search(window)

    def block(name: str, lanes: int) -> str:
        return "\n".join(
            [
                f"  %{name}.x = load <{lanes} x i8>, ptr %p, align 1",
                f"  %{name}.m = mul <{lanes} x i8> %{name}.x, splat (i8 5)",
                f"  %{name}.r = lshr <{lanes} x i8> %{name}.m, splat (i8 3)",
                f"  store <{lanes} x i8> %{name}.r, ptr %p, align 1",
            ]
        )

    text = f"""define void @f(ptr %p, i1 %c) {{
entry:
{block("a", 16)}
  br label %outer
outer:
{block("b", 32)}
  br label %inner
inner:
{block("c", 64)}
  br i1 %c, label %inner, label %latch
latch:
  br i1 %c, label %outer, label %end
end:
{block("d", 8)}
  ret void
}}
"""
    rewrite_module(text, Options(), replace(TOOLS, make=lambda *_: Asked()), "loops.ll")
    assert asked[:4] == [64, 32, 16, 8]
