"""Child processes: started so that an interrupt finds all of them, and ended with the launcher."""

from __future__ import annotations

import os

from isel.cli.launcher.light import signal, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final, NoReturn

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_IGNORED_BY_PYTHON: Final = (signal.SIGPIPE, signal.SIGXFSZ)


class Interrupted(Exception):
    """A signal that ends the launcher."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def answer_signals() -> None:
    """Let a signal that would end the process raise :class:`Interrupted`; one that is ignored
    stays so.
    """
    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _raise)


def _raise(number: int, frame: object) -> None:
    for n in ENDING:
        signal.signal(n, signal.SIG_IGN)  # what follows must not be disturbed
    raise Interrupted(number)


def run(words: Sequence[str], *, errors: str = "") -> int:
    """Run a program to its end and return its exit code, or minus the signal that ended it;
    ``errors`` names a file for standard error.

    Raises :class:`OSError` where it cannot be started.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [(os.POSIX_SPAWN_OPEN, 2, errors, flags, 0o600)] if errors else []
    return _end(
        lambda mask: os.posix_spawnp(
            words[0],
            list(words),
            os.environ,
            file_actions=actions,
            setsigmask=mask,
            setsigdef=_IGNORED_BY_PYTHON,
        )
    )


def output_of(words: Sequence[str]) -> bytes:
    """Return what a program writes to its standard output; nothing where it cannot be started."""
    ours, theirs = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, theirs, 1),
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    found = b""
    try:
        pid = os.posix_spawnp(
            words[0], list(words), os.environ, file_actions=actions, setsigdef=_IGNORED_BY_PYTHON
        )
        os.close(theirs)
        theirs = -1
        while part := os.read(ours, 1 << 16):
            found += part
        os.waitpid(pid, 0)
    except OSError:
        return b""
    finally:
        for end in (ours, theirs):
            if end >= 0:
                os.close(end)
    return found


def run_forked(job: Callable[[], int], *, said: str) -> int:
    """Run a function in a fork of this process, its standard streams going to the file
    ``said``; see :func:`run`.
    """
    parent = os.getpid()
    return _end(lambda _: os.fork() or _child(job, said, parent))


def run_alone(job: Callable[[], NoReturn]) -> int:
    """Run what ends its process in a fork of this process; see :func:`run`."""
    return _end(lambda mask: os.fork() or _alone(job, mask))


def _alone(job: Callable[[], NoReturn], mask: set[int]) -> NoReturn:
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    job()


def _child(job: Callable[[], int], said: str, parent: int) -> NoReturn:
    code = 70
    try:
        out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out, 1)
        os.dup2(out, 2)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        from isel.forks import be_a_child

        be_a_child(parent)
        code = job()
    except BaseException as error:
        with suppress(OSError):
            os.write(2, f"{type(error).__name__}: {error}\n".encode(errors="replace"))
    finally:
        os._exit(code)


class Held:
    """Holds back the signals that end the launcher; gives those that were held back before."""

    def __enter__(self) -> set[int]:
        self._before = {int(s) for s in signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)}
        return self._before

    def __exit__(self, *exception: object) -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, self._before)


def _end(start: Callable[[set[int]], int]) -> int:
    """Wait for a child that ``start`` starts; an interrupt ends it first."""
    pid = 0
    try:
        with Held() as mask:
            pid = start(mask)
        _, status = os.waitpid(pid, 0)
    except Interrupted:
        _kill(pid)
        raise
    return os.waitstatus_to_exitcode(status)


def _kill(pid: int) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(OSError):
            os.kill(pid, number)
            if _is_gone(pid, seconds=2.0):
                return


def _is_gone(pid: int, seconds: float) -> bool:
    import time

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return True
        time.sleep(0.005)
    return False


def die_of(number: int) -> NoReturn:
    """End this process by a signal, so that whoever started it sees what it would see of the
    compiler.
    """
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (number,))
    os._exit(128 + number)


def become(words: Sequence[str]) -> NoReturn:
    """Replace this process by a program; raises :class:`OSError` where that cannot be."""
    for number in _IGNORED_BY_PYTHON:
        signal.signal(number, signal.SIG_DFL)
    os.execvp(words[0], list(words))
