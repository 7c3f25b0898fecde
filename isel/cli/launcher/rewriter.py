"""The rewriter, as the launcher runs it: in a process of its own, from a file of IR to a file that
the user's compiler takes.

What became of a whole module is kept with the functions: a rebuild then needs neither LLVM nor
solvers.  Its key is the text of the module, everything that was asked, and the tool's own files by
what the file system says of them (size, times, number), which changes with them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator
from functools import partial
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Final, NamedTuple

from isel.cache.store import Store, open_store

if TYPE_CHECKING:
    from frontends.llvm.linked.worker import LlvmWorker
    from frontends.llvm.opt.decided import Memory
    from frontends.llvm.report.tried import ModuleReport

_FORMAT: Final = "isel module 4"
_PACKAGES: Final = ("isel", "frontends", "semantics", "equiv_classes")
_LIBRARIES: Final = ("llvmlite", "z3", "bitwuzla", "numpy")
_ORDER: Final = re.compile(r"^ *(?:; )?uselistorder.*\n", re.MULTILINE)  # of other text than ours
_LARGEST: Final = 1 << 22  # characters of a module that is kept


class Order(NamedTuple):
    """What to do: the IR, where to write, the source's name, the LLVM to write text for (0: an
    object at ``level``), flags as of ``isel opt``, and where to write remarks, if they are wanted.
    """

    ir: str
    out: str
    source: str
    version: int
    level: int
    flags: str
    remarks: str = ""


class Result(NamedTuple):
    """What there is to count, what to write (text or an object, empty where nothing was
    rewritten), why each function that is as it was is so: its name and a reason, and remarks as
    they are written, if they are wanted.
    """

    functions: int
    windows: int
    rewritten: int
    new: str | bytes
    reasons: tuple[tuple[str, str], ...] = ()
    remarks: str = ""

    def counts(self) -> dict[str, int]:
        """Return the counts by name."""
        return {"functions": self.functions, "windows": self.windows, "rewritten": self.rewritten}


def rewrite(order: Order) -> tuple[dict[str, int], list[str]]:
    """Write the rewritten module, or nothing where nothing is rewritten; return what there is to
    count, and a line for each function that is as it was.

    Raises :class:`isel.errors.IselError`, and whatever a bug raises: the compiler goes on with the
    user's IR.
    """
    with open(order.ir, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = _ORDER.sub("", file.read())
    # What a hit does not need, a parser of flags among it, is not imported.
    cache = _ask(order.flags)[1] if "cache" in order.flags else None
    store = open_store(cache)
    try:
        key = _key(text, order)
        known = _read(None if store is None else store.function(key))
        result = known if known is not None else _decide(order, text, key, store)
    finally:
        if store is not None:
            store.close()
    if result.new:
        new = result.new
        with open(order.out, "wb") as out:
            out.write(new if isinstance(new, bytes) else new.encode(errors="surrogateescape"))
    if order.remarks:
        with open(order.remarks, "w", encoding="utf-8", errors="surrogateescape") as told:
            told.write(result.remarks)
    lines = [f"@{name} is as it was: {why}" for name, why in result.reasons]
    return {**result.counts(), "hits": int(known is not None)}, lines


def _decide(order: Order, text: str, key: str, store: Store | None) -> Result:
    """Rewrite a module, and keep what comes of it where another run would decide alike."""
    result, is_settled = _search(order, text, _ask(order.flags)[0], store)
    kept = isinstance(result.new, str) and len(result.new) <= _LARGEST
    if store is not None and is_settled and kept:
        store.add_function(key, json.dumps(result))
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


def _key(text: str, order: Order) -> str:
    wanted = "remarks" if order.remarks else ""
    parts = [_FORMAT, *_tool(), order.flags, str(order.version), order.source, wanted, text]
    return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()


def _tool() -> Iterator[str]:
    """Yield what tells this tool's files, and its libraries, from others."""
    for name in _PACKAGES:
        spec = PathFinder.find_spec(name)
        found = (spec and spec.submodule_search_locations) or [""]
        for folder, folders, files in os.walk(found[0]):
            folders[:] = sorted(f for f in folders if f != "__pycache__")
            yield from (_stamp(os.path.join(folder, f)) for f in sorted(files))
    for name in _LIBRARIES:
        spec = PathFinder.find_spec(name)
        yield _stamp((spec.origin if spec else "") or "")


def _stamp(path: str) -> str:
    s = os.stat(path)
    return f"{path}:{s.st_size}:{s.st_mtime_ns}:{s.st_ctime_ns}:{s.st_ino}"


def _read(kept: str | None) -> Result | None:
    """Return what was kept of a module; its text is signed, so it is as it was written."""
    if kept is None:
        return None
    from isel.trust import UNREADABLE

    try:
        functions, windows, rewritten, new, reasons, remarks = json.loads(kept)
        why = tuple((str(name), str(reason)) for name, reason in reasons)
        return Result(int(functions), int(windows), int(rewritten), str(new), why, str(remarks))
    except UNREADABLE:
        return None


class _Watched:
    """A memory of functions that knows whether all that was decided is kept: what is not may be
    decided otherwise another time.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.open: set[str] = set()

    def recall(self, key: str) -> str | None:
        """See :class:`frontends.llvm.opt.decided.Memory`."""
        found = self._memory.recall(key)
        if found is None:
            self.open.add(key)
        return found

    def keep(self, key: str, value: str) -> None:
        """See :class:`frontends.llvm.opt.decided.Memory`."""
        self.open.discard(key)
        self._memory.keep(key, value)


def _search(
    order: Order, text: str, asked: dict[str, object], store: Store | None
) -> tuple[Result, bool]:
    """Rewrite a module; return the result and whether another run would give the same."""
    from dataclasses import replace

    from frontends.llvm.dialect.inrange import without_inrange
    from frontends.llvm.dialect.older import NEWEST
    from frontends.llvm.linked.worker import LlvmWorker
    from frontends.llvm.opt.module import rewrite_module
    from frontends.llvm.opt.options import Options
    from isel.cli.tools import tools_with

    options = replace(Options(jobs=1, strict=False, llvm_version=order.version or NEWEST), **asked)  # type: ignore[arg-type]
    with LlvmWorker() as worker:
        tools = tools_with(worker, store, options)
        memory = None if tools.memory is None else _Watched(tools.memory)
        done = rewrite_module(
            without_inrange(text), options, replace(tools, memory=memory), order.source
        )
        for where, failure in done.report.failures:
            sys.stderr.write(f"{where}: {failure.trace}\n")
        new: str | bytes = ""
        if done.report.rewritten:
            new = done.written if order.version else _object(worker, done.text, order.level)
    report = done.report
    is_settled = (
        memory is not None and not memory.open and not report.timed_out and not report.failures
    )
    result = Result(
        len(report.functions),
        len(report.windows),
        len(report.rewritten),
        new,
        tuple(report.reasons().items()),
        _remarks(report) if order.remarks else "",
    )
    return result, is_settled


def _remarks(report: ModuleReport) -> str:
    """Return findings, each as a row, and the YAML."""
    from dataclasses import astuple

    from frontends.llvm.report.remarks import remarks
    from isel.cli.remarks.findings import findings_of

    return json.dumps([[astuple(f) for f in findings_of(report)], remarks(report)])


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
