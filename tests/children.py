"""Calls in forked children, each with a time limit: what one of them does to itself, a crash
too, is an answer about it alone.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from select import select
from typing import Final, Generic, TypeVar

from frontends.llvm.linked.worker import quiet
from isel.forks import fork

A = TypeVar("A")
B = TypeVar("B")
_CHUNK: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Done(Generic[B]):
    """What the call returned, and the seconds it took."""

    value: B
    seconds: float


@dataclass(frozen=True, slots=True)
class Died:
    """The call raised, or ended its process; ``reason`` is one line."""

    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Late:
    """The call was ended by its time limit."""

    seconds: float


@dataclass(slots=True)
class _Child:
    index: int
    pid: int
    pipe: int  # file descriptor to read its answer from
    start: float
    answer: bytearray


def in_children(
    call: Callable[[A], B],
    items: Sequence[A],
    *,
    jobs: int,
    seconds: float,
    megabytes: int | None = None,
) -> Iterator[tuple[int, Done[B] | Died | Late]]:
    """Yield the answer to each item with its index, in the order in which they come; ``megabytes``
    bounds a child's memory.

    A child is the leader of a process group, which is ended with it.
    """
    running: dict[int, _Child] = {}
    waiting = iter(range(len(items)))
    try:
        while True:
            while len(running) < jobs and (index := next(waiting, None)) is not None:
                child = _start(call, items[index], index, list(running), megabytes)
                running[child.pipe] = child
            if not running:
                return
            for pipe in select(list(running), [], [], 0.05)[0]:
                if data := os.read(pipe, _CHUNK):
                    running[pipe].answer += data
                else:
                    child = running.pop(pipe)
                    yield child.index, _ended(child)
            for child in [c for c in running.values() if time.monotonic() - c.start > seconds]:
                _kill(running.pop(child.pipe))
                yield child.index, Late(seconds)
    finally:
        for child in running.values():
            _kill(child)


def _start(
    call: Callable[[A], B], item: A, index: int, foreign: Sequence[int], megabytes: int | None
) -> _Child:
    ours, theirs = os.pipe()
    start = time.monotonic()
    sys.stdout.flush()
    pid = fork()
    if pid:
        os.close(theirs)
        return _Child(index, pid, ours, start, bytearray())
    try:
        os.setpgid(0, 0)
        quiet()
        if megabytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        for pipe in (ours, *foreign):
            os.close(pipe)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        data = pickle.dumps(_answer(call, item))
        with os.fdopen(theirs, "wb") as out:
            out.write(data)
    finally:
        os._exit(0)


def _answer(call: Callable[[A], B], item: A) -> tuple[bool, B | str]:
    try:
        return True, call(item)
    except BaseException as error:
        return False, f"{type(error).__name__}: {' '.join(str(error).split())}"


def _ended(child: _Child) -> Done[B] | Died:
    os.close(child.pipe)
    _, status = os.waitpid(child.pid, 0)
    _end_group(child.pid)
    took = time.monotonic() - child.start
    if os.WIFSIGNALED(status):
        return Died(f"ended by {signal.Signals(os.WTERMSIG(status)).name}", took)
    if not child.answer:
        return Died("ended without an answer", took)
    good, value = pickle.loads(bytes(child.answer))
    return Done(value, took) if good else Died(value, took)


def _kill(child: _Child) -> None:
    _end_group(child.pid)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child.pid, signal.SIGKILL)  # before it made its group
    os.waitpid(child.pid, 0)
    os.close(child.pipe)


def _end_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
