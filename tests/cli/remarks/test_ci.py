"""What users copy from ``docs/ci``: its commands are ours, and the hook uploads SARIF."""

from __future__ import annotations

import base64
import gzip
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from isel.cli.parser import parse_arguments
from tests.cli.conftest import ROOT, environment
from tests.schemas import check

CI = ROOT / "docs" / "ci"
SOURCE = "void f(unsigned char *d) { for (int i = 0; i < 64; i++) d[i] = (d[i] + 1) >> 1; }\n"


def test_the_workflow() -> None:
    steps = yaml.safe_load((CI / "github.yml").read_text())["jobs"]["isel"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    (command,) = (c.split() for c in commands if c.startswith("isel "))
    assert parse_arguments(command[1:]) is not None
    assert steps[-1]["with"]["sarif_file"] in command


@pytest.mark.tools
def test_the_hook(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    entry = "-c 'from isel.cli.launcher import entry; entry()'"
    for name, code in (("isel", "-m isel"), ("isel-cc", entry)):
        (programs / name).write_text(f"#!/bin/sh\nexec '{sys.executable}' {code} \"$@\"\n")
    (programs / "gh").write_text('#!/bin/sh\nfor last in "$@"; do :; done\necho "$last" > sent\n')
    (programs / "clang").symlink_to(shutil.which("clang-19") or "/")
    for program in programs.iterdir():
        program.chmod(0o755)
    more = {
        "HOME": str(tmp_path),
        "PATH": f"{programs}:{os.environ['PATH']}",
        "ISEL_FLAGS": "--effort=0",
    }
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "hot.c").write_text(SOURCE)
    git = ("git", "-c", "user.name=n", "-c", "user.email=e")
    for words in (
        [*git, "init", "-q"],
        [*git, "commit", "-q", "--allow-empty", "-m", "first"],
        [*git, "add", "hot.c"],
        [str(CI / "pre-commit")],
    ):
        subprocess.run(words, cwd=folder, env=environment() | more, check=True)
    name, _, data = (folder / "sent").read_text().partition("=")
    log = gzip.decompress(base64.b64decode(data)).decode()
    assert name == "sarif" and "hot.c" in log
    check(log, "sarif")
