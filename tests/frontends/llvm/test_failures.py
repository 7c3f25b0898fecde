"""A bug costs the window that it shows in, or else the function: everything else is as it was,
and nothing of it is kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import pytest

from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Rewritten, Tools
from frontends.llvm.report.remarks import remarks
from frontends.llvm.report.text import table
from frontends.llvm.report.tried import Outcome, stats
from frontends.llvm.splicing.check import Checker
from frontends.llvm.splicing.write import Edits, Rewrite, edit, edits
from frontends.llvm.text.ast import Module
from frontends.llvm.windows.places import Candidate, Place, place_at
from frontends.llvm.windows.scene import Limits, Scene
from isel.cost.judgement import Judgement
from isel.cost.work import Work
from isel.failures import failure_of
from isel.model.answer import Result, Synthesizer
from isel.model.machine import Machine
from isel.model.verdict import Certificate, Verdict
from isel.model.window import Window
from isel.spec.instruction import Instruction
from isel.spec.target import Target
from isel.workers import Pool
from tests.frontends.llvm.test_decided import Notes
from tests.frontends.llvm.toy import TOOLS, Count, Guess

AVERAGE: Final = """\
define <{n} x i8> @{name}(<{n} x i8> noundef %a, <{n} x i8> noundef %b) {{
  %x = zext <{n} x i8> %a to <{n} x i16>
  %y = zext <{n} x i8> %b to <{n} x i16>
  %s = add nuw nsw <{n} x i16> %x, %y
  %t = add nuw nsw <{n} x i16> %s, splat (i16 1)
  %u = lshr <{n} x i16> %t, splat (i16 1)
  %{name}.r = trunc <{n} x i16> %u to <{n} x i8>
  ret <{n} x i8> %{name}.r
}}
"""
BAD: Final = 48  # lanes of the window on which everything fails
TEXT: Final = 'target triple = "x86_64-pc-linux-gnu"\n\n' + "\n".join(
    AVERAGE.format(n=n, name=name)
    for name, n in (("first", 16), ("bad", BAD), ("other", 32), ("last", 64))
)
ERRORS: Final = (
    ZeroDivisionError("division by zero"),
    MemoryError(),
    RecursionError("maximum recursion depth exceeded"),
    AssertionError(),
)


def _is_bad(window: Window) -> bool:
    return len(window.roots[0].lanes) == BAD


@dataclass(frozen=True)
class Failing(Guess):
    """Fails on the bad window, ``beside`` what is found or alone."""

    error: Exception
    beside: bool

    def search(self, window: Window) -> Result:
        found = super().search(window)
        if not _is_bad(window):
            return found
        if not self.beside:
            raise self.error
        return replace(found, error=self.error)


@dataclass(frozen=True)
class Making:
    error: Exception
    beside: bool = False

    def __call__(self, machine: Machine, pool: Pool | None, effort: int) -> Synthesizer:
        return Failing(self.error, self.beside)

    def __hash__(self) -> int:
        return id(self)


@dataclass(frozen=True)
class Judging(Count):
    """Fails on code or prices of the bad window."""

    prices: bool

    def judge(self, before: str, after: str, function: str) -> Judgement:
        if not self.prices and function == "bad":
            raise ZeroDivisionError
        return super().judge(before, after, function)

    def work(self, module: str, functions: Sequence[str]) -> list[Work]:
        if self.prices and re.search(rf"^  .*<{BAD} x i8>", module, re.MULTILINE):
            raise ZeroDivisionError
        return super().work(module, functions)


def _judging(*, prices: bool) -> Tools:
    def make(target: Target, cpu: str, features: str, triple: str) -> Judging:
        return Judging(prices)

    return replace(TOOLS, make_judge=make)


def run(tools: Tools, *, jobs: int = 1, strict: bool = False) -> Rewritten:
    return rewrite_module(TEXT, Options(strict=strict, jobs=jobs), tools, "in.ll")


def outputs(result: Rewritten) -> tuple[str, str, str]:
    return result.text, stats(result.report), remarks(result.report)


def check_cost(result: Rewritten, reason: str) -> None:
    """Check that the bad window failed for a reason, and that everything else is as without it."""
    outcomes = {w.place.function: w.outcome for w in result.report.windows}
    assert outcomes == {
        "first": Outcome.REWRITTEN,
        "bad": Outcome.FAILED,
        "other": Outcome.REWRITTEN,
        "last": Outcome.REWRITTEN,
    }
    (failed,) = result.report.failed
    assert failed.reason == reason
    (where, failure), *_ = result.report.failures
    assert where in ("@bad %bad.r", "@bad", "the rewritten module")
    assert "Traceback" in failure.trace
    assert result.text.count("pavg.b(") == 1 + 2 + 4 + 1  # and the declaration
    counts = json.loads(stats(result.report))
    assert (counts["windows_failed"], counts["windows_rewritten"], counts["functions_failed"]) == (
        1,
        3,
        0,
    )
    assert "Name:            WindowFailed" in remarks(result.report)
    assert (
        "1 window left alone after"
        in table(result.report, "the reproducer is there").splitlines()[-1]
    )


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("no  such\n place"), "failed: ValueError: no such place"),
        (KeyError(), "failed: KeyError"),
        (TypeError("<object at 0x7f12ab>"), "failed: TypeError: <object at 0x…>"),
        (RecursionError("deep by 998"), "failed: RecursionError"),
    ],
)
def test_a_failure_is_the_same_line_in_every_process(error: Exception, said: str) -> None:
    assert failure_of(error).reason == said


def test_without_a_bug_all_is_rewritten() -> None:
    result = run(TOOLS)
    assert {w.outcome for w in result.report.windows} == {Outcome.REWRITTEN}
    assert not result.report.failures


@pytest.mark.parametrize("error", ERRORS, ids=lambda e: type(e).__name__)
def test_a_failing_search_costs_its_window_for_any_number_of_workers(error: Exception) -> None:
    found = [run(replace(TOOLS, make=Making(error)), jobs=jobs) for jobs in (1, 2, 3)]
    for result in found:
        check_cost(
            result,
            "failed: ZeroDivisionError: division by zero"
            if isinstance(error, ZeroDivisionError)
            else f"failed: {type(error).__name__}",
        )
        assert outputs(result) == outputs(found[0])


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
def test_what_ends_the_process_is_no_failure(error: BaseException) -> None:
    def ending(machine: Machine, pool: Pool | None, effort: int) -> Synthesizer:
        raise error

    with pytest.raises(type(error)):
        run(replace(TOOLS, make=ending))


@pytest.mark.parametrize("prices", [False, True])
def test_a_failing_judgement_costs_its_window(prices: bool) -> None:
    check_cost(run(_judging(prices=prices)), "failed: ZeroDivisionError")


def test_a_failing_plan_costs_its_window(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(scene: Scene, candidate: Candidate, limits: Limits) -> Place | None:
        if candidate.root.name == "bad.r":
            raise IndexError("out of range")
        return place_at(scene, candidate, limits)

    monkeypatch.setattr("frontends.llvm.pipeline.function.place_at", failing)
    result = run(TOOLS)
    check_cost(result, "failed: IndexError: out of range")
    assert result.report.failed[0].before == ("%bad.r = trunc <48 x i16> %u to <48 x i8>",)


def test_a_failing_splice_costs_its_window(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(
        module: Module, rewrites: Sequence[Rewrite], instructions: Mapping[str, Instruction]
    ) -> Mapping[str, Edits]:
        if any(r.site.function == "bad" for r in rewrites):
            raise KeyError("lost")
        return edits(module, rewrites, instructions)

    monkeypatch.setattr("frontends.llvm.pipeline.session.edits", failing)
    check_cost(run(TOOLS), "failed: KeyError: 'lost'")


def test_a_failing_proof_costs_its_window(monkeypatch: pytest.MonkeyPatch) -> None:
    check = Checker.check

    def failing(self: Checker, rewrite: Rewrite, certificate: Certificate | None = None) -> Verdict:
        if rewrite.site.function == "bad":
            raise AssertionError("the written root has another type")
        return check(self, rewrite, certificate)

    monkeypatch.setattr(Checker, "check", failing)
    check_cost(run(TOOLS), "failed: AssertionError: the written root has another type")


def test_what_fails_in_no_window_costs_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    init = Scene.__init__

    def failing(
        self: Scene, module: object, function: object, *more: object, **named: object
    ) -> None:
        init(self, module, function, *more, **named)  # type: ignore[arg-type]
        if self.function.name == "bad":
            raise ValueError("Exceeds the limit")

    monkeypatch.setattr(Scene, "__init__", failing)
    result = run(TOOLS)
    skipped = {f.name: f.skipped for f in result.report.functions}
    assert skipped == {
        "first": "",
        "bad": "failed: ValueError: Exceeds the limit",
        "other": "",
        "last": "",
    }
    assert len(result.report.rewritten) == 3
    assert json.loads(stats(result.report))["functions_failed"] == 1
    assert "Name:            FunctionFailed" in remarks(result.report)
    assert "1 function left alone after 1 failure, first @bad:" in table(result.report)


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_fails_beside_what_is_found_is_said(jobs: int) -> None:
    notes = Notes()
    tools = replace(TOOLS, make=Making(ERRORS[0], beside=True), memory=notes)
    result = run(tools, jobs=jobs)
    assert len(result.report.rewritten) == 4
    assert "nothing left alone after 1 failure, first @bad %bad.r:" in table(result.report)
    assert len(notes.kept) == 3


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("jobs", [1, 2])
def test_strictly_it_ends_the_run(jobs: int, beside: bool) -> None:
    with pytest.raises(ZeroDivisionError):
        run(replace(TOOLS, make=Making(ERRORS[0], beside)), jobs=jobs, strict=True)
    with pytest.raises(ZeroDivisionError):
        run(_judging(prices=False), strict=True)


def test_nothing_is_kept_of_a_function_with_a_failure() -> None:
    for tools in (
        replace(TOOLS, make=Making(ERRORS[0])),
        _judging(prices=False),
        _judging(prices=True),
    ):
        notes = Notes()
        failed = run(replace(tools, memory=notes))
        assert len(notes.kept) == 3
        again = run(replace(TOOLS, memory=notes))
        assert len(again.report.rewritten) == 4
        assert len(failed.report.rewritten) == 3


def test_a_bug_in_what_was_kept_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = Notes()
    expected = run(replace(TOOLS, memory=notes))
    calls: list[int] = []

    def failing(module: Module, found: Mapping[str, Edits]) -> str:
        calls.append(len(found))
        if len(calls) == 1:
            raise IndexError
        return edit(module, found)

    monkeypatch.setattr("frontends.llvm.pipeline.writer.edit", failing)
    result = run(replace(TOOLS, memory=notes))
    assert (result.text, calls) == (expected.text, [4, 4])
    assert not result.report.failures
