"""Asks a process of this user that stays (:mod:`isel.cli.launcher.server`) to rewrite, which has
imports and tables loaded; starts it where there is none.  Whatever fails, the caller does without.
"""

from __future__ import annotations

import marshal
import os

from isel.cli.launcher import children
from isel.cli.launcher.light import suppress
from isel.cli.launcher.limits import SERVER_ANSWER, SERVER_END, SERVER_PAUSE, SERVER_TRIES
from isel.cli.launcher.meeting import TAKEN, is_own, name_of
from isel.cli.launcher.places import server_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from typing import Final

    from isel.cli.launcher.meeting import Values

VARIABLE: Final = "ISEL_SERVER"
OFF: Final = "off"


def ask(order: Values, answer: str, said: str) -> int | None:
    """Have an order (:class:`isel.cli.launcher.rewriter.Order`, the IR first) carried out, with its
    counts in a file ``answer`` and what is said in ``said``; return milliseconds of processor time,
    None where nobody did it.
    """
    if os.environ.get(VARIABLE) == OFF or not os.path.exists("/proc/self/ns"):
        return None
    with suppress(OSError, ValueError):
        status = os.stat(str(order[0]))
        seen = status.st_dev, status.st_ino  # of the file that the server must see, too
        body = marshal.dumps((os.getcwd(), dict(os.environ), order, answer, said, seen))
        link = _reach(order)
        if link is not None:
            try:
                return _take_answer(link, body)
            except children.Interrupted:
                _leave(link)
                raise
            finally:
                link.close()
    return None


def _take_answer(link: socket, request: bytes) -> int | None:
    link.sendall(request)
    if link.recv(1) != TAKEN:
        return None
    link.settimeout(None)  # a search takes what it takes
    found = b""
    while part := link.recv(64):
        found += part
    return int(found) if found.endswith(b"\n") else None


def _leave(link: socket) -> None:
    """End what was asked for, and wait until nothing more is written."""
    import _socket

    with suppress(OSError):
        link.settimeout(SERVER_END)
        link.shutdown(_socket.SHUT_WR)
        while link.recv(64):
            pass


def _reach(order: Values) -> socket | None:
    """Return a connection to the server, which is started if there is none."""
    import time

    place = server_folder(os.environ)
    os.makedirs(place, mode=0o700, exist_ok=True)
    folder = os.open(place, os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        status = os.fstat(folder)
        if status.st_uid != os.geteuid() or status.st_mode & 0o077:
            return None
        # A socket's path is short, and the folder is the one that was looked at.
        path = f"/proc/self/fd/{folder}/{name_of(str(order[0]), os.environ)}"
        for attempt in range(SERVER_TRIES):
            if (link := _connect(path)) is not None:
                return link
            if attempt:
                time.sleep(SERVER_PAUSE)
            else:
                _start(path, order)
        return None
    finally:
        os.close(folder)


def _connect(path: str) -> socket | None:
    """Connect with whoever answers at a path; raises :class:`OSError` for another user."""
    import _socket

    link = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM | _socket.SOCK_CLOEXEC)
    link.settimeout(SERVER_ANSWER)
    try:
        link.connect(path)
        if is_own(link):
            return link
        raise PermissionError
    except OSError as problem:
        link.close()
        if isinstance(problem, (FileNotFoundError, ConnectionRefusedError)):
            return None
        raise


def _start(path: str, order: Values) -> None:
    """Start a server that answers at a path, unless there is one or another process does so."""
    import _socket
    import fcntl

    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    lock = os.open(f"{path}.lock", flags, 0o600)
    listener = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM | _socket.SOCK_CLOEXEC)
    try:
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with suppress(FileNotFoundError):
                os.unlink(path)
            before = os.umask(0o177)
            try:
                listener.bind(path)
            finally:
                os.umask(before)
            listener.listen(128)
            _detach(listener.fileno(), lock, os.path.realpath(path), order)
    finally:
        listener.close()
        os.close(lock)


def _detach(listener: int, lock: int, path: str, order: Values) -> None:
    """Run a server that is no child of this process and has nothing else of it."""
    with children.Held() as mask:
        pid = os.fork()
        if pid:
            os.waitpid(pid, 0)
            return
        try:
            os.setsid()
            if not os.fork():
                from isel.cli.launcher.server import serve

                serve(listener, lock, path, (os.path.abspath(str(order[0])), *order[1:]), mask)
        finally:
            os._exit(0)
