"""Configure steps find the same with the launcher in ``CC`` as without it, and hear nothing of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.launcher.homes import home_in
from tests.cli.launcher.running import Launcher

LISTS = """\
cmake_minimum_required(VERSION 3.20)
project(checks C CXX)
include(CheckIncludeFile)
include(CheckFunctionExists)
include(CheckCCompilerFlag)
include(CheckCXXSourceCompiles)
include(CheckCSourceRuns)
include(CheckTypeSize)
include(TestBigEndian)
check_include_file(stdint.h HAVE_STDINT_H)
check_include_file(nowhere.h HAVE_NOWHERE_H)
check_function_exists(memcpy HAVE_MEMCPY)
check_c_compiler_flag(-Wall HAVE_WALL)
check_c_compiler_flag(-Wnonsense-of-ours HAVE_NONSENSE)
check_cxx_source_compiles("#include <vector>
int main() { return std::vector<int>().size(); }" HAVE_VECTOR)
check_c_source_runs("int main(void) { return 0; }" IT_RUNS)
check_c_source_runs("int main(void) { return 1; }" IT_FAILS)
check_type_size(long SIZEOF_LONG)
test_big_endian(BIG)
configure_file(config.in config.h)
"""
NAMES = (
    *("HAVE_STDINT_H", "HAVE_NOWHERE_H", "HAVE_MEMCPY", "HAVE_WALL", "HAVE_NONSENSE"),
    *("HAVE_VECTOR", "IT_RUNS", "IT_FAILS", "SIZEOF_LONG", "BIG"),
)
MESON = """\
project('checks', 'c', 'cpp')
cc = meson.get_compiler('c')
found = configuration_data()
found.set('HAVE_STDINT_H', cc.has_header('stdint.h'))
found.set('HAVE_NOWHERE_H', cc.has_header('nowhere.h'))
found.set('HAVE_MEMCPY', cc.has_function('memcpy'))
found.set('HAVE_WALL', cc.has_argument('-Wall'))
found.set('HAVE_NONSENSE', cc.has_argument('-Wnonsense-of-ours'))
found.set('SIZEOF_LONG', cc.sizeof('long'))
found.set('IT_RUNS', cc.run('int main(void) { return 7; }').returncode())
found.set('VERSION', cc.version())
found.set('ID', cc.get_id())
configure_file(output: 'config.h', configuration: found)
"""


def configured(home: Launcher, folder: Path, *words: str, start: str) -> tuple[str, list[str], str]:
    """Configure a project; return the header, what CMake remembers, and what was said."""
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(LISTS)
    (folder / "config.in").write_text("".join(f"#cmakedefine {n} @{n}@\n" for n in NAMES))
    (folder / "meson.build").write_text(MESON)
    (folder / "meson.build").touch()
    flags = "-O2"
    c, cxx = f"{start}clang-19", f"{start}clang++-19"
    done = home.plain(*words, cwd=folder, CC=c, CXX=cxx, CFLAGS=flags, CXXFLAGS=flags)
    assert done.code == 0, done
    cache = folder / "build" / "CMakeCache.txt"
    lines = cache.read_text().splitlines() if cache.exists() else []
    # Of tools, such as ar, CMake looks for those with the compiler's suffix.
    kept = [x for x in lines if re.match(rf"({'|'.join(NAMES)}|CMAKE_C(XX)?_FLAGS\w*):", x)]
    return (folder / "build" / "config.h").read_text(), kept, done.err


@pytest.mark.tools
@pytest.mark.parametrize(
    "words",
    [("cmake", "-S", ".", "-B", "build"), ("meson", "setup", "build")],
    ids=["cmake", "meson"],
)
def test_the_same_is_found(words: tuple[str, ...], launcher: Launcher, tmp_path: Path) -> None:
    home = home_in(tmp_path / "home", launcher)
    plain = configured(home, tmp_path / "plain", *words, start="")
    assert "HAVE_STDINT_H" in plain[0]
    for name in ("first", "again"):
        start = f"{home.path} "
        assert configured(home, tmp_path / name, *words, start=start) == plain
    assert "isel-cc[" in home.log.read_text()
