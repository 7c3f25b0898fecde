"""Forks: none is interrupted, and its child is one that ends with its parent."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from collections.abc import Iterator
from typing import Final

from isel.interrupts import INTERRUPTS, forget

_PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h
_libc: Final = ctypes.CDLL(None)


@contextlib.contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold interrupts of this thread back; what came meanwhile is answered afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def be_a_child(parent: int) -> None:
    """End with process ``parent``, leave interrupts from the keyboard to it, and let go of what
    was held back.
    """
    forget()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before it could be told of
        os._exit(1)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)


def fork() -> int:
    """Return what ``os.fork`` does; the child is one that its parent ends."""
    parent = os.getpid()
    with interrupts_held():
        pid = os.fork()
        if not pid:
            be_a_child(parent)
        return pid
