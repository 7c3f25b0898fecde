"""Sums of products: what is not exact is seen, the last line and the exit code tell of it."""

from __future__ import annotations

import pytest

from bench.matrix.__main__ import CPUS, NATIVE, Row, main, summary
from frontends.halide import resolve

TOY = ("--registry", "tests.bench.harness.toy", "--rounds", "1", "-j1")


@pytest.mark.parametrize("on", [NATIVE, pytest.param("neoverse-v1", marks=pytest.mark.tools)])
def test_a_planted_wrong_result_is_seen(on: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--on", on, *TOY, "--kernels", "differs"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert "NOT EXACT" in said[2] and "differs from numpy" in said[2]
    assert said[-1].endswith("over 0 kernels, below 0.98: none, not exact: differs")


@pytest.mark.parametrize("on", [NATIVE, pytest.param("neoverse-v1", marks=pytest.mark.tools)])
def test_what_is_exact_is_timed_or_priced(on: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--on", on, *TOY, "--kernels", "right"]) == 0
    said = capsys.readouterr().out.splitlines()
    row, last = said[2], said[-1]
    assert float(row.split("|")[4]) > 0.5 and row.split("|")[5].strip() != ""
    assert last.endswith("not exact: none") and "over 1 kernels" in last


def test_the_last_line_names_what_is_slower() -> None:
    rows = [Row("a", "", None, 2.0), Row("b", "", (1.0, 2.0), 0.5), Row("c", "crashes")]
    said = "matrix on x: geomean 1.000 over 2 kernels, below 0.98: b 0.50, not exact: c"
    assert summary("x", rows) == said


@pytest.mark.parametrize("cpu", CPUS)
def test_the_cpus_are_known(cpu: str) -> None:
    assert resolve("arm", cpu=cpu, features=CPUS[cpu]).vector_bits == 128
