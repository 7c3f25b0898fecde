"""Files that cannot serve are warned about and done without; processes may share one."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from pathlib import Path

import pytest

from isel.cache.database import APPLICATION, SCHEMA, Database
from isel.cache.rows import ResultRow, Unusable
from isel.cache.store import open_store
from isel.places import overlay_path
from isel.workers import Pool
from tests.cache.parts import opened


def row(key: str, size: int = 10) -> ResultRow:
    return ResultRow(key, "toy", "w" * size, "{}", "why", 3, "0.1")


def _warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


def test_rows_come_back(tmp_path: Path) -> None:
    store = opened(tmp_path)
    assert store.result("k") is None
    store.add_result(row("k"))
    store.add_verdict("v", "yes")
    store.close()
    again = opened(tmp_path)
    assert again.result("k") == row("k")
    assert again.verdict("v") == "yes"
    assert again.verdict("w") is None
    again.close()


def test_where_the_overlay_is() -> None:
    def at(given: str | None, **environment: str) -> str:
        return str(overlay_path(given, environment))

    assert at("/x") == "/x/cache.sqlite"
    assert at("/x/mine.sqlite", ISEL_CACHE="/y") == "/x/mine.sqlite"
    assert at(None, ISEL_CACHE="/y", XDG_CACHE_HOME="/z") == "/y/cache.sqlite"
    assert at(None, XDG_CACHE_HOME="/z", HOME="/h") == "/z/isel/cache.sqlite"
    assert at(None, HOME="/h") == "/h/.cache/isel/cache.sqlite"


def test_off() -> None:
    assert open_store("off", {}) is None
    assert open_store(None, {"ISEL_CACHE": "off"}) is None


def test_the_seed_is_read_and_never_written(tmp_path: Path) -> None:
    seed = tmp_path / "seed.sqlite"
    database = Database(seed)
    database.add_result(row("k"))
    database.seal()
    before = seed.read_bytes()
    store = opened(tmp_path / "user", seed)
    assert store.result("k") == row("k")
    store.add_result(row("l"))
    store.close()
    assert seed.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["seed.sqlite", "user"]


def test_sealing_gives_the_same_bytes(tmp_path: Path) -> None:
    made = []
    for name, keys in (("a", "xyz"), ("b", "zyx")):
        database = Database(tmp_path / name)
        for key in keys:
            database.add_result(row(key))
        database.seal()
        made.append("\n".join(sqlite3_dump(tmp_path / name)))
    assert made[0] == made[1]


def sqlite3_dump(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    try:
        return sorted(connection.iterdump())
    finally:
        connection.close()


@pytest.mark.parametrize(
    "content",
    [
        b"this is no database, and long enough to be taken for one" * 40,
        b"SQLite format 3\0" + b"\xff" * 4000,
    ],
)
def test_a_corrupt_file_is_left_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    (tmp_path / "cache.sqlite").write_bytes(content)
    store = opened(tmp_path)
    assert store.overlay is None
    store.add_result(row("k"))
    assert store.result("k") is None
    assert len(_warnings(caplog)) == 1
    assert (tmp_path / "cache.sqlite").read_bytes() == content


@pytest.mark.parametrize(
    "which", ["", "cache.sqlite", "cache.sqlite-wal", "cache.sqlite-shm", "cache.sqlite-journal"]
)
def test_what_others_may_write_is_not_opened(
    tmp_path: Path, which: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = opened(tmp_path)
    store.add_result(row("k"))
    store.close()
    path = tmp_path / which
    path.touch()
    before = sorted(os.listdir(tmp_path))
    path.chmod(0o720 if path.is_dir() else 0o602)
    assert opened(tmp_path).overlay is None
    assert _warnings(caplog) == [
        f"nothing kept in {path} is used: others may write it (mode {'720' if path.is_dir() else '602'})"
    ]
    assert sorted(os.listdir(tmp_path)) == before


def test_without_a_key_there_is_no_overlay(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = open_store(str(tmp_path), {"XDG_STATE_HOME": "/proc/state"}, seed=tmp_path / "none")
    assert store is not None and store.overlay is None
    store.add_result(row("k"))
    assert store.result("k") is None
    assert _warnings(caplog) == [
        "nothing is kept between runs: no key /proc/state/isel-key/key: no such file or directory"
    ]
    assert os.listdir(tmp_path) == []


def test_another_programs_file_is_left_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    connection = sqlite3.connect(tmp_path / "cache.sqlite")
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.commit()
    connection.close()
    before = (tmp_path / "cache.sqlite").read_bytes()
    assert opened(tmp_path).overlay is None
    assert "another program's file" in _warnings(caplog)[0]
    assert (tmp_path / "cache.sqlite").read_bytes() == before


def _with_schema(path: Path, schema: int) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE old (key TEXT)")
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {schema}")
    connection.commit()
    connection.close()


def test_an_older_schema_is_set_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    _with_schema(tmp_path / "cache.sqlite", SCHEMA - 2)
    store = opened(tmp_path)
    store.add_result(row("k"))
    assert store.result("k") == row("k")
    assert "was renamed to cache.sqlite.old" in _warnings(caplog)[0]
    assert (tmp_path / "cache.sqlite.old").exists()
    store.close()


def test_the_schema_before_is_read_and_made_of_this_version(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It has no table of sources: a frozen file is read without, one that is written gets it,
    from several processes at once, too.
    """
    path = tmp_path / "cache.sqlite"
    first = Database(path)
    first.add_result(row("k"))
    first.seal()
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE sources")
    connection.execute(f"PRAGMA user_version = {SCHEMA - 1}")
    connection.close()
    before = path.read_bytes()
    frozen = Database(path, frozen=True)
    frozen.probe()
    assert (list(frozen.results()), list(frozen.values("sources")), frozen.counts()) == (
        [row("k")],
        [],
        (1, 0, 0),
    )
    frozen.close()
    assert path.read_bytes() == before
    assert all(Pool(4).map(lambda k: _adds(path, str(k)), list(range(8))))
    database = Database(path)
    assert (list(database.results()), len(list(database.values("sources")))) == ([row("k")], 8)
    database.close()
    assert _warnings(caplog) == []


