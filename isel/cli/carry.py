"""Rows that travel: what an export holds, and what becomes of it where it arrives.

Nothing is believed that can be proved.  Programs are proved again.  Functions are decided again
from the modules that come along, which proves what is written; what a file says of the search, that
it found nothing, and of prices is used where the very same tool, LLVM and solvers said it, since it
can cost time and cycles but never make wrong code.  Elsewhere both are made again.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Final

from isel.api.sources import Source, read_source
from isel.api.tools import read_judgement, rewrite, tool_identity, tools_with
from isel.cache.cached import proved_again, read_lifted, read_programs, write_row
from isel.cache.database import Database
from isel.cache.rows import ResultRow, Signed, Unusable, one_line
from isel.cache.store import Store
from isel.cache.window_text import read_window
from isel.errors import FileProblem, IselError
from isel.model.answer import Candidate, Result
from isel.progress import Tell, silent
from isel.spec.instruction import Instruction
from isel.trust import UNREADABLE
from isel.workers import Failed, Pool, processors
from semantics import target_named

_TOOL: Final = "tool"  # the key under which a file says which tool wrote it
_TABLES: Final = ("verdicts", "functions", "sources")


@dataclass(frozen=True, slots=True)
class Carried:
    """The content of an export: results, and the values of the other tables by key; ``tool``
    wrote it.
    """

    results: tuple[ResultRow, ...]
    verdicts: Mapping[str, str]
    functions: Mapping[str, str]
    sources: Mapping[str, str]
    tool: str = ""


def _is_mine(value: str) -> bool:
    """Tell whether this very tool decided the functions of a module."""
    source = read_source(value)
    return source is not None and source.tool == tool_identity()


def gather(databases: Sequence[Database]) -> Carried:
    """Return the signed rows of some files, later ones first; modules only where this very tool
    decided their functions.
    """
    results = {row.key: row for database in databases for row in database.results()}
    tables = [
        {key: v for d in databases for key, v, signed in d.values(table) if signed is Signed.RIGHT}
        for table in _TABLES
    ]
    verdicts, functions, sources = tables
    mine = {key: value for key, value in sources.items() if _is_mine(value)}
    ordered = tuple(results[key] for key in sorted(results))
    return Carried(ordered, verdicts, functions, mine, tool_identity())


def file_of(carried: Carried, tell: Tell = silent) -> bytes:
    """Return an export: one plain file without codes; tell how many rows are written."""
    kept = (carried.verdicts, carried.functions, carried.sources)
    total, done = len(carried.results) + sum(map(len, kept)), count(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.sqlite"
        database = Database(path)
        database.probe()
        for row in carried.results:
            database.add_result(row)
            tell("rows written", next(done), total)
        for table, rows in zip(_TABLES, kept, strict=True):
            for key in sorted(rows):
                database.put(table, key, rows[key])
                tell("rows written", next(done), total)
        database.put("sources", _TOOL, carried.tool)
        database.seal()
        return path.read_bytes()


def content(path: str) -> Carried:
    """Read an export, or a cache itself; raises :class:`isel.errors.FileProblem`."""
    if not Path(path).is_file():
        is_folder = Path(path).is_dir()
        raise FileProblem(path, "is a directory" if is_folder else "no such file or directory")
    database = Database(Path(path), frozen=True)
    try:
        database.probe()
        verdicts, functions, sources = (
            {key: value for key, value, _ in database.values(table)} for table in _TABLES
        )
        tool = sources.pop(_TOOL, "")
        return Carried(tuple(database.results()), verdicts, functions, sources, tool)
    except Unusable as problem:
        raise FileProblem(path, f"not a cache that can be read: {problem}") from None
    finally:
        database.close()


def take(carried: Carried, overlay: Database, *, anew: bool) -> bool:
    """Take over what holds, say what does not, and tell whether all of it did; with ``anew``
    nothing is used that is not proved here.
    """
    same = carried.tool == tool_identity() and not anew
    whole = _take_results(carried, overlay)
    if same:
        judged = {k: v for k, v in carried.verdicts.items() if read_judgement(v) is not None}
        for key, value in judged.items():
            overlay.put("verdicts", key, value)
        if carried.verdicts:
            refused = len(carried.verdicts) - len(judged)
            print(f"took {len(judged)} judgements, refused {refused}")
        whole &= len(judged) == len(carried.verdicts)
    elif carried.verdicts:
        why = "" if anew else ", since another tool, LLVM or solver made them"
        print(f"left out {len(carried.verdicts)} judgements: they are made again{why}")
    return _take_functions(carried, overlay, same) and whole


def _take_results(carried: Carried, overlay: Database) -> bool:
    """Take over every row whose programs are proved anew, with the certificates of these proofs."""
    taken = refused = nothing = 0
    for row in carried.results:
        again = prove(row)
        if isinstance(again, str):
            refused += 1
            print(f"refused {one_line(row.key[:16])}: {again}")
        elif again.candidates:
            overlay.add_result(write_row(row.key, row.target, read_window(row.window), again))
            taken += 1
        else:
            nothing += 1
    print(f"took {taken} results, refused {refused}")
    if nothing:
        print(f"left out {nothing} results without a program: they cannot be proved again")
    return not refused


def _decide_all(sources: Mapping[str, Source], store: Store) -> dict[str, str]:
    """Decide the functions of modules side by side; return what is wrong with some, by key."""
    keys, problems = list(sources), dict[str, str]()
    answers = Pool(processors()).each(lambda key: _decide(sources[key], store), keys)
    with contextlib.closing(answers):
        for index, why in answers:
            if why:
                problems[keys[index]] = why.reason if isinstance(why, Failed) else why
    return problems


def _refuse(keys: Sequence[str], overlay: Database) -> None:
    """Say why functions are not taken over."""
    for key in keys:
        decided = overlay.value("functions", key)
        why = "it is not decided so here" if decided else "no module that it is from"
        print(f"refused function {one_line(key[:16])}: {why}")


def _take_functions(carried: Carried, overlay: Database, same: bool) -> bool:
    """Decide the functions of every module again, and compare them with what the file says of
    them.
    """
    modules = {key: read_source(value) for key, value in carried.sources.items()}
    sound = {key: source for key, source in modules.items() if source is not None}
    problems = dict.fromkeys(modules.keys() - sound.keys(), "unreadable")
    with _said_of_the_search(carried if same else None) as nothing_found:
        problems |= _decide_all(sound, Store(nothing_found, overlay))
    refused = (f"refused module {one_line(k[:16])}: {problems[k]}\n" for k in sorted(problems))
    sys.stdout.writelines(refused)
    made = sorted(carried.functions) if same else []
    wrong = [key for key in made if overlay.value("functions", key) != carried.functions[key]]
    _refuse(wrong, overlay)
    if sound:
        held = f", {len(made) - len(wrong)} functions as in the file" if same else ""
        print(f"decided the functions of {len(sound) - len(problems)} modules again{held}")
    elif carried.functions and not same:
        print(f"left out {len(carried.functions)} functions: no module that they are from")
    return not problems and not wrong


@contextlib.contextmanager
def _said_of_the_search(carried: Carried | None) -> Iterator[Database | None]:
    """Yield a database of the results without a program, for as long as functions are decided;
    they are kept nowhere.
    """
    if carried is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder) / "nothing.sqlite")
        database.probe()
        for row in carried.results:
            with contextlib.suppress(*UNREADABLE):
                if not read_programs(row)[0]:
                    database.add_result(row)
        database.close()
        yield database
        database.close()


def _decide(source: Source, store: Store) -> str:
    """Rewrite a module, which keeps what is decided; return why that cannot be."""
    from frontends.llvm.linked.worker import LlvmWorker

    try:
        with LlvmWorker() as worker:
            tools = tools_with(worker, store, source.options)
            rewrite(source.text, source.options, tools, "<carried>")
    except IselError as error:
        return one_line(error.message().splitlines()[0])
    except UNREADABLE as error:
        return f"{type(error).__name__} {one_line(error)}"
    return ""


@lru_cache(maxsize=16)
def _instructions(target: str) -> Mapping[str, Instruction]:
    return {i.name: i for i in target_named(target).instructions()}


def prove(row: ResultRow, effort: int = 4) -> Result | str:
    """Return a row's result with new certificates, or what is wrong with it; asks the solvers,
    whatever the row says.
    """
    try:
        window = read_window(row.window)
        kept, lifted = read_programs(row)[0], read_lifted(row)
        found = [proved_again(k, window, _instructions(row.target), effort) for k in kept]
    except IselError as error:
        return f"unreadable: {one_line(error.message().splitlines()[0])}"
    except UNREADABLE as error:
        return f"unreadable: {type(error).__name__} {one_line(error)}"
    candidates = tuple(f for f in found if isinstance(f, Candidate))
    wrong = next((f for f in found if not isinstance(f, Candidate)), None)
    if wrong is not None:
        return f"a program is not proved ({type(wrong).__name__.lower()})"
    return Result(candidates, True, row.reason, row.steps, lifted)
