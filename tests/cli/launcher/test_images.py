"""A project of 14 sources (constructors out of class, exceptions, inline assembly, templates, debug
information, link-time optimisation) behind each compiler and each way to name a machine: the same
answers, the same hot functions rewritten, and a reason for each other one.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.launcher.running import Launcher, compilers

IMAGES = Path(__file__).parent / "images"
HOT = ("round_products", "difference")
WAYS = [
    ("clang-14", "-march=native"),
    ("clang-16", "-march=native"),
    ("clang-16", "-march=haswell -mno-avx512f"),
    ("clang-19", "-march=native"),
    ("clang-19", "-march=x86-64-v4 -mno-avx512f"),
]


def built(launcher: Launcher, compiler: str, flags: str, place: Path, *, launched: bool) -> str:
    """Build the project and return what it prints."""
    folder = place / ("launched" if launched else "plain")
    shutil.copytree(IMAGES, folder)
    c, cxx = (" ".join(words) for words in compilers(compiler))
    set_up = [f"-DCMAKE_{x}_COMPILER_LAUNCHER={launcher.path}" for x in ("C", "CXX") if launched]
    every = f"-O3 -g {flags}"
    for words in (["-S", ".", "-B", "build", *set_up], ["--build", "build"]):
        done = launcher.plain(
            "cmake", *words, cwd=folder, CC=c, CXX=cxx, CFLAGS=every, CXXFLAGS=every
        )
        assert done.code == 0, done
    return launcher.plain(folder / "build" / "images", cwd=folder).out


def reasons(launcher: Launcher) -> dict[str, str]:
    """Return why functions are as they were, by name."""
    found = re.findall(r"@(\S+) is as it was: (.+)", launcher.log.read_text())
    return dict(found)


@pytest.mark.tools
@pytest.mark.parametrize(("compiler", "flags"), WAYS)
def test_a_project_of_many_files(
    compiler: str, flags: str, launcher: Launcher, tmp_path: Path
) -> None:
    launcher.log.unlink(missing_ok=True)
    plain = built(launcher, compiler, flags, tmp_path, launched=False)
    assert plain.count("\n") == 8
    assert built(launcher, compiler, flags, tmp_path, launched=True) == plain
    log, why = launcher.log.read_text(), reasons(launcher)
    assert "fallback" not in log
    assert "failed" not in log
    assert not set(HOT) & set(why), why
    assert all(why.values())


@pytest.mark.tools
@pytest.mark.parametrize("name", ["round.c", "mix.c"])
def test_aarch64_by_its_cpu(name: str, launcher: Launcher, tmp_path: Path) -> None:
    launcher.log.unlink(missing_ok=True)
    flags = ("--target=aarch64-linux-gnu", "-mcpu=neoverse-n1", "-O3", "-g", "-ffreestanding")
    ran = launcher("clang-19", *flags, "-c", IMAGES / name, "-o", "a.o", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    log = launcher.log.read_text()
    assert "unchanged" not in log
    assert "kept" not in log
    assert "1 functions" in log
