"""The same result with every version of the solvers that ``pyproject.toml`` admits: there is one of
each, because limits count a solver's own steps.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from pathlib import Path

import pytest

from isel.cli import doctor, versions
from isel.smt import versions as solvers
from isel.smt.query import GaveUp

ROOT = Path(__file__).parents[2]


def pinned(rows: list[str]) -> dict[str, str]:
    """The versions of the solvers' packages in requirements, all of which must be exact."""
    found = {}
    for row in rows:
        name, version = re.fullmatch(r"([\w-]+)(?:\[\w+\])?(.*)", row.strip()).groups()  # type: ignore[union-attr]
        if name in solvers.PACKAGES.values():
            assert version.startswith("=="), row
            found[name] = version.removeprefix("==")
    return found


def test_the_versions_that_count_are_the_only_ones_that_pyproject_admits() -> None:
    counted = {solvers.PACKAGES[name]: version for name, version in solvers.COUNTED.items()}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert pinned(project["dependencies"]) == counted
    for lock in ("base", "test", "all"):
        rows = (ROOT / "requirements" / f"{lock}.lock").read_text().splitlines()
        assert pinned([r.removesuffix(" \\") for r in rows if re.match(r"\w", r)]) == counted


def test_no_extra_asks_for_a_solver() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    assert not any(pinned([row]) for rows in extras.values() for row in rows)


def test_the_versions_that_count_are_installed() -> None:
    assert solvers.solver_versions() == solvers.COUNTED


@pytest.mark.parametrize("name", solvers.PACKAGES)
def test_another_version_is_told_by_doctor_and_version(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``versions.txt`` of a reproducer is what ``isel --version`` prints."""
    monkeypatch.setattr(solvers, "COUNTED", {**solvers.COUNTED, name: "0.1"})
    installed = solvers.solver_versions()[name]
    why = f"limits count steps of 0.1, so results may differ: pip install {solvers.PACKAGES[name]}==0.1"
    (found,) = (f for f in doctor.findings() if f.name == name)
    assert found.present  # it answers: what it costs is said beside
    assert found.detail == f"{installed} answers; {why}"
    assert f"{name} {installed} ({why})" in versions.version_text().splitlines()


def test_a_newer_solver_is_not_called_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    newer = {"bitwuzla": "0.10.0", "z3": "5.5.0.0"}
    monkeypatch.setattr(solvers, "solver_versions", lambda: newer)
    assert doctor.run(argparse.Namespace(json=False)) == 0
    lines = capsys.readouterr().out.splitlines()
    for name, version in newer.items():
        (line,) = (x for x in lines if x[8:].startswith(f"{name}: "))
        assert line.startswith(f"ok      {name}: {version} answers; limits count steps of ")


def test_a_solver_that_does_not_answer_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "isel.smt.z3_solver.Z3Solver.check", lambda *_: GaveUp("it does not answer")
    )
    found = {f.name: f.present for f in doctor.findings()}
    assert found["bitwuzla"] and not found["z3"]


def test_the_versions_that_count_are_told_without_a_word() -> None:
    assert all(not solvers.uncounted(n, v) for n, v in solvers.COUNTED.items())
    assert not any("limits" in line for line in versions.version_text().splitlines())


def test_versions_are_asked_without_loading_a_solver() -> None:
    import subprocess

    code = (
        "import sys; from isel.smt.versions import solver_versions; solver_versions();"
        " print([m for m in ('z3', 'bitwuzla') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert ran.stdout == "[]\n"
