"""Interrupts: held back in a fork and in callbacks, and never lost."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from isel import interrupts
from isel.interrupts import fork, interrupts_held
from isel.smt.query import Solver
from tests.smt.test_solvers import SOLVERS, hard


@pytest.fixture(autouse=True)
def _plain() -> Iterator[None]:
    """The handlers that Python starts with, whatever runs the tests."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGALRM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    interrupts.forget()
    for number, handler in before.items():
        signal.signal(number, handler)


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


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: str(s.name))
def test_a_check_of_a_solver_is_left(solver: Solver, capfd: pytest.CaptureFixture[str]) -> None:
    """Neither prints, or takes the interrupt for the answer that the steps did not suffice."""
    for number in (signal.SIGINT, signal.SIGALRM):
        signal.signal(number, interrupts.answer)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solver.check(hard(), 10**9)
    interrupts.forget()
    assert capfd.readouterr() == ("", "")
