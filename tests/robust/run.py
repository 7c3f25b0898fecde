"""Command lines in forked children of this process, which has everything imported: how they
ended and what they left behind.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TRACES: Final = re.compile(r"Traceback|Exception ignored|isel: bug|^  File ", re.MULTILINE)
_POLL: Final = 0.005
_GRACE: Final = 2.0  # seconds in which the processes of an ended command must have ended


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that ended: its exit code (of a signal negative, None if it had to be killed),
    standard error, files and processes that it left.
    """

    code: int | None
    err: str
    left: tuple[str, ...]
    orphans: tuple[int, ...]

    def problem(self, codes: Sequence[int], files: Sequence[str] = ()) -> str:
        """Say what is wrong where the exit code is none of ``codes``, or anything but ``files``
        was left; empty if nothing is.
        """
        if self.code is None:
            return "did not end"
        if self.code not in codes:
            return f"exit code {self.code}: {self.err.strip()[-300:]}"
        if _TRACES.search(self.err):
            return f"a trace: {self.err.strip()[-300:]}"
        if extra := sorted(set(self.left) - set(files)):
            return f"left {', '.join(extra)}"
        return f"left processes {self.orphans}" if self.orphans else ""


def session(leader: int) -> tuple[int, ...]:
    """Return the processes of a session."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == leader and fields[0] != "Z":
                found.append(int(entry))
    return tuple(found)


def orphans(leader: int) -> tuple[int, ...]:
    """Return the processes of a session that stay after its leader has ended, and end them."""
    until = time.monotonic() + _GRACE
    while (found := session(leader)) and time.monotonic() < until:
        time.sleep(_POLL)
    for pid in found:
        os.kill(pid, signal.SIGKILL)
    return found


def files_in(folder: Path) -> tuple[str, ...]:
    """Return what lies in a folder, by relative name."""
    return tuple(
        sorted(
            str(p.relative_to(folder))
            for p in folder.rglob("*")
            if not p.is_dir() or not any(p.iterdir())
        )
    )


class Child:
    """A command in a forked child and a session of its own, in ``folder``, where ``temporary``
    is its folder of temporary files.
    """

    def __init__(self, folder: Path, command: Callable[[], int], *, seconds: float) -> None:
        self.folder = folder
        (folder / "temporary").mkdir()
        self._until = time.monotonic() + seconds
        self._errors = folder.with_suffix(".err")
        self._errors.touch()  # on a busy machine a child may be ended before it opens the file
        self.pid = os.fork()
        if not self.pid:
            code = 99
            try:
                code = self._be(command)
            finally:
                os._exit(code)

    def _be(self, command: Callable[[], int]) -> int:
        os.setsid()
        os.chdir(self.folder)
        os.environ["TMPDIR"] = str(self.folder / "temporary")
        out = os.open(os.devnull, os.O_RDWR)
        errors = os.open(self._errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for number, descriptor in ((0, out), (1, out), (2, errors)):
            os.dup2(descriptor, number)
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
        sys.stderr = open(  # noqa: SIM115
            2, "w", buffering=1, errors="backslashreplace", closefd=False
        )
        return command()

    def ended(self) -> Ended | None:
        """Return how the child ended, None while it runs."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        code = None if not pid else os.waitstatus_to_exitcode(status)
        if not pid:
            if time.monotonic() < self._until:
                return None
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        left = orphans(self.pid)
        return Ended(
            code,
            self._errors.read_text(errors="replace"),
            tuple(f for f in files_in(self.folder) if f != "temporary"),
            left,
        )
