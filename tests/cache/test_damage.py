"""Files that are damaged, forged or interrupted: a row is what was written or is not there, and
nothing is raised.
"""

from __future__ import annotations

import logging
import os
import random
import sqlite3
import sys
import time
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from pathlib import Path

import pytest

from isel.cache.database import Database
from isel.cache.rows import Signed
from isel.cache.store import Store
from tests.cache.parts import opened
from tests.cache.test_store import row

SEED = 7


def filled(folder: Path, rows: int = 40) -> Path:
    """Make a cache with rows in every table; return its file."""
    store = opened(folder)
    for k in range(rows):
        add(store, str(k))
    store.close()
    return folder / "cache.sqlite"


def add(store: Store, key: str) -> None:
    store.add_result(replace(row(key, 900), reason=f"\u00e9 \0 {key}"))
    store.add_verdict(key, f"verdict {key}")
    store.add_function(key, f"function {key}" * 50)


def right(store: Store, key: str) -> bool:
    """Tell whether each row of a key is what was written, or is not there."""
    return (
        store.result(key) in (None, replace(row(key, 900), reason=f"\u00e9 \0 {key}"))
        and store.verdict(key) in (None, f"verdict {key}")
        and store.function(key) in (None, f"function {key}" * 50)
    )


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


def survives(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Read, write and read again; at most one line is said."""
    caplog.clear()
    store = opened(path.parent)
    assert all(right(store, str(k)) for k in range(40))
    add(store, "new")
    assert right(store, "new")
    store.close()
    assert len(warnings(caplog)) <= 1
    assert all(m.isprintable() for m in warnings(caplog))


def statement(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for s in statements:
        connection.execute(s)
    connection.close()


def test_files_of_any_length_and_with_any_byte_changed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    whole = filled(tmp_path / "whole").read_bytes()
    chosen = random.Random(SEED)
    path = tmp_path / "damaged" / "cache.sqlite"
    path.parent.mkdir(mode=0o700)
    for k in range(120):
        data = bytearray(whole)
        if k % 3 == 0:
            del data[chosen.randrange(len(data)) :]
        for _ in range(k % 3 * 4):
            data[chosen.randrange(len(data) if k % 2 else 200)] = chosen.randrange(256)
        for old in path.parent.iterdir():
            old.unlink()
        path.write_bytes(data)
        survives(path, caplog)


@pytest.mark.parametrize(
    "statements",
    [
        (
            "PRAGMA writable_schema = 1",
            "UPDATE sqlite_master SET sql = CAST(x'ff0afe00' AS TEXT) WHERE name = 'results'",
        ),
        (
            "PRAGMA writable_schema = 1",
            "UPDATE sqlite_master SET name = CAST(x'ff0afe' AS TEXT), tbl_name = CAST(x'fffe' AS TEXT)",
        ),
        ("DROP TABLE functions",),
        ("ALTER TABLE verdicts DROP COLUMN mac",),
        ("ALTER TABLE results RENAME COLUMN programs TO program",),
        (
            "DROP TABLE verdicts",
            "CREATE VIEW verdicts AS SELECT key, value, mac, used FROM functions",
        ),
        ("UPDATE verdicts SET value = CAST(x'fffe' AS TEXT), mac = CAST(x'ff' AS TEXT)",),
        ("UPDATE results SET steps = 'many', used = 'never'",),
        ("UPDATE results SET steps = 1e300, window = 5, key = x'ff' || key",),
        ("UPDATE functions SET mac = zeroblob(1000000)",),
        (
            "CREATE TRIGGER t AFTER INSERT ON results BEGIN UPDATE results SET programs = 'other'; END",
        ),
    ],
)
def test_schemas_and_rows_of_any_kind(
    tmp_path: Path, statements: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    path = filled(tmp_path / "c")
    statement(path, *statements)
    survives(path, caplog)


COLUMNS = ("target", "window", "programs", "reason", "steps", "tool", "mac")
MOVES = [
    *(
        f"UPDATE results SET {c} = {'steps + 1' if c == 'steps' else c + ' || 0'} WHERE key = '1'"
        for c in COLUMNS
    ),
    "UPDATE results SET target = target || window, window = '' WHERE key = '1'",
    "UPDATE results SET window = target, target = window WHERE key = '1'",
    "INSERT OR REPLACE INTO results SELECT '1', target, window, programs, reason, steps, tool, mac, used FROM results WHERE key = '2'",
    *(
        f"UPDATE {t} SET {c} = {c} || 0 WHERE key = '1'"
        for t in ("verdicts", "functions")
        for c in ("value", "mac")
    ),
    *(
        f"INSERT OR REPLACE INTO {t} SELECT '1', value, mac, used FROM {t} WHERE key = '2'"
        for t in ("verdicts", "functions")
    ),
    "INSERT OR REPLACE INTO functions SELECT key, value, mac, used FROM verdicts WHERE key = '1'",
    "INSERT OR REPLACE INTO verdicts SELECT key, value, mac, used FROM functions WHERE key = '1'",
    "UPDATE verdicts SET mac = (SELECT mac FROM functions WHERE functions.key = verdicts.key) WHERE key = '1'",
]


@pytest.mark.parametrize("move", MOVES)
def test_a_code_is_for_one_table_one_key_and_one_content(tmp_path: Path, move: str) -> None:
    path = filled(tmp_path / "c", 3)
    statement(path, move)
    found = _states(path)
    assert (found.count(Signed.WRONG), found.count(Signed.RIGHT)) == (1, 8)
    store = opened(path.parent)
    assert [store.result("1"), store.verdict("1"), store.function("1")].count(None) == 1
    store.close()


def test_a_text_that_is_none_costs_its_row_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = filled(tmp_path / "c")
    statement(
        path,
        "UPDATE verdicts SET value = CAST(x'fffe' AS TEXT) WHERE key = '1'",
        "UPDATE functions SET mac = CAST(x'ff' AS TEXT) WHERE key = '1'",
    )
    store = opened(path.parent)
    assert [(store.verdict(k), store.function(k) is None) for k in "12"] == [
        (None, True),
        ("verdict 2", False),
    ]
    store.close()
    assert not warnings(caplog)


def test_a_row_that_cannot_be_written_is_not_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = opened(tmp_path)
    store.add_result(replace(row("k"), window="\ud800"))
    store.add_result(row("l"))
    assert store.result("k") is None and store.result("l") == row("l") and not warnings(caplog)
    store.close()


def test_rows_of_the_seed_need_no_code_and_unsigned_rows_hide_none_of_them(tmp_path: Path) -> None:
    seed = tmp_path / "seed.sqlite"
    database = Database(seed)
    database.add_result(row("k"))
    database.seal()
    store = opened(tmp_path / "user", seed)
    store.add_result(replace(row("k"), reason="newer"))
    assert store.result("k") == replace(row("k"), reason="newer")
    statement(tmp_path / "user" / "cache.sqlite", "UPDATE results SET reason = 'other'")
    assert store.result("k") == row("k")
    store.close()


def _write(folder: Path, name: str) -> None:
    store = opened(folder)
    for k in range(1_000_000):
        add(store, f"{name}-{k}")
        assert right(store, f"{name}-{k}") and store.overlay is not None


def _states(path: Path) -> list[Signed]:
    store = opened(path.parent)
    assert store.overlay is not None
    found = [s for _, s in store.overlay.every_result()]
    found += [s for table in ("verdicts", "functions") for _, _, s in store.overlay.values(table)]
    store.close()
    return found


def test_eight_writers_and_thirty_kills(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Eight processes write one cache from nothing; thirty are killed at random moments and
    replaced; nothing is left but a cache that is right.
    """
    chosen = random.Random(SEED)
    names = iter(range(100))

    def started() -> ForkProcess:
        process = get_context("fork").Process(
            target=_write, args=(tmp_path / "c", str(next(names)))
        )
        process.start()
        return process

    writers = [started() for _ in range(8)]
    for _ in range(30):
        time.sleep(chosen.random() * 0.1)
        k = chosen.randrange(8)
        assert writers[k].exitcode is None
        writers[k].kill()
        writers[k].join()
        writers[k] = started()
    time.sleep(0.3)
    for w in writers:
        assert w.exitcode is None
        w.kill()
        w.join()
    found = _states(tmp_path / "c" / "cache.sqlite")
    assert len(found) > 100 and set(found) == {Signed.RIGHT}
    assert not warnings(caplog) and capfd.readouterr().err == ""
    sys.stdout.write(f"seed {SEED}: 8 writers, 38 kills, {len(found)} rows, all signed\n")
    assert os.listdir(tmp_path / "c") == ["cache.sqlite"]
    assert sqlite3.connect(tmp_path / "c" / "cache.sqlite").execute(
        "PRAGMA integrity_check"
    ).fetchone() == ("ok",)
