"""Derived data that is kept between runs: a JSON text in the user's cache directory, made again whenever it is of no use.

A file that is missing, damaged, of other inputs or of another program is written anew; one that cannot be read or written
is done without.  Neither changes what is computed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Final

_MAGIC: Final = b"isel index 1"
_SUFFIX: Final = ".index"
_MOST: Final = 3  # files of one name: other versions of the tool may run beside this one


def path_of(folder: Path, name: str, key: str) -> Path:
    """Return where the data of ``name`` for the inputs of hash ``key`` are kept."""
    return folder / f"{name}-{key[:16]}{_SUFFIX}"


def read_kept(path: Path, key: str) -> object | None:
    """Return the data, or None where the file is not exactly what :func:`write_kept` wrote for ``key``."""
    try:
        head, _, body = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if head != _head(key, body):
        return None
    try:
        found: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found


def write_kept(path: Path, key: str, data: object) -> None:
    """Write the data under a temporary name, rename it, and drop the oldest files beyond a few; failures are no matter."""
    body = json.dumps(data, separators=(",", ":")).encode()
    temporary = ""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            temporary = file.name
            file.write(_head(key, body) + b"\n" + body)
        os.replace(temporary, path)
        _trim(path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def writable(folder: Path) -> bool:
    """Tell whether files can be made in a folder, which is made if it is not there."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def hash_of(*parts: bytes) -> str:
    """Return a hash of all parts in order."""
    made = hashlib.sha256()
    for part in parts:
        made.update(hashlib.sha256(part).digest())
    return made.hexdigest()


def code_of(*paths: Path) -> str:
    """Return a hash of the text of source files, in the order of their names."""
    return hash_of(*(p.read_bytes() for p in sorted(paths)))


def _head(key: str, body: bytes) -> bytes:
    return b" ".join([_MAGIC, key.encode(), hashlib.sha256(body).hexdigest().encode()])


def _trim(path: Path) -> None:
    stem = path.name[: -len(_SUFFIX) - 16]
    others = [p for p in path.parent.glob(f"{stem}*{_SUFFIX}") if len(p.name) == len(path.name) and p != path]
    for old in sorted(others, key=lambda p: (p.stat().st_mtime, p.name), reverse=True)[_MOST - 1 :]:
        old.unlink()
