"""Interrupts: a signal raises :class:`KeyboardInterrupt` once, between two steps of Python, and
what is raised is not lost.

Python loses what is raised where nobody can catch it: in ``__del__``, in a callback of a library or
of the garbage collector.  It tells ``sys.unraisablehook`` so, which has the next line of the code
around it raise again.  A library that reports lost exceptions by itself is run in :func:`polled`.
What is about to be written is not if an interrupt came and nobody heard of it (:func:`settle`).

A job may end at a moment in the same way (:func:`in_time`), in any thread.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from types import FrameType
from typing import Final, TypeVar

INTERRUPTS: Final = (signal.SIGINT, signal.SIGTERM)
_came = False
_late = False
_polled = False
T = TypeVar("T")


class Late(BaseException):
    """The moment has come; what is under way is not to be believed."""


@contextlib.contextmanager
def answered(numbers: Collection[int] = INTERRUPTS) -> Iterator[None]:
    """Answer signals in the block; must be entered in the main thread."""
    global _came
    handlers = {number: signal.signal(number, _answer) for number in numbers}
    hook, sys.unraisablehook = sys.unraisablehook, _lost
    try:
        yield
    finally:
        if sys.gettrace() is _untraced:
            sys.settrace(None)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        sys.unraisablehook = hook
        _came = False


def interrupted() -> bool:
    """Whether an interrupt or a moment came, which is on its way or got lost."""
    return _came or _late


@contextlib.contextmanager
def polled() -> Iterator[None]:
    """Raise what comes in the block at its end: it runs a library whose callback asks whether
    it was :func:`interrupted`.
    """
    global _polled
    _polled = True
    try:
        yield
    finally:
        _polled = False
    settle()


def forget() -> None:
    """Let an interrupt that came be none that this process has to answer."""
    global _came
    _came = False
    sys.settrace(None)


def settle() -> None:
    """Raise if an interrupt or a moment came: what was done since is not to be believed."""
    if _came:
        raise KeyboardInterrupt
    if _late:
        raise Late


class _Watch:
    """Raises :class:`Late` in a thread from a moment on, every second until it is stopped: what is
    raised may be lost.
    """

    def __init__(self, at: float) -> None:
        self._at = at
        self._thread = ctypes.c_ulong(threading.get_ident())
        self._stopped = threading.Event()
        self._raised = False
        self._watcher = threading.Thread(target=self._run, daemon=True)
        self._hook = sys.unraisablehook

    def start(self) -> None:
        """Raise from now on."""
        sys.unraisablehook = self._hear
        self._watcher.start()

    def _run(self) -> None:
        global _late
        wait = min(max(self._at - time.monotonic(), 0.0), threading.TIMEOUT_MAX)
        while not self._stopped.wait(wait):
            _late, wait = True, 1.0
            if not _polled:
                self._raise()

    def _raise(self) -> None:
        self._raised = True
        ctypes.pythonapi.PyThreadState_SetAsyncExc(self._thread, ctypes.py_object(Late))

    def _take(self) -> None:
        """Have raised what was not yet: what is only taken back (``PyThreadState_SetAsyncExc`` with
        no exception) CPython 3.11 goes on to look for, in every loop, and for ever under a trace.
        """
        with contextlib.suppress(Late):
            while True:
                self._raise()
                time.sleep(0)

    def _hear(self, what: sys.UnraisableHookArgs) -> None:
        if not issubclass(what.exc_type, Late):
            self._hook(what)

    def stop(self) -> None:
        """Raise no more, nor what was not yet raised."""
        global _late
        self._stopped.set()
        if self._watcher.is_alive():
            self._watcher.join()
        if self._raised:
            self._take()
        sys.unraisablehook, _late = self._hook, False


def in_time(job: Callable[[], T], at: float | None, late: Callable[[], T]) -> T:
    """Return what a job returns by a moment on the monotonic clock, else what ``late`` does."""
    if at is None:
        return job()
    watch = _Watch(at)
    try:
        try:
            watch.start()
            return job()
        finally:
            watch.stop()
    except Late:
        pass
    finally:  # once more: the first may itself be where something was raised
        watch.stop()
    return late()


def _answer(number: int, frame: FrameType | None) -> None:
    """Handle a signal; a further one changes nothing, so that it cannot disturb the end that
    the first one makes.
    """
    global _came
    if not _came:
        _came = True
        if not _polled:
            raise KeyboardInterrupt


def _lost(what: sys.UnraisableHookArgs) -> None:
    """Raise a lost interrupt again; say nothing of other errors once one came: it may have left
    half-made objects, whose ends fail.
    """
    if not _came:
        sys.__unraisablehook__(what)
    elif issubclass(what.exc_type, KeyboardInterrupt):
        frame = sys._getframe().f_back
        while frame is not None:
            frame.f_trace = _again
            frame = frame.f_back
        sys.settrace(_untraced)


def _untraced(frame: FrameType, event: str, argument: object) -> None:
    """Let functions that are entered from now on run as they are: the next ``__del__`` would
    lose the interrupt, too.
    """


def _again(frame: FrameType, event: str, argument: object) -> None:
    """Raise in a frame that was there when the interrupt was lost."""
    sys.settrace(None)
    raise KeyboardInterrupt
