"""Interrupts, which are raised where Python runs: not in a fork, and not in a callback of a library, which would drop them.

Python raises :class:`KeyboardInterrupt` between any two steps of ours.  What is raised in ``__del__`` is dropped with a word on
stderr, what is raised in a solver's callback with a whole trace, and what is raised while a process forks may be raised in the child.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Final

_INTERRUPTS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)
_SOON: Final = 0.05  # seconds until the next try, where none was made
_AGAIN: Final = 1.0  # the same where one was made, which may have got lost
_callbacks: set[CodeType] = set()
_waiting = False


def callback(code: CodeType) -> None:
    """Let no interrupt be raised under the function of ``code``; it asks :func:`interrupted` by itself."""
    _callbacks.add(code)


def interrupted() -> bool:
    """Whether an interrupt came that has not been dealt with: in a callback it waits until that is left."""
    return _waiting


def settle() -> None:
    """Raise the interrupt that waits, if one does."""
    if _waiting:
        raise KeyboardInterrupt


def answer(number: int, frame: FrameType | None) -> None:
    """Handle a signal: raise now, or as soon as no callback runs; and again, since what is raised may still get lost."""
    global _waiting
    _waiting = True
    while frame is not None:
        if frame.f_code in _callbacks or frame.f_code.co_name == "__del__":
            signal.setitimer(signal.ITIMER_REAL, _SOON)
            return
        frame = frame.f_back
    signal.setitimer(signal.ITIMER_REAL, _AGAIN)
    raise KeyboardInterrupt


def forget() -> None:
    """An interrupt was dealt with: it is raised no more."""
    global _waiting
    signal.setitimer(signal.ITIMER_REAL, 0)
    _waiting = False


@contextlib.contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold interrupts of this thread back; what came meanwhile is answered afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def be_a_child() -> None:
    """Leave interrupts from the keyboard to the parent, which ends its children, and let go of what was held back."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)


def fork() -> int:
    """Return what ``os.fork`` does; the child is one that its parent ends."""
    with interrupts_held():
        pid = os.fork()
        if not pid:
            be_a_child()
        return pid
