"""Samples of the batteries; ``make robust`` runs all of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.robust import mutants, signals
from tests.robust.run import Child


def test_mutants(tmp_path: Path) -> None:
    totals = mutants.run(100, random.randrange(1 << 32), tmp_path, keep=tmp_path / "kept")
    assert not totals.problems, "\n".join(totals.lines())
    assert sum(totals.codes.values()) >= 100
    assert totals.codes["opt", 0]


def test_signals(tmp_path: Path) -> None:
    seed = random.randrange(1 << 32)
    totals = signals.run(8, seed, tmp_path)
    assert not totals.problems, (seed, *totals.lines())
    assert sum(totals.codes.values()) == 8


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("raise SystemExit(70)", "exit code 70"),
        ("import sys; sys.stderr.write('Traceback (most recent call last):\\n')", "a trace"),
        ("open('leftover', 'w')", "left leftover"),
        ("import os; open(os.environ['TMPDIR'] + '/x', 'w')", "left temporary/x"),
        ("import os, time; os.fork() or time.sleep(50)", "left processes"),
        ("import time; time.sleep(50)", "did not end"),
        ("import os; os.kill(os.getpid(), 9)", "exit code -9"),
        ("", ""),
    ],
)
def test_the_battery_notices(tmp_path: Path, script: str, problem: str) -> None:
    (tmp_path / "case").mkdir()

    def command() -> int:
        try:
            exec(script)
        except SystemExit as end:
            return int(str(end))
        return 0

    child = Child(tmp_path / "case", command, seconds=3.0)
    while (ended := child.ended()) is None:
        pass
    found = ended.problem((0, 1))
    assert found.startswith(problem)
    assert bool(found) == bool(problem)
