"""Text files that commands write whole or not at all, and folders, held by one at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from isel.errors import FileProblem, file_problem


def write_whole(path: Path, text: str) -> None:
    """Write a text file under a temporary name and rename it, also after an interrupt."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise file_problem(str(path), error) from None


def folder_for(path: str) -> Path:
    """Return a folder, which is made if it is not there; raises :class:`FileProblem`."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_problem(str(folder), error) from None
    return folder


@contextlib.contextmanager
def hold(folder: Path, busy: str, attempts: int = 1, mode: int = 0o777) -> Iterator[None]:
    """Make a folder and keep others out of it; raises :class:`FileProblem`, ``busy`` in time."""
    try:
        folder.mkdir(mode, parents=True, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise file_problem(str(folder), error) from None
    try:
        if not _lock(lock, attempts):
            raise FileProblem(str(folder), busy)
        yield
    finally:
        os.close(lock)


def _lock(folder: int, attempts: int) -> bool:
    for _ in range(attempts):
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.1)
            continue
        except OSError:  # a file system without locks
            pass
        return True
    return False
