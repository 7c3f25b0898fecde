"""Whatever is given, the answer is one line or a clean fallback: no traceback, no half-written
file, no lost input.
"""

from __future__ import annotations

import logging
import os
import signal
import sqlite3
from pathlib import Path

import pytest

from frontends.llvm.linked import binding
from frontends.llvm.pipeline.options import Options, Rewritten, Tools
from isel.api.tools import Making
from isel.model.answer import Synthesizer
from isel.model.machine import Machine
from isel.workers import Pool
from tests.cli.modules import CPU, PLAIN, SCALABLE, UNVERIFIED, WINDOW, Run, written


def _one_line(err: str) -> str:
    """Return the message, which must be one line, with the source line and a caret at most."""
    lines = err.rstrip("\n").split("\n")
    assert lines[0].startswith("isel: ")
    assert len(lines) in (1, 3), err
    assert len(lines) == 1 or lines[2].strip() == "^"
    assert "Traceback" not in err, err
    return lines[0]


GARBAGE = bytes(range(256)) * 8


def _file(kind: str, folder: Path) -> Path:
    path = folder / "in.ll"
    match kind:
        case "missing":
            return folder / "missing.ll"
        case "directory":
            return folder
        case "unreadable":
            return Path("/proc/self/mem")
        case "garbage":
            path.write_bytes(GARBAGE)
        case "empty":
            path.write_bytes(b"")
        case "truncated":
            path.write_bytes(binding.text_to_bitcode(PLAIN)[:-200])
        case "header only":
            path.write_bytes(b"BC\xc0\xde")
        case "damaged bitcode":
            data = bytearray(binding.text_to_bitcode(PLAIN))
            data[40:] = GARBAGE[: len(data) - 40]
            path.write_bytes(data)
        case "syntax":
            path.write_text(PLAIN.replace("add <4", "plus <4"))
        case "unverified":
            path.write_text(UNVERIFIED)
        case "half a module":
            path.write_text(PLAIN[: len(PLAIN) // 2])
    return path


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("missing", "no such file or directory"),
        ("directory", "is a directory"),
        ("unreadable", "input/output error"),
        ("garbage", "in.ll:1:1: error: a byte that is not text"),
        ("empty", "the file is empty"),
        ("truncated", "in.ll: error: "),
        ("header only", "in.ll: error: "),
        ("damaged bitcode", "in.ll: error: "),
        ("syntax", "in.ll:4:8: error: expected instruction opcode"),
        ("unverified", "Instruction does not dominate all uses"),
        ("half a module", "in.ll:"),
    ],
)
@pytest.mark.parametrize("command", ["opt", "verify"])
def test_unusable_files(isel: Run, tmp_path: Path, command: str, kind: str, what: str) -> None:
    extra = ("-S", "-o", "out.ll") if command == "opt" else ()
    ran = isel(command, _file(kind, tmp_path), *extra)
    assert ran.code == 1
    assert what in _one_line(ran.err)
    assert ran.out == ""
    assert not (tmp_path / "out.ll").exists()


@pytest.mark.parametrize(
    ("said", "node", "what"),
    [
        ("range", "i8 5, i8 5", "The upper and lower limits cannot be the same value"),
        ("range", "", "It should have at least one range!"),
        ("range", "i8 5, i8 9, i8 7, i8 12", "Intervals are overlapping"),
        ("range", "i8 5, i8 9, i8 20", "Unfinished range!"),
        ("range", "i16 5, i16 9", "Range types must match instruction type!"),
        ("nonnull", "", "nonnull applies only to pointer types"),
        ("align", "i64 3", "align applies only to pointer types"),
    ],
)
def test_a_promise_that_contradicts_itself(
    isel: Run, tmp_path: Path, said: str, node: str, what: str
) -> None:
    """It costs its own file."""
    path, other = tmp_path / "in.ll", tmp_path / "other.ll"
    body = f"(ptr %p) {{\n  %a = load i8, ptr %p, align 1, !{said} !0\n  ret i8 %a\n}}\n"
    path.write_text(f"define i8 @src{body}define i8 @tgt{body}!0 = !{{{node}}}\n")
    other.write_text(PLAIN)
    for command in ("opt", "verify"):
        ran = isel(command, path)
        assert ran.code == 1 and what in _one_line(ran.err) and ran.out == ""
    ran = isel("batch", path, other, "-o", "out")
    assert what in ran.err and "2 modules, 0 rewritten, 1 failed" in ran.out + ran.err
    assert (tmp_path / "out" / "other.ll").exists()
    assert not (tmp_path / "out" / "in.ll").exists()


