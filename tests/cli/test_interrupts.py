"""What an interrupt, at any moment, and a closed pipe leave behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from frontends.llvm.pipeline.options import Options, Rewritten, Tools
from tests.cli.conftest import environment
from tests.cli.modules import CPU, PLAIN, WINDOW, Run, written


def _until_busy(process: subprocess.Popen[str], seconds: float) -> None:
    """Wait until the process has used so much processor time, or has ended."""
    stat = Path(f"/proc/{process.pid}/stat")
    for _ in range(2000):
        if process.poll() is not None:
            return
        fields = stat.read_text().rpartition(")")[2].split()
        if (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") >= seconds:
            return
        time.sleep(0.01)


@pytest.mark.parametrize("busy", [0.05, 0.8])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupts_write_nothing(tmp_path: Path, busy: float, number: int) -> None:
    """Early on, while it waits for input, and later, in the middle of a search."""
    waiting = busy < 0.5
    source = written(tmp_path / "in.ll", WINDOW.read_text())
    words = [
        "opt",
        "-" if waiting else str(source),
        "-S",
        CPU,
        "-o",
        "out.ll",
        "--cache=off",
        "--effort=50",
        "-j2",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "isel", *words],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        text=True,
    )
    _until_busy(process, busy)
    time.sleep(1.0 if waiting else 0.0)
    if process.poll() is None:
        process.send_signal(number)
    _, err = process.communicate(timeout=20)
    assert "Traceback" not in err, err
    if process.returncode:
        assert (process.returncode, err) == (130, "isel: interrupted\n")
        assert {p.name for p in tmp_path.iterdir()} == {"in.ll", "own-cache"}


def test_an_interrupt_lost_in_a_callback_is_raised_again(
    isel: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python drops what is raised while it deletes an object, and would say so."""

    class Loses:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.01)

    def lost(text: str, options: Options, tools: Tools, file: str) -> Rewritten:
        Loses()
        time.sleep(30)
        raise AssertionError

    monkeypatch.setattr("isel.api.tools.rewrite_module", lost)
    ran = isel("opt", written(tmp_path / "in.ll", PLAIN), "-S")
    assert (ran.code, ran.err) == (130, "isel: interrupted\n")


def test_an_interrupt_while_a_class_is_made_is_no_bug(
    isel: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python wraps it in another exception; modules are loaded when they are needed, so it may
    come then.
    """

    class Slow:
        def __set_name__(self, owner: type, name: str) -> None:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.01)

    def loading(text: str, options: Options, tools: Tools, file: str) -> Rewritten:
        type("Made", (), {"field": Slow()})
        raise AssertionError

    monkeypatch.setattr("isel.api.tools.rewrite_module", loading)
    ran = isel("opt", written(tmp_path / "in.ll", PLAIN), "-S")
    assert (ran.code, ran.err) == (130, "isel: interrupted\n")


def test_a_closed_pipe_is_quiet() -> None:
    command = f"{sys.executable} -m isel semantics list x86 | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""
    assert done.returncode in (0, 141)
