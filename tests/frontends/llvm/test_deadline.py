"""A time limit ends planning and searching wherever it is reached: what was found by then is
written, and nothing of it is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Rewritten
from frontends.llvm.report.tried import Outcome
from isel import deadline
from tests.frontends.llvm.test_decided import Notes
from tests.frontends.llvm.test_failures import TEXT
from tests.frontends.llvm.toy import TOOLS


class Clock:
    """Stands for the module ``time``: a second passes whenever somebody looks."""

    def __init__(self) -> None:
        self.looks: Iterator[int] = count()

    def monotonic(self) -> float:
        return float(next(self.looks))


def run(
    seconds: float | None, notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> tuple[Rewritten, int]:
    """Rewrite four functions; return how often the clock was looked at, too."""
    clock = Clock()
    monkeypatch.setattr(deadline, "time", clock)
    done = rewrite_module(TEXT, Options(time_limit=seconds), replace(TOOLS, memory=notes), "in.ll")
    return done, next(clock.looks)


def test_wherever_it_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = Notes()
    complete, looks = run(1e9, notes, monkeypatch)
    assert len(complete.report.rewritten) == len(notes.kept) == 4
    assert not complete.report.timed_out and not complete.report.late
    seen = set()
    for limit in range(2 * looks):
        notes = Notes()
        done, taken = run(limit + 0.5, notes, monkeypatch)
        assert taken <= limit + 20  # it is not looked at again and again
        if not done.report.timed_out:
            assert done.text == complete.text
            seen.add((4, 4))
            continue
        assert not {w.outcome for w in done.report.windows} - {Outcome.REWRITTEN, Outcome.KEPT}
        reasons = [w.reason for w in done.report.windows if w.outcome is Outcome.KEPT] + [
            f.skipped for f in done.report.functions if f.skipped
        ]
        assert set(reasons) <= {"the time limit was reached"}
        left = {w.place.function for w in done.report.windows if w.outcome is Outcome.KEPT}
        left.update(f.name for f in done.report.functions if f.skipped)
        assert left <= set(done.report.late)
        assert len(notes.kept) == len(done.report.rewritten)
        if not done.report.rewritten:
            assert done.text == normalise(TEXT, "in.ll")
        seen.add((len(done.report.rewritten), len(done.report.windows)))
    assert {(0, 0), (0, 4), (1, 4), (3, 4)} <= seen


def test_without_a_limit_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(None, Notes(), monkeypatch)[1] == 0
