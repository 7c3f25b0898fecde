"""The seed under the overlay: read both, write the overlay, warn and go on where a file is of
no use.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from isel.cache.database import Database
from isel.cache.rows import OldSchema, ResultRow, Unkept, Unusable
from isel.places import FILE, is_off, key_path, overlay_path
from isel.trust import signer_at, trusted, warn

T = TypeVar("T")
_HERE: Final = Path(__file__).parent


def seed_path() -> Path:
    """Return where the shipped seed is: in the installed package, or at the top of a checkout."""
    packaged = _HERE / "seed.sqlite"
    return packaged if packaged.exists() else _HERE.parents[1] / FILE


@dataclass(slots=True)
class Store:
    """Rows by key.  A database that fails is reported once and left alone from then on."""

    seed: Database | None
    overlay: Database | None

    def result(self, key: str) -> ResultRow | None:
        """Return the overlay's row of ``key``, else the seed's."""
        return self._first(lambda d: d.result(key))

    def verdict(self, key: str) -> str | None:
        """Return the value of ``key``."""
        return self._first(lambda d: d.value("verdicts", key))

    def function(self, key: str) -> str | None:
        """Return what was decided about the function of ``key``."""
        return self._first(lambda d: d.value("functions", key))

    def add_result(self, row: ResultRow) -> None:
        """Keep a row."""
        self._write(lambda d: d.add_result(row))

    def add_verdict(self, key: str, value: str) -> None:
        """Keep a value."""
        self._write(lambda d: d.put("verdicts", key, value))

    def add_function(self, key: str, value: str) -> None:
        """Keep what was decided about a function."""
        self._write(lambda d: d.put("functions", key, value))

    def add_source(self, key: str, value: str) -> None:
        """Keep what functions were decided from."""
        self._write(lambda d: d.put("sources", key, value))

    def close(self) -> None:
        """Close the files."""
        for database in (self.seed, self.overlay):
            if database is not None:
                database.close()

    def _first(self, read: Callable[[Database], T | None]) -> T | None:
        for database in (self.overlay, self.seed):
            if database is None:
                continue
            try:
                found = read(database)
            except Unusable as problem:
                self._give_up(database, problem)
                continue
            if found is not None:
                return found
        return None

    def _write(self, write: Callable[[Database], None]) -> None:
        if self.overlay is None:
            return
        try:
            with contextlib.suppress(Unkept):
                write(self.overlay)
        except Unusable as problem:
            self._give_up(self.overlay, problem)

    def _give_up(self, database: Database, problem: Unusable) -> None:
        warn("the cache %s is not used any more: %s", database.path, problem)
        if database is self.overlay:
            self.overlay = None
        else:
            self.seed = None


def open_store(
    given: str | None, environment: Mapping[str, str] | None = None, *, seed: Path | None = None
) -> Store | None:
    """Open seed and overlay; ``off`` gives None.

    What cannot be used is said in a warning and left out.
    """
    environment = os.environ if environment is None else environment
    if is_off(given, environment):
        return None
    return Store(
        _open_seed(seed or seed_path()),
        _open_overlay(overlay_path(given, environment), key_path(environment)),
    )


def _open_seed(path: Path) -> Database | None:
    return _usable(Database(path, frozen=True)) if path.exists() else None


def _open_overlay(path: Path, key: Path) -> Database | None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        warn("no cache in %s: %s", path.parent, (error.strerror or str(error)).lower())
        return None
    signer = signer_at(key) if trusted(path.parent, *_files(path)) else None
    return None if signer is None else _usable(Database(path, signer=signer))


def _files(path: Path) -> list[Path]:
    """Return the file of a database and those that SQLite keeps beside it."""
    return [Path(f"{path}{suffix}") for suffix in ("", "-wal", "-shm", "-journal")]


def _usable(database: Database) -> Database | None:
    try:
        database.probe()
    except OldSchema as problem:
        return None if database.frozen else _set_aside(database, problem)
    except Unusable as problem:
        warn("the cache %s is not used: %s", database.path, problem)
        return None
    database.close()
    return database


def _set_aside(database: Database, problem: OldSchema) -> Database | None:
    """Rename a file of an older version and start a new one in its place."""
    aside = database.path.with_name(f"{database.path.name}.old")
    try:
        for part, name in zip(_files(database.path), _files(aside), strict=True):
            if part.exists():
                part.rename(name)
    except OSError as error:
        why = f"{problem}, and it cannot be renamed ({error.strerror})"
        warn("the cache %s is not used: %s", database.path, why)
        return None
    warn("the cache %s was renamed to %s: %s", database.path, aside.name, problem)
    return _usable(Database(database.path, signer=database.signer))
