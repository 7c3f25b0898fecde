"""The only module that imports sqlite3: one file of rows, opened, checked, written and trimmed."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Final

from isel.cache.rows import OldSchema, ResultRow, Signed, Unkept, Unusable, one_line, read_row
from isel.trust import Signer

# "isel" in the file's header, so that no other program's file is touched
APPLICATION: Final = 0x6973656C
SCHEMA: Final = 5
# the schema before: read as it is, and made one of this version when it is written
_WITHOUT_SOURCES: Final = 4
_WAIT: Final = 20.0  # seconds to wait for another process's write
_ATTEMPTS: Final = 400
_DAY: Final = 86_400
_CHECK_EVERY: Final = 64  # writes between looks at the size
_TABLES: Final = """
CREATE TABLE results (
  key TEXT PRIMARY KEY, target TEXT NOT NULL, window TEXT NOT NULL, programs TEXT NOT NULL,
  reason TEXT NOT NULL, steps INTEGER NOT NULL, tool TEXT NOT NULL,
  mac TEXT NOT NULL, used INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE verdicts (
  key TEXT PRIMARY KEY, value TEXT NOT NULL, mac TEXT NOT NULL, used INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE functions (
  key TEXT PRIMARY KEY, value TEXT NOT NULL, mac TEXT NOT NULL, used INTEGER NOT NULL
) WITHOUT ROWID;
"""
_SOURCES: Final = """
CREATE TABLE sources (
  key TEXT PRIMARY KEY, value TEXT NOT NULL, mac TEXT NOT NULL, used INTEGER NOT NULL
) WITHOUT ROWID
"""
_ROWS: Final = {
    "results": "target, window, programs, reason, steps, tool",
    "verdicts": "value",
    "functions": "value",
    "sources": "value",
}
# the last where SQLite's own message quotes a damaged file
_FAILURES: Final = (sqlite3.Error, OSError, UnicodeDecodeError)
# Connections of the parent, inherited through a fork: closing one here could remove files that the
# parent uses.
_INHERITED: Final[list[sqlite3.Connection]] = []


class Database:
    """One cache file.  Connections are made when needed and never shared between processes.

    Rows are written with a code by ``signer`` over their table, key and content, and those without
    the right one are not there. Without a signer rows are read as they are: the shipped seed, files
    to be proved again, and files of one run.
    """

    def __init__(
        self,
        path: Path,
        *,
        signer: Signer | None = None,
        frozen: bool = False,
        limit: int = 1 << 28,
    ) -> None:
        self.path = path
        self.signer = signer
        self.frozen = frozen  # opened immutable: nobody writes it while it is open
        self.limit = limit  # bytes
        self._connection: sqlite3.Connection | None = None
        self._owner = 0
        self._writes = 0
        self._tables = tuple(_ROWS)  # those of the file

    def _connect(self) -> sqlite3.Connection:
        if self._connection is not None and self._owner == os.getpid():
            return self._connection
        if self._connection is not None:
            _INHERITED.append(self._connection)
        self._connection = self._open()
        self._owner = os.getpid()
        return self._connection

    def _open(self) -> sqlite3.Connection:
        mode = "mode=ro&immutable=1" if self.frozen else "mode=rwc"
        connection = None
        try:
            address = f"{self.path.absolute().as_uri()}?{mode}"
            connection = sqlite3.connect(address, uri=True, timeout=_WAIT, isolation_level=None)
            connection.text_factory = _text
            self._settle(connection)
        except _FAILURES as error:
            if connection is not None:
                connection.close()
            raise Unusable(one_line(error)) from None
        except Unusable:
            assert connection is not None
            connection.close()
            raise
        return connection

    def _settle(self, connection: sqlite3.Connection) -> None:
        """Prepare the file, again while other processes are creating it (SQLite does not wait
        for a change of journal mode).
        """
        for _ in range(_ATTEMPTS):
            try:
                return self._prepare(connection)
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise
            time.sleep(_WAIT / _ATTEMPTS)
        return self._prepare(connection)

    def _prepare(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute("BEGIN")  # one look at the file: another process may be creating it
        tables = int(_one(connection, "SELECT count(*) FROM sqlite_master"))
        application, schema = (
            int(_one(connection, f"PRAGMA {name}")) for name in ("application_id", "user_version")
        )
        connection.execute("COMMIT")
        if application == APPLICATION and schema in (SCHEMA, _WITHOUT_SOURCES):
            if not self.frozen:
                connection.execute("PRAGMA synchronous = NORMAL")
                if schema == _WITHOUT_SOURCES:
                    self._within(connection, self._add_sources)
            self._tables = tuple(
                name for name in _ROWS if not self.frozen or schema == SCHEMA or name != "sources"
            )
            return
        if application == APPLICATION and schema < SCHEMA:
            raise OldSchema(f"its schema is {schema}, this version writes {SCHEMA}")
        if application == APPLICATION:
            raise Unusable(
                f"a newer version wrote it (schema {schema}, this version knows {SCHEMA})"
            )
        if self.frozen or application != 0 or schema != 0 or tables:
            raise Unusable("another program's file")
        self._create(connection)

    def _create(self, connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        self._within(connection, self._add_tables)

    @staticmethod
    def _within(
        connection: sqlite3.Connection, change: Callable[[sqlite3.Connection], None]
    ) -> None:
        """Make a change in a transaction."""
        connection.execute("BEGIN IMMEDIATE")
        try:
            change(connection)
            connection.execute("COMMIT")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    @staticmethod
    def _add_tables(connection: sqlite3.Connection) -> None:
        # another process may have been first
        if not _one(connection, "SELECT count(*) FROM sqlite_master"):
            for statement in (*_TABLES.split(";"), _SOURCES):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")

    @staticmethod
    def _add_sources(connection: sqlite3.Connection) -> None:
        if int(_one(connection, "PRAGMA user_version")) == _WITHOUT_SOURCES:  # as above
            connection.execute(_SOURCES)
            connection.execute(f"PRAGMA user_version = {SCHEMA}")

    def probe(self) -> None:
        """Open the file and write to it (unless frozen); raises :class:`Unusable`."""
        if not self.frozen:  # SQLite lets a transaction begin on a read-only file
            self._write("DELETE FROM verdicts WHERE 0")
        self._connect()
        for table in self._tables:
            self._query(f"SELECT key, {_ROWS[table]}, mac, used FROM {table} LIMIT 1")

    def result(self, key: str) -> ResultRow | None:
        """Return the row of ``key``; raises :class:`Unusable` where the file is damaged."""
        found = self._get("results", key)
        return None if found is None else read_row(key, found)

    def value(self, table: str, key: str) -> str | None:
        """Return the value of ``key`` in ``verdicts``, ``functions`` or ``sources``; raises
        :class:`Unusable` where the file is damaged.
        """
        found = self._get(table, key)
        return None if found is None else found[0]

    def _get(self, table: str, key: str) -> list[str] | None:
        """Return the content of a row that is signed, or None."""
        rows = self._query(f"SELECT {_ROWS[table]}, mac, used FROM {table} WHERE key = ?", key)
        if not rows:
            return None
        *values, mac, used = rows[0]
        fields = list(map(str, values))
        if self._signed(str(mac), table, key, *fields) is not Signed.RIGHT:
            return None
        self._touch(table, key, used)
        return fields

    def _signed(self, mac: str, *parts: str) -> Signed:
        if self.signer is None or self.signer.signed(mac, *parts):
            return Signed.RIGHT
        return Signed.WRONG if mac else Signed.MISSING

    def add_result(self, row: ResultRow) -> None:
        """Write or replace a row; raises as :meth:`put`."""
        self.put("results", *map(str, astuple(row)))

    def put(self, table: str, *parts: str) -> None:
        """Write or replace a key and what is kept under it; raises :class:`Unusable` where the file
        cannot be written, and :class:`Unkept`.
        """
        mac = "" if self.signer is None else self.signer.mac(table, *parts)
        try:
            self._write(
                f"INSERT OR REPLACE INTO {table} VALUES ({'?, ' * len(parts)}?, ?)",
                (*parts, mac, _now()),
            )
        except UnicodeEncodeError as error:
            raise Unkept(one_line(error)) from None

    def results(self) -> Iterator[ResultRow]:
        """Yield every result, by key."""
        yield from (row for row, signed in self.every_result() if signed is Signed.RIGHT)

    def every_result(self) -> Iterator[tuple[ResultRow, Signed]]:
        """Yield every result with what its code says, by key."""
        for key, fields, signed in self._every("results"):
            yield read_row(key, fields), signed

    def values(self, table: str) -> Iterator[tuple[str, str, Signed]]:
        """Yield key and value of every row of ``verdicts``, ``functions`` or ``sources`` with
        what its code says, by key.
        """
        for key, fields, signed in self._every(table):
            yield key, fields[0], signed

    def _every(self, table: str) -> Iterator[tuple[str, list[str], Signed]]:
        self._connect()
        if table not in self._tables:
            return
        for row in self._query(f"SELECT key, {_ROWS[table]}, mac FROM {table} ORDER BY key"):
            key, *fields, mac = map(str, row)
            yield key, fields, self._signed(mac, table, key, *fields)

    def verdicts(self) -> list[tuple[str, str]]:
        """Return every judgement, by key."""
        rows = self.values("verdicts")
        return [(key, value) for key, value, signed in rows if signed is Signed.RIGHT]

    def counts(self) -> tuple[int, int, int]:
        """Return the number of results, of verdicts and of functions."""
        results, verdicts, functions = (
            int(str(self._query(f"SELECT count(*) FROM {table}")[0][0]))
            for table in ("results", "verdicts", "functions")
        )
        return results, verdicts, functions

    def clear(self) -> None:
        """Remove every row and give the space back."""
        for table in _ROWS:
            self._write(f"DELETE FROM {table}")
        self._write("PRAGMA incremental_vacuum")

    def size(self) -> int:
        """Return the bytes in use."""
        pages, free, page = (
            int(str(self._query(f"PRAGMA {name}")[0][0]))
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * page

    def close(self) -> None:
        """Close this process's connection."""
        if self._connection is not None and self._owner == os.getpid():
            self._connection.close()
        elif self._connection is not None:
            _INHERITED.append(self._connection)
        self._connection = None

    def seal(self) -> None:
        """Leave one plain file without a journal beside it, its rows in order, its clock at
        zero.
        """
        connection = self._connect()
        for table in _ROWS:
            connection.execute(f"UPDATE {table} SET used = 0")
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("VACUUM")
        self.close()

    def _query(self, statement: str, *values: str) -> list[tuple[object, ...]]:
        try:
            rows: list[tuple[object, ...]] = self._connect().execute(statement, values).fetchall()
        except _FAILURES as error:
            raise Unusable(one_line(error)) from None
        return rows

    def _write(self, statement: str, values: Sequence[str | int] = ()) -> None:
        try:
            self._connect().execute(statement, values)
            self._writes += 1
            if self._writes % _CHECK_EVERY == 0:
                self.trim()
        except _FAILURES as error:
            raise Unusable(one_line(error)) from None

    def _touch(self, table: str, key: str, used: object) -> None:
        if self.frozen or not isinstance(used, int) or _now() - used < _DAY:
            return
        with contextlib.suppress(Unusable):
            self._write(f"UPDATE {table} SET used = ? WHERE key = ?", (_now(), key))

    def trim(self) -> None:
        """Remove the rows used longest ago, a quarter at a time, until the file is within its
        limit.
        """
        connection = self._connect()
        for _ in range(32):
            if self.size() <= self.limit:
                break
            for table in _ROWS:
                quarter = f"SELECT count(*) / 4 + 1 FROM {table}"
                oldest = f"SELECT key FROM {table} ORDER BY used, key LIMIT ({quarter})"
                connection.execute(f"DELETE FROM {table} WHERE key IN ({oldest})")
        connection.execute("PRAGMA incremental_vacuum").fetchall()


def _one(connection: sqlite3.Connection, statement: str) -> int:
    value = connection.execute(statement).fetchone()[0]
    assert isinstance(value, int)
    return value


def _text(data: bytes) -> str:
    """Read a text that may be damaged; what is replaced is not what was signed."""
    return data.decode(errors="replace")


def _now() -> int:
    return int(time.time())
