"""An object that was made is not made again, and never given back where anything that it depends on
is another.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.launcher.running import Launcher, files_in

SOURCE = '#include "a.h"\n#include <b.h>\nint f(int x) { return x + A + B; }\n'
FLAGS = ("clang-19", "-O2", "-Ifirst", "-Isecond")
BEFORE = "made before: "
OLD = time.time() - 100


def write(path: Path, text: str) -> None:
    """Write a file that is not of just now, which the launcher would not trust."""
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a folder with a source and two headers."""
    for name, text in (("a.c", SOURCE), ("a.h", "#define A 1\n"), ("second/b.h", "#define B 1\n")):
        write(tmp_path / name, text)
    (tmp_path / "first").mkdir()
    time.sleep(0.05)
    return tmp_path


@pytest.fixture
def fresh(launcher: Launcher, tmp_path: Path) -> Launcher:
    """Return the launcher with a cache, a log and settings of its own."""
    (tmp_path / ".kept").mkdir(mode=0o700)
    own = {"ISEL_CACHE": str(tmp_path / ".kept"), "ISEL_LOG": str(tmp_path / ".log")}
    return replace(launcher, environment={**launcher.environment, **own})


def made(launcher: Launcher, folder: Path, *words: str, **more: str) -> bool:
    """Compile behind the launcher, hold the outputs against those of a plain compile, and tell
    whether they were made before.
    """
    words = words or (*FLAGS, "-c", "a.c", "-o", "a.o")
    launcher.log.unlink(missing_ok=True)
    outputs = []
    for start in ((), (launcher.path,)):
        for name in ("a.o", "a.d"):
            (folder / name).unlink(missing_ok=True)
        ran = launcher.plain(*start, *words, cwd=folder, **more)
        found = [(folder / n).read_bytes() for n in ("a.o", "a.d") if (folder / n).exists()]
        outputs.append((ran, found))
    assert outputs[0] == outputs[1]
    return BEFORE in launcher.log.read_text()


@pytest.mark.tools
def test_the_second_time_no_compiler_runs(fresh: Launcher, project: Path) -> None:
    words = (*FLAGS, "-MD", "-MF", "a.d", "-Wall", "-c", "a.c", "-o", "a.o")
    assert [made(fresh, project, *words) for _ in range(3)] == [False, True, True]
    assert (project / "a.d").read_text().split() == ["a.o:", "a.c", "a.h", "second/b.h"]
    assert fresh.stats(project)["made before"] >= 2
    assert not [n for n in files_in(project) if "isel" in n and not n.startswith(".kept")]


@pytest.mark.tools
@pytest.mark.parametrize("flags", [("-MMD", "-MF", "a.d"), ("-MD",), ()])
def test_headers_of_the_system_count(
    flags: tuple[str, ...], fresh: Launcher, project: Path
) -> None:
    """Whatever the dependency file lists."""
    write(project / "system" / "c.h", "#define C 1\n")
    write(project / "a.c", "#include <c.h>\nint f(int x) { return x + C; }\n")
    time.sleep(0.05)
    words = ("clang-19", "-O2", "-isystem", "system", *flags, "-c", "a.c", "-o", "a.o")
    assert [made(fresh, project, *words) for _ in range(2)] == [False, True]
    write(project / "system" / "c.h", "#define C 2\n")
    assert not made(fresh, project, *words)


CHANGES: dict[str, Callable[[Path], object]] = {
    "the source": lambda p: write(p / "a.c", SOURCE.replace("x + A", "x * A")),
    "a header": lambda p: write(p / "second" / "b.h", "#define B 2\n"),
    "a header that appears on the path": lambda p: write(p / "first" / "b.h", "#define B 2\n"),
    "a header that appears beside": lambda p: write(p / "b.h", "#define B 1\n"),
    "a header that is hidden no more": lambda p: shutil.move(p / "a.h", p / "first" / "a.h"),
}


@pytest.mark.tools
@pytest.mark.parametrize("change", CHANGES)
def test_other_files_are_other_objects(change: str, fresh: Launcher, project: Path) -> None:
    assert [made(fresh, project) for _ in range(2)] == [False, True]
    CHANGES[change](project)
    # A name that appears where it is not looked for costs a compile, too.
    assert not made(fresh, project)
    time.sleep(0.05)
    made(fresh, project)
    assert made(fresh, project)


@pytest.mark.tools
@pytest.mark.parametrize(
    "more",
    [
        ("-O3",),
        ("-DX",),
        ("-UX",),
        ("-include", "a.h"),
        ("-frandom-seed=7",),
        ("--sysroot=/",),
        ("-g",),
        ("-march=haswell",),
        ("-fdebug-prefix-map=a=b",),
        ("@words",),
    ],
)
def test_other_flags_are_other_objects(
    more: tuple[str, ...], fresh: Launcher, project: Path
) -> None:
    words = (*FLAGS, "-c", "a.c", "-o", "a.o")
    write(project / "words", "-DB=1 -g1")
    assert [made(fresh, project, *words) for _ in range(2)] == [False, True]
    assert [made(fresh, project, *words, *more) for _ in range(2)] == [False, True]
    if more == ("@words",):
        write(project / "words", "-g2")
        assert not made(fresh, project, *words, *more)


