"""Several sources in one command: the same files and exit codes as of the compiler alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from isel.cli.launcher.several import parts_of
from tests.cli.launcher.running import Launcher, files_in

HOT = "void %s(unsigned char *d) { for (int i = 0; i < 64; i++) d[i] = (d[i] + 1) >> 1; }\n"
SOURCES = {
    "a.c": HOT % "f",
    "b.c": HOT % "g",
    "m.c": "int main(void) { return 3; }\n",
    "bad.c": "int x = ;\n",
    "d/a.c": HOT % "h",
    "a.s": "",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "sources"
    (made / "d").mkdir(parents=True)
    for name, text in SOURCES.items():
        (made / name).write_text(text)
    monkeypatch.chdir(made)
    return made


def test_compiles_in_turn(folder: Path) -> None:
    made = parts_of(["-O2", "-Iinc", "-c", "a.c", "-g", "d/a.c", "-lm"])
    assert made is not None and not made.link
    assert [" ".join(own) for own in made.compiles] == [
        "-O2 -Iinc -c -g -lm a.c",
        "-O2 -Iinc -c -g -lm d/a.c -Qunused-arguments",
    ]


def test_compiles_and_a_link(folder: Path) -> None:
    Path("x.o").write_text("")
    made = parts_of(
        ["-O2", "a.c", "x.o", "-shared", "b.c", "-lm", "-o", "d/lib.so", "-Wl,-soname,x"]
    )
    assert made is not None
    flags = "-O2 -shared -lm -Wl,-soname,x -Qunused-arguments -c -o d/.lib.so.isel-link"
    assert [" ".join(own) for own in made.compiles] == [
        f"{flags}/0-a.c.o a.c",
        f"{flags}/1-b.c.o b.c",
    ]
    assert " ".join(made.link or ()) == (
        "-O2 d/.lib.so.isel-link/0-a.c.o x.o -shared d/.lib.so.isel-link/1-b.c.o -lm -o d/lib.so "
        "-Wl,-soname,x"
    )


@pytest.mark.parametrize(
    "words",
    [
        "-O2 -c a.c",
        "-O2 a.c -o a",
        "-O2 -c a.c none.c",
        "-O2 -c a.c b.c -o x.o",
        "-O2 -c a.c b.c a.s",
        "-O2 -c a.c b.c -x c++",
        "-O2 -c a.c b.c -fsanitize=address",
        "-O2 -c a.c b.c -save-temps",
        "-O2 -c a.c b.c -grecord-command-line",
        "-O2 -c a.c b.c -Rpass=x",
        "-O2 -E a.c b.c",
        "-O0 -c a.c b.c",
        "-O2 -c a.c b.c @more",
        "-O2 -MD a.c b.c -o x",
        "-O2 a.c none.o b.c -o x",
    ],
)
def test_a_command_for_the_compiler_alone(words: str, folder: Path) -> None:
    assert parts_of(words.split()) is None


@pytest.mark.tools
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("-c -MD a.c b.c -lm", 0),
        ("-c -Wno-everything a.c bad.c b.c", 1),
        ("-S b.c a.c d/a.c", 0),
        ("-c a.c none.c b.c", 1),
        ("a.c b.c m.c -o prog -lm", 0),
        ("a.c m.c bad.c b.c -o prog", 1),
        ("-fPIC -shared a.c b.c -Wl,-soname,x.so", 0),
    ],
)
def test_files_and_exit_codes_are_those_of_clang(
    words: str, code: int, folder: Path, launcher: Launcher
) -> None:
    given = ["clang-19", "-O2", *words.split()]
    plain = launcher.plain(*given, cwd=folder)
    expected = files_in(folder)
    for made in (set(expected) - SOURCES.keys()) | {"none"}:
        Path(made).unlink(missing_ok=True)
    ours = launcher(*given, cwd=folder)
    assert (ours.code, files_in(folder)) == (code, expected), ours
    assert (plain.code, plain.err, plain.out) == (ours.code, ours.err, ours.out)
    assert not list(folder.rglob(".*"))
    if Path("prog").exists():
        assert subprocess.run(["./prog"], check=False).returncode == 3


@pytest.mark.tools
def test_each_source_is_rewritten_by_itself(folder: Path, launcher: Launcher) -> None:
    launcher.log.unlink(missing_ok=True)
    hot = ("clang-19", "-O3", "-march=haswell")
    assert launcher(*hot, "-c", "a.c", "b.c", cwd=folder).code == 0
    assert launcher(*hot, "-shared", "-fPIC", "a.c", "b.c", cwd=folder).code == 0
    names = ("a.o: ", "b.o: ", "0-a.c.o: ", "1-b.c.o: ")
    log = launcher.log.read_text()
    assert all(f"{name}1 files" in log for name in names) and "several" not in log, log
