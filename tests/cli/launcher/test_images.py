"""A project of 14 sources (constructors out of class, exceptions, inline assembly, templates, debug
information, link-time optimisation) behind each compiler and each way to name a machine: the same
answers, the same hot functions rewritten, and a reason for each other one.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.cli.launcher.running import ROOT, Launcher, compilers

IMAGES: Final = Path(__file__).parent / "images"
HOT: Final = {"round_products": "round", "difference": "difference"}  # functions and their files
# A rounded product of -32768 by itself wraps here and saturates in AArch64's instruction.
HOT_ARM: Final = {"difference": "difference", "mix": "mix"}
WAYS: Final = [
    ("clang-14", "-march=native"),
    ("clang-16", "-march=haswell -mno-avx512f"),
    ("clang-19", "-march=x86-64-v4 -mno-avx512f"),
]
ARM: Final = "--target=aarch64-linux-gnu -mcpu=neoverse-n1 -ffreestanding"
# A program without a library, of an emulated machine.
LINK: Final = (
    *(sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-none", "-O1", "-static"),
    *("-ffreestanding", "-nostdlib", "-fno-sanitize=all", ROOT / "semantics" / "arm" / "start.c"),
)


def build(launcher: Launcher, compiler: str, flags: str, folder: Path, *set_up: str) -> None:
    """Build the project in a folder."""
    shutil.copytree(IMAGES, folder)
    c, cxx = (" ".join(words) for words in compilers(compiler))
    every = f"-O3 -g {flags}"
    for words in (["-S", ".", "-B", "build", *set_up], ["--build", "build"]):
        done = launcher.plain(
            "cmake", *words, cwd=folder, CC=c, CXX=cxx, CFLAGS=every, CXXFLAGS=every
        )
        assert done.code == 0, done


def behind(launcher: Launcher) -> list[str]:
    """Return what puts the launcher before CMake's compilers, with a log of its own."""
    launcher.log.unlink(missing_ok=True)
    return [f"-DCMAKE_{x}_COMPILER_LAUNCHER={launcher.path}" for x in ("C", "CXX")]


def answers(launcher: Launcher, folder: Path, *command: str | Path) -> str:
    """Return what a program prints."""
    done = launcher.plain(*command, cwd=folder)
    assert done.code == 0, done
    return done.out


def check_log(launcher: Launcher, hot: Mapping[str, str]) -> None:
    """Hold that functions were rewritten, and that each other one has its reason."""
    log = launcher.log.read_text()
    why = dict(re.findall(r"@(\S+) is as it was: (.*)", log))
    assert not re.search("fallback|failed|unchanged", log), log
    assert not hot.keys() & why, why
    assert all(why.values())
    files = re.findall(r"(?m)/(\w+)\.c(?:pp)?\.o: .* (\d+) rewritten files", log)
    assert set(hot.values()) <= {name for name, count in files if count == "1"}, log


@pytest.mark.tools
@pytest.mark.parametrize(("compiler", "flags"), WAYS)
def test_a_project_of_many_files(
    compiler: str, flags: str, launcher: Launcher, tmp_path: Path
) -> None:
    plain, launched = tmp_path / "plain", tmp_path / "launched"
    build(launcher, compiler, flags, plain)
    expected = answers(launcher, plain, "build/images_hot")
    assert expected.count("\n") == 8
    build(launcher, compiler, flags, launched, *behind(launcher))
    # Both links: of objects, and of bitcode by a linker that optimises.
    for program in ("images_hot", "images_late"):
        assert answers(launcher, launched, f"build/{program}") == expected
    assert (launched / "build/CMakeFiles/late.dir/round.c.o").read_bytes().startswith(b"BC")
    check_log(launcher, HOT)
    late = re.findall(r"late\.dir/\w+\.c\.o: .* 1 rewritten files", launcher.log.read_text())
    # Text of ours is not for clang 14, whose linker reads no newer bitcode either.
    assert len(late) >= len(HOT) or compiler == "clang-14"


@pytest.mark.tools
def test_a_project_for_aarch64_by_its_cpu(launcher: Launcher, tmp_path: Path) -> None:
    cross = ("-DBARE=ON", "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY")
    found = []
    for name, more in (("plain", []), ("launched", behind(launcher))):
        folder = tmp_path / name
        build(launcher, "clang-19", ARM, folder, *cross, *more)
        objects = sorted((folder / "build/CMakeFiles/bare.dir").glob("*.o"))
        answers(launcher, folder, *LINK, "-o", "bare", *objects)
        found.append(answers(launcher, folder, "qemu-aarch64", "bare"))
    plain, launched = found
    assert plain.count("\n") == 7
    assert launched == plain
    check_log(launcher, HOT_ARM)
