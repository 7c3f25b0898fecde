"""The package is optional: nothing loads it unasked, and its absence is one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from isel.cli import main


def test_without_the_package(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "halide", None)
    monkeypatch.chdir(tmp_path)
    assert main(["halide", "blur.py:blur", "--target", "x86", "-o", "out"]) == 1
    assert (
        capfd.readouterr().err
        == "isel: error: the package 'halide' is missing, install it with: pip install 'isel[halide]'\n"
    )


def test_nothing_imports_the_package_before_it_is_needed() -> None:
    script = "import sys, frontends.halide, isel.cli.halide; sys.exit('halide' in sys.modules)"
    assert (
        subprocess.run(
            [sys.executable, "-c", script], cwd=Path(__file__).parents[3], check=False
        ).returncode
        == 0
    )
