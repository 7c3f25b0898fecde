"""Standard streams that are closed or full, reports that cannot be written, inputs that are no
regular text: one line, and nothing half-written.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from isel.api import tools
from isel.spec import kept
from isel.trust import signer_at
from tests.cli.conftest import environment
from tests.cli.modules import CPU, PLAIN, WINDOW, Run, written

STREAM = "isel: a standard stream: error: "
CLOSED, FULL = "bad file descriptor", "no space left on device"


def shell(command: str) -> tuple[int, str, str]:
    """Run ``isel`` in a shell; return its exit code and what it wrote to pipes."""
    text = command.replace("isel ", f"{sys.executable} -m isel ", 1)
    done = subprocess.run(
        ["sh", "-c", text],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment(),
        timeout=100,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("command", "code", "err"),
    [
        ("isel opt in.ll --strict -S >&-", 1, f"isel: <stdout>: error: {CLOSED}\n"),
        ("isel opt in.ll --strict -S >/dev/full", 1, f"isel: <stdout>: error: {FULL}\n"),
        ("isel opt - --strict -S <&-", 1, f"isel: <stdin>: error: {CLOSED}\n"),
        ("isel verify in.ll in.ll >&-", 1, f"{STREAM}{CLOSED}\n"),
        ("isel verify in.ll in.ll >/dev/full", 1, f"{STREAM}{FULL}\n"),
        ("isel --version >&-", 1, f"{STREAM}{CLOSED}\n"),
        ("isel --version >/dev/full", 1, f"{STREAM}{FULL}\n"),
        ("isel opt missing.ll -S 2>&-", 1, ""),
        ("isel opt missing.ll -S 2>/dev/full", 1, ""),
        ("isel opt in.ll --strict -S --report 2>&-", 1, ""),
        ("isel opt in.ll --strict -S --report 2>/dev/full", 1, ""),
        ("isel opt in.ll --strict -S --time-passes --print-changed 2>/dev/full", 1, ""),
    ],
)
def test_streams_that_cannot_be_used(tmp_path: Path, command: str, code: int, err: str) -> None:
    written(tmp_path / "in.ll", PLAIN)
    assert shell(command) == (code, "", err)
    assert {p.name for p in tmp_path.iterdir()} == {"in.ll", "own-cache"}


@pytest.mark.parametrize(
    "streams",
    ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"],
)
def test_streams_that_are_not_used_may_be_closed(tmp_path: Path, streams: str) -> None:
    """No file that is opened takes their place: what is written is what is written with them."""
    path = written(tmp_path / "in.ll", WINDOW.read_text())
    words = f"isel opt {path} --strict -S {CPU} --stats-json stats.json"
    assert shell(f"{words} -o out.ll {streams}")[0] == 0
    stats = Path("stats.json").read_bytes()
    assert shell(f"{words} -o expected.ll") == (0, "", "")
    assert Path("out.ll").read_bytes() == Path("expected.ll").read_bytes()
    assert b"pmul.hr.sw" in Path("out.ll").read_bytes()
    assert Path("stats.json").read_bytes() == stats


@pytest.mark.parametrize("flag", ["--remarks", "--stats-json", "-o"])
def test_a_full_device_leaves_nothing(isel: Run, tmp_path: Path, flag: str) -> None:
    path = written(tmp_path / "in.ll", PLAIN)
    ran = isel("opt", path, "-S", *(("-o", "out.ll") if flag != "-o" else ()), flag, "/dev/full")
    assert (ran.code, ran.out, ran.err) == (1, "", f"isel: /dev/full: error: {FULL}\n")
    assert {p.name for p in tmp_path.iterdir()} == {"in.ll", "own-cache"}


@pytest.mark.parametrize("flag", ["--remarks", "--stats-json"])
def test_a_report_that_cannot_be_written_keeps_the_old_output(
    isel: Run, tmp_path: Path, flag: str
) -> None:
    path, out = written(tmp_path / "in.ll", PLAIN), written(tmp_path / "out.ll", "precious")
    for place, why in (
        ("/dev/full", FULL),
        ("nowhere/report", "no such file or directory"),
        (".", "is a directory"),
        ("/proc/report", "no such file or directory"),
    ):
        ran = isel("opt", path, "-S", "-o", out, flag, place)
        assert (ran.code, ran.out, ran.err) == (1, "", f"isel: {place}: error: {why}\n")
        assert out.read_text() == "precious"


@pytest.mark.parametrize("command", ["opt", "verify"])
@pytest.mark.parametrize(
    ("data", "place"),
    [
        (PLAIN.encode("utf-16"), "1:"),
        (b"\xef\xbb\xbf" + PLAIN.encode(), "1:"),
        (PLAIN.encode().replace(b"%r = ", b"%\xff = "), "4:4"),
        (PLAIN.encode().replace(b"%r = ", b"%\xed\xa0\x80 = "), "4:4"),
        (PLAIN.encode().replace(b"%r = ", b"\0 = "), "4:3"),
        (PLAIN.encode() + b"\0", "7:1"),
    ],
)
def test_bytes_that_are_no_text(
    isel: Run, tmp_path: Path, command: str, data: bytes, place: str
) -> None:
    path = tmp_path / "in.ll"
    path.write_bytes(data)
    ran = isel(command, path, *(("-S",) if command == "opt" else ()))
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"isel: {path}:{place}"), ran.err
    assert ": error: " in ran.err


def test_a_pipe_may_be_read_and_written(isel: Run, tmp_path: Path) -> None:
    """Named pipes are streams: nothing is renamed over them."""
    source, target = tmp_path / "source", tmp_path / "target"
    got: list[str] = []
    for path in (source, target):
        os.mkfifo(path)
    threads = [
        threading.Thread(target=source.write_text, args=(PLAIN,)),
        threading.Thread(target=lambda: got.append(target.read_text())),
    ]
    for thread in threads:
        thread.start()
    ran = isel("opt", source, "-S", "-o", target)
    for thread in threads:
        thread.join(20)
    assert (ran.code, ran.err) == (0, "")
    assert got == [PLAIN]
    assert source.is_fifo()
    assert target.is_fifo()


def test_json_nested_too_deeply_is_no_answer(tmp_path: Path) -> None:
    """Of a judgement in the cache, and of the index of a target, though its code is right."""
    deep = "[" * 200_000
    assert tools.read_judgement(deep) is None
    assert tools.read_judgement(f'[true, "", {"9" * 400}, 0, [], []]') is None  # no float
    signer = signer_at(tmp_path / "state" / "key")
    assert signer is not None
    kept.write_kept(tmp_path / "kept", "key", [], signer)
    path, body = tmp_path / "kept", deep.encode()
    start = path.read_bytes().partition(b"\n")[0].rpartition(b" ")[0]
    path.write_bytes(b"%s %s\n%s" % (start, signer.mac("index", "key", body).encode(), body))
    assert kept.read_kept(path, "key", signer) is None


def test_a_name_that_is_no_text(isel: Run, tmp_path: Path) -> None:
    name = os.fsdecode(b"in\xff.ll")
    assert isel("opt", name, "-S").code == 1
    path = written(tmp_path / name, PLAIN)
    ran = isel(
        "opt",
        path,
        "-S",
        "-o",
        os.fsdecode(b"out\xff.ll"),
        "--report",
        "--remarks",
        "r.yaml",
        "--stats-json",
        "s.json",
    )
    assert ran.code == 0
    assert os.fsdecode(b"out\xff.ll") in os.listdir()


@pytest.mark.parametrize(
    "words",
    [("--only-function=a{99999999999}",), ("--only-function=" + "(" * 5000,), ("-j", "9" * 5000)],
)
def test_numbers_and_patterns_beyond_all_bounds(
    isel: Run, tmp_path: Path, words: tuple[str, ...]
) -> None:
    ran = isel("opt", written(tmp_path / "in.ll", PLAIN), "-S", *words)
    assert ran.code == 1
    assert ran.err.count("\n") == 1
