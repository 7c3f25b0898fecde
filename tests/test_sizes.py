"""Sizes of tests: the table, and which tests a size runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sizes import Size, by_function, divided, known, merge, read_table, size_of, write_table

S, M, L = Size.SMALL, Size.MEDIUM, Size.LARGE


@pytest.mark.parametrize(("seconds", "size"), [(0.1, S), (0.11, M), (3.0, M), (3.1, L)])
def test_sizes_by_seconds(seconds: float, size: Size) -> None:
    assert size_of(seconds) is size


def test_a_function_is_a_row_where_all_its_parameters_have_one_size() -> None:
    sizes = {"a.py::f[1]": M, "a.py::f[2]": M, "a.py::g[1]": L, "a.py::g[2]": S, "a.py::h": S}
    text = write_table(by_function(sizes))
    assert [x for x in text.splitlines() if x[0] != "#"] == ["medium\ta.py::f", "large\ta.py::g[1]"]
    table = read_table(text)
    assert {node: known(table, node) for node in sizes} == sizes
    assert known(table, "a.py::f[new]") is M and known(table, "a.py::g[new]") is S


def test_only_what_was_measured_changes() -> None:
    table = {"a.py::f": M, "a.py::g": L, "b.py::f[1]": L}
    collected = ["a.py::f[1]", "a.py::f[2]", "a.py::g"]
    found = read_table(merge(table, {"a.py::f[1]": 0.01, "a.py::g": 1.0}, collected))
    assert found == {"a.py::f[2]": M, "a.py::g": M, "b.py::f[1]": L}


SUITE = """
import pytest

def test_small(): pass
def test_medium(): pass
def test_large(): pass
@pytest.mark.findings
def test_found(): pass
@pytest.mark.tools
def test_outside(): pass
"""
CONFTEST = """
from pathlib import Path

import tests.sizes
from tests.sizes import pytest_addoption, pytest_configure

tests.sizes.TABLE = Path(__file__).with_name("sizes.tsv")
"""


def run(pytester: pytest.Pytester, *words: str, suite: str = SUITE) -> pytest.RunResult:
    pytester.makepyfile(test_it=suite)
    pytester.makeconftest(CONFTEST)
    table = pytester.path / "sizes.tsv"
    if not table.exists():
        table.write_text("medium\ttest_it.py::test_medium\nlarge\ttest_it.py::test_large\n")
    root = Path(__file__).parents[1]
    pytester.makeini(
        f"[pytest]\npythonpath = {root}\ntestpaths = .\nmarkers =\n  findings\n  tools"
    )
    return pytester.runpytest_subprocess("-v", *words)


@pytest.mark.parametrize(
    ("size", "names"),
    [
        ("small", {"small", "found"}),
        ("medium", {"small", "medium", "found"}),
        ("large", {"large", "outside"}),
    ],
)
def test_a_size_runs_what_is_of_it(pytester: pytest.Pytester, size: str, names: set[str]) -> None:
    done = run(pytester, "--size", size)
    assert done.ret == 0
    ran = {line.split("::test_")[1].split()[0] for line in done.outlines if "PASSED" in line}
    assert ran == names


def test_a_row_of_a_test_that_is_not_there_is_an_error(pytester: pytest.Pytester) -> None:
    (pytester.path / "sizes.tsv").write_text("medium\ttest_it.py::test_gone\n")
    done = run(pytester, "--size", "small")
    assert done.ret != 0
    assert "no test, remove it from sizes.tsv: test_it.py::test_gone" in done.stdout.str()


STOP = "import os, signal\ndef test_medium(): os.kill(os.getppid(), signal.SIGINT)"


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ("import nowhere", ()),
        ("import nowhere", ("-n1",)),
        (STOP, ("-n1",)),
        ("def test_medium(): pass", ("--lf",)),
        ("def test_medium(): pass", ("--ignore", "test_other.py")),
    ],
)
def test_a_row_is_wrong_only_where_its_file_was_collected(
    pytester: pytest.Pytester, other: str, words: tuple[str, ...]
) -> None:
    """Not where a file needs what is not there, a run is interrupted, or a file is left out."""
    failed = {"test_it.py::test_small": True, "test_other.py::test_x": True}
    lasts = pytester.mkdir(".pytest_cache").joinpath("v", "cache", "lastfailed")
    lasts.parent.mkdir(parents=True)
    lasts.write_text(json.dumps(failed))
    pytester.makepyfile(test_other=other)
    rows = ("test_it.py::test_medium", "test_it.py::test_large", "test_other.py::test_medium")
    (pytester.path / "sizes.tsv").write_text("".join(f"medium\t{row}\n" for row in rows))
    assert "remove it from" not in run(pytester, *words).stdout.str()


def test_a_row_of_a_file_that_is_not_there_is_an_error(pytester: pytest.Pytester) -> None:
    (pytester.path / "sizes.tsv").write_text("medium\ttest_gone.py::test_medium\n")
    done = run(pytester, "-n1")
    assert done.ret != 0
    assert "no test, remove it from sizes.tsv: test_gone.py::test_medium" in done.stdout.str()


def test_what_ran_is_written(pytester: pytest.Pytester) -> None:
    done = run(pytester, "--record-sizes")
    assert done.ret == 0
    assert read_table((pytester.path / "sizes.tsv").read_text()) == {}


def test_a_shared_fixture_counts_in_equal_parts() -> None:
    found = divided({"a": 1.0, "b": 2.0, "c": 3.0}, {"x": 8.0}, {"x": ["a", "b"]})
    assert found == {"a": 5.0, "b": 6.0, "c": 3.0}


def test_what_a_fixture_takes_is_not_its_first_user_s(pytester: pytest.Pytester) -> None:
    suite = "import pytest\n@pytest.fixture(scope='module')\ndef shared(): sum(range(60_000_000))\n"
    suite += "".join(f"def test_{n}(shared): pass\n" for n in range(2)) + "def test_2(): pass\n"
    (pytester.path / "sizes.tsv").write_text("")
    done = run(pytester, "--record-sizes", suite=suite)
    assert done.ret == 0
    found = read_table((pytester.path / "sizes.tsv").read_text())
    assert found == {"test_it.py::test_0": M, "test_it.py::test_1": M}
