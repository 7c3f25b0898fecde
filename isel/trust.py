"""What is kept between runs is believed only where this user's key signed it, in files that nobody
else owns or may write.

Whoever reads the key can write what will be believed.  It lies in a folder of its own, which no
setting makes the cache's.
"""

from __future__ import annotations

import fcntl
import hmac
import os
import stat
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from isel.errors import IselError

_BYTES: Final = 32
# What reading kept data can raise, whatever they are.
UNREADABLE: Final = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
    MemoryError,
    IselError,
)


@dataclass(frozen=True, slots=True)
class Signer:
    """Makes and checks message authentication codes (HMAC-SHA256, RFC 2104) by a secret."""

    secret: bytes = field(repr=False)

    def mac(self, *parts: str | bytes) -> str:
        """Return the code of the parts in order, in hexadecimal; no other parts have the same."""
        made = hmac.new(self.secret, digestmod="sha256")
        for part in parts:
            data = part.encode(errors="surrogatepass") if isinstance(part, str) else part
            made.update(len(data).to_bytes(8, "big"))
            made.update(data)
        return made.hexdigest()

    def signed(self, mac: str, *parts: str | bytes) -> bool:
        """Tell whether ``mac`` is the code of the parts, in a time that does not depend on
        where it differs.
        """
        return hmac.compare_digest(mac.encode(errors="surrogatepass"), self.mac(*parts).encode())


def warn(text: str, *parts: object) -> None:
    """Warn of what is kept between runs; most have nothing to say, and import nothing for it."""
    import logging

    logging.getLogger("isel.cache").warning(text, *parts)


@cache
def _say(text: str) -> None:
    """Warn once a process: cache and index are often in one folder."""
    warn("%s", text)


def trusted(*paths: Path) -> bool:
    """Tell whether nobody else owns or may write the paths, those that are there; else say
    which.
    """
    for path in paths:
        try:
            problem = _others(path.stat(), stat.S_IWGRP | stat.S_IWOTH, "write")
        except FileNotFoundError:
            continue
        except OSError as error:
            problem = str(error.strerror).lower()
        if problem:
            _say(f"nothing kept in {path} is used: {problem}")
            return False
    return True


def signer_at(path: Path) -> Signer | None:
    """Return the signer of the key in a file, which is made if it is not there; say why there
    is none.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not trusted(path.parent):
            return None
        secret = _secret(path)
    except OSError as error:
        _say(
            f"nothing is kept between runs: no key {path}: {(error.strerror or str(error)).lower()}"
        )
        return None
    if len(secret) != _BYTES:
        _say(
            f"nothing is kept between runs: {path} is no key: it has {len(secret)} bytes, not "
            f"{_BYTES}"
        )
        return None
    return Signer(secret)


def _secret(path: Path) -> bytes:
    """Read the key.

    It is made by whoever first finds the file empty, under a lock, so that all agree, and a process
    that is killed leaves no other file.
    """
    try:
        found = _content(path, os.O_RDONLY)
    except FileNotFoundError:
        found = b""
    return found or _content(path, os.O_RDWR | os.O_CREAT)


def _content(path: Path, flags: int) -> bytes:
    file = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
    try:
        status = os.fstat(file)
        problem = _others(status, stat.S_IRWXG | stat.S_IRWXO, "read")
        if not stat.S_ISREG(status.st_mode):
            problem = "it is no file"
        if problem:
            raise OSError(0, problem)
        if flags & os.O_CREAT:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not os.fstat(file).st_size:
                os.write(file, os.urandom(_BYTES))
                os.fsync(file)
        return os.pread(file, _BYTES + 1, 0)
    finally:
        os.close(file)


def _others(status: os.stat_result, bits: int, verb: str) -> str:
    """Return what others may do with a file, or nothing."""
    if status.st_uid != os.geteuid():
        return f"user {status.st_uid} owns it"
    mode = f"{stat.S_IMODE(status.st_mode):o}"
    return f"others may {verb} it (mode {mode})" if status.st_mode & bits else ""
