"""``isel cache``: what is kept, whether its proofs still hold, and moving rows between machines."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from isel.cache.cached import proved_again, read_programs, write_row
from isel.cache.database import Database, ResultRow, Signed, Unusable, one_line
from isel.cache.store import Store, open_store
from isel.cache.window_text import read_window
from isel.cli.edge import NOT_PROVED, OK
from isel.cli.files import Outputs
from isel.cli.results import check_arguments, export_pairs, list_results, show_result
from isel.cli.tools import read_judgement
from isel.errors import FileProblem, IselError
from isel.places import overlay_path
from isel.spec.instruction import Instruction
from isel.synth.answer import Candidate, Result
from isel.trust import UNREADABLE
from semantics import target_named

_UNSIGNED: Final = "unsigned"
_UNTRUE: Final = {Signed.RIGHT: "", Signed.WRONG: "not what was signed", Signed.MISSING: _UNSIGNED}


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel cache``."""
    check_arguments(arguments)
    store = open_store(arguments.cache)
    try:
        return _ACTIONS[arguments.action](store, arguments)
    except Unusable as problem:
        raise FileProblem(str(overlay_path(arguments.cache, os.environ)), f"not a cache that can be read: {problem}") from None
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
    """Check what signs every row, and replay every proof with the solvers, whatever the certificates say."""
    failed = 0
    for name, database in _files(store):
        for table, found in _problems(database):
            bad = unsigned = good = 0
            for key, problem in found:
                good += not problem
                bad += bool(problem) and problem != _UNSIGNED
                unsigned += problem == _UNSIGNED
                if problem:
                    sys.stdout.write(f"{name} {one_line(key[:16])}: {problem}\n")
            failed += bad + unsigned
            sys.stdout.write(f"{name} {database.path}: {good} {table} hold, {bad} bad, {unsigned} unsigned\n")
    if failed:
        sys.stdout.write(f"{failed} rows do not hold; 'isel cache clear' removes those of the overlay\n")
    return NOT_PROVED if failed else OK


def _problems(database: Database) -> Iterator[tuple[str, Iterator[tuple[str, str]]]]:
    """Yield, for each table, the keys of its rows with what is wrong with them, or nothing."""
    results = database.every_result()
    yield "results", ((row.key, _UNTRUE[signed] or _problem(row)) for row, signed in results)
    judgements = database.values("verdicts")
    yield "judgements", ((key, _UNTRUE[signed] or _unreadable(read_judgement(value))) for key, value, signed in judgements)
    functions = database.values("functions")
    yield "functions", ((key, _UNTRUE[signed] or _unreadable(_data(value))) for key, value, signed in functions)


def _problem(row: ResultRow) -> str:
    found = proved(row)
    return found if isinstance(found, str) else ""


def _unreadable(found: object | None) -> str:
    return "unreadable" if found is None else ""


def _data(value: str) -> object | None:
    try:
        found: object = json.loads(value)
    except UNREADABLE:
        return None
    return found


def _export(store: Store | None, arguments: argparse.Namespace) -> int:
    if arguments.pairs is not None:
        return export_pairs(store, arguments)
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
    """Take over every row whose programs are proved anew, with the certificates of these proofs; say what is not taken."""
    overlay = _overlay(store, arguments)
    taken = refused = nothing = 0
    rows, judgements, functions = _content(arguments.file)
    for row in rows:
        again = proved(row)
        if isinstance(again, str):
            refused += 1
            sys.stdout.write(f"refused {one_line(row.key[:16])}: {again}\n")
        elif again.candidates:
            overlay.add_result(write_row(row.key, row.target, read_window(row.window), again))
            taken += 1
        else:
            nothing += 1
    sys.stdout.write(f"took {taken} results, refused {refused}\n")
    if nothing or judgements or functions:
        sys.stdout.write(f"left out {nothing} results without a program, {judgements} judgements and {functions} functions: they cannot be proved again\n")
    return NOT_PROVED if refused else OK


def _content(path: str) -> tuple[list[ResultRow], int, int]:
    """Return the results of a file and the numbers of its judgements and functions."""
    if not Path(path).is_file():
        raise FileProblem(path, "is a directory" if Path(path).is_dir() else "no such file or directory")
    database = Database(Path(path), frozen=True)
    try:
        database.probe()
        return list(database.results()), *database.counts()[1:]
    except Unusable as problem:
        raise FileProblem(path, f"not a cache that can be read: {problem}") from None
    finally:
        database.close()


@cache
def _instructions(target: str) -> Mapping[str, Instruction]:
    return {i.name: i for i in target_named(target).instructions()}


def proved(row: ResultRow, effort: int = 4) -> Result | str:
    """Return a row's result with new certificates, or what is wrong with it; asks the solvers, whatever the row says."""
    try:
        window = read_window(row.window)
        kept, _ = read_programs(row)
        found = [proved_again(k, window, _instructions(row.target), effort) for k in kept]
    except IselError as error:
        return f"unreadable: {one_line(error.message().splitlines()[0])}"
    except UNREADABLE as error:
        return f"unreadable: {type(error).__name__} {one_line(error)}"
    candidates = tuple(f for f in found if isinstance(f, Candidate))
    wrong = next((f for f in found if not isinstance(f, Candidate)), None)
    return Result(candidates, True, row.reason, row.steps) if wrong is None else f"a program is not proved ({type(wrong).__name__.lower()})"


_ACTIONS = {"stats": _stats, "clear": _clear, "check": _check, "export": _export, "import": _import, "list": list_results, "show": show_result}
