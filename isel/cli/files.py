"""Reading modules and writing results: ``-`` is a standard stream, files appear whole or not at
all.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from isel.cli.given import note
from isel.errors import BadModule, FileProblem, file_problem
from isel.forks import interrupts_held
from isel.interrupts import settle

_MAGIC: Final = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")


@dataclass(frozen=True, slots=True)
class Source:
    """A module that LLVM reads: its name for messages, its text as LLVM prints it, its text as
    the user wrote it (LLVM's print of bitcode) in words that LLVM 22 reads, and the bytes of the
    file.
    """

    name: str
    text: str
    own: str = field(repr=False)
    data: bytes = field(repr=False)

    @property
    def is_bitcode(self) -> bool:
        """Tell whether the file holds bitcode."""
        return self.data.startswith(_MAGIC)


def read_bytes(path: str) -> bytes:
    """Return the contents of a file or of standard input; raises :class:`FileProblem`."""
    try:
        if path == "-":
            return note("stdin", sys.stdin.buffer.read())
        return Path(path).read_bytes()
    except OSError as error:
        raise file_problem("<stdin>" if path == "-" else path, error) from None
    except ValueError as error:  # a null byte in the name
        raise FileProblem(repr(path), str(error)) from None


def read_module(path: str) -> Source:
    """Return a module that LLVM has read and verified in a process of its own; raises
    :class:`BadModule`.
    """
    from frontends.llvm.dialect.inrange import without_inrange

    data = read_bytes(path)
    return _module(path, data, without_inrange(_text(data)))


def read_pair(first: str, second: str) -> tuple[Source, Source]:
    """Return two modules as :func:`read_module` does; the second is to refine the first."""
    from frontends.llvm.dialect.inrange import comparable

    a, b = read_bytes(first), read_bytes(second)
    source, target = comparable(_text(a), _text(b))
    return _module(first, a, source), _module(second, b, target)


def read_pairs(path: str) -> Source:
    """Return a module of functions ``@src`` and ``@tgt`` as :func:`read_module` does."""
    from frontends.llvm.dialect.inrange import comparable_pairs

    data = read_bytes(path)
    return _module(path, data, comparable_pairs(_text(data)))


def _text(data: bytes) -> str:
    """Return the text of a file, none of bitcode."""
    return "" if data.startswith(_MAGIC) else data.decode(errors="surrogateescape")


def _module(path: str, data: bytes, own: str) -> Source:
    from frontends.llvm.linked.worker import LlvmWorker
    from isel.api.modules import read_text

    name = "<stdin>" if path == "-" else path
    if not data.strip():
        raise BadModule(name, 0, 0, "the file is empty, expected LLVM IR text or bitcode")
    with LlvmWorker() as worker:
        own, text = read_text(data if data.startswith(_MAGIC) else own, name, worker)
    return Source(name, text, own, data)


class Outputs:
    """Files that are written beside their places and renamed together by :meth:`commit`."""

    def __init__(self) -> None:
        self._staged: list[tuple[str, str]] = []
        self._streams: list[tuple[str, bytes]] = []

    def __enter__(self) -> Outputs:
        return self

    def __exit__(self, *problem: object) -> None:
        with interrupts_held():
            for temporary, _ in self._staged:
                Path(temporary).unlink(missing_ok=True)

    def add(self, path: str, data: bytes) -> None:
        """Write ``data`` to a temporary name beside ``path``; raises :class:`FileProblem`."""
        if path == "-" or is_stream(path):
            self._streams.append((path, data))
            return
        real = os.path.realpath(path)  # a link stays a link
        try:
            with interrupts_held():
                self._staged.append((_temporary(real, data), real))
        except OSError as error:
            raise file_problem(path, error) from None

    def commit(self) -> None:
        """Write the streams, then rename every temporary file to its place."""
        settle()
        for path, data in self._streams:
            _write_stream(path, data)
        with interrupts_held():
            while self._staged:
                temporary, path = self._staged[0]
                try:
                    os.replace(temporary, path)
                except OSError as error:
                    raise file_problem(path, error) from None
                del self._staged[0]


def write_file(path: str, data: bytes) -> None:
    """Write one file whole or not at all; raises :class:`FileProblem`."""
    with Outputs() as outputs:
        outputs.add(path, data)
        outputs.commit()


def check_writable(path: str) -> None:
    """Raise :class:`FileProblem` now rather than after the work, where a path cannot be written."""
    if path == "-" or is_stream(path):
        return
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise FileProblem(path, "is a directory")
    if not os.path.isdir(folder):
        raise FileProblem(path, "no such file or directory")
    if not os.access(folder, os.W_OK):
        raise FileProblem(path, "permission denied")


def is_stream(path: str) -> bool:
    """Tell whether a path is there and is neither a file nor a folder."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _temporary(path: str, data: bytes) -> str:
    if os.path.isdir(path):
        raise IsADirectoryError(21, "is a directory", path)
    descriptor, temporary = tempfile.mkstemp(
        prefix=f".{os.path.basename(path)}.", dir=os.path.dirname(path)
    )
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(data)
        os.chmod(temporary, _mode(path))
    except BaseException:
        os.unlink(temporary)
        raise
    return temporary


def _mode(path: str) -> int:
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _write_stream(path: str, data: bytes) -> None:
    try:
        if path == "-":
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            Path(path).write_bytes(data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise file_problem("<stdout>" if path == "-" else path, error) from None
