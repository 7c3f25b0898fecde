"""What the calls of a process share: their turns, and a worker a thread for what LLVM may abort.

The engine keeps what it loads and makes in memory that one thread at a time may use.  A worker dies
with the thread that forked it, so that every thread has its own.  A fork waits for the call that is
under way, and its child makes workers of its own.
"""

from __future__ import annotations

import atexit
import math
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from frontends.llvm.linked.worker import LlvmWorker
from isel import interrupts
from isel.api.limits import CALLS_JOB

_turn = threading.RLock()
os.register_at_fork(
    before=_turn.acquire, after_in_parent=_turn.release, after_in_child=_turn.release
)


class _Worker(LlvmWorker):
    """A worker that ends with what holds it."""

    def __del__(self) -> None:
        self.close()


class _Own(threading.local):
    """What a thread has for itself."""

    def __init__(self) -> None:
        self.worker = _Worker(seconds=CALLS_JOB)


_own = _Own()


@atexit.register
def _close() -> None:
    _own.worker.close()


@contextmanager
def turn(seconds: float = math.inf) -> Iterator[LlvmWorker | None]:
    """Yield the thread's worker while other threads wait; None where their calls take longer than
    so many seconds.

    Ctrl-C ends the block where the main thread is in it and Python's own handler would answer.
    """
    if not _turn.acquire(timeout=min(seconds, threading.TIMEOUT_MAX)):
        yield None
        return
    main = threading.current_thread() is threading.main_thread()
    ours = main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    try:
        with interrupts.answered((signal.SIGINT,)) if ours else nullcontext():
            try:
                yield _own.worker
            finally:
                interrupts.settle()  # it may have been lost, or come out as another exception
    finally:
        _turn.release()