def test_the_caret_is_under_the_mistake(isel: Run, tmp_path: Path) -> None:
    lines = isel("opt", _file("syntax", tmp_path), "-S").err.split("\n")
    assert lines[1][lines[2].index("^") :].startswith("plus")


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("--efort", "2"), "unknown flag '--efort', did you mean '--effort'?"),
        (("-mcup=haswell",), "unknown flag '-mcup', did you mean '-mcpu'?"),
        (("-mcpu=saphirerapids",), "unknown CPU 'saphirerapids', did you mean 'sapphirerapids'?"),
        (("-mattr=+avx512vnii",), "unknown feature 'avx512vnii', did you mean 'avx512vnni'?"),
        (("-mtriple=z80-none-none",), "unknown target triple 'z80-none-none'"),
        (("-mtriple=riscv64-linux-gnu",), "unknown target triple 'riscv64-linux-gnu'"),
        (("-j", "0"), "argument -j/-jobs/--jobs: invalid number from 1 value: '0'"),
        (("--effort=much",), "invalid number"),
        (("--time-limit=-1",), "invalid number of seconds above 0 value: '-1'"),
        (("--only-function=(",), "'(' is no regular expression"),
        (("--emit=halide",), "invalid choice: 'halide'"),
        (("second.ll",), "unexpected argument 'second.ll'"),
        (
            ("-o", "no/such/folder/out.ll"),
            "no/such/folder/out.ll: error: no such file or directory",
        ),
        (("-o", "."), ".: error: is a directory"),
        (
            ("--remarks", "/proc/nowhere/r.yaml"),
            "/proc/nowhere/r.yaml: error: no such file or directory",
        ),
    ],
)
def test_unusable_flags(isel: Run, words: tuple[str, ...], what: str, tmp_path: Path) -> None:
    path = written(tmp_path / "in.ll", PLAIN)
    ran = isel("opt", path, "-S", *words)
    assert ran.code == 1
    assert what in _one_line(ran.err)
    assert ran.out == ""
    assert sorted(p.name for p in tmp_path.iterdir() if p.name != "own-cache") == ["in.ll"]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("optt",), "unknown command 'optt', did you mean 'opt'?"),
        (("--verison",), "unknown flag '--verison', did you mean '--version'?"),
        (("opt",), "the following arguments are required: IN"),
        (("explain", "vpmulhrs"), "unknown instruction 'vpmulhrs', did you mean 'vpmulhrsw'?"),
        (
            ("explain", "vpavgb", "-mcpu=hasswell"),
            "unknown CPU 'hasswell', did you mean 'haswell'?",
        ),
        (("semantics", "list", "x68"), "unknown target 'x68', did you mean 'x86'?"),
        (("semantics", "show", "x86"), "takes the names of instructions"),
        (("semantics", "list", "x86", "--seed=1"), "--seed belongs to"),
        (("cache", "export"), "takes a file"),
        (("cache", "import", "missing.sqlite"), "missing.sqlite: error: no such file or directory"),
    ],
)
def test_other_commands(isel: Run, words: tuple[str, ...], what: str) -> None:
    ran = isel(*words)
    assert ran.code == 1
    assert what in _one_line(ran.err)


@pytest.mark.parametrize(
    "text",
    [
        SCALABLE,
        PLAIN.replace("x86_64-unknown-linux-gnu", "s390x-ibm-linux"),
        PLAIN.replace("x86_64-unknown-linux-gnu", "nonsense"),
    ],
)
def test_what_is_not_understood_is_left_alone(isel: Run, tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "in.ll", text)
    ran = isel("opt", path, "-S")
    assert ran.code == 0
    assert ran.out == text


def test_the_report_says_what_was_left_alone(isel: Run, tmp_path: Path) -> None:
    assert (
        "skipped"
        in isel(
            "opt", written(tmp_path / "a.ll", PLAIN.replace("x86_64", "s390x")), "-S", "--report"
        ).err
    )
    assert (
        "of 2 instructions in windows"
        in isel("opt", written(tmp_path / "b.ll", SCALABLE), "-S", "--report").err
    )


def _expected(isel: Run) -> str:
    ran = isel("opt", WINDOW, "-S", CPU, "--cache=off")
    assert ran.code == 0
    assert "pmul.hr.sw" in ran.out
    return ran.out


