"""``isel cache``: what is kept, whether its proofs still hold, and moving rows between machines."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from isel.cache.cached import read_programs, recheck
from isel.cache.database import Database, ResultRow, Unusable
from isel.cache.store import Store, open_store
from isel.cache.window_text import read_window
from isel.cli.edge import NOT_PROVED, OK
from isel.cli.files import Outputs
from isel.errors import FileProblem, IselError, UsageProblem
from isel.places import overlay_path
from isel.spec.instruction import Instruction
from isel.synth.program import read_program
from isel.verify.recorded import Recorded
from isel.verify.verdict import Proved
from semantics import target_named


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel cache``."""
    wants_file = arguments.action in ("export", "import")
    if wants_file != (arguments.file is not None):
        raise UsageProblem(f"isel cache {arguments.action} takes {'a file' if wants_file else 'no file'}")
    store = open_store(arguments.cache)
    try:
        return _ACTIONS[arguments.action](store, arguments)
    finally:
        if store is not None:
            store.close()


def _files(store: Store | None) -> list[tuple[str, Database]]:
    """Return seed and overlay, those that exist and can be read."""
    if store is None:
        return []
    return [(name, d) for name, d in (("seed", store.seed), ("overlay", store.overlay)) if d is not None]


def _overlay(store: Store | None, arguments: argparse.Namespace) -> Database:
    if store is None or store.overlay is None:
        path = overlay_path(arguments.cache, os.environ)
        raise FileProblem(str(path), "the cache is off" if store is None else "cannot be used as a cache")
    return store.overlay


def _stats(store: Store | None, arguments: argparse.Namespace) -> int:
    found = _files(store)
    if not found:
        sys.stdout.write("no cache is in use\n")
    for name, database in found:
        results, verdicts, functions = database.counts()
        size = f"{database.size() / 1024:.0f} KiB of {database.limit >> 20} MiB"
        sys.stdout.write(f"{name} {database.path}: {results} results, {verdicts} judgements, {functions} functions, {size}\n")
    return OK


def _clear(store: Store | None, arguments: argparse.Namespace) -> int:
    database = _overlay(store, arguments)
    results, verdicts, functions = database.counts()
    database.clear()
    sys.stdout.write(f"removed {results} results, {verdicts} judgements and {functions} functions from {database.path}\n")
    return OK


def _check(store: Store | None, arguments: argparse.Namespace) -> int:
    """Replay every proof with the solvers, whatever the certificates say."""
    failed = 0
    for name, database in _files(store):
        good = 0
        for row in database.results():
            problem = problem_of(row, replay=True)
            good += not problem
            if problem:
                failed += 1
                sys.stdout.write(f"{name} {row.key[:16]}: {problem}\n")
        sys.stdout.write(f"{name} {database.path}: {good} results hold\n")
    if failed:
        sys.stdout.write(f"{failed} results do not hold; 'isel cache clear' removes those of the overlay\n")
    return NOT_PROVED if failed else OK


def _export(store: Store | None, arguments: argparse.Namespace) -> int:
    rows = _merged(store)
    with Outputs() as outputs:
        outputs.add(arguments.file, _database_bytes(rows))
        outputs.commit()
    if arguments.file != "-":
        sys.stdout.write(f"wrote {len(rows)} results to {arguments.file}\n")
    return OK


def _merged(store: Store | None) -> list[ResultRow]:
    rows: dict[str, ResultRow] = {}
    for _, database in _files(store):
        rows.update((row.key, row) for row in database.results())
    return [rows[key] for key in sorted(rows)]


def _database_bytes(rows: list[ResultRow]) -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.sqlite"
        database = Database(path)
        database.probe()
        for row in rows:
            database.add_result(row)
        database.seal()
        return path.read_bytes()


def _import(store: Store | None, arguments: argparse.Namespace) -> int:
    """Take over every row whose proof holds, checked anew; say which do not."""
    overlay = _overlay(store, arguments)
    taken = refused = 0
    for row in _rows_of(arguments.file):
        problem = problem_of(row, replay=True)
        if problem:
            refused += 1
            sys.stdout.write(f"refused {row.key[:16]}: {problem}\n")
            continue
        overlay.add_result(row)
        taken += 1
    sys.stdout.write(f"took {taken} results, refused {refused}\n")
    return NOT_PROVED if refused else OK


def _rows_of(path: str) -> Iterator[ResultRow]:
    if not Path(path).is_file():
        raise FileProblem(path, "is a directory" if Path(path).is_dir() else "no such file or directory")
    database = Database(Path(path), frozen=True)
    try:
        database.probe()
        yield from database.results()
    except Unusable as problem:
        raise FileProblem(path, f"not a cache that can be read: {problem}") from None
    finally:
        database.close()


@cache
def _instructions(target: str) -> Mapping[str, Instruction]:
    return {i.name: i for i in target_named(target).instructions()}


def problem_of(row: ResultRow, *, replay: bool, effort: int = 4) -> str:
    """Return what is wrong with a row, or nothing; ``replay`` asks the solvers in place of the certificate."""
    try:
        window = read_window(row.window)
        kept, current = read_programs(row)
        instructions = _instructions(row.target)
        for k in kept:
            checker = Recorded(k.certificate, effort) if current and not replay else None
            verdict = recheck(window, read_program(k.text), instructions, effort, checker)
            if not isinstance(verdict, Proved):
                return f"a program is not proved ({type(verdict).__name__.lower()})"
    except IselError as error:
        return f"unreadable: {error.message().splitlines()[0]}"
    except (ValueError, KeyError, IndexError, TypeError, AssertionError) as error:
        return f"unreadable: {type(error).__name__} {error}"
    return ""


_ACTIONS = {"stats": _stats, "clear": _clear, "check": _check, "export": _export, "import": _import}
