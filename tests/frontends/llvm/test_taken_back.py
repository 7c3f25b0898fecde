"""What is not proved is taken back, and its function decided again."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.pipeline.budget import Budget
from frontends.llvm.pipeline.decisions import Decisions
from frontends.llvm.pipeline.function import FunctionWork
from frontends.llvm.pipeline.judge import Refusal
from frontends.llvm.pipeline.layers import Layering
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options
from frontends.llvm.pipeline.planned import Planned
from frontends.llvm.pipeline.proofs import why_not
from frontends.llvm.pipeline.run import Run
from frontends.llvm.pipeline.rungs import best
from frontends.llvm.pipeline.writer import Writer
from frontends.llvm.refine.frames import Frames
from frontends.llvm.report.tried import Outcome
from frontends.llvm.splicing.check import Checker
from frontends.llvm.splicing.write import Rewrite
from frontends.llvm.text.ast import Function
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.ledger import Entry, Ledger
from isel.deadline import clock_of
from isel.failures import Net
from isel.model.verdict import Certificate, Refuted, Unknown, Verdict
from isel.spec.target import Target
from tests.frontends.llvm.test_failures import TEXT
from tests.frontends.llvm.toy import TOOLS
from tests.planted.kernels import SUMMED
from tests.planted.run import rewritten


def test_a_way_that_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "not proved" not in str(rewritten(SUMMED).report)
    verdict, tried = Layering.verdict, list[int]()

    def refused(
        layering: Layering, p: Planned, after: Function, target: Target, frames: Frames
    ) -> Verdict:
        if p.way is None:
            return verdict(layering, p, after, target, frames)
        tried.append(p.number)
        return Unknown("too hard")

    monkeypatch.setattr(Layering, "verdict", refused)
    done = rewritten(SUMMED)
    said = [w.reason for w in done.report.windows if w.outcome is Outcome.KEPT]
    assert said.count("what was written is not proved: too hard") == len(tried) > 0


def test_a_window_that_is_not_proved_bars_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    check, decided = Checker.check, list[str]()

    def refused(self: Checker, rewrite: Rewrite, certificate: Certificate | None = None) -> Verdict:
        if rewrite.site.function == "bad":
            return Unknown("too hard")
        return check(self, rewrite, certificate)

    again = Decisions.decide_again

    def noted(self: Decisions, lost: list[Entry]) -> None:
        decided.extend(entry.function for entry in lost)
        again(self, lost)

    monkeypatch.setattr(Checker, "check", refused)
    monkeypatch.setattr(Decisions, "decide_again", noted)
    done = rewrite_module(TEXT, Options(), TOOLS, "in.ll")
    assert decided == ["bad"]
    (kept,) = (w for w in done.report.windows if w.outcome is Outcome.KEPT)
    assert (kept.place.root, kept.reason) == ("bad.r", "what was written is not proved: too hard")
    assert kept.attempts == 1 and kept.cost_after is not None
    assert len(done.report.rewritten) == 3


def test_nothing_is_best_of_nothing() -> None:
    assert best((), Ledger()) == []
    assert why_not(Refuted({}, "lane 3")) == "counterexample at lane 3"
    assert why_not(Unknown("too hard")) == Refusal("too hard").reason


def test_what_is_decided_again_may_spend_as_much_again(monkeypatch: pytest.MonkeyPatch) -> None:
    check, renewed = Checker.check, list[int]()

    def refused(self: Checker, rewrite: Rewrite, certificate: Certificate | None = None) -> Verdict:
        if rewrite.site.function == "bad":
            return Unknown("too hard")
        return check(self, rewrite, certificate)

    monkeypatch.setattr(Checker, "check", refused)
    monkeypatch.setattr(Budget, "renew", lambda budget: renewed.append(budget.spent))
    rewrite_module(TEXT, Options(), TOOLS, "in.ll")
    assert len(renewed) == 1 and renewed[0] > 0


_SPLICED = Path(__file__).parent / "opt" / "spliced.ll"


def test_what_was_written_otherwise_than_it_was_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """A transform goes, whatever it saves."""
    monkeypatch.setattr("frontends.llvm.splicing.printed.as_written", lambda *_: False)
    done = rewrite_module(_SPLICED.read_text(), Options(), TOOLS, "x.ll")
    (why,) = {w.reason for w in done.report.windows if w.by == "carried-loads"}
    assert why == "what was written is not what was proved" and not done.report.rewritten


def test_what_cannot_be_written_is_to_blame_on_transforms_where_no_window_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Writer, "attempt", lambda writer, edits, old: "it is refused")
    done = rewrite_module(_SPLICED.read_text(), Options(disabled=("windows",)), TOOLS, "x.ll")
    (why,) = {w.reason for w in done.report.windows if w.by == "carried-loads"}
    assert why == "it is refused" and not done.changed


def test_a_variant_that_came_late_says_so_of_its_function() -> None:
    module = parse_module(normalise(TEXT))
    run = Run(module, Options(time_limit=1.0), TOOLS, "x.ll", clock_of(None))
    decisions = Decisions(run, Net(strict=True), Ledger())
    name = module.functions[0].name
    for late in (True, False):
        work = SimpleNamespace(
            function=module.functions[0], timed_out=late, is_beaten=lambda: False
        )
        decisions._choose(cast("FunctionWork", work))
    assert not decisions.works[name].timed_out and decisions._not_done() == (name,)
