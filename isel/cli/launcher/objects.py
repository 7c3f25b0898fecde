"""Objects that were made are not made again: what a compile read is held against what it reads now,
and where that is the same its outputs are put in their places without a compiler.

A file for a request lists, for each of the last few compiles, the files that were read with hashes
of their contents, and which names were there where the compiler looks for files: one that newly
appears may be read instead.  It and the outputs are signed by the user's key.
"""

from __future__ import annotations

import hashlib
import hmac
import marshal
import os

from isel.cli.launcher.light import Record, suppress
from isel.cli.launcher.limits import OBJECTS_CODE, OBJECTS_DAY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final

_LIST: Final = b"list"
_OUTPUTS: Final = b"outputs"
WHOLE: Final = "*"  # all names of a folder count
SETTINGS: Final = "*.cfg"  # those of configurations of clang


class Request(Record):
    """The hash of a request, the folder of made objects, and the key that signs them."""

    key: str
    folder: str
    secret: bytes

    def mac(self, *parts: bytes) -> bytes:
        """Return the code (HMAC-SHA256) of the parts in order."""
        text = b"".join(len(p).to_bytes(8, "big") + p for p in parts)
        return hmac.digest(self.secret, text, "sha256")


class Seen(Record):
    """What a compile read: files with hashes, names that it looks for, folders with a hash of which
    of these names are there, the number of its outputs, and a file that must be as it was, with its
    stamp: a module whose rest is not searched yet.
    """

    files: tuple[tuple[str, str], ...]
    names: tuple[str, ...]
    folders: tuple[tuple[str, str, str], ...]
    outputs: str
    pending: tuple[str, str] = ("", "")


class Outputs(Record):
    """What a compile wrote: the object, the dependency file or nothing, what it said, and what was
    done, as counted."""

    object: bytes
    dependencies: bytes
    said: bytes
    counts: dict[str, int]


def list_file(request: Request) -> str:
    """Return the file with what compiles of a request read."""
    return os.path.join(request.folder, request.key[:1], request.key[1:])


def outputs_file(request: Request, number: str) -> str:
    """Return the file with what a compile wrote."""
    return os.path.join(request.folder, number[:1], number[1:])


def seen_by(request: Request) -> list[Seen]:
    """Return what the last compiles of a request read."""
    data = unseal(list_file(request), request, _LIST, request.key)
    return [Seen(*row) for row in data] if isinstance(data, list) else []


def look_up(request: Request) -> Outputs | None:
    """Return what a compile with this request would write, None where that is not known."""
    hashes: dict[str, str] = {}

    def hash_of_file(path: str) -> str:
        found = hashes.get(path)
        if found is None:
            found = hashes[path] = hash_of(path)
        return found

    for seen in seen_by(request):
        if _holds(seen, hash_of_file):
            path = outputs_file(request, seen.outputs)
            data = unseal(path, request, _OUTPUTS, seen.outputs)
            if data is not None:
                _touch(path)
                _touch(list_file(request))
                return Outputs(*data)  # type: ignore[misc]
    return None


def _holds(seen: Seen, hash_of_file: Callable[[str], str]) -> bool:
    pending, stamp = seen.pending
    names = frozenset(seen.names)
    return (
        (not pending or stamp_of(pending) == stamp)
        and all(hash_of_file(path) == digest for path, digest in seen.files)
        and all(names_in(path, kind, names) == digest for path, kind, digest in seen.folders)
    )


def hash_of(path: str) -> str:
    """Return the hash of a file's content, nothing where it cannot be read."""
    try:
        with open(path, "rb", buffering=0) as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return ""


def names_in(path: str, kind: str, names: frozenset[str]) -> str:
    """Return a hash of the names in a folder that count; one that is not there has none."""
    try:
        there = os.listdir(path)
    except OSError:
        there = []
    if kind == WHOLE:
        found: Iterable[str] = there
    elif kind == SETTINGS:
        found = (n for n in there if n.endswith(".cfg"))
    else:
        found = names.intersection(there)
    return hashlib.sha256("\0".join(sorted(found)).encode("utf-8", "surrogateescape")).hexdigest()


def stamp_of(path: str) -> str:
    """Return what tells a file from one that replaces it, nothing where it is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return ""
    return f"{status.st_ino} {status.st_mtime_ns}"


def seal(request: Request, kind: bytes, name: str, data: object) -> bytes:
    """Return data as they are written."""
    body = marshal.dumps(data)  # type: ignore[arg-type]  # tuples of texts and numbers
    return request.mac(kind, name.encode(), body) + body


def unseal(path: str, request: Request, kind: bytes, name: str) -> object:
    """Return data that this user wrote, else None."""
    try:
        with open(path, "rb", buffering=0) as file:
            text = file.read()
    except OSError:
        return None
    mac, body = text[:OBJECTS_CODE], text[OBJECTS_CODE:]
    if not hmac.compare_digest(mac, request.mac(kind, name.encode(), body)):
        return None
    try:
        return marshal.loads(body)
    except (ValueError, EOFError, TypeError):
        return None


def _touch(path: str) -> None:
    """Note that a file was used, once a day."""
    import time

    with suppress(OSError):
        if time.time() - os.stat(path).st_mtime > OBJECTS_DAY:
            os.utime(path)
