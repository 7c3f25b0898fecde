"""A project built by CMake, Meson and Make: the same files, dependencies and answers with the
launcher as without it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.launcher.running import PROJECT, Launcher, compilers, files_in

FLAGS = "-O2 -ftree-vectorize -march=haswell"
# What the build systems write about themselves.
PASSING = (
    r"CMakeFiles/[\d.]+/",
    r"CMakeTmp",
    r"CMake(Output|Error|Configure).*log",
    r"meson-(private|logs|info)/",
    r"\.p$",
    r"\.ninja_",
    r"compile_commands",
)


def cmake(launcher: Launcher, compiler: str, folder: Path, *, launched: bool) -> None:
    c, cxx = (" ".join(words) for words in compilers(compiler))
    set_up = [f"-DCMAKE_{x}_COMPILER_LAUNCHER={launcher.path}" for x in ("C", "CXX") if launched]
    only_c = ["-DONLY_C=ON"] if compiler == "isel-clang" else []
    flags = {"CC": c, "CXX": cxx, "CFLAGS": FLAGS, "CXXFLAGS": FLAGS}
    for words in (["-S", ".", "-B", "build", *set_up, *only_c], ["--build", "build"]):
        done = launcher.plain("cmake", *words, cwd=folder, **flags)
        assert done.code == 0, done


def meson(launcher: Launcher, compiler: str, folder: Path, *, launched: bool) -> None:
    c, cxx = (" ".join([str(launcher.path)] * launched + words) for words in compilers(compiler))
    done = launcher.plain(
        "meson", "setup", "build", cwd=folder, CC=c, CXX=cxx, CFLAGS=FLAGS, CXXFLAGS=FLAGS
    )
    assert done.code == 0, done
    done = launcher.plain("ninja", "-C", "build", "-d", "keepdepfile", cwd=folder)
    assert done.code == 0, done


def make(launcher: Launcher, compiler: str, folder: Path, *, launched: bool) -> None:
    c, cxx = (" ".join([str(launcher.path)] * launched + words) for words in compilers(compiler))
    only_c = ["ONLY_C=1"] if compiler == "isel-clang" else []
    done = launcher.plain(
        "make",
        "-j2",
        f"CC={c}",
        f"CXX={cxx}",
        f"CFLAGS={FLAGS}",
        f"CXXFLAGS={FLAGS}",
        *only_c,
        cwd=folder,
    )
    assert done.code == 0, done


def built(
    build: Callable[..., None], launcher: Launcher, compiler: str, place: Path, *, launched: bool
) -> tuple[list[str], dict[str, str], str]:
    """Build the project and return the names of files, the contents of dependency files, and
    what the program prints.
    """
    folder = place / "project"  # the same name for both, as it is part of what is written
    shutil.copytree(PROJECT, folder)
    build(launcher, compiler, folder, launched=launched)
    names = files_in(folder, PASSING)
    dependencies = {n: (folder / n).read_text() for n in names if n.endswith((".d", ".dep"))}
    assert dependencies
    program = next(p for p in (folder / "build" / "main", folder / "main") if p.exists())
    answer = launcher.plain(program, cwd=folder)
    assert answer.code == 0, answer
    os.rename(folder, place / ("launched" if launched else "plain"))
    return names, dependencies, answer.out


@pytest.mark.tools
@pytest.mark.parametrize(
    ("build", "compiler"),
    [
        (build, compiler)
        for build in (cmake, meson, make)
        for compiler in ("clang-14", "clang-15", "clang-16", "clang-19")
    ]
    + [(build, "isel-clang") for build in (cmake, make)],
)
def test_a_project(
    build: Callable[..., None], compiler: str, launcher: Launcher, tmp_path: Path
) -> None:
    launcher("--zero-stats", cwd=tmp_path)
    plain = built(build, launcher, compiler, tmp_path, launched=False)
    assert launcher.stats(tmp_path)["files compiled by way of the rewriter"] == 0
    assert built(build, launcher, compiler, tmp_path, launched=True) == plain
    stats = launcher.stats(tmp_path)
    assert stats["files compiled by way of the rewriter"] >= (
        2 if compiler == "isel-clang" else 3
    ), stats
    assert stats["rewritten"] >= 1, stats
    assert stats["fell back to the plain compile"] == 0, stats
