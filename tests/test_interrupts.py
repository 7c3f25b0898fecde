"""Interrupts: raised once, never lost, held back in a fork."""

from __future__ import annotations

import gc
import os
import random
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from isel import interrupts
from isel.forks import fork, interrupts_held
from isel.interrupts import answered, in_time
from isel.smt.bitwuzla_solver import BitwuzlaSolver
from isel.smt.query import Solver
from tests.smt.test_solvers import SOLVERS, hard

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _plain() -> Iterator[None]:
    """The handlers that Python starts with, whatever runs the tests."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert not interrupts.interrupted()
    for number, handler in before.items():
        signal.signal(number, handler)


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGTERM)
    for _ in range(3):
        time.sleep(0.001)


class _Deleted:
    """Is interrupted when it is deleted."""

    def __del__(self) -> None:
        _kill()


class _Cycle(_Deleted):
    """Is deleted by the collector of garbage."""

    def __init__(self) -> None:
        self.me = self


class _Referred:
    """Is referred to weakly."""


def _deletes() -> None:
    _Deleted()


def _collects() -> None:
    _Cycle()
    gc.collect()


def _forgets_a_reference() -> None:
    target = _Referred()
    reference = weakref.ref(target, lambda _: _kill())
    del target
    assert reference() is None


class _Nested:
    """Deletes what is interrupted when it is deleted: raised again there, the interrupt is lost
    again.
    """

    def __del__(self) -> None:
        _deletes()
        time.sleep(0.001)


def _deletes_what_deletes() -> None:
    _Nested()


LOSING = (_deletes, _collects, _forgets_a_reference, _deletes_what_deletes)


@pytest.mark.parametrize("late", [False, True], ids=["", "late"])
@pytest.mark.parametrize("losing", LOSING)
def test_what_python_drops_is_raised_again_at_once(
    losing: Callable[[], None], late: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """Also after a job that was late: what it left for the interpreter to look for, together with
    a trace, is looked for without end.
    """

    def run() -> None:
        losing()
        for _ in range(300):
            time.sleep(0.1)
            waited.append(True)

    waited: list[bool] = []
    if late:
        in_time(_forever, time.monotonic(), lambda: None)
    with answered():
        with pytest.raises(KeyboardInterrupt):
            run()
        assert sys.gettrace() is None
    assert len(waited) < 300
    assert capfd.readouterr() == ("", "")


def test_a_second_signal_does_not_disturb_the_end_that_the_first_makes() -> None:
    with answered():
        with pytest.raises(KeyboardInterrupt):
            _kill()
        _kill()
        assert interrupts.interrupted()
        with pytest.raises(KeyboardInterrupt):
            interrupts.settle()
    interrupts.settle()


def test_other_errors_that_python_drops_are_told(capfd: pytest.CaptureFixture[str]) -> None:
    class Fails:
        def __del__(self) -> None:
            raise ZeroDivisionError

    with answered():
        Fails()
    assert "ZeroDivisionError" in capfd.readouterr().err


UNDER_LOAD = """
import os, random, signal, sys, threading, time
from isel.interrupts import answered, interrupted
class Slow:
    def __init__(self):
        self.me = self
    def __del__(self):
        sum(range(200))
class Quick:
    def __del__(self):
        sum(range(200))
def work():
    while True:
        Quick(), Slow(), [k for k in range(50)]
rng, pid = random.Random(int(sys.argv[1])), os.getpid()
once = 0
for _ in range(int(sys.argv[2])):
    with answered():
        def send(wait=rng.uniform(0, 0.02)):
            time.sleep(wait)
            os.kill(pid, signal.SIGINT)
            os.kill(pid, signal.SIGTERM)
        sender = threading.Thread(target=send)
        try:
            sender.start()
            work()
        except KeyboardInterrupt:
            once += 1
        sender.join()  # a second one would be raised here
        assert interrupted()
print(once)
"""


def test_each_interrupt_is_raised_once_under_load() -> None:
    """With more busy processes than processors, and most of the time in ``__del__``."""
    rounds, seed = 100, random.randrange(1 << 32)
    spin = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(spin) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        done = subprocess.run(
            [sys.executable, "-c", UNDER_LOAD, str(seed), str(rounds)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{rounds}\n", ""), f"seed {seed}"


def test_what_was_held_back_is_answered_afterwards() -> None:
    done = []

    def held() -> None:
        with interrupts_held():
            signal.raise_signal(signal.SIGINT)
            done.append("still here")

    with pytest.raises(KeyboardInterrupt):
        held()
    assert done == ["still here"]
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_child_can_be_ended_and_leaves_the_keyboard_to_its_parent() -> None:
    pid = fork()
    if not pid:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGTERM


def test_a_child_ends_with_its_parent() -> None:
    """However that ends, and whatever the child is at."""
    script = "import os, time; from isel.forks import fork\npid = fork()\nif not pid: time.sleep(60)\nprint(pid, flush=True); os.kill(os.getpid(), 9)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        timeout=30,
        check=False,
    )  # and its pipe is closed
    assert done.returncode == -signal.SIGKILL
    assert int(done.stdout)


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: str(s.name))
def test_a_check_of_a_solver_is_left(solver: Solver, capfd: pytest.CaptureFixture[str]) -> None:
    """Neither prints, or takes the interrupt for the answer that the steps did not suffice."""
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    with answered():
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            solver.check(hard(), 10**9)
    assert capfd.readouterr() == ("", "")


def test_a_job_in_time_gives_what_it_returns() -> None:
    threads = threading.active_count()
    assert in_time(lambda: 1, None, lambda: 2) == 1
    assert in_time(lambda: 1, time.monotonic() + 60, lambda: 2) == 1
    with pytest.raises(ZeroDivisionError):
        in_time(lambda: 1 // 0, time.monotonic() + 60, lambda: 2)
    assert threading.active_count() == threads


def _forever() -> int:
    while True:
        pass


@pytest.mark.parametrize("seconds", [-1.0, 0.0, 0.05])
def test_a_job_that_is_late_is_left(seconds: float) -> None:
    assert in_time(_forever, time.monotonic() + seconds, lambda: 2) == 2
    assert not interrupts.interrupted()
    found: list[int] = []
    job = threading.Thread(
        target=lambda: found.append(in_time(_forever, time.monotonic() + seconds, lambda: 3))
    )
    job.start()
    job.join()
    assert found == [3]


def test_a_moment_within_a_moment() -> None:
    soon, later = time.monotonic() + 0.02, time.monotonic() + 0.1

    def job() -> int:
        assert in_time(_forever, soon, lambda: 1) == 1
        return _forever()

    assert in_time(job, later, lambda: 2) == 2
    assert in_time(lambda: in_time(_forever, later, lambda: 1) + _forever(), soon, lambda: 2) == 2


def test_a_solver_is_left_in_time(capfd: pytest.CaptureFixture[str]) -> None:
    """Its callback would swallow what is raised there, and report it."""
    at = time.monotonic() + 0.3
    assert in_time(lambda: str(BitwuzlaSolver().check(hard(), 10**9)), at, lambda: "late") == "late"
    assert capfd.readouterr() == ("", "") and not interrupts.interrupted()
