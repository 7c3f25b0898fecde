"""What was measured is kept by function and CPU: what loses is taken back, noise is not."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import pytest

from bench.measure import changed
from bench.measure.inputs import NotRun
from bench.measure.kept import all_but, look
from bench.measure.verdict import Noisy, Timed, Verdict
from frontends.llvm.linked import binding
from frontends.llvm.pipeline.options import Rewritten
from frontends.llvm.report.tried import ModuleReport
from tests.bench.measure.texts import QUICK, SLOW

BEFORE, AFTER = map(binding.normalise, (QUICK, SLOW))
DONE = Rewritten(BEFORE, AFTER, ModuleReport("a.ll"), AFTER)
LOSES, GAINS = Timed(0.9, 0.85, 1.0), Timed(0.9, 1.3, 1.0)
NOISY, ALONE = Noisy(0.9, 1.1), NotRun("it calls g")


@dataclass
class Rows:
    """A cache in memory."""

    kept: dict[str, str] = field(default_factory=dict)

    def function(self, key: str) -> str | None:
        return self.kept.get(key)

    def add_function(self, key: str, value: str) -> None:
        self.kept[key] = value


@dataclass
class Clock:
    """What says the same of each function, and counts how often it is asked."""

    says: Verdict
    asked: int = 0

    def __call__(self, before: str, after: str, function: str) -> Verdict:
        assert (before, after, function) == (BEFORE, AFTER, "f")
        self.asked += 1
        return self.says


Clocked: TypeAlias = Callable[[Verdict], Clock]


@pytest.fixture
def clocked(monkeypatch: pytest.MonkeyPatch) -> Clocked:
    """Return what makes a clock the one that is asked."""

    def begin(says: Verdict) -> Clock:
        clock = Clock(says)
        monkeypatch.setattr(changed, "measure_alone", clock)
        return clock

    return begin


def test_what_loses_is_taken_back_and_remembered(clocked: Clocked) -> None:
    rows, clock = Rows(), clocked(LOSES)
    found = look(DONE, rows, "tool", "mark", measure=True, cpu="znver4")
    assert found.lost == {"f": "measured: 0.90 and 0.85 times as fast"}
    assert found.lines == ("@f: 0.90 and 0.85 times as fast, taken back",)
    for measure in (True, False):  # a build does not measure
        assert look(DONE, rows, "tool", "mark", measure=measure, cpu="znver4").lost == found.lost
    assert rows.kept["mark"] == "1" and re.fullmatch(found.others, "g")
    assert clock.asked == 1


@pytest.mark.parametrize(("tool", "cpu"), [("tool", "znver5"), ("another", "znver4")])
def test_another_cpu_or_tool_knows_nothing(tool: str, cpu: str, clocked: Clocked) -> None:
    rows, clock = Rows(), clocked(LOSES)
    look(DONE, rows, "tool", "mark", measure=True, cpu="znver4")
    assert look(DONE, rows, tool, "mark", measure=False, cpu=cpu).lost == {}
    assert look(DONE, rows, tool, "mark", measure=True, cpu=cpu).lost and clock.asked == 2


def test_another_function_is_measured(clocked: Clocked) -> None:
    rows = Rows()
    clocked(LOSES)
    look(DONE, rows, "tool", "mark", measure=True, cpu="znver4")
    other = binding.normalise(QUICK.replace("i8 1)", "i8 3)"))
    assert (
        look(
            Rewritten(other, AFTER, DONE.report, AFTER),
            rows,
            "tool",
            "mark",
            measure=False,
            cpu="znver4",
        ).lost
        == {}
    )


@pytest.mark.parametrize(("says", "again"), [(GAINS, 1), (NOISY, 2), (ALONE, 2)])
def test_what_does_not_lose_is_left(says: Verdict, again: int, clocked: Clocked) -> None:
    """What two runs agree on is not measured again; noise is, where there is time."""
    rows, clock = Rows(), clocked(says)
    for _ in range(2):
        found = look(DONE, rows, "tool", "mark", measure=True, cpu="znver4")
        assert found.lost == {} and found.lines == (f"@f: {says}",)
    assert clock.asked == again
    assert look(DONE, rows, "tool", "mark", measure=False, cpu="znver4").lost == {}


def test_a_damaged_row_is_no_row(clocked: Clocked) -> None:
    rows = Rows()
    clocked(LOSES)
    look(DONE, rows, "tool", "mark", measure=True, cpu="znver4")
    rows.kept = dict.fromkeys(rows.kept, "[0.5, ")
    assert look(DONE, rows, "tool", "mark", measure=False, cpu="znver4").lost == {}


def test_all_but_some() -> None:
    pattern = all_but(["f", '"a b|c"'])
    names = ("f", "ff", "g", "a b|c", "a", "x\nf")
    assert [n for n in names if re.fullmatch(pattern, n)] == ["ff", "g", "a", "x\nf"]
