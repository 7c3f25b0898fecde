"""Compilers that continuous integration has not: ``make doors``, for cargo with a rustc of LLVM 16 to
22, and flang-new-19.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import ROOT
from tests.cli.doors.test_compile import _quick
from tests.cli.modules import Run

__all__ = ["_quick"]  # a fixture

HERE = Path(__file__).parent


def test_a_build_of_cargo(tmp_path: Path) -> None:
    """Library and program are rewritten, and say what they said; nothing of ours is left."""
    wrapper = tmp_path / "isel-rustc"
    program = (
        f"import sys; sys.argv[0] = {str(wrapper)!r}; from isel.cli.rustc import entry; entry()"
    )
    wrapper.write_text(f'#!/bin/sh\nexec \'{sys.executable}\' -c "{program}" "$@"\n')
    wrapper.chmod(0o755)
    shutil.copytree(ROOT / "examples" / "rust", tmp_path / "project")
    said: list[bytes] = []
    files: list[set[str]] = []
    for more in (
        {},
        {"RUSTC_WRAPPER": str(wrapper)},
        {"RUSTC_WRAPPER": str(wrapper), "ISEL_DISABLE": "1"},
    ):
        out = tmp_path / f"target{len(said)}"
        own = {
            "CARGO_TARGET_DIR": str(out),
            "RUSTFLAGS": "-C target-cpu=haswell",
            "PYTHONPATH": str(ROOT),
        }
        own |= {
            "ISEL_LOG": str(tmp_path / f"log{len(said)}"),
            "XDG_STATE_HOME": str(tmp_path / "state"),
        }
        done = subprocess.run(
            ["cargo", "build", "--release", "--offline"],
            cwd=tmp_path / "project", env={**os.environ, **own, **more}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        program = str(out / "release" / "halve")
        said.append(subprocess.run([program], capture_output=True, check=True).stdout)
        files.append({p.name for p in (out / "release" / "deps").iterdir()})
    assert said == [b"7936 7936 7936\n"] * 3
    assert files[0] == files[1] == files[2]
    log = (tmp_path / "log1").read_text()
    assert log.count("1 rewritten files") == 2 and not (tmp_path / "log2").exists(), log


def test_flang_as_it_is(isel: Run, tmp_path: Path) -> None:
    """The object is of rewritten IR."""
    shutil.copy(HERE / "halve.f90", tmp_path)
    ran = isel("compile", "--", "flang-new-19", "-O3", "-march=haswell", "-c", "halve.f90")
    assert ran.code == 0 and "1 rewritten files" in (tmp_path / "log").read_text(), ran
