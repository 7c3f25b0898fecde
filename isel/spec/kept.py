"""Derived data that is kept between runs: a JSON text in the user's cache directory, made again
whenever it is of no use.

A file that is missing, damaged, of other inputs, of another program or not signed by this user's
key is written anew; one that cannot be read or written is done without.  Neither changes what is
computed.  A file of the same form may be installed with the program.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import Final

from isel.json_text import to_json
from isel.trust import Signer

_MAGIC: Final = b"isel index 2"
_SUFFIX: Final = ".index"
_MOST: Final = 3  # files of one name: other versions of the tool may run beside this one


def path_of(folder: Path, name: str, key: str) -> Path:
    """Return where the data of ``name`` for the inputs of hash ``key`` are kept."""
    return folder / f"{name}-{key[:16]}{_SUFFIX}"


def read_kept(path: Path, key: str, signer: Signer) -> object | None:
    """Return the data, or None where the file is not exactly what :func:`write_kept` wrote for
    ``key``.
    """
    mac, body = _content(path, key)
    return _data(body) if signer.signed(mac, "index", key, body) else None


def read_shipped(path: Path, key: str) -> object | None:
    """Return the data of a file that was installed with the program, as trusted as the code
    beside it; None where it is of other inputs or not there.
    """
    _, body = _content(path, key)
    return _data(body) if body else None


def shipped(key: str, data: object) -> bytes:
    """Return the content of a file to install."""
    return _text(key, "-", _body(data))


def _content(path: Path, key: str) -> tuple[str, bytes]:
    """Return the code and the body of a file for ``key``, empty where it is none."""
    try:
        head, _, body = path.read_bytes().partition(b"\n")
    except OSError:
        return "", b""
    start, _, mac = head.rpartition(b" ")
    if start != b"%s %s" % (_MAGIC, key.encode()):
        return "", b""
    return mac.decode(errors="replace"), body


def _data(body: bytes) -> object | None:
    try:
        found: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found


def _body(data: object) -> bytes:
    return to_json(data, separators=(",", ":")).encode()


def _text(key: str, mac: str, body: bytes) -> bytes:
    return b"%s %s %s\n%s" % (_MAGIC, key.encode(), mac.encode(), body)


def write_kept(path: Path, key: str, data: object, signer: Signer) -> None:
    """Write the data and drop the oldest files beyond a few; failures are no matter.

    They are written in place: nothing lies about when a process is killed, and what is half written
    is not signed.
    """
    body = _body(data)
    text = _text(key, signer.mac("index", key, body), body)
    with contextlib.suppress(OSError):
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600), "wb") as file:
            file.write(text)
            file.truncate()
        _trim(path)


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


def _trim(path: Path) -> None:
    stem = path.name[: -len(_SUFFIX) - 16]
    alike = path.parent.glob(f"{stem}*{_SUFFIX}")
    others = [p for p in alike if len(p.name) == len(path.name) and p != path]
    for old in sorted(others, key=lambda p: (p.stat().st_mtime, p.name), reverse=True)[_MOST - 1 :]:
        old.unlink()
