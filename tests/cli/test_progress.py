"""The line on a terminal: drawn after a second, moving, taken away again; without a terminal
there is none, and nothing is imported for it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from isel.cli.progress import Told, progress, say_lines
from isel.progress import silent

ROOT = Path(__file__).parents[2]
SCRIPT = """
import io, sys, time
from isel.cli.progress import Told, progress, say_lines
class Terminal(io.TextIOWrapper):
    def isatty(self): return True
sys.stderr = Terminal(sys.stderr.detach(), write_through=True)
with progress("starting") as tell:
    tell("windows searched", 3, 8)
    time.sleep(float(sys.argv[1]))
    {more}
print("rich" in sys.modules, file=sys.stderr)
"""


def on_a_terminal(seconds: float, more: str = "pass") -> tuple[int, str]:
    """Return the exit status and what a terminal was sent: a pipe that says that it is one, since
    a chroot may have no pseudo-terminals.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "80"}
    command = [sys.executable, "-c", SCRIPT.format(more=more), str(seconds)]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, check=False
    )
    return done.returncode, done.stdout.decode()


def test_without_a_terminal_nobody_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    with progress("x") as tell:
        assert tell is silent
        tell("y", 1, 2)
    assert capfd.readouterr() == ("", "")


class Parent(Told):
    """What a parent says over 25 seconds, by a clock that is moved by listening."""

    now = 100.0

    def ends(self, deadline: float) -> bool:
        self.now = min(deadline, 125.0)
        self.last = f"{self.now:.0f}\t213\tresults proved"
        return deadline > 125


def test_a_line_each_ten_seconds_of_what_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    parent = Parent(0, "")
    say_lines(parent, lambda: parent.now)
    lines = ("results proved 110 of 213, 10 s", "results proved 120 of 213, 20 s")
    assert capsys.readouterr().err == "".join(f"isel: {line}\n" for line in lines)


def test_who_asks_for_it_is_heard_without_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    with progress("x", always=True) as tell:
        assert tell is not silent
        tell("y", 1, 2)
    assert capfd.readouterr() == ("", "")


def test_a_line_after_a_second() -> None:
    code, said = on_a_terminal(2.0)
    assert code == 0
    assert "isel: windows searched" in said and "3 of 8" in said
    assert said.endswith("False\n")  # the command itself imports nothing
    assert "\x1b[?25h" in said  # the cursor is shown again


def test_no_line_within_a_second() -> None:
    assert on_a_terminal(0.0) == (0, "False\n")


def test_the_line_goes_where_an_error_ends_the_command() -> None:
    code, said = on_a_terminal(1.5, "raise SystemExit(3)")
    assert code == 3
    assert said.rstrip().endswith("\x1b[2K") or said.index("\x1b[?25h") > said.rindex("3 of 8")


def test_messages_never_block() -> None:
    start = time.monotonic()
    code, _ = on_a_terminal(0.0, "for k in range(200_000): tell('much', k, 200_000)")
    assert code == 0
    assert time.monotonic() - start < 20
