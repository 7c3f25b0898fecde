"""The rewriter, as the launcher runs it: in a process of its own, from a file of IR to a file that
the user's compiler takes.

What became of a whole module is kept with the functions: a rebuild then needs neither LLVM nor
solvers.  Its key is the text of the module without the names of its file, everything that was
asked, and the tool's identity (:mod:`isel.cli.launcher.tool`).  Where something was left to search,
the module goes to the journal instead.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from isel.cache.store import Store, open_store
from isel.cli.launcher import journal, limits
from isel.cli.launcher.places import away_file
from isel.cli.launcher.tool import identity
from isel.json_text import to_json

if TYPE_CHECKING:
    from frontends.llvm.linked.worker import LlvmWorker
    from frontends.llvm.opt.options import Rewritten
    from frontends.llvm.report.tried import ModuleReport
    from isel.cache.remote import Remote
    from isel.cli.launcher.portion import Portion
    from isel.model.memory import Memory

WARNING: Final = "warning: "  # before what the user is told
_FORMAT: Final = "isel module 5"
_ORDER: Final = re.compile(r"^ *(?:; )?uselistorder.*\n", re.MULTILINE)  # of other text than ours
_NAMES: Final = re.compile(r"^(; ModuleID|source_filename) = .*", re.MULTILINE)
_INDENT: Final = "\n  "  # before what is in a function
_MEASURED: Final = " measured"  # behind the key of a module from which functions were taken back
_LARGEST: Final = 1 << 22  # characters of a module that is kept


class Order(NamedTuple):
    """What to do: the IR, where to write, the source's name, the LLVM to write text for (0: an
    object at ``level``), flags as of ``isel opt``, where to write remarks, if they are wanted, and
    whether a portion of the search will do, for the object of this absolute path; ``late``: it is
    what was left; ``measure``: run what changes.
    """

    ir: str
    out: str
    source: str
    version: int
    level: int
    flags: str
    remarks: str = ""
    quick: bool = False
    output: str = ""
    late: bool = False
    measure: bool = False


class Result(NamedTuple):
    """What there is to count, what to write (text or an object, empty where nothing was
    rewritten), why each function that is as it was is so (its name and a reason), remarks as they
    are written, if they are wanted, how many windows were left to search, how many were searched a
    little and how many were proved as another machine found them, what is wrong with that one's
    cache, whether a clock or a bug had a part in it, and what was measured and taken back.
    """

    functions: int
    windows: int
    rewritten: int
    new: str | bytes
    reasons: tuple[tuple[str, str], ...] = ()
    remarks: str = ""
    left: int = 0
    searched: int = 0
    proved: int = 0
    warning: str = ""
    cut: bool = False
    measured: tuple[str, ...] = ()
    taken_back: bool = False

    def counts(self) -> dict[str, int]:
        """Return the counts by name."""
        return {
            "functions": self.functions,
            "windows": self.windows,
            "rewritten": self.rewritten,
            "left": self.left,
            "searched": self.searched,
            "proved from elsewhere": self.proved,
            **({"cut": 1} if self.cut else {}),
        }


def rewrite(
    order: Order, decide: Callable[[Order, str], tuple[Result, bool]]
) -> tuple[dict[str, int], list[str]]:
    """Write the module that is decided on, or nothing where nothing is rewritten; return what there
    is to count, and a line for each function that is as it was.

    Raises :class:`isel.errors.IselError`, and whatever a bug raises: the compiler goes on with the
    user's IR.
    """
    with open(order.ir, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = _ORDER.sub("", file.read())
    result, known = decide(order, text)
    if result.new:
        new = result.new
        with open(order.out, "wb") as out:
            out.write(new if isinstance(new, bytes) else new.encode(errors="surrogateescape"))
    if order.remarks:
        with open(order.remarks, "w", encoding="utf-8", errors="surrogateescape") as told:
            told.write(result.remarks)
    lines = [f"@{name} is as it was: {why}" for name, why in result.reasons]
    lines += [f"{WARNING}{result.warning}"] if result.warning else []
    return {**result.counts(), "hits": int(known)}, lines


def decide(order: Order, text: str, cache: str | None = None) -> tuple[Result, bool]:
    """Return what becomes of a module, and whether that was kept; a change of the journal goes
    along.
    """
    # What a hit does not need, a parser of flags among it, is not imported.
    store = open_store(cache or (_ask(order.flags)[1] if "cache" in order.flags else None))
    try:
        signer = store.overlay.signer if store and store.overlay else None
        tool = identity(os.environ, signer)
        key = _key(text, order, tool)
        known = _recall(store, key, order, text)
        result = known or _left_whole(order, text) or _decide(order, text, key, store, tool)
    finally:
        if store is not None:
            store.close()
    if order.quick and signer is not None:
        _note(order, text, result)
    return result, known is not None


def _recall(store: Store | None, key: str, order: Order, text: str) -> Result | None:
    """Return what was kept of a module; what is the same with any cache asks no clock."""
    if store is None or order.measure:
        return None
    measured = store.function(key + _MEASURED) if order.quick or order.late else None
    return _read(measured or store.function(key), text)


def _left_whole(order: Order, text: str) -> Result | None:
    """Leave a module to the journal where to look at all of it takes longer than to compile it."""
    is_large = text.count(_INDENT) > limits.PORTION_LINES
    return Result(0, 0, 0, "", left=1) if order.quick and is_large else None


def _note(order: Order, text: str, result: Result) -> None:
    """Put a module of which something is left into the journal, or take it out."""
    if not journal.is_on(os.environ):
        return None
    if not result.left:
        return journal.remove(order.output, os.environ)
    entry = journal.Entry(
        order.output, order.source, order.version, order.level, order.flags, hash_of(result), text
    )
    try:
        return journal.add(entry, os.environ)
    except OSError as error:  # what is left stays so
        sys.stderr.write(f"no journal: {error}\n")


def hash_of(result: Result) -> str:
    """Return a hash of what is written, nothing where nothing is rewritten."""
    new = result.new.encode(errors="surrogateescape") if isinstance(result.new, str) else result.new
    return hashlib.sha256(new).hexdigest() if new else ""


def _decide(order: Order, text: str, key: str, store: Store | None, tool: str) -> Result:
    """Rewrite a module, and keep what comes of it where another run would decide alike."""
    result, is_settled = _search(order, text, _ask(order.flags)[0], store, tool)
    kept = isinstance(result.new, str) and len(result.new) <= _LARGEST
    if store is not None and is_settled and kept:
        functions, windows, rewritten, new, reasons, remarks = result[:6]
        row = functions, windows, rewritten, _NAMES.sub(r"\1 = ", str(new)), reasons, remarks
        store.add_function(f"{key}{_MEASURED}" if result.taken_back else key, to_json(row))
    return result


def _ask(flags: str) -> tuple[dict[str, object], str | None]:
    """Return the options that flags name, those that need not be looked up left out, and the
    cache; raises :class:`isel.errors.UsageProblem`.
    """
    if not flags.strip():
        return {}, None
    import shlex

    from isel.cli.grammar.flags import search_flags

    asked = vars(search_flags("ISEL_FLAGS", shlex.split(flags)))
    cache = asked.pop("cache")
    return {k: v for k, v in asked.items() if v is not None}, cache


def _key(text: str, order: Order, tool: str) -> str:
    wanted = order.source if order.remarks else ""  # they name it
    parts = [_FORMAT, tool, order.flags, str(order.version), wanted, _NAMES.sub("", text)]
    return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()


def _read(kept: str | None, text: str) -> Result | None:
    """Return what was kept of a module, with the names of its file; its text is signed, so it is
    as it was written.
    """
    if kept is None:
        return None
    from isel.trust import UNREADABLE

    names = {m[1]: m[0] for m in _NAMES.finditer(text)}
    try:
        functions, windows, rewritten, new, reasons, remarks = json.loads(kept)
        why = tuple((str(name), str(reason)) for name, reason in reasons)
        named = _NAMES.sub(lambda m: names[m[1]], str(new))
        counts = int(functions), int(windows), int(rewritten)
        return Result(*counts, named, why, str(remarks))
    except UNREADABLE:
        return None


class _Watched:
    """A memory of functions that knows whether all that was decided is kept: what is not may be
    decided otherwise another time.  Once the portion is spent, functions miss rounds of their
    search, and nothing is kept.
    """

    def __init__(self, memory: Memory, portion: Portion) -> None:
        self._memory = memory
        self._portion = portion
        self._open: set[str] = set()

    def is_whole(self) -> bool:
        """Tell whether all that was decided is kept, and nothing was left."""
        return not self._open and not self._portion.left

    def recall(self, key: str) -> str | None:
        """See :class:`frontends.llvm.opt.decided.Memory`."""
        found = self._memory.recall(key)
        if found is None:
            self._open.add(key)
        return found

    def keep(self, key: str, value: str) -> None:
        """See :class:`frontends.llvm.opt.decided.Memory`."""
        if not self._portion.is_spent():
            self._open.discard(key)
            self._memory.keep(key, value)


def _search(
    order: Order, text: str, asked: dict[str, object], store: Store | None, tool: str
) -> tuple[Result, bool]:
    """Rewrite a module; return the result and whether another run would give the same."""
    from dataclasses import replace

    from frontends.llvm.dialect.inrange import without_inrange
    from frontends.llvm.dialect.older import NEWEST
    from frontends.llvm.linked.worker import LlvmWorker
    from frontends.llvm.opt.module import rewrite_module
    from frontends.llvm.opt.options import Options
    from isel.api.tools import FunctionMemory, Making, tools_with
    from isel.cli.launcher.portion import Portion, QuickMaking

    options = replace(Options(jobs=1, strict=False, llvm_version=order.version or NEWEST), **asked)  # type: ignore[arg-type]
    remote = _remote(order)
    making = Making(store, prove_again=False, disabled=options.disabled, remote=remote)
    portion = Portion()
    with LlvmWorker() as worker:
        memory = None if store is None else _Watched(FunctionMemory(store, tool), portion)
        tools = replace(tools_with(worker, store, options), memory=memory, make=making)
        if order.quick:
            options = replace(options, jobs=1)
            tools = replace(tools, make=QuickMaking(making, portion), enough=portion.is_spent)
        again = partial(rewrite_module, without_inrange(text), tools=tools, file=order.source)
        lost, lines, others = _look(done := again(options), order, store, tool)
        if lost:
            done = again(replace(options, only_function=others))
        sys.stderr.writelines(f"{where}: {f.trace}\n" for where, f in done.report.failures)
        new: str | bytes = ""
        if done.report.rewritten:
            new = done.written if order.version else _object(worker, done.text, order.level)
    warning = _close(remote)
    report = done.report
    is_settled = memory is not None and memory.is_whole() and not _is_cut(report)
    result = Result(
        len(report.functions),
        len(report.windows),
        len(report.rewritten),
        new,
        tuple((report.reasons() | lost).items()),
        _remarks(report) if order.remarks else "",
        len(portion.left),
        portion.searched,
        portion.proved,
        warning,
        _is_cut(report),
        lines,
        bool(lost),
    )
    return result, is_settled


def _look(
    done: Rewritten, order: Order, store: Store | None, tool: str
) -> tuple[dict[str, str], tuple[str, ...], str]:
    """Return :class:`bench.measure.kept.Looked` where there is anything to measure or to know."""
    rows = store if order.quick or order.late else None
    if rows is None or not (order.measure or rows.function(_MEASURED)):
        return {}, (), ""
    from bench.measure.kept import look

    return look(done, rows, tool, _MEASURED, measure=order.measure)


def _is_cut(report: ModuleReport) -> bool:
    """Tell whether a clock or a bug had a part in what was decided."""
    return report.timed_out or bool(report.failures)


def _close(remote: Remote | None) -> str:
    """Let go of another machine's cache; return what is wrong with it."""
    if remote is None:
        return ""
    remote.close()
    return remote.problem


def _remarks(report: ModuleReport) -> str:
    """Return findings, each as a row, and the YAML."""
    from dataclasses import astuple

    from frontends.llvm.report.remarks import remarks
    from isel.cli.remarks.findings import findings_of

    return to_json([[astuple(f) for f in findings_of(report)], remarks(report)])


def _remote(order: Order) -> Remote | None:
    """Return the cache of other machines, if there is one to ask; what was asked for in full has
    the same answer with any cache.
    """
    url = os.environ.get("ISEL_REMOTE_CACHE", "")
    if not url or not (order.quick or order.late):
        return None
    from pathlib import Path

    from isel.cache.remote import Remote

    return Remote(url, Path(away_file(url, os.environ)))


def _object(worker: LlvmWorker, text: str, level: int) -> bytes:
    """Return the object that the linked LLVM makes."""
    from frontends.llvm.linked import binding
    from frontends.llvm.linked.worker import WorkerFailed

    data = worker.run(
        partial(binding.object_code, text, triple="", cpu="", features="", level=level)
    )
    if isinstance(data, WorkerFailed):
        raise RuntimeError(f"no object: {data.reason}")
    return data
