"""A child process for everything that LLVM may abort: pipelines, code generation, native
execution.
"""

from __future__ import annotations

import faulthandler
import os
import re
import resource
import signal
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Final, Self, TypeVar

from frontends.llvm.linked import binding
from isel.errors import IselError
from isel.forks import fork

T = TypeVar("T")
LATE: Final = "no answer within"  # what is said of a job that a clock ended; another run may differ
_NOISE: Final = ("#", "PLEASE", "Stack dump", "0.", "1.")
_ASSERTION: Final = re.compile(r"Assertion `(.*)' failed\.")


@dataclass(frozen=True, slots=True)
class WorkerFailed:
    """The job ended its process, raised, or ran out of time (it is ``late``); ``reason`` is one
    line.
    """

    reason: str
    late: bool = False


@dataclass(frozen=True, slots=True)
class _Raised:
    error: IselError


@dataclass(slots=True)
class _Child:
    pid: int
    pipe: Connection
    errors: int  # file descriptor of its standard error


class LlvmWorker:
    """A restarting child process, one job at a time; jobs are functions of importable modules.

    ``seconds`` is the time limit of a job, a last resort: jobs are expected to end by themselves.
    """

    def __init__(self, *, seconds: float = 60.0) -> None:
        self._seconds = seconds
        self._child: _Child | None = None
        self._owner = os.getpid()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def optimise(
        self, text: str, *, triple: str, cpu: str, features: str, level: int = 3
    ) -> str | WorkerFailed:
        """Run LLVM's default pipeline; see :func:`frontends.llvm.linked.binding.optimise`."""
        return self.run(
            partial(binding.optimise, text, triple=triple, cpu=cpu, features=features, level=level)
        )

    def assembly(
        self,
        text: str,
        *,
        triple: str,
        cpu: str,
        features: str,
        level: int = 3,
        verbose: bool = False,
    ) -> str | WorkerFailed:
        """Generate code; see :func:`frontends.llvm.linked.binding.assembly`."""
        job = partial(binding.assembly, text, triple=triple, cpu=cpu, features=features)
        return self.run(partial(job, level=level, verbose=verbose))

    def run(self, job: Callable[[], T], *, seconds: float | None = None) -> T | WorkerFailed:
        """Return what ``job`` returns; an :class:`IselError` that it raises is raised here.

        The job and its result travel pickled: give a ``functools.partial`` of a module-level
        function.
        """
        child = self._start()
        limit = self._seconds if seconds is None else seconds
        try:
            child.pipe.send(job)
            if not child.pipe.poll(limit):
                self.close()
                return WorkerFailed(f"{LATE} {limit:g} s", late=True)
            answer = child.pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return WorkerFailed(self._post_mortem())
        except BaseException:
            self.close()
            raise
        if isinstance(answer, _Raised):
            raise answer.error
        result: T | WorkerFailed = answer
        return result

    def _start(self) -> _Child:
        if self._child is not None and self._owner != os.getpid():
            self._child.pipe.close()  # inherited through a fork: the child is not ours
            os.close(self._child.errors)
            self._child = None
        if self._child is None:
            self._owner = os.getpid()
            self._child = _fork()
        return self._child

    def _post_mortem(self) -> str:
        child = self._child
        assert child is not None
        child.pipe.close()
        _, status = os.waitpid(child.pid, 0)
        said = _last_words(child.errors)
        os.close(child.errors)
        self._child = None
        how = ending(status)
        return f"{said} ({how})" if said else how

    def close(self) -> None:
        """End the child; a later job starts a new one."""
        child, self._child = self._child, None
        if child is None:
            return
        child.pipe.close()
        os.close(child.errors)
        if self._owner != os.getpid():
            return
        os.kill(child.pid, signal.SIGKILL)
        os.waitpid(child.pid, 0)


def _last_words(descriptor: int) -> str:
    size = os.fstat(descriptor).st_size
    tail = os.pread(descriptor, 1 << 16, max(0, size - (1 << 16))).decode(errors="replace")
    asserted = _ASSERTION.search(tail)
    if asserted is not None:
        return f"LLVM ERROR: assertion {asserted[1]}"
    lines = list(filter(None, map(str.strip, tail.splitlines())))
    fatal = (line for line in lines if "LLVM ERROR" in line or "error:" in line)
    said = (line for line in lines if not line.startswith(_NOISE))
    return next(fatal, "") or next(said, "")


def _fork() -> _Child:
    ours, theirs = Pipe()
    with tempfile.TemporaryFile() as errors:
        descriptor = os.dup(errors.fileno())
    pid = binding.between_calls(fork)
    if pid:
        theirs.close()
        return _Child(pid, ours, descriptor)
    try:
        ours.close()
        _serve(theirs, descriptor)
    finally:
        os._exit(0)


def _serve(pipe: Connection, errors: int) -> None:
    quiet()
    os.dup2(errors, 2)
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            return
        os.ftruncate(2, 0)
        pipe.send(_answer(job))


def ending(status: int) -> str:
    """Say how a process ended that was waited for."""
    if os.WIFSIGNALED(status):
        return f"signal {signal.Signals(os.WTERMSIG(status)).name}"
    return f"exit status {os.WEXITSTATUS(status)}"


def quiet() -> None:
    """Make this process end without a report or a core file when LLVM aborts it."""
    faulthandler.disable()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _answer(job: Callable[[], object]) -> object:
    try:
        return job()
    except IselError as error:
        return _Raised(error)
    except MemoryError:
        return WorkerFailed("out of memory")
    except Exception as error:  # the parent decides what a failed job means
        return WorkerFailed(f"{type(error).__name__}: {' '.join(str(error).split())}")