def _foreign(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (x)")
    connection.commit()
    connection.close()


def _older(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA application_id = 0x6973656C")
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("kind", ["corrupt", "foreign", "older", "not a folder", "cannot be made"])
def test_unusable_caches_warn_and_change_nothing(
    isel: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    cache = tmp_path / "c" / "cache.sqlite"
    cache.parent.mkdir()
    given: Path = cache.parent
    match kind:
        case "corrupt":
            cache.write_bytes(GARBAGE * 10)
        case "foreign":
            _foreign(cache)
        case "older":
            _older(cache)
        case "not a folder":
            given = written(tmp_path / "file", "") / "below"
        case "cannot be made":
            given = Path("/proc/isel")
    expected = _expected(isel)
    with caplog.at_level(logging.WARNING):
        ran = isel("opt", WINDOW, "-S", CPU, "--cache", given)
    assert (ran.code, ran.out) == (0, expected)
    assert [r.levelname for r in caplog.records if r.name == "isel.cache"] == ["WARNING"]


def test_a_warning_is_one_line_on_standard_error(spawned: Run) -> None:
    ran = spawned("opt", WINDOW, "-S", "-o", "/dev/null", CPU, "--cache=/proc/isel")
    assert ran.code == 0
    assert ran.err == "isel: warning: no cache in /proc/isel: no such file or directory\n"


def test_a_search_worker_that_dies_costs_its_window_only(
    isel: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parent = os.getpid()
    make = Making.__call__

    class Dying:
        def __init__(self, inner: Synthesizer) -> None:
            self.inner = inner

        def prepare(self, windows: object) -> None:
            pass

        def search(self, window: object) -> object:
            if os.getpid() != parent:
                os.kill(os.getpid(), signal.SIGKILL)
            raise AssertionError("searched in the parent")

    def dying(self: Making, machine: Machine, pool: Pool | None, effort: int) -> object:
        return Dying(make(self, machine, pool, effort))

    monkeypatch.setattr(Making, "__call__", dying)
    two = WINDOW.read_text().split("attributes #0")[0]
    text = (
        two
        + two[two.index("define") :]
        .replace("@multiply_round", "@again")
        .replace("mul nsw", "add nsw")
        + "attributes #0"
        + WINDOW.read_text().split("attributes #0")[1]
    )
    path = written(tmp_path / "in.ll", text)
    ran = isel("opt", path, "-S", CPU, "-j2", "--report", "--cache=off", strict=False)
    assert ran.code == 0
    assert ran.out == text
    assert "the search failed: the worker was ended by signal 9" in ran.err


def test_code_that_llvm_cannot_select_is_left_alone(isel: Run, tmp_path: Path) -> None:
    """LLVM ends its process on an intrinsic that the CPU lacks; the module is written unchanged."""
    text = WINDOW.read_text().replace(
        "  store",
        "  %h = shufflevector <32 x i16> %r, <32 x i16> poison, <16 x i32> zeroinitializer\n"
        "  %q = call <16 x i32> @llvm.x86.avx512.vpdpwssd.512(<16 x i32> zeroinitializer, <32 x i16> %r, <32 x i16> %x)\n"
        "  store <16 x i32> %q, ptr %a, align 64\n  store",
        1,
    )
    text = text.replace(
        "attributes #0",
        "declare <16 x i32> @llvm.x86.avx512.vpdpwssd.512(<16 x i32>, <32 x i16>, <32 x i16>)\n\nattributes #0",
    )
    path = written(tmp_path / "in.ll", text)
    ran = isel("opt", path, "-S", "-mcpu=haswell", "--report")
    assert ran.code == 0
    assert ran.out == text


def test_a_bug_leaves_a_reproducer(
    isel: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(text: str, options: Options, tools: Tools, file: str) -> Rewritten:
        error = ZeroDivisionError("division by zero")
        error.add_note("(set-logic QF_BV)")
        raise error

    monkeypatch.setattr("isel.api.tools.rewrite_module", broken)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    path = written(tmp_path / "in.ll", PLAIN)
    ran = isel("opt", path, "-S", "-o", "out.ll")
    assert ran.code == 70
    assert _one_line(ran.err).startswith(
        "isel: bug: ZeroDivisionError: division by zero; the reproducer is in "
    )
    (folder,) = tmp_path.glob("isel-bug-*")
    assert sorted(p.name for p in folder.iterdir()) == [
        "command.txt",
        "in.ll",
        "query.smt2",
        "trace.txt",
        "versions.txt",
    ]
    assert (folder / "command.txt").read_text() == f"isel opt {path} -S -o out.ll --strict\n"
    assert (folder / "in.ll").read_text() == PLAIN
    assert not (tmp_path / "out.ll").exists()


def test_a_failure_keeps_the_old_output(isel: Run, tmp_path: Path) -> None:
    out = written(tmp_path / "out.ll", "precious")
    assert isel("opt", _file("syntax", tmp_path), "-S", "-o", out).code == 1
    assert out.read_text() == "precious"
