"""``isel cache``: what is kept, whether its proofs still hold, and moving rows between machines."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from isel.api.sources import read_source
from isel.api.tools import read_judgement
from isel.cache.database import Database
from isel.cache.rows import ResultRow, Signed, Unusable, one_line
from isel.cache.store import Store, open_store
from isel.cli.carry import content, file_of, gather, prove, take
from isel.cli.edge import NOT_PROVED, OK
from isel.cli.files import write_file
from isel.cli.limits import CACHE_PORT
from isel.cli.progress import progress
from isel.cli.results import check_arguments, export_pairs, list_results, show_result
from isel.errors import FileProblem, UsageProblem
from isel.json_text import print_json
from isel.places import overlay_path
from isel.progress import Tell
from isel.trust import UNREADABLE

T = TypeVar("T")
_HOST: Final = "127.0.0.1"
_UNSIGNED: Final = "unsigned"
_UNTRUE: Final = {Signed.RIGHT: "", Signed.WRONG: "not what was signed", Signed.MISSING: _UNSIGNED}


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel cache``."""
    check_arguments(arguments)
    store = open_store(arguments.cache)
    try:
        return _ACTIONS[arguments.action](store, arguments)
    except Unusable as problem:
        path = str(overlay_path(arguments.cache, os.environ))
        raise FileProblem(path, f"not a cache that can be read: {problem}") from None
    finally:
        if store is not None:
            store.close()


def _files(store: Store | None) -> list[tuple[str, Database]]:
    """Return seed and overlay, those that exist and can be read."""
    named = () if store is None else (("seed", store.seed), ("overlay", store.overlay))
    return [(name, database) for name, database in named if database is not None]


def _overlay(store: Store | None, arguments: argparse.Namespace) -> Database:
    if store is None or store.overlay is None:
        path = overlay_path(arguments.cache, os.environ)
        why = "the cache is off" if store is None else "cannot be used as a cache"
        raise FileProblem(str(path), why)
    return store.overlay


def _stats(store: Store | None, arguments: argparse.Namespace) -> int:
    found = _files(store)
    if arguments.json:
        return print_json([_counts(name, database) for name, database in found])
    if not found:
        print("no cache is in use")
    for name, database in found:
        results, verdicts, functions = database.counts()
        size = f"{database.size() / 1024:.0f} KiB of {database.limit >> 20} MiB"
        counts = f"{results} results, {verdicts} judgements, {functions} functions"
        print(f"{name} {database.path}: {counts}, {size}")
    return OK


def _counts(name: str, database: Database) -> dict[str, object]:
    counts = zip(("results", "judgements", "functions"), database.counts(), strict=True)
    sizes = {"bytes": database.size(), "limit": database.limit}
    return {"name": name, "path": str(database.path), **dict(counts), **sizes}


def _clear(store: Store | None, arguments: argparse.Namespace) -> int:
    database = _overlay(store, arguments)
    results, verdicts, functions = database.counts()
    database.clear()
    counts = f"{results} results, {verdicts} judgements and {functions} functions"
    print(f"removed {counts} from {database.path}")
    return OK


def _check(store: Store | None, arguments: argparse.Namespace) -> int:
    """Check what signs every row, and replay every proof with the solvers, whatever the
    certificates say.
    """
    wrong: list[dict[str, str]] = []
    for name, database in _files(store):
        for table, found in _problems(database):
            with progress(f"{table} checked") as tell:
                checked = [_say(tell, f"{table} checked", k, x) for k, x in enumerate(found, 1)]
            bad = [{"cache": name, "table": table, "key": k, "problem": p} for k, p in checked if p]
            if not arguments.json:
                _tell_table(name, database, table, len(checked), bad)
            wrong += bad
    if arguments.json:
        print_json(wrong)
    elif wrong:
        print(f"{len(wrong)} rows do not hold; 'isel cache clear' removes those of the overlay")
    return NOT_PROVED if wrong else OK


def _tell_table(
    name: str, database: Database, table: str, count: int, bad: list[dict[str, str]]
) -> None:
    for row in bad:
        print(f"{name} {one_line(row['key'][:16])}: {row['problem']}")
    unsigned = sum(row["problem"] == _UNSIGNED for row in bad)
    print(
        f"{name} {database.path}: {count - len(bad)} {table} hold, {len(bad) - unsigned} bad, "
        f"{unsigned} unsigned"
    )


def _say(tell: Tell, what: str, done: int, answer: T, total: int = 0) -> T:
    tell(what, done, total)
    return answer


def _problems(database: Database) -> Iterator[tuple[str, Iterator[tuple[str, str]]]]:
    """Yield, for each table, the keys of its rows with what is wrong with them, or nothing."""
    results = database.every_result()
    yield "results", ((row.key, _UNTRUE[signed] or _problem(row)) for row, signed in results)
    yield "judgements", _check_values(database, "verdicts", read_judgement)
    yield "functions", _check_values(database, "functions", _data)
    yield "modules", _check_values(database, "sources", read_source)


def _check_values(
    database: Database, table: str, read: Callable[[str], object | None]
) -> Iterator[tuple[str, str]]:
    for key, value, signed in database.values(table):
        yield key, _UNTRUE[signed] or ("unreadable" if read(value) is None else "")


def _problem(row: ResultRow) -> str:
    found = prove(row)
    return found if isinstance(found, str) else ""


def _data(value: str) -> object | None:
    try:
        found: object = json.loads(value)
    except UNREADABLE:
        return None
    return found


def _export(store: Store | None, arguments: argparse.Namespace) -> int:
    if arguments.pairs is not None:
        return export_pairs(store, arguments)
    with progress("reading the cache", always=True) as tell:
        rows = gather([database for _, database in _files(store)])
        data = file_of(rows, tell)
    write_file(arguments.file, data)
    if arguments.file != "-":
        counts = (
            f"{len(rows.results)} results, {len(rows.verdicts)} judgements, "
            f"{len(rows.functions)} functions and the {len(rows.sources)} modules they are from"
        )
        print(f"wrote {counts} to {arguments.file}")
    return OK


def _import(store: Store | None, arguments: argparse.Namespace) -> int:
    """Take over what holds here, and say what does not."""
    overlay = _overlay(store, arguments)
    return OK if take(content(arguments.file), overlay, anew=arguments.anew) else NOT_PROVED


def _serve(store: Store | None, arguments: argparse.Namespace) -> int:
    """Let other machines read finished rows until an interrupt comes."""
    from isel.cache.serving import server

    _overlay(store, arguments)
    host, port = arguments.host or _HOST, CACHE_PORT if arguments.port is None else arguments.port
    try:
        made = server(host, port, lambda: open_store(arguments.cache))
    except (OSError, OverflowError) as error:
        raise UsageProblem(f"cannot listen at {host}:{port}: {error}") from None
    with made:
        print(f"serving finished rows at http://{host}:{made.server_port}")
        sys.stdout.flush()
        made.serve_forever()
    return OK


_ACTIONS = {
    "stats": _stats,
    "clear": _clear,
    "check": _check,
    "export": _export,
    "import": _import,
    "list": list_results,
    "show": show_result,
    "serve": _serve,
}
