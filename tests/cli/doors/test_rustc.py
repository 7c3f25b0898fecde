"""``RUSTC_WRAPPER=isel-rustc``: what is understood, and a build of cargo's with and without."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from isel.cli.rustc import Crate, _crate
from tests.cli.conftest import ROOT
from tests.tools import cargo

CARGO = (
    "rustc --crate-name halve --edition=2021 src/lib.rs --error-format=json --json=artifacts "
    "--crate-type lib --emit=dep-info,metadata,link -C opt-level=3 -C embed-bitcode=no "
    "-C metadata=54 -C extra-filename=-c5 --out-dir deps -L dependency=deps -C target-cpu=native"
)


def test_what_cargo_asks_for() -> None:
    assert _crate(CARGO.split()) == Crate("deps/halve-c5", "src/lib.rs", 3, links=False)
    linked = CARGO.replace("type lib", "type bin").replace("level=3", "level=s")
    assert _crate(linked.split()) == Crate("deps/halve-c5", "src/lib.rs", 2)


@pytest.mark.parametrize(
    "change",
    [
        ("opt-level=3", "opt-level=0"),
        ("-C opt-level=3", ""),
        ("embed-bitcode=no", "lto=fat"),
        ("-C metadata=54", "-C linker=clang"),
        ("-C metadata=54", "-C incremental=i"),
        ("--out-dir deps", "-o x"),
        (",link", ""),
        (",link", ",link,asm"),
        ("-L dependency=deps", "--target x86_64-unknown-none"),
        ("-L dependency=deps", "--print cfg"),
        ("src/lib.rs", "-"),
        ("--crate-type lib", "--crate-type lib --crate-type cdylib"),
        (CARGO, "rustc -vV"),
        (CARGO, "rustc -C"),
        (CARGO, ""),
    ],
)
def test_what_is_left_to_rustc(change: tuple[str, str]) -> None:
    assert _crate(CARGO.replace(*change).split()) is None


@pytest.mark.tools
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
            [cargo() or "cargo", "build", "--release", "--offline"],
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
