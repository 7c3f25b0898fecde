"""What the user is told of a bug that cost a window or a function: a line, a reproducer, and
exit code 70 where it is asked for.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from frontends.llvm.windows.scene import Scene
from isel.api.tools import Making
from isel.cli.given import forget
from isel.cli.reproducer import reproducer
from isel.model.answer import Result, Synthesizer
from isel.model.machine import Machine
from isel.model.window import Window
from isel.workers import Pool
from tests.cli.modules import CPU, WINDOW, Run, written

WIDE = """\
target triple = "x86_64-unknown-linux-gnu"

define <2 x i64> @mulhi(<2 x i64> %a, <2 x i64> %b) {
  %x = zext <2 x i64> %a to <2 x i128>
  %y = zext <2 x i64> %b to <2 x i128>
  %m = mul <2 x i128> %x, %y
  %h = lshr <2 x i128> %m, splat (i128 64)
  %r = trunc <2 x i128> %h to <2 x i64>
  ret <2 x i64> %r
}
"""

PIPELINE = """\
import halide as hl


def mean():
    x = hl.Var("x")
    a, b = hl.ImageParam(hl.UInt(8), 1, "a"), hl.ImageParam(hl.UInt(8), 1, "b")
    f = hl.Func("f")
    f[x] = hl.u8((hl.u16(a[x]) + hl.u16(b[x]) + 1) >> 1)
    f.vectorize(x, 64)
    return f, [a, b]
"""


class _Broken:
    """A search with a bug."""

    def prepare(self, windows: object) -> None:
        """Needs nothing."""

    def search(self, window: Window) -> Result:
        raise TypeError("an array at 0x7f00")


def broken(self: Making, machine: Machine, pool: Pool | None, effort: int) -> Synthesizer:
    return _Broken()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where reproducers are left."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    return tmp_path / "temporary"


@pytest.mark.parametrize("jobs", ["-j1", "-j2"])
def test_a_window_that_fails_is_left_and_told(
    isel: Run,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    jobs: str,
) -> None:
    monkeypatch.setattr(Making, "__call__", broken)
    words = (
        "opt",
        WINDOW,
        "-S",
        "-o",
        "out.ll",
        CPU,
        jobs,
        "--report",
        "--stats-json",
        "stats.json",
        "--remarks",
        "remarks.yaml",
    )
    ran = isel(*words, strict=False)
    assert ran.code == 0
    assert Path("out.ll").read_text() == WINDOW.read_text()
    (left,) = folder.iterdir()
    said = f"1 window left alone after 1 failure, first @multiply_round %r: failed: TypeError: an array at 0x…; the reproducer is in {left}, please report it"
    assert [r.getMessage() for r in caplog.records] == [said]
    assert f"{WINDOW}:13: left alone: failed: TypeError: an array at 0x…\n" in ran.err
    assert said in ran.err
    stats = json.loads(Path("stats.json").read_text())
    assert (stats["windows_failed"], stats["failures"], stats["windows"][0]["outcome"]) == (
        1,
        1,
        "failed",
    )
    assert "Name:            WindowFailed" in Path("remarks.yaml").read_text()
    assert str(folder) not in Path("stats.json").read_text() + Path("remarks.yaml").read_text()
    assert sorted(p.name for p in left.iterdir()) == [
        "command.txt",
        WINDOW.name,
        "trace.txt",
        "versions.txt",
    ]
    assert (left / "command.txt").read_text() == f"isel {' '.join(map(str, words))}\n"
    assert (left / "trace.txt").read_text().startswith("@multiply_round %r:\nTraceback")


def test_nothing_of_it_is_kept(isel: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Making, "__call__", broken)
        assert "pmul.hr.sw" not in isel("opt", WINDOW, "-S", CPU, strict=False).out
    assert "pmul.hr.sw" in isel("opt", WINDOW, "-S", CPU).out


def test_strictly_it_is_a_bug(isel: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Making, "__call__", broken)
    ran = isel("opt", WINDOW, "-S", "-o", "out.ll", CPU)
    assert ran.code == 70
    assert ran.err.startswith("isel: bug: TypeError: an array at 0x7f00; the reproducer is in ")
    assert not Path("out.ll").exists()


def test_the_input_of_a_pipe_is_in_the_reproducer(
    isel: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Making, "__call__", broken)
    with WINDOW.open("rb") as text:
        monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": text}))
        assert isel("opt", "-", "-S", CPU, strict=False).code == 0
    (left,) = folder.iterdir()
    assert (left / "stdin").read_bytes() == WINDOW.read_bytes()


def test_the_input_of_a_pipe_is_in_what_a_bug_leaves(
    isel: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Strictly: exit code 70; what another command was given before is not in it."""
    monkeypatch.setattr(Making, "__call__", broken)
    with WINDOW.open("rb") as text:
        monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": text}))
        assert isel("opt", "-", "-S", CPU).code == 70
    (left,) = folder.iterdir()
    assert (left / "stdin").read_bytes() == WINDOW.read_bytes()
    assert isel("opt", WINDOW, "-S", CPU).code == 70
    (second,) = (f for f in folder.iterdir() if f != left)
    assert sorted(p.name for p in second.iterdir()) == sorted(
        [WINDOW.name, "command.txt", "trace.txt", "versions.txt"]
    )


