"""One job in a forked child: Halide numbers its names by process, and ends the process on its own
bugs.

In a child every pipeline is compiled from the same state, so its names, and with them the text that
comes out, do not depend on what was compiled before.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import NoReturn, TypeVar

from frontends.halide.package import HalideProblem
from frontends.llvm.linked.worker import ending, quiet
from isel.errors import IselError
from isel.forks import fork

T = TypeVar("T")


def forked(job: Callable[[], T], what: str, seconds: int | None = None) -> T:
    """Return what ``job`` returns, which must pickle; an :class:`IselError` it raises is raised
    here.

    Raises :class:`HalideProblem`, with ``what`` as the culprit, where the child raises anything
    else, dies, or takes more than so many seconds of processor time.
    """
    ours, theirs = Pipe()
    pid = fork()
    if not pid:
        _child(theirs, job, what, seconds)
    theirs.close()
    try:
        value, error = ours.recv()
    except EOFError:
        value, error = None, None
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        raise
    finally:
        ours.close()
    _, status = os.waitpid(pid, 0)
    if error is not None:
        raise error
    if value is None:
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
            raise HalideProblem(f"Halide needs over {seconds} s for {what}")
        raise HalideProblem(f"Halide dies of {what}: {ending(status)}")
    result: T = value[0]
    return result


def _child(pipe: Connection, job: Callable[[], object], what: str, seconds: int | None) -> NoReturn:
    try:
        quiet()
        if seconds is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        pipe.send(_answer(job, what))
    finally:
        os._exit(0)


def _answer(job: Callable[[], object], what: str) -> tuple[tuple[object] | None, IselError | None]:
    try:
        return (job(),), None
    except IselError as problem:
        return None, problem
    except Exception as problem:
        return None, HalideProblem(
            f"{what}: {type(problem).__name__}: {' '.join(str(problem).split())}"
        )
