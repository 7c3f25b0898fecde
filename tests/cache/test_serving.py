"""Rows over HTTP: what is served is what is asked for."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from isel.cache.database import Database
from isel.cache.remote import Remote
from isel.cache.rows import ResultRow
from isel.cache.serving import server
from isel.cache.store import Store

KEY = "ab" * 32
ROW = ResultRow(KEY, "x86", "leaf a 4x8", '{"programs": []}', "no program found", 7, "0.1.0")


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """Serve one row."""
    database = Database(tmp_path / "cache.sqlite")
    database.probe()
    database.add_result(ROW)
    database.close()
    made = server("127.0.0.1", 0, lambda: Store(None, Database(tmp_path / "cache.sqlite")))
    with made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{made.server_port}"
        made.shutdown()


def test_a_row_and_a_miss_over_one_connection(url: str, tmp_path: Path) -> None:
    with contextlib.closing(Remote(url, tmp_path / "away")) as remote:
        found = [remote.result(key) for key in (KEY, "0" * 64, KEY, "../" + KEY)]
    assert found == [ROW, None, ROW, None]
    assert remote.problem == ""
    assert not (tmp_path / "away").exists()


def test_a_path_before_ours(url: str, tmp_path: Path) -> None:
    remote = Remote(f"{url}/below/", tmp_path / "away")
    assert remote.result(KEY) is None
    assert remote.problem == ""
    remote.close()