def test_files_that_words_name_are_in_the_reproducer(folder: Path, tmp_path: Path) -> None:
    """Whatever stands around the name, and two files of one name."""
    forget()
    other = tmp_path / "other"
    other.mkdir()
    for k, path in enumerate([tmp_path / "a.ll", other / "a.ll", other / "p.py", other / "b.tsv"]):
        path.write_text(f"{k}")
    words = [
        str(tmp_path / "a.ll"),
        str(other / "a.ll"),
        f"{other}/p.py:f",
        f"--with={other}/b.tsv",
    ]
    assert reproducer(words, "the trace").startswith("the reproducer is in ")
    (left,) = folder.iterdir()
    found = {p.name: p.read_text() for p in left.iterdir() if p.suffix != ".txt"}
    assert found == {"a.ll": "0", "2-a.ll": "1", "p.py": "2", "b.tsv": "3"}


def test_modules_of_a_pipeline_are_in_what_a_bug_leaves(
    isel: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Making, "__call__", broken)
    pipeline = written(tmp_path / "p.py", PIPELINE)
    words = ("halide", f"{pipeline}:mean", "-o", str(tmp_path / "o"), "-target", "x86", "-no-run")
    assert isel(*words).code == 70
    (left,) = folder.iterdir()
    assert (left / "p.py").read_text() == PIPELINE
    assert "define" in (left / "module1.ll").read_text()


def test_a_reproducer_that_cannot_be_written_is_no_failure(
    isel: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(prefix: str) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.mkdtemp", full)
    monkeypatch.setattr(Making, "__call__", broken)
    assert isel("opt", WINDOW, "-S", CPU, strict=False).code == 0
    assert (
        caplog.records[-1]
        .getMessage()
        .endswith("no reproducer could be written: no space left on device")
    )


def test_a_function_that_fails_is_left_and_told(
    isel: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(self: Scene, *given: object, **named: object) -> None:
        raise RecursionError

    monkeypatch.setattr(Scene, "__init__", failing)
    ran = isel("opt", WINDOW, "-S", CPU, "--report", strict=False)
    assert ran.code == 0
    assert "function @multiply_round skipped: failed: RecursionError\n" in ran.err
    assert (
        "1 function left alone after 1 failure, first @multiply_round: failed: RecursionError; "
        in caplog.records[-1].getMessage()
    )


def test_lanes_of_more_than_64_bits_are_left_alone(isel: Run, tmp_path: Path) -> None:
    ran = isel("opt", written(tmp_path / "in.ll", WIDE), "-S", CPU, "--report")
    assert (ran.code, ran.out) == (0, WIDE)
    assert "     5 lanes of more than 64 bits\n" in ran.err


@pytest.mark.parametrize(
    "attribute",
    ['"target-features"="-sse2"', '"target-features"="+soft-float"', '"use-soft-float"="true"'],
)
def test_functions_without_vector_registers_are_left_alone(
    isel: Run, tmp_path: Path, attribute: str
) -> None:
    text = WINDOW.read_text().replace("attributes #0 = {", f"attributes #0 = {{ {attribute}", 1)
    ran = isel("opt", written(tmp_path / "in.ll", text), "-S", CPU, "--report")
    assert (ran.code, ran.out) == (0, text)
    assert "function @multiply_round skipped: it has no vector registers\n" in ran.err
