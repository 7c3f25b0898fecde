"""The README's commands, run as they are written, in a copy of the project with an environment
of its own.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LEFT_OUT = {"make bench-quick": "installs Halide and clang", "make test": "runs this test"}


@dataclass(frozen=True)
class Shown:
    """A command of the README and the lines of output below it, where ``…`` stands for anything."""

    command: str
    output: tuple[str, ...]


def shown() -> list[Shown]:
    """Return the indented commands, without what is said of them behind ``#``."""
    found: list[Shown] = []
    for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("    $ "):
            found.append(Shown(line[6:].partition("  #")[0].partition(" # ")[0].strip(), ()))
        elif line.startswith("    ") and found and found[-1].output[-1:] != ("",):
            found[-1] = Shown(found[-1].command, (*found[-1].output, line.strip()))
        elif found:
            found[-1] = Shown(found[-1].command, (*found[-1].output, ""))
    return [Shown(s.command, tuple(line for line in s.output if line)) for s in found]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the project as it is tracked, with the environment that `make` would set up
    from the locks.
    """
    folder = tmp_path_factory.mktemp("readme") / "isel"
    unwanted = shutil.ignore_patterns(
        ".git", ".venv*", "*_cache", ".hypothesis", "__pycache__", "out", "build", "dist"
    )
    shutil.copytree(ROOT, folder, ignore=unwanted, symlinks=True)
    venv.create(folder / ".venv", with_pip=False)
    (site,) = folder.glob(".venv/lib/python3.*/site-packages")
    (site / "borrowed.pth").write_text(
        "".join(f"{p}\n" for p in sys.path if p.endswith("site-packages"))
    )
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--python",
        str(folder / ".venv" / "bin" / "python"),
    ]
    subprocess.run(
        [*pip, "install", "--no-deps", "--no-build-isolation", "--no-index", "--editable", "."],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    (folder / ".venv" / "base.stamp").touch()
    yield folder
    shutil.rmtree(folder)


def test_the_commands_are_found() -> None:
    commands = [s.command for s in shown()]
    assert any(c.startswith(".venv/bin/isel opt ") for c in commands) and set(LEFT_OUT) <= set(
        commands
    )
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert all(c.split()[1] in targets for c in commands if c.startswith("make "))


def test_every_command_does_what_is_shown(copy: Path, tmp_path: Path) -> None:
    """In the order of the README; output and errors together hold the lines that are shown, in
    their order.
    """
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("ISEL_", "XDG_", "PYTHON", "MAKE"))
    }
    for s in shown():
        if s.command in LEFT_OUT:
            continue
        done = subprocess.run(
            s.command,
            shell=True,
            cwd=copy,
            env={**kept, "HOME": str(tmp_path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{s.command}\n{done.stdout}"
        lines = iter(line.strip() for line in done.stdout.splitlines())
        for wanted in s.output:
            pattern = re.compile(".*".join(map(re.escape, wanted.split("…"))))
            assert any(pattern.fullmatch(line) for line in lines), (
                f"'{s.command}' does not print '{wanted}':\n{done.stdout}"
            )
