"""Jobs that are run each in a fork of one process, so that none finds in memory what another left,
and the processor time that each took, its children's included.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from isel.forks import fork
from isel.workers import Failed, Pool

A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Timed(Generic[B]):
    """What a job gave (why it gave nothing), and its processor seconds."""

    value: B | Failed
    seconds: float


def timed(job: Callable[[], B]) -> Timed[B]:
    """Run a job in a fork."""
    reader, writer = os.pipe()
    pid = fork()
    if not pid:
        try:
            os.close(reader)
            with os.fdopen(writer, "wb") as out:
                out.write(pickle.dumps(_value(job)))
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as into:
        data = into.read()
    _, status, usage = os.wait4(pid, 0)
    value: B | Failed = pickle.loads(data) if data else Failed(f"wait status {status}")
    return Timed(value, usage.ru_utime + usage.ru_stime)


def here(job: Callable[[], B]) -> Timed[B]:
    """Run a job in this process; jobs in forks of it find what it remembers."""
    before = sum(os.times()[:4])
    value = _value(job)
    return Timed(value, sum(os.times()[:4]) - before)


def _value(job: Callable[[], B]) -> B | Failed:
    try:
        return job()
    except Exception as error:
        return Failed(f"{type(error).__name__}: {error}")


def timed_all(
    fn: Callable[[A], B],
    items: Sequence[A],
    jobs: int,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[Timed[B]]:
    """Return ``fn`` of each item in order, so many at a time."""
    found = Pool(jobs).map(lambda x: timed(lambda: fn(x)), items, tell)
    return [Timed(t, 0.0) if isinstance(t, Failed) else t for t in found]
