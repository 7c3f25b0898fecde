"""What a test opens is closed behind it: from Python 3.13 on a connection that is forgotten is a
warning, in whatever test the collector finds it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _closed_behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def note(path: str, **flags: bool) -> sqlite3.Connection:
        opened.append(connect(path, **flags))  # type: ignore[call-overload]
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", note)
    yield
    for connection in opened:
        with contextlib.suppress(sqlite3.ProgrammingError):  # another thread's own
            connection.close()
