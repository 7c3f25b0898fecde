"""Nothing that is wrong, ours or not, gives a build anything but what the compiler alone gives
it, and nothing half made is left.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.launcher.running import PROJECT, Launcher, files_in

FLAGS = ("-O2", "-ftree-vectorize", "-march=haswell")
GOOD = "int f(int x) { return x + 1; }\n"


def script(path: Path, text: str) -> Path:
    """Write an executable."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_no_such_compiler(launcher: Launcher, tmp_path: Path) -> None:
    ran = launcher("clang-999", "-O2", "-c", "a.c", cwd=tmp_path)
    assert (ran.code, ran.err) == (1, "isel-cc: error: clang-999: no such file or directory\n")


def test_other_compilers_run_unchanged(launcher: Launcher, tmp_path: Path) -> None:
    """A compiler of another name and version, and clang that is newer than what is read."""
    for name, said in (
        ("gcc", "gcc (GCC) 13.2.0"),
        ("newer", "clang version 99.0.0"),
        ("apple", "Apple clang version 15.0.0 (clang-1500)"),
    ):
        compiler = script(
            tmp_path / name,
            f'if [ "$1" = --version ]; then echo "{said}"; else echo "$@" >> ran; exit 7; fi',
        )
        assert launcher(compiler, "-O2", "-c", "a.c", cwd=tmp_path).code == 7
    assert (tmp_path / "ran").read_text().splitlines() == ["-O2 -c a.c"] * 3


def test_it_can_be_switched_off(launcher: Launcher, tmp_path: Path) -> None:
    compiler = script(tmp_path / "clang", 'echo "$@" > ran; exit 3')
    assert launcher(compiler, "-O2", "-c", "a.c", cwd=tmp_path, ISEL_DISABLE="1").code == 3
    assert (tmp_path / "ran").read_text() == "-O2 -c a.c\n"


MADE = 'shift $(($# - 2)); echo object > "$1"'
FRAME = "warning: <unknown>:0:0: stack frame size (408) exceeds limit (100) in function f"
CLANG = 'case "$*" in --version) echo "clang version 19.1.0";; {cases} *) echo "$@" >> plain; echo object > a.o;; esac'


@pytest.mark.parametrize(
    ("front", "back", "plain"),
    [
        ("kill -SEGV $$", "", ["-O2 -c a.c"]),
        ("exit 70", "", ["-O2 -c a.c"]),
        ("exit 0", "", ["-O2 -c a.c -w"]),  # no IR
        ("echo 'define' > \"$out\"", "exit 1", ["-O2 -c a.c -w"]),
        ("echo 'define' > \"$out\"", f"echo '{FRAME}' >&2; {MADE}", ["-O2 -c a.c"]),
        ("echo 'define' > \"$out\"", "kill -9 $$", ["-O2 -c a.c -w"]),
        ("echo 'define' > \"$out\"", "exit 0", ["-O2 -c a.c -w"]),  # no object
    ],
)
def test_a_step_that_fails_falls_back_to_the_plain_compile(
    front: str, back: str, plain: list[str], launcher: Launcher, tmp_path: Path
) -> None:
    cases = f"*-emit-llvm*) shift $(($# - 2)); out=$1; {front};; *-disable-llvm-passes*) {back or 'true'};;"
    compiler = script(tmp_path / "clang", CLANG.format(cases=cases))
    ran = launcher(compiler, "-O2", "-c", "a.c", cwd=tmp_path)
    assert ran.code == 0, ran
    assert (tmp_path / "plain").read_text().splitlines() == plain
    assert files_in(tmp_path) == ["a.o", "clang", "plain"]
    assert not list(tmp_path.glob(".*"))


def test_a_failing_compile_ends_with_its_code_and_removes_the_object(
    launcher: Launcher, tmp_path: Path
) -> None:
    (tmp_path / "a.o").write_text("old")
    compiler = script(
        tmp_path / "clang", CLANG.format(cases="*-emit-llvm*) echo wrong >&2; exit 1;;")
    )
    ran = launcher(compiler, "-O2", "-c", "a.c", cwd=tmp_path)
    assert (ran.code, ran.err, files_in(tmp_path)) == (1, "wrong\n", ["clang"])


LAST = "shift $(($# - 2))"  # the output and the input are left


