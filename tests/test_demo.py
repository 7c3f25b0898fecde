"""The demonstration: everything rewritten, nothing wider than a narrow terminal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from examples.demo import TITLES, WIDTH, shortened

ROOT = Path(__file__).parents[1]


def test_the_demonstration_fits() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "examples.demo"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= WIDTH == 60
    rows = [
        line.split()
        for line in lines[lines.index(next(x for x in lines if x.startswith("== summary"))) :]
    ]
    assert {r[0] for r in rows if r[0] in TITLES and int(r[1]) > 0} == set(TITLES)


def test_lines_are_cut_in_the_middle() -> None:
    assert shortened("x" * WIDTH) == "x" * WIDTH
    cut = shortened("a" * WIDTH + "b" * WIDTH)
    assert len(cut) == WIDTH and cut.startswith("aaa") and cut.endswith("bbb") and "…" in cut