def _adds(path: Path, key: str) -> bool:
    database = Database(path)
    database.probe()
    database.put("sources", key, "value")
    database.close()
    return True


def test_a_newer_schema_is_left_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    _with_schema(tmp_path / "cache.sqlite", SCHEMA + 1)
    assert opened(tmp_path).overlay is None
    assert "a newer version wrote it" in _warnings(caplog)[0]


def test_a_folder_that_cannot_be_made(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    store = open_store(str(tmp_path / "file" / "below"), {}, seed=tmp_path / "none")
    assert store is not None
    assert store.overlay is None
    assert _warnings(caplog)[0].startswith("no cache in ")


def test_a_path_that_is_a_folder(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "cache.sqlite").mkdir()
    assert opened(tmp_path).overlay is None
    assert len(_warnings(caplog)) == 1


def test_a_read_only_file(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opened as a user without the right to write would find it (root may write anything)."""
    opened(tmp_path).close()
    plain = sqlite3.connect

    def read_only(name: str, **_: object) -> sqlite3.Connection:
        return plain(name.replace("mode=rwc", "mode=ro"), uri=True, isolation_level=None)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    assert opened(tmp_path).overlay is None
    assert "readonly" in _warnings(caplog)[0]


def test_a_full_disk_is_reported_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = opened(tmp_path)
    assert store.overlay is not None
    store.overlay._connect().execute("PRAGMA max_page_count = 8")
    for i in range(40):
        store.add_result(row(f"k{i:02}", 4000))
    gone: object = store.overlay
    assert gone is None
    assert len(_warnings(caplog)) == 1
    assert "full" in _warnings(caplog)[0]


def test_damage_found_later_is_survived(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = opened(tmp_path)
    for i in range(200):
        store.add_result(row(f"k{i:03}", 500))
    store.close()
    path = tmp_path / "cache.sqlite"
    data = bytearray(path.read_bytes())
    data[2 * 4096 :] = b"\xa5" * (len(data) - 2 * 4096)
    path.write_bytes(data)
    again = opened(tmp_path)
    assert again.result("k100") is None
    assert _warnings(caplog)


def test_the_size_is_limited(tmp_path: Path) -> None:
    database = Database(tmp_path / "c.sqlite", limit=200_000)
    for i in range(640):
        database.add_result(row(f"k{i:04}", 2000))
    assert database.size() <= 200_000 + 64 * 4096
    assert database.result("k0639") is not None
    database.clear()
    assert database.counts() == (0, 0, 0)
    database.close()


def test_the_longest_unused_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1_000_000]
    monkeypatch.setattr(time, "time", lambda: clock[0])
    database = Database(tmp_path / "c.sqlite", limit=150_000)
    for i in range(40):
        clock[0] += 100_000
        database.add_result(row(f"k{i:02}", 4000))
        assert database.result("k00") is not None
    database.trim()
    assert database.result("k00") is not None
    assert database.result("k01") is None
    database.close()


def _write_some(worker: int) -> int:
    store = opened(Path(os.environ["ISEL_TEST_CACHE"]))
    for i in range(60):
        store.add_result(row(f"{worker}-{i}"))
        assert store.result(f"{worker}-{i}") is not None
    alive = store.overlay is not None
    store.close()
    return int(alive)


def test_processes_share_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ISEL_TEST_CACHE", str(tmp_path))
    assert Pool(6).map(_write_some, list(range(6))) == [1] * 6
    store = opened(tmp_path)
    assert store.overlay is not None
    assert store.overlay.counts() == (360, 0, 0)
    store.close()


def test_a_store_survives_forks(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.add_result(row("parent"))

    def both(name: str) -> bool:
        store.add_result(row(name))
        return store.result("parent") is not None and store.result(name) is not None

    assert Pool(2).map(both, ["x", "y", "z"]) == [True] * 3
    assert store.result("z") == row("z")
    store.close()


def test_frozen_files_must_be_ours(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(Unusable):
        Database(tmp_path / "empty", frozen=True).probe()
