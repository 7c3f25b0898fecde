"""What is written, by flags and by the name of the file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from frontends.llvm.linked import binding
from tests.cli.modules import PLAIN, Run, written

SCALAR = """\
target triple = "x86_64-unknown-linux-gnu"
define i32 @f(i32 %x) {
  %1 = add   i32 %x, 1 ; as it was written
  ret i32 %1
}
"""
TYPED = SCALAR.replace("%x) {", "%x, i32* %p) {").replace("ret", "store i32 %1, i32* %p\n  ret")


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        (("-o", "out.o"), b"\x7fELF"),
        (("-o", "out.obj", "-O0"), b"\x7fELF"),
        (("-o", "out.x", "--filetype=obj"), b"\x7fELF"),
        (("-o", "out.s"), b"\t"),
        (("-o", "out.o", "-filetype", "asm", "-O3"), b"\t"),
        (("-o", "out.ll"), SCALAR.encode()),
        (("-o", "out.bc"), b"BC\xc0\xde"),
        (("-o", "out.s", "--filetype=llvm"), b"BC\xc0\xde"),
        (("-o", "out.s", "-S"), SCALAR.encode()),
    ],
)
def test_kinds(isel: Run, tmp_path: Path, words: tuple[str, ...], begins: bytes) -> None:
    ran = isel("opt", written(tmp_path / "in.ll", SCALAR), *words)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert Path(words[1]).read_bytes().startswith(begins)


def test_a_name_that_says_nothing_gets_bitcode_and_a_note(isel: Run, tmp_path: Path) -> None:
    ran = isel("opt", written(tmp_path / "in.ll", SCALAR), "-o", "out")
    assert (ran.code, ran.err) == (
        0,
        "isel: note: 'out' says nothing of what it holds: bitcode is written (-S for text, --filetype for the rest)\n",
    )
    assert Path("out").read_bytes().startswith(b"BC\xc0\xde")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("-S", "--filetype=obj"), "-S writes LLVM IR as text, --filetype=obj does not"),
        (
            ("-o", "out.o", "--llvm-version", "16"),
            "--llvm-version writes text (-S, or a name that ends in .ll), not an object",
        ),
        (
            ("-S", "--llvm-version", "14"),
            "argument -llvm-version/--llvm-version: invalid version from 15 to 22 value: '14' (see 'isel opt --help')",
        ),
    ],
)
def test_flags_that_contradict_each_other(
    isel: Run, tmp_path: Path, words: tuple[str, ...], why: str
) -> None:
    ran = isel("opt", written(tmp_path / "in.ll", SCALAR), *words)
    assert (ran.code, ran.err) == (1, f"isel: error: {why}\n")


def test_no_code_for_what_cannot_be_selected_and_the_output_stays(
    isel: Run, tmp_path: Path
) -> None:
    text = SCALAR.replace("  ret", "  call void @llvm.x86.monitorx(ptr null, i32 0, i32 0)\n  ret")
    old = written(tmp_path / "out.o", "precious")
    ran = isel("opt", written(tmp_path / "in.ll", text), "-o", old)
    assert ran.code == 1
    assert ran.err.startswith(
        f"isel: {tmp_path / 'in.ll'}: error: LLVM makes no object of this module: "
    )
    assert ran.err.count("\n") == 1
    assert old.read_text() == "precious"


def test_text_for_an_older_llvm(isel: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "in.ll", SCALAR.replace("add ", "or disjoint "))
    assert isel("opt", path, "-S", "--llvm-version", "17").out == SCALAR.replace("add ", "or ")
    assert isel("opt", path, "-S", "--llvm-version", "18").out == path.read_text()
    path = written(
        tmp_path / "new.ll", SCALAR.replace("add   i32 %x, 1", "ptrtoaddr ptr null to i32")
    )
    assert isel("opt", path, "-S", "--llvm-version", "17").code == 1


def test_pointers_with_types_stay_unless_another_version_is_asked_for(
    isel: Run, tmp_path: Path
) -> None:
    path = written(tmp_path / "in.ll", TYPED)
    assert isel("opt", path, "-S").out == TYPED
    said = isel("opt", path, "-S", "--llvm-version=16").out
    assert "store i32 %1, ptr %p" in said
    assert "*" not in said


def test_solvers_are_not_loaded_where_there_are_no_vectors(tmp_path: Path) -> None:
    """In a process of its own, which has loaded nothing yet."""
    written(tmp_path / "in.ll", SCALAR)
    code = (
        "import sys; from isel.cli import main; main(['opt', 'in.ll', '-S', '-o', 'out.ll']);"
        " print([m for m in ('z3', 'bitwuzla', 'numpy') if m in sys.modules])"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "[]\n"
    )
    assert Path("out.ll").read_text() == SCALAR


def test_garbage_without_vectors_is_an_error(isel: Run, tmp_path: Path) -> None:
    ran = isel("opt", written(tmp_path / "in.ll", SCALAR.replace("ret i32", "ret i64")), "-S")
    assert (ran.code, ran.out) == (1, "")


def test_bitcode_of_text_is_what_llvm_reads_of_it(isel: Run, tmp_path: Path) -> None:
    assert (
        isel(
            "opt",
            written(tmp_path / "in.ll", PLAIN),
            "-mattr=-avx512f",
            "--effort=0",
            "-o",
            "out.bc",
        ).code
        == 0
    )
    assert "add <4 x i32>" in binding.bitcode_to_text(Path("out.bc").read_bytes(), "out.bc")
