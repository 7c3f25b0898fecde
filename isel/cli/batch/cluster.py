"""The machines of a Dask scheduler: each task runs there as a process of its own, with its
bytes; what they cannot do is done here.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from isel.cli.batch.inputs import Module
from isel.cli.batch.task import Answer, Fate, Task, start
from isel.cli.batch.work import Orders, Worked, work
from isel.cli.limits import CLUSTER_AHEAD, CLUSTER_ALONE, CLUSTER_CONNECT, CLUSTER_LOOK
from isel.errors import UsageProblem
from isel.places import OFF

_LOG: Final = logging.getLogger("isel.batch")


class _Client(Protocol):
    """What is used of ``distributed.Client``."""

    def wait_for_workers(self, n_workers: int, timeout: float) -> None: ...
    def nthreads(self) -> dict[str, int]: ...
    def submit(self, function: object, *arguments: object, pure: bool) -> _Future: ...
    def close(self, timeout: float) -> None: ...


class _Future(Protocol):
    """What is used of ``distributed.Future``."""

    def result(self, timeout: float | None = None) -> Answer: ...


class Cluster:
    """A connection to a scheduler; ``jobs`` tasks at a time are done here once it is of no use,
    each in ``seconds`` at most.

    Raises :class:`isel.errors.UsageProblem` where no worker can be reached.
    """

    def __init__(self, address: str, jobs: int, seconds: float | None) -> None:
        self.address = address
        self.seconds = seconds
        self._client = _connect(address)
        self._threads = max(1, sum(self._client.nthreads().values()))
        self._jobs = jobs
        self._here = threading.Semaphore(jobs)
        self._gone = threading.Event()
        self._closed = threading.Event()
        self._saying = threading.Lock()

    def each(self, modules: Sequence[Module], orders: Orders) -> Iterator[tuple[Module, Worked]]:
        """Yield what becomes of each module, in the order in which that is known."""
        threads = ThreadPoolExecutor(max(self._jobs, CLUSTER_AHEAD * self._threads), "isel-batch")
        try:
            job = partial(work, orders=orders, perform=self._perform)
            waited = {threads.submit(job, module): module for module in modules}
            for done in as_completed(waited):
                yield waited[done], done.result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)

    def _perform(self, task: Task) -> Answer:
        """Do a task on the cluster, or here where that cannot be."""
        if not self._gone.is_set():
            answer = self._remote(task)
            if answer is not None:
                return answer
        with self._here:
            closed = self._closed.is_set()
            return Answer(Fate.LOST, "not begun") if closed else start(task, self.seconds)

    def _remote(self, task: Task) -> Answer | None:
        """Return the answer of a worker; None where there is none that counts."""
        from distributed import KilledWorker

        if task.cache not in (None, OFF):  # the place of a cache is this machine's
            task = replace(task, cache=None)
        try:
            answer = self._wait(self._client.submit(start, task, self.seconds, pure=False))
        except KilledWorker as lost:
            return Answer(Fate.LOST, f"workers of the cluster died of it: {_line(lost)}")
        except (CancelledError, OSError):
            self._give_up("the connection was lost")
            return None
        except Exception as problem:
            self._give_up(_line(problem))
            return None
        if answer.fate is Fate.FOREIGN:
            self._give_up(answer.said)
            return None
        return answer

    def _wait(self, future: _Future) -> Answer:
        """Return a task's answer; raises ``OSError`` where there are no workers any more."""
        idle = 0.0
        while idle < CLUSTER_ALONE:
            try:
                return future.result(CLUSTER_LOOK)
            except TimeoutError:
                idle = 0.0 if self._client.nthreads() else idle + CLUSTER_LOOK
        raise OSError

    def _give_up(self, why: str) -> None:
        with self._saying:
            if not self._gone.is_set():
                self._gone.set()
                what = "the cluster at %s is not used any more, the work goes on here: %s"
                _LOG.warning(what, self.address, why)

    def close(self) -> None:
        """Let go of the cluster; what is under way there is cancelled."""
        self._gone.set()
        self._closed.set()
        try:
            self._client.close(timeout=1.0)
        except Exception as problem:
            _LOG.debug("closing: %s", problem)


def _connect(address: str) -> _Client:
    try:
        import distributed
    except ImportError:
        what = "--scheduler needs Dask, which is not installed here: pip install 'isel[cluster]'"
        raise UsageProblem(what) from None
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            # they tell of a connection that ends with traces
            logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client: _Client = distributed.Client(address, timeout=CLUSTER_CONNECT, set_as_default=False)
        client.wait_for_workers(1, timeout=CLUSTER_CONNECT)
    except (OSError, ValueError, TimeoutError) as problem:
        raise UsageProblem(f"no scheduler with a worker at {address}: {_line(problem)}") from None
    return client


def _line(problem: BaseException) -> str:
    return " ".join(f"{type(problem).__name__} {problem}".split())[:200]
