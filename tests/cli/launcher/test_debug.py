"""Where clang makes the same code with debug information and without, so does the launcher."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.launcher.running import ROOT, Launcher

KERNELS = ROOT / "bench" / "c"


def code(launcher: Launcher, path: str, folder: Path) -> bytes:
    """Return the instructions of an object."""
    words = ("objcopy", "-O", "binary", "-j", ".text", path, "text")
    assert launcher.plain(*words, cwd=folder).code == 0
    return (folder / "text").read_bytes()


@pytest.mark.tools
@pytest.mark.parametrize("kernel", ["rgb_to_gray", "alpha_blend"])
def test_debug_information_changes_no_code(kernel: str, launcher: Launcher, tmp_path: Path) -> None:
    words = ("clang-16", "-O3", "-march=x86-64-v4", "-c", KERNELS / f"{kernel}.c", "-o", "a.o")
    found = []
    for start in ((), (launcher.path,)):
        for debug in ("-g", "-g0"):
            assert launcher.plain(*start, *words, debug, cwd=tmp_path).code == 0
            found.append(code(launcher, "a.o", tmp_path))
    plain, plain_again, ours, ours_again = found
    assert plain == plain_again
    assert ours == ours_again
    assert ours != plain
