"""``isel compile``: objects of other compilers' IR in the places of theirs, or theirs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from isel.cli.compile import DOORS
from isel.cli.foreign import object_of
from tests.cli.conftest import ROOT
from tests.cli.modules import Run

HERE = Path(__file__).parent
# A compiler that answers with a module of the same compiler.
SCRIPT = """#!/bin/sh
echo "$@" >> {folder}/asked
for w in "$@"; do
    case "$w" in
        -of=*|-femit-bin=*|-femit-llvm-ir=*) out=${{w#*=}} ;;
        -output-bc|-emit-llvm|-fno-emit-bin) ir=1 ;;
    esac
    [ "$last" = -o ] && out=$w
    last=$w
done
if [ $ir ]; then cp {module} "$out"; else printf '\\177ELF' > "${{out:-halve.o}}"; fi
"""
FLANG = ("flang-new", "fortran", "-O3 -c halve.f90")
LDC = ("ldc2", "d", "-O3 -c halve.d")
ZIG = ("zig", "zig", "build-obj halve.zig -O ReleaseFast")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ISEL_FLAGS", "--effort=0")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("ISEL_LOG", str(tmp_path / "log"))


def fake(name: str, module: str, folder: Path) -> str:
    path = folder / name
    path.write_text(SCRIPT.format(folder=folder, module=HERE / f"{module}.ll"))
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("compiler", "output", "ir"),
    [
        (FLANG, "", "-O3 -S -emit-llvm -o IR.ll halve.f90"),
        (FLANG, "-o x.o", "-O3 -S -emit-llvm -o IR.ll halve.f90"),
        (LDC, "", "-O3 -c -output-bc -of=IR.bc halve.d"),
        (LDC, "-of=x.o", "-O3 -c -output-bc -of=IR.bc halve.d"),
        (
            ZIG,
            "-femit-bin=x.o",
            "build-obj -fno-emit-bin -femit-llvm-ir=IR.ll halve.zig -O ReleaseFast",
        ),
    ],
)
def test_an_object_of_rewritten_ir(
    compiler: tuple[str, str, str], output: str, ir: str, isel: Run, tmp_path: Path
) -> None:
    name, module, words = compiler
    ran = isel("compile", "--", fake(name, module, tmp_path), *words.split(), *output.split())
    assert ran.code == 0 and not ran.err, ran
    made = Path("x.o" if output else "halve.o").read_bytes()
    assert made.startswith(b"\x7fELF") and len(made) > 100
    plain, asked = (tmp_path / "asked").read_text().splitlines()
    assert plain == f"{words} {output}".strip()
    folder = asked[asked.index("/") : asked.index("/ir.") + 3]
    assert asked.replace(folder, "IR") == ir
    assert "1 rewritten files" in (tmp_path / "log").read_text()


@pytest.mark.parametrize(
    "words",
    [
        "-c halve.d",
        "-O0 -c halve.d",
        "-O3 halve.d -of=halve.o",
        "-O3 -c halve.d more.d",
        "-O3 -c halve.d -of=halve.o -output-bc",
        "-O3 -c other.d",
    ],
)
def test_what_is_left_to_the_compiler(words: str, isel: Run, tmp_path: Path) -> None:
    Path("other.o").write_text("older")
    os.utime("other.o", (1, 1))
    assert isel("compile", "--", fake("ldc2", "d", tmp_path), *words.split()).code == 0
    assert "unchanged" in (tmp_path / "log").read_text()
    assert Path("other.o").read_text() == "older"


def test_which_compilers_are_known() -> None:
    assert sorted(DOORS) == ["flang", "flang-new", "ldc2", "ldmd2", "zig"]


def test_exit_codes_and_mistakes(isel: Run, tmp_path: Path) -> None:
    failing = tmp_path / "ldc2"
    failing.write_text("#!/bin/sh\nexit 3\n")
    failing.chmod(0o755)
    assert isel("compile", "--", str(failing), "-O", "-c", "a.d").code == 3
    for words, said in (
        ((), "no compiler, expected isel compile -- COMPILER ARGS"),
        (("gdc", "-O"), "unknown compiler 'gdc'"),
        (("./zig", "-O"), "zig: error: no such file or directory"),
    ):
        ran = isel("compile", "--", *words)
        assert ran.code == 1 and said in ran.err, ran


def test_types_with_numbers_and_ir_that_cannot_be_read(tmp_path: Path) -> None:
    text = (HERE / "d.ll").read_text()
    assert "%0 = type" in text and "%0" in text.partition("define ")[2]
    strings = text.replace("%0 = type", '@s = constant [3 x i8] c"%0 "\n%0 = type', 1)
    for module in (text, strings):
        assert object_of(module, ["ldc2"], "halve.d", "halve.o", 3).startswith(b"\x7fELF")
    assert b"%0 \0" in object_of(strings, ["ldc2"], "halve.d", "halve.o", 3)
    assert not object_of(text.replace("define", "defined"), ["ldc2"], "halve.d", "halve.o", 3)


@pytest.mark.tools
@pytest.mark.parametrize(
    "words",
    [
        ["ldc2", "-O3", "-mcpu=haswell", "-c", "subtract.d", "-of=subtract.o"],
        [
            sys.executable,
            "-m",
            "ziglang",
            "build-obj",
            "halve.zig",
            "-OReleaseFast",
            "-mcpu=haswell",
        ],
    ],
    ids=["d", "zig"],
)
def test_compilers_as_they_are(words: list[str], isel: Run, tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "d" / "subtract.d", tmp_path)
    shutil.copy(HERE / "halve.zig", tmp_path)
    ran = isel("compile", "--", *words)
    assert ran.code == 0 and "1 rewritten files" in (tmp_path / "log").read_text(), ran
    if words[0] == "ldc2":
        subprocess.run(["ldc2", "subtract.o", "-of=subtract"], check=True)
        done = subprocess.run(["./subtract"], capture_output=True, text=True, check=True)
        assert done.stdout == "2866 2866\n"
