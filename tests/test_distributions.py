"""Versions of installed distributions."""

from __future__ import annotations

import sys
from importlib.metadata import distributions, version
from pathlib import Path

import pytest

from isel.distributions import MISSING, package_version


@pytest.mark.parametrize(
    "name", ["llvmlite", "z3-solver", "Z3_Solver", "bitwuzla", "numpy", "isel"]
)
def test_is_what_the_standard_library_says(name: str) -> None:
    assert package_version(name) == version(name)


def test_agrees_for_all_that_is_installed() -> None:
    names = {d.name for d in distributions()}
    assert {n: package_version(n) for n in names} == {n: version(n) for n in names}


def test_what_is_not_installed_is_missing() -> None:
    assert package_version("no-such-distribution") == MISSING


def test_the_first_folder_of_the_path_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "llvmlite-1.2.3.dist-info").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert package_version("llvmlite") == "1.2.3"


def test_metadata_of_another_form_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "old_form.egg-info"
    folder.mkdir()
    (folder / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: old-form\nVersion: 4.5\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), "/nonexistent"])
    assert package_version("old-form") == "4.5"
