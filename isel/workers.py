"""A pool of forked worker processes: ordered results, replaced when they die, silent on Ctrl-C.

Workers are forked by each call of :meth:`Pool.map`, so the function may be any callable and
inherits what its parent has cached; only indices go in and results come out by pickling.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import Final, Generic, TypeAlias, TypeVar

from isel.forks import be_a_child, interrupts_held

LOG: Final = "isel"  # the name of the handler that takes the log records of workers, too
A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Failed:
    """The item's worker died before it answered, or took too long; ``reason`` says in words how
    it ended.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class _Answer(Generic[B]):
    index: int
    value: B


@dataclass(frozen=True, slots=True)
class _Raised:
    index: int
    error: BaseException


_Message: TypeAlias = "_Answer[B] | _Raised"


class Pool:
    """Up to ``jobs`` processes; ``jobs=1`` runs everything in this one."""

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = max(1, jobs)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def map(
        self,
        fn: Callable[[A], B],
        items: Sequence[A],
        tell: Callable[[int, int], None] = lambda done, total: None,
    ) -> list[B | Failed]:
        """Return ``fn`` of each item in order; an item whose worker died is :class:`Failed`.
        ``tell`` hears how many are done, and of how many.

        An exception raised by ``fn`` is raised here: that of the first item, for any number of
        jobs.
        """
        if self.jobs == 1 or len(items) < 2:
            return [_told(fn(x), k, len(items), tell) for k, x in enumerate(items, 1)]
        found: dict[int, B | Failed] = {}
        for k, answer in _Round(fn, items, min(self.jobs, len(items))).answers():
            found[k] = answer
            tell(len(found), len(items))
        return [found[k] for k in range(len(items))]

    def each(
        self, fn: Callable[[A], B], items: Sequence[A], *, seconds: float | None = None
    ) -> Generator[tuple[int, B | Failed], None, None]:
        """Yield the index of each item with ``fn`` of it as answers come, every one from a forked
        worker; to be closed.

        An item that takes longer than ``seconds`` costs its worker.  What ``fn`` raises is raised
        after the answers that came.
        """
        return _Round(fn, items, min(self.jobs, len(items)), seconds).answers()


def _told(answer: B, done: int, total: int, tell: Callable[[int, int], None]) -> B:
    tell(done, total)
    return answer


class _Worker:
    """One process, its end of the pipe, and the item it is at."""

    def __init__(self, process: ForkProcess, pipe: Connection) -> None:
        self.process = process
        self.pipe = pipe
        self.index = -1
        self.since = 0.0  # when it got the item
        self.late = False

    def stop(self, patience: float = 0.0) -> None:
        """End the process; give an idle one ``patience`` seconds to hand over its last log
        records.
        """
        self.pipe.close()
        self.process.join(patience)
        if self.process.is_alive():
            self.process.terminate()
        self.process.join()
        self.process.close()