@pytest.mark.tools
@pytest.mark.parametrize(
    "variable",
    ["CPATH", "C_INCLUDE_PATH", "SOURCE_DATE_EPOCH", "ISEL_FLAGS", "ISEL_ANYTHING", "LANG"],
)
def test_other_variables_are_other_objects(variable: str, fresh: Launcher, project: Path) -> None:
    value = {"ISEL_FLAGS": "--effort=1", "SOURCE_DATE_EPOCH": "1"}.get(variable, "first")
    assert [made(fresh, project) for _ in range(2)] == [False, True]
    assert [made(fresh, project, **{variable: value}) for _ in range(2)] == [False, True]


@pytest.mark.tools
def test_another_folder_is_another_object(fresh: Launcher, project: Path) -> None:
    """Debug information has it."""
    words = (*FLAGS, "-g", "-c", "a.c", "-o", "a.o")
    assert [made(fresh, project, *words) for _ in range(2)] == [False, True]
    other = project / "other"
    other.mkdir()
    for name in ("a.c", "a.h", "second/b.h"):
        write(other / name, (project / name).read_text())
    time.sleep(0.05)
    assert not made(fresh, other, *words)


@pytest.mark.tools
def test_another_compiler_is_another_object(fresh: Launcher, project: Path) -> None:
    """Of the same name in the same place: an upgrade."""
    real = shutil.which("clang-19")
    assert real is not None
    link = project / "clang"
    link.symlink_to(os.path.realpath(real))
    words = (str(link), "-O2", "-Isecond", "-c", "a.c", "-o", "a.o")
    assert [made(fresh, project, *words) for _ in range(2)] == [False, True]
    link.unlink()
    other = shutil.which("clang-16")
    assert other is not None
    link.symlink_to(os.path.realpath(other))
    assert [made(fresh, project, *words) for _ in range(2)] == [False, True]


@pytest.mark.tools
@pytest.mark.parametrize(
    "text",
    [
        "const char *when = __TIME__ __DATE__;",
        "#define HERE(x) __has_include(x)\n#if HERE(<b.h>)\n#endif",
        "#define NAME <b.h>\n#if __has_include(NAME)\n#endif",
        'asm(".incbin \\"a.h\\"");',
        'asm(".include \\"a.h\\"");',
    ],
)
def test_what_reads_more_than_files_by_name_is_made_each_time(
    text: str, fresh: Launcher, project: Path
) -> None:
    write(project / "a.c", f"{text}\nint f(int x) {{ return x + 1; }}\n")
    time.sleep(0.05)
    for _ in range(2):
        assert fresh(*FLAGS, "-c", "a.c", cwd=project).code == 0
    log = fresh.log.read_text()
    assert BEFORE not in log
    assert log.count("will be made again: a.c ") == 2


@pytest.mark.tools
def test_a_precompiled_header_that_appears(fresh: Launcher, project: Path) -> None:
    """Clang reads it instead of the header of its name."""
    words = (*FLAGS, "-include", "a.h", "-c", "a.c", "-o", "a.o")
    assert [made(fresh, project, *words) for _ in range(2)] == [False, True]
    write_it = ("clang-19", "-x", "c-header", "-O2", "a.h", "-o", "a.h.pch")
    assert fresh.plain(*write_it, cwd=project).code == 0
    time.sleep(0.05)
    assert not any(made(fresh, project, *words) for _ in range(2))


@pytest.mark.tools
def test_a_header_that_is_asked_for_and_appears(fresh: Launcher, project: Path) -> None:
    text = "#if __has_include(<new.h>)\n#include <new.h>\n#else\n#define N 1\n#endif\n"
    write(project / "a.c", f"{text}int f(int x) {{ return x + N; }}\n")
    time.sleep(0.05)
    assert [made(fresh, project) for _ in range(2)] == [False, True]
    write(project / "second" / "new.h", "#define N 7\n")
    assert not made(fresh, project)


@pytest.mark.tools
def test_what_was_said_is_said_again(fresh: Launcher, project: Path) -> None:
    write(project / "a.c", "int f(int x) { int unused; return x; }\n")
    time.sleep(0.05)
    words = (*FLAGS, "-Wall", "-c", "a.c", "-o", "a.o")
    assert [made(fresh, project, *words) for _ in range(2)] == [False, True]
    assert "unused" in fresh(*words, cwd=project).err


@pytest.mark.tools
def test_what_others_wrote_is_not_used(fresh: Launcher, project: Path) -> None:
    """Each byte counts, and each file is of its own request."""
    assert [made(fresh, project) for _ in range(2)] == [False, True]
    kept = [p for p in (project / ".kept" / "objects").rglob("*") if p.is_file()]
    assert len(kept) == 3  # one says where the compiler looks for files
    used: list[set[bool]] = []
    for path in kept:
        data, used = path.read_bytes(), [*used, set()]
        for bad in (data[:-1] + bytes([data[-1] ^ 1]), data[:40], b"", kept[0].read_bytes()):
            if bad != data:
                path.write_bytes(bad)
                used[-1].add(made(fresh, project))
                assert made(fresh, project)
    assert sorted(map(list, used)) == [[False], [False], [True]]


@pytest.mark.tools
def test_it_can_be_switched_off(fresh: Launcher, project: Path) -> None:
    assert not any(made(fresh, project, ISEL_OBJECTS="off") for _ in range(2))
    assert not (project / ".kept" / "objects").exists()
