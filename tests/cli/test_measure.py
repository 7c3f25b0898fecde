"""``isel measure``: what is said of functions, as text and as JSON; the clock is not asked here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import isel.cli.measure as command
from bench.measure.inputs import NotRun
from bench.measure.verdict import Noisy, Timed, Verdict
from frontends.llvm.linked.worker import LlvmWorker
from tests.bench.measure.texts import QUICK, SLOW
from tests.cli.modules import CPU, PLAIN, WINDOW, Run, written
from tests.schemas import check

SAID: tuple[tuple[str, Verdict], ...] = (
    ("f", Timed(0.9, 0.91, 1.0)),
    ("g", Timed(1.25, 1.3, 1.0)),
    ("h", Noisy(0.9, 1.1)),
    ("k", NotRun("it calls g")),
)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every pair of modules have the same functions."""

    def measured(before: str, after: str, worker: LlvmWorker) -> Iterator[tuple[str, Verdict]]:
        yield from SAID

    monkeypatch.setattr(command, "measured", measured)


@pytest.mark.usefixtures("told")
def test_a_line_a_function_and_the_counts(isel: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "a.ll", PLAIN)
    ran = isel("measure", path, path)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "@f: 0.90 and 0.91 times as fast\n@g: 1.25 and 1.30 times as fast\n"
        "@h: noisy, 0.90 and 1.10 times as fast: nothing follows\n"
        "@k: not measured: it calls g\n"
        "4 functions changed, 1 below 0.98 in both runs, 1 noisy, 1 not measured\n"
    )


@pytest.mark.usefixtures("told")
def test_json(isel: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "a.ll", PLAIN)
    rows = [
        check(line, "measure") for line in isel("measure", path, path, "--json").out.splitlines()
    ]
    assert rows[0] == {"function": "f", "verdict": "measured", "ratios": [0.9, 0.91], "reason": ""}
    assert rows[2:] == [
        {"function": "h", "verdict": "noisy", "ratios": [0.9, 1.1], "reason": ""},
        {"function": "k", "verdict": "not measured", "ratios": [], "reason": "it calls g"},
    ]


def test_two_modules_are_run(isel: Run, tmp_path: Path) -> None:
    paths = [written(tmp_path / f"{k}.ll", text) for k, text in enumerate((SLOW, QUICK))]
    ran = isel("measure", *paths)
    assert ran.code == 0 and ran.out.startswith("@f: ") and "1 functions changed" in ran.out
    assert isel("measure", paths[0], paths[0]).out.startswith("0 functions changed")


def test_one_module_is_rewritten_first(isel: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[str, str]] = []

    def measured(before: str, after: str, worker: LlvmWorker) -> Iterator[tuple[str, Verdict]]:
        given.append((before, after))
        yield from ()

    monkeypatch.setattr(command, "measured", measured)
    assert isel("measure", WINDOW, CPU, "-j1").out.startswith("0 functions changed")
    ((before, after),) = given
    assert "pmul.hr.sw" in after and "pmul.hr.sw" not in before


def test_files_that_are_not_there(isel: Run, tmp_path: Path) -> None:
    ran = isel("measure", tmp_path / "a.ll")
    assert ran.code == 1 and ran.err.count("\n") == 1
    assert isel("measure").code == 1