class _Round(Generic[A, B]):
    """One call of ``map``."""

    def __init__(
        self, fn: Callable[[A], B], items: Sequence[A], jobs: int, seconds: float | None = None
    ) -> None:
        self.fn = fn
        self.items = items
        self.jobs = jobs
        self.seconds = seconds
        self.next = 0
        self.answered = 0
        self.raised: dict[int, BaseException] = {}
        self.workers: list[_Worker] = []

    def answers(self) -> Generator[tuple[int, B | Failed], None, None]:
        """Yield answers as they come; raise the error of the first item that has one."""
        _share_log()
        try:
            for _ in range(self.jobs):
                self._start()
            while self.answered + len(self.raised) < self.next:
                for answer in self._step():
                    self.answered += 1
                    yield answer
            for w in self.workers:
                w.stop(patience=1.0)
            self.workers.clear()
        finally:
            for w in self.workers:
                w.stop()
        if self.raised:
            raise self.raised[min(self.raised)]

    def _start(self) -> None:
        if self.next >= len(self.items):
            return
        ours, theirs = multiprocessing.Pipe()
        foreign = [w.pipe for w in self.workers] + [ours]
        process = multiprocessing.get_context("fork").Process(
            target=_serve, args=(self.fn, self.items, theirs, foreign, os.getpid())
        )
        with interrupts_held(), warnings.catch_warnings():
            # The only other thread is the receiver of log records, which takes no lock that a child
            # needs.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
            worker = _Worker(process, ours)
            self.workers.append(worker)
        theirs.close()
        self._feed(worker)

    def _feed(self, worker: _Worker) -> None:
        worker.index = -1
        if self.next >= len(self.items):
            return
        worker.index, worker.since, self.next = self.next, time.monotonic(), self.next + 1
        # where it died between two items its end of file is read next
        with contextlib.suppress(BrokenPipeError):
            worker.pipe.send(worker.index)

    def _step(self) -> Iterator[tuple[int, B | Failed]]:
        ready = wait([w.pipe for w in self.workers], self._patience())
        if not ready:
            self._end_late()
        for worker in [w for w in self.workers if w.pipe in ready]:
            try:
                message: _Message[B] = worker.pipe.recv()
            except (EOFError, ConnectionResetError):
                index, failed = worker.index, self._bury(worker)
                if index >= 0:
                    yield index, failed
                continue
            if isinstance(message, _Raised):
                # Later items need not be tried: the error of the first item wins, and lower ones
                # are under way.
                self.raised[message.index] = message.error
                worker.index, self.items = -1, self.items[: self.next]
                self._feed(worker)
            else:
                self._feed(worker)
                yield message.index, message.value

    def _busy(self) -> list[_Worker]:
        return [w for w in self.workers if w.index >= 0 and not w.late]

    def _patience(self) -> float | None:
        """Return the seconds until an item is late; None where none can be."""
        if self.seconds is None or not self._busy():
            return None
        return max(0.0, min(w.since for w in self._busy()) + self.seconds - time.monotonic())

    def _end_late(self) -> None:
        """Kill the workers of late items; the end of their pipes is read next."""
        for worker in self._busy():
            if self.seconds is not None and time.monotonic() - worker.since >= self.seconds:
                worker.late = True
                worker.process.kill()

    def _bury(self, worker: _Worker) -> Failed:
        worker.process.join()
        code = worker.process.exitcode or 0
        reason = f"the worker exited with status {code}"
        if code < 0:
            reason = f"the worker was ended by signal {-code} ({signal.strsignal(-code)})"
        self.workers.remove(worker)
        worker.stop()
        _renew_log()
        self._start()
        return Failed(f"no answer within {self.seconds:g} s" if worker.late else reason)


def _serve(
    fn: Callable[[A], B],
    items: Sequence[A],
    pipe: Connection,
    foreign: Sequence[Connection],
    parent: int,
) -> None:
    """Answer indices until the parent closes its end."""
    be_a_child(parent)
    for other in foreign:
        other.close()
    gc.freeze()
    while True:
        try:
            index: int = pipe.recv()
        except (EOFError, ConnectionResetError):
            return
        try:
            answer: _Message[B] = _Answer(index, fn(items[index]))
        except Exception as error:
            answer = _Raised(index, _portable(error))
        try:
            pipe.send(answer)
        except (BrokenPipeError, ConnectionResetError):
            return


def _portable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _share_log() -> None:
    """Route the records that workers log to our own handler of the root logger (named ``LOG``)
    through this process.
    """
    root = logging.getLogger()
    plain = next((h for h in root.handlers if h.get_name() == LOG), None)
    if plain is None:
        return
    from multiprocessing_logging import MultiProcessingHandler

    root.removeHandler(plain)
    root.addHandler(MultiProcessingHandler("receiver of log records", sub_handler=plain))


def _renew_log() -> None:
    """Give shared handlers new queues: a worker that died may have held the lock of the old
    ones for good.
    """
    if "multiprocessing_logging" not in sys.modules:
        return
    from multiprocessing_logging import MultiProcessingHandler

    root = logging.getLogger()
    for shared in [h for h in root.handlers if isinstance(h, MultiProcessingHandler)]:
        shared.queue.cancel_join_thread()
        root.removeHandler(shared)
        root.addHandler(shared.sub_handler)
        _share_log()


def processors() -> int:
    """Return the number of processors this process may use."""
    return len(os.sched_getaffinity(0))


def settle_log() -> None:
    """Wait, a second at most, until the records that workers have sent are written."""
    if "multiprocessing_logging" not in sys.modules:
        return
    from multiprocessing_logging import MultiProcessingHandler

    for shared in [
        h for h in logging.getLogger().handlers if isinstance(h, MultiProcessingHandler)
    ]:
        for _ in range(200):
            if shared.queue.qsize() == 0:
                break
            time.sleep(0.005)
        shared.sub_handler.flush()
