"""A line on a terminal that says how far a command has come, once it has taken longer than a
second.

A child draws it, so that it moves while a solver works, and nothing is imported for it here.  Where
standard error is no terminal there is no child and no line, unless a command that takes minutes
asks for a line each ten seconds.
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from isel.cli.limits import PROGRESS_BEAT, PROGRESS_LINE, PROGRESS_PATIENCE, PROGRESS_TOLD
from isel.forks import fork
from isel.progress import Tell, silent

if TYPE_CHECKING:
    from rich.progress import Progress

_END: Final = b"\n\0"


@contextmanager
def progress(what: str, *, always: bool = False) -> Iterator[Tell]:
    """Yield what to call with how far a command has come; ``what`` says what it does before it
    says more; ``always``: say it also without a terminal.
    """
    if not (sys.stderr.isatty() or always):
        yield silent
        return
    sys.stderr.flush()
    theirs, ours = os.pipe()
    child = fork()
    if not child:
        os.close(ours)
        _draw(theirs, what)
    os.close(theirs)
    os.set_blocking(ours, False)

    def tell(what: str, done: int, total: int) -> None:
        with suppress(OSError):  # it is behind, or gone: what comes next says more
            os.write(ours, f"{done}\t{total}\t{what}\n".encode()[:PROGRESS_TOLD])

    try:
        yield tell
    finally:
        with suppress(OSError):
            os.set_blocking(ours, True)
            os.write(ours, _END)
        os.close(ours)
        os.waitpid(child, 0)


def _draw(pipe: int, what: str) -> None:
    """Draw in the child until the parent says that it is done."""
    try:
        told = Told(pipe, f"0\t0\t{what}")
        if not sys.stderr.isatty():
            return say_lines(told, time.monotonic)
        if told.ends(time.monotonic() + PROGRESS_PATIENCE):
            return
        _lines(told)
    finally:
        os._exit(0)


class Told:
    """What the parent said last."""

    def __init__(self, pipe: int, first: str) -> None:
        self._pipe = pipe
        self._rest = b""
        self.last = first

    def ends(self, deadline: float) -> bool:
        """Listen until a deadline; tell whether the parent is done."""
        while (left := deadline - time.monotonic()) > 0:
            if not select.select([self._pipe], [], [], left)[0]:
                return False
            data = os.read(self._pipe, 65536)
            *lines, self._rest = (self._rest + data).split(b"\n")
            if not data or self._rest == b"\0":
                return True
            if lines and lines[-1].count(b"\t") == 2:
                self.last = lines[-1].decode(errors="replace")
        return False

    @property
    def words(self) -> tuple[str, int, int]:
        """What is done, in words; how much of it, and how much there is."""
        done, total, what = self.last.split("\t")
        counted = f"{done} of {total}" if total != "0" else done if done != "0" else ""
        return f"{what} {counted}".rstrip(), int(done), int(total)


def say_lines(told: Told, clock: Callable[[], float]) -> None:
    """Say what is done, in a line each ten seconds of a clock."""
    start = clock()
    while not told.ends(clock() + PROGRESS_LINE):
        sys.stderr.write(f"isel: {told.words[0]}, {clock() - start:.0f} s\n")
        sys.stderr.flush()


def _lines(told: Told) -> None:
    start = time.monotonic() - PROGRESS_PATIENCE
    with _bar() as bar:
        while True:
            what, done, total = told.words
            for old in bar.task_ids:
                bar.remove_task(old)
            bar.add_task(
                what,
                completed=done,
                total=total or None,
                seconds=f"{time.monotonic() - start:.0f} s",
            )
            bar.refresh()
            if told.ends(time.monotonic() + PROGRESS_BEAT):
                return


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    said, passed = (TextColumn(x) for x in ("isel: {task.description}", "{task.fields[seconds]}"))
    return Progress(
        *(said, BarColumn(20), passed),
        console=Console(file=sys.stderr),
        transient=True,
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
    )
