"""Rows of another machine, over HTTP: read only, and nothing in them is believed.

A cache that fails in any way is left alone for a minute, by all processes of the user: a file
remembers that.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import time
import urllib.parse
from pathlib import Path
from typing import Final

from isel.cache import limits
from isel.cache.rows import ResultRow
from isel.trust import UNREADABLE

PATH: Final = "/isel/1/results/"
FIELDS: Final = ("target", "window", "programs", "reason", "steps", "tool")


class Refused(Exception):
    """The cache cannot be used; the message says why."""


class Remote:
    """The cache at a URL; ``away`` is the file that remembers a failure.

    What went wrong in this process is in ``problem``.
    """

    def __init__(self, url: str, away: Path) -> None:
        self.url = url
        self.problem = ""
        self._away = away
        self._connection: http.client.HTTPConnection | None = None

    def result(self, key: str) -> ResultRow | None:
        """Return the row of a key, None where there is none or the cache cannot be used."""
        if self.problem or self.is_away():
            return None
        try:
            answer = self._get(key)
            return None if answer is None else _row(key, answer)
        except Refused as problem:
            self.give_up(str(problem))
        except TimeoutError:
            self.give_up("no answer in time")
        except (OSError, http.client.HTTPException, ValueError) as problem:
            self.give_up(str(problem) or type(problem).__name__)
        return None

    def give_up(self, why: str) -> None:
        """Leave the cache alone for a minute."""
        self.problem = " ".join(f"the cache {self.url} is not used for a minute: {why}".split())
        self.close()
        with contextlib.suppress(OSError):
            self._away.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._away.touch(mode=0o600)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def is_away(self) -> bool:
        """Tell whether it failed less than a minute ago."""
        try:
            return time.time() - self._away.stat().st_mtime < limits.REMOTE_AWAY
        except OSError:
            return False

    def _get(self, key: str) -> bytes | None:
        """Return the body of an answer, None where there is no such row."""
        end = time.monotonic() + limits.REMOTE_READ
        connection = self._connect()
        connection.request("GET", self._path + key)
        body = b""
        with contextlib.closing(connection.getresponse()) as response:
            while part := response.read1(limits.REMOTE_PART):
                body += part
                if len(body) > limits.REMOTE_LARGEST:
                    raise Refused("an answer that is too long")
                if time.monotonic() > end:
                    raise Refused("no answer in time")
        if response.will_close:
            self.close()
        if response.status not in (200, 404):
            raise Refused(f"status {response.status}")
        return body if response.status == 200 else None

    def _connect(self) -> http.client.HTTPConnection:
        parts = urllib.parse.urlsplit(self.url)
        if parts.scheme != "http" or not parts.hostname:
            raise Refused("no address as http://HOST:PORT")
        self._path = parts.path.rstrip("/") + PATH
        if self._connection is None:
            made = http.client.HTTPConnection(
                parts.hostname, parts.port, timeout=limits.REMOTE_CONNECT
            )
            made.connect()
            made.sock.settimeout(limits.REMOTE_READ)
            self._connection = made
        return self._connection


def _row(key: str, body: bytes) -> ResultRow:
    """Read an answer; raises :class:`Refused`."""
    try:
        target, window, programs, reason, steps, tool = (json.loads(body)[f] for f in FIELDS)
        row = ResultRow(key, target, window, programs, reason, int(steps), tool)
        if all(isinstance(t, str) for t in (target, window, programs, reason, tool)):
            return row
    except UNREADABLE:
        pass
    raise Refused("an answer that is no row")
