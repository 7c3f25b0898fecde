"""The runner: it needs nothing but an old Python, and says what ``isel measure`` would."""

from __future__ import annotations

import ast
import ctypes
import hashlib
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import TypeVar, cast

import pytest

from bench.archive import runner
from bench.archive.runner import Manifest, Once, Wrong, compare, fitting, judge, places_of, row
from bench.measure import verdict
from bench.measure.timing import Once as Measured
from tests.bench.measure.test_verdict import Clock

T = TypeVar("T")
SOURCE = Path(runner.__file__).read_text()
MANIFEST: Manifest = {
    "format": 1,
    "isel": "0.1.0 abc",
    "kernels": [
        {
            "name": "c_add",
            "inputs": ["a"],
            "output": 4,
            "count": 4,
            "sha256": hashlib.sha256(b"done").hexdigest(),
        }
    ],
    "places": [0, 32],
    "libraries": [
        {"level": "v3", "system": "Linux", "machine": "x86_64", "needs": ["avx2"], "file": "3"},
        {"level": "v4", "system": "Linux", "machine": "x86_64", "needs": ["avx512f"], "file": "4"},
        {"level": "neon", "system": "Darwin", "machine": "arm64", "needs": [], "file": "n"},
    ],
}


def test_an_old_python_without_packages_reads_it() -> None:
    tree = ast.parse(SOURCE, feature_version=(3, 9))
    imported = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    imported |= {
        str(n.module).partition(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)
    }
    assert imported <= sys.stdlib_module_names


def test_it_says_what_is_said_here() -> None:
    """The same limits, and the same verdict for the same two runs."""
    assert (runner.FLOOR, runner.ROUNDS) == (verdict.FLOOR, verdict.ROUNDS)
    for a, b, control in product((0.5, 0.9, 0.97, 0.979, 0.98, 1.0, 1.5), repeat=3):
        ours = verdict.judge(_turns(Measured(a, 1.0), Measured(b, control)))
        first, second, agree = judge(_turns(Once(1, 1, a, 1.0), Once(1, 1, b, control)))
        assert agree == isinstance(ours, verdict.Timed)
        said = row("v3", "c_add", first, second, agree)[-1]
        loses = isinstance(ours, verdict.Timed) and ours.loses
        assert said == ("slower" if loses else "ok" if agree else "noisy")


def _turns(first: T, second: T) -> Callable[[int], T]:
    """Return a run that says one and the other in turn."""
    said = [first, second]

    def run(rounds: int) -> T:
        said.reverse()
        return said[1]

    return run


def test_least_times_and_the_middle_of_the_places() -> None:
    clock = Clock()
    places = [
        {
            "before": clock.takes(100, 300),
            "after": clock.takes(after, 900),
            "control": clock.takes(100),
        }
        for after in (50, 125, 125, 200)
    ]
    assert compare(places, 9, 1000, clock) == Once(100, 50, 0.8, 1.0)


@pytest.mark.parametrize(
    ("system", "machine", "has", "levels"),
    [
        ("Linux", "x86_64", {"avx2", "avx512f"}, ["v3", "v4"]),
        ("Linux", "x86_64", {"avx2"}, ["v3"]),
        ("Linux", "x86_64", set(), []),
        ("Darwin", "arm64", set(), ["neon"]),
        ("Windows", "AMD64", {"avx2"}, []),
    ],
)
def test_what_runs_on_a_machine(
    system: str, machine: str, has: set[str], levels: list[str]
) -> None:
    assert [x["level"] for x in fitting(MANIFEST, system, machine, has)] == levels


class Library:
    """A library whose loops write what they are told to, and what was called."""

    def __init__(self, **wrong: bytes) -> None:
        self.wrong = wrong
        self.called: list[tuple[str, int]] = []

    def __getitem__(self, name: str) -> Callable[..., None]:
        def loop(n: int, a: int, out: int, count: int) -> None:
            assert count == 4
            self.called.append((name, n))
            ctypes.memmove(out, self.wrong.get(name, b"done"), 4)

        return loop


def test_each_version_is_run_once_and_held_against_what_is_known() -> None:
    library = Library()
    places = places_of(cast(ctypes.CDLL, library), MANIFEST, MANIFEST["kernels"][0], str.encode)
    names = [f"drive_c_add_{v}_{p}" for p in (0, 32) for v in runner.VERSIONS]
    assert library.called == [(name, 1) for name in names]
    places[1]["after"](7)
    assert library.called[-1] == ("drive_c_add_after_32", 7)
    bad = cast(ctypes.CDLL, Library(drive_c_add_after_32=b"gone"))
    with pytest.raises(Wrong, match="after of c_add computes something else"):
        places_of(bad, MANIFEST, MANIFEST["kernels"][0], str.encode)
