"""What goes wrong around builds costs time only: the object is the right one or none."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.launcher.homes import home_in
from tests.cli.launcher.running import PROJECT, Launcher, Ran, files_in

GOOD = "int f(int x) { return x + X; }\n"
WORDS = ("clang-19", "-O2", "-c", "a.c", "-o", "a.o")


@pytest.fixture
def home(launcher: Launcher, tmp_path: Path) -> Launcher:
    """Return a user of their own, in whose folder a source is."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.c").write_text(GOOD)
    time.sleep(0.05)
    return home_in(tmp_path / "home", launcher)


def plain(home: Launcher, folder: Path, *more: str) -> bytes:
    """Return the object of the compiler alone."""
    assert home.plain(*WORDS, *more, cwd=folder).code == 0
    data = (folder / "a.o").read_bytes()
    (folder / "a.o").unlink()
    return data


@pytest.mark.tools
def test_builds_at_once_in_one_folder(home: Launcher, tmp_path: Path) -> None:
    """Of one object with the same flags, and with others."""
    folder = tmp_path / "work"
    right = [plain(home, folder, f"-DX={k}") for k in (1, 2)]
    for _ in range(3):
        running = [
            subprocess.Popen(
                [home.path, *WORDS, f"-DX={k}"],
                cwd=folder,
                env=home.environment,
                stderr=subprocess.PIPE,
                text=True,
            )
            for k in (1, 2, 1, 2)
        ]
        for process in running:
            _, said = process.communicate(timeout=300)
            assert (process.returncode, said) == (0, "")
        assert (folder / "a.o").read_bytes() in right
    for k, expected in enumerate(right, 1):
        assert home(*WORDS, f"-DX={k}", cwd=folder) == Ran(0, "", "")
        assert (folder / "a.o").read_bytes() == expected
    assert files_in(folder) == ["a.c", "a.o"]


@pytest.mark.tools
def test_a_home_that_cannot_be_written(home: Launcher, tmp_path: Path) -> None:
    """No cache, no key, no journal, no counters: vector code is rewritten all the same."""
    nowhere = dict.fromkeys(
        ("XDG_STATE_HOME", "XDG_CACHE_HOME", "ISEL_CACHE", "HOME"), "/dev/null/x"
    )
    flags = ("-O2", "-ftree-vectorize", "-march=haswell", f"-I{PROJECT}")
    words = ("clang-19", *flags, "-c", PROJECT / "hot.c", "-o", "a.o")
    found = []
    for more in ({}, nowhere, nowhere):
        assert home(*words, cwd=tmp_path / "work", **more) == Ran(0, "", "")
        found.append((tmp_path / "work" / "a.o").read_bytes())
    assert found[0] == found[1] == found[2]
    assert home.log.read_text().count("rewritten files") == 3


@pytest.mark.tools
def test_what_both_steps_would_say_is_said_once(home: Launcher, tmp_path: Path) -> None:
    """As clang 19 says of what ``-march=native`` is on a CPU with AVX10."""
    words = (*WORDS, "-DX=1", "-mavx512f", "-mavx10.1-256")
    right = home.plain(*words, cwd=tmp_path / "work")
    assert "invalid feature combination" in right.err
    assert home(*words, cwd=tmp_path / "work") == right