def test_ir_that_cannot_be_read_is_compiled_as_it_is(launcher: Launcher, tmp_path: Path) -> None:
    """The words of a newer LLVM."""
    cases = f'*-emit-llvm*) {LAST}; echo "define <4 x i32> @f() newword {{" > "$1";; *-disable-llvm-passes*) {LAST}; cp "$2" "$1";;'
    compiler = script(tmp_path / "clang", CLANG.format(cases=cases))
    ran = launcher(compiler, "-O2", "-c", "a.c", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert (tmp_path / "a.o").read_text() == "define <4 x i32> @f() newword {\n"
    assert "the rewriter ended with 70" in launcher.log.read_text().splitlines()[-2]
    assert files_in(tmp_path) == ["a.o", "clang"]


@pytest.mark.parametrize(
    ("flags", "what"),
    [
        ("--nonsense", "--nonsense"),
        ("--effort=high", "--effort"),
        ("'--only-function=('", "--only-function"),
        ("'--effort=1", "no closing quotation"),
        ("--help", ""),
    ],
)
def test_flags_of_ours_that_are_none_are_a_line(
    launcher: Launcher, tmp_path: Path, flags: str, what: str
) -> None:
    cases = f'*-emit-llvm*) {LAST}; echo "define <4 x i32> @f() {{" > "$1";; *-disable-llvm-passes*) {LAST}; cp "$2" "$1";;'
    compiler = script(tmp_path / "clang", CLANG.format(cases=cases))
    ran = launcher(compiler, "-O2", "-c", "a.c", cwd=tmp_path, ISEL_FLAGS=flags)
    assert ran.code == 0
    assert ran.err.startswith("isel-cc: warning: ISEL_FLAGS: ")
    assert what in ran.err
    assert ran.err.count("\n") == 1
    assert (tmp_path / "a.o").read_text() == "define <4 x i32> @f() {\n"
    assert "1 kept: ISEL_FLAGS" in launcher.log.read_text().splitlines()[-1]


@pytest.mark.tools
def test_what_is_no_compile_of_one_file(launcher: Launcher, tmp_path: Path) -> None:
    for name in ("a.c", "b.c"):
        (tmp_path / name).write_text(GOOD.replace("f", name[0]))
    for words in (
        ["-c", "a.c", "b.c"],
        ["-c", "-x", "c", "-", "-o", "c.o"],
        ["-E", "a.c"],
        ["-c", "missing.c"],
        ["-c", "a.c", "-o", "no/such/folder.o"],
        ["-nonsense"],
    ):
        both = [
            launcher.plain(*before, "clang-19", "-O2", *words, cwd=tmp_path)
            for before in ((), (launcher.path,))
        ]
        assert both[0] == both[1]
    assert files_in(tmp_path) == ["a.c", "a.o", "b.c", "b.o", "c.o"]


@pytest.mark.tools
def test_a_full_disk_leaves_what_the_compiler_leaves(launcher: Launcher, tmp_path: Path) -> None:
    """The IR does not fit, or not even the object does."""
    (tmp_path / "a.c").write_text(GOOD)
    size = (
        len(launcher.plain("clang-19", "-O2", "-c", "a.c", "-o", "whole.o", cwd=tmp_path).out)
        + (tmp_path / "whole.o").stat().st_size
    )
    for limit in (size, size // 2):

        def limited(limit: int = limit) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        made = []
        for before in ([], [str(launcher.path)]):
            words = [*before, "clang-19", "-O2", "-c", "a.c", "-o", "a.o"]
            done = subprocess.run(
                words,
                cwd=tmp_path,
                env=launcher.environment,
                capture_output=True,
                preexec_fn=limited,
                timeout=300,
                check=False,
            )
            made.append(
                (
                    done.returncode,
                    (tmp_path / "a.o").read_bytes() if (tmp_path / "a.o").exists() else None,
                )
            )
            (tmp_path / "a.o").unlink(missing_ok=True)
            assert [n for n in os.listdir(tmp_path) if "isel" in n] == []
        assert made[0] == made[1]


@pytest.mark.tools
def test_an_interrupt_in_the_middle_of_a_parallel_build(launcher: Launcher, tmp_path: Path) -> None:
    """Nothing is left but whole objects, at whatever moment it comes."""
    rule = "%.o: %.c\n\t$(CC) $(FLAGS) -c $< -o $@\n"
    names = [f"f{i}" for i in range(3)]
    (tmp_path / "Makefile").write_text(f"all: {' '.join(n + '.o' for n in names)}\n{rule}")
    for n in names:
        (tmp_path / f"{n}.c").write_text(
            f'#include "{PROJECT}/hot.c"\nint {n}(int x) {{ return x + {n[1:]}; }}\n'
        )
    words = ["make", "-j3", f"CC={launcher.path} clang-19", f"FLAGS={' '.join(FLAGS)}"]
    for number, wait in ((signal.SIGINT, 0.3), (signal.SIGTERM, 0.8), (signal.SIGINT, 1.5)):
        build = subprocess.Popen(
            words,
            cwd=tmp_path,
            env=launcher.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(
                signal.SIGINT, signal.SIG_DFL
            ),  # workers of pytest ignore it
        )
        time.sleep(wait)
        os.killpg(build.pid, number)
        assert build.wait(60) != 0
        deadline = time.monotonic() + 60
        while [n for n in os.listdir(tmp_path) if "isel" in n] and time.monotonic() < deadline:
            time.sleep(0.1)  # make does not wait for what it ran
        assert [n for n in os.listdir(tmp_path) if "isel" in n] == []
        for made in tmp_path.glob("*.o"):
            assert launcher.plain("objdump", "-d", made, cwd=tmp_path).code == 0
