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
from typing import TYPE_CHECKING, Final, NamedTuple

from isel.cache.store import Store, open_store
from isel.cli.launcher import journal
from isel.cli.launcher.places import away_file
from isel.cli.launcher.tool import identity
from isel.json_text import to_json

if TYPE_CHECKING:
    from isel.cache.remote import Remote

WARNING: Final = "warning: "  # before what the user is told
_FORMAT: Final = "isel module 6"
_ORDER: Final = re.compile(r"^ *(?:; )?uselistorder.*\n", re.MULTILINE)  # of other text than ours
_NAMES: Final = re.compile(r"^(; ModuleID|source_filename) = .*", re.MULTILINE)
MEASURED: Final = " measured"  # behind the key of a module from which functions were taken back
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


class Changed(NamedTuple):
    """A function that changed, a hash of it as LLVM prints it, and its rewritten windows."""

    name: str
    printed: str
    rewritten: int


class Result(NamedTuple):
    """What there is to count, what to write (text or an object, empty where nothing was
    rewritten), why each function that is as it was is so (its name and a reason), remarks as they
    are written, if they are wanted, how many windows were left to search, how many were searched a
    little and how many were proved as another machine found them, what is wrong with that one's
    cache, whether a clock or a bug had a part in it, what was measured and taken back, and which
    functions changed, and lines about what came first for its heat.
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
    changed: tuple[Changed, ...] = ()
    first: tuple[str, ...] = ()

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


def rewrite(order: Order) -> tuple[dict[str, int], list[str]]:
    """Write the rewritten module, or nothing where nothing is rewritten; return what there is to
    count, and a line for each function that is as it was.

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
    lines = [*result.first, *(f"@{name} is as it was: {why}" for name, why in result.reasons)]
    lines += [f"{WARNING}{result.warning}"] if result.warning else []
    return {**result.counts(), "hits": int(known)}, lines


def decide(order: Order, text: str, cache: str | None = None) -> tuple[Result, bool]:
    """Return what becomes of a module, and whether that was kept; a change of the journal goes
    along.
    """
    # What a hit does not need, a parser of flags among it, is not imported.
    store = open_store(cache or (asked_for(order.flags)[1] if "cache" in order.flags else None))
    try:
        signer = store.overlay.signer if store and store.overlay else None
        tool = identity(os.environ, signer)
        key = key_of(text, order, tool)
        known = _recall(store, key, order, text)
        if known is None and order.quick:
            from isel.cli.launcher.quick import decide_quickly  # it reads more than a hit needs

            result, is_known = decide_quickly(order, text, key, store, tool)
        else:
            result, is_known = known or _decide(order, text, key, store, tool), known is not None
    finally:
        if store is not None:
            store.close()
    if order.quick and signer is not None:
        _note(order, text, result)
    return result, is_known


def _recall(store: Store | None, key: str, order: Order, text: str) -> Result | None:
    """Return what was kept of a module; what is the same with any cache asks no clock."""
    if store is None or order.measure:
        return None
    measured = store.function(key + MEASURED) if order.quick or order.late else None
    return read_row(measured or store.function(key), text)


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
    from isel.cli.launcher.searching import search, setting

    remote = remote_of(order) if order.late else None
    with setting(order, store, tool, remote) as searches:
        result, is_settled = search(searches, text)
    result = result._replace(warning=close(remote))
    if store is not None and is_settled:
        keep_row(store, f"{key}{MEASURED}" if result.taken_back else key, result)
        if order.late and not result.taken_back:
            from isel.cli.launcher.quick import finish

            finish(order, text, result, store, tool)
    return result


def keep_row(store: Store, key: str, result: Result) -> None:
    """Keep what became of a module, if that is text, and not too much."""
    if isinstance(result.new, str) and len(result.new) <= _LARGEST:
        functions, windows, rewritten, new, reasons, remarks, left = result[:7]
        about = _NAMES.sub(r"\1 = ", str(new)), reasons, remarks, left, result.first
        store.add_function(key, to_json((functions, windows, rewritten, *about)))


def asked_for(flags: str) -> tuple[dict[str, object], str | None]:
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


def key_of(text: str, order: Order, tool: str) -> str:
    """Return the key of what becomes of a module."""
    wanted = order.source if order.remarks else ""  # they name it
    parts = [_FORMAT, tool, order.flags, str(order.version), wanted, _NAMES.sub("", text)]
    return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()


def read_row(kept: str | None, text: str) -> Result | None:
    """Return what was kept of a module, with the names of its file; its text is signed, so it is
    as it was written.
    """
    if kept is None:
        return None
    from isel.trust import UNREADABLE

    names = {m[1]: m[0] for m in _NAMES.finditer(text)}
    try:
        functions, windows, rewritten, new, reasons, remarks, left, first = json.loads(kept)
        why = tuple((str(name), str(reason)) for name, reason in reasons)
        named = _NAMES.sub(lambda m: names[m[1]], str(new))
        counts = int(functions), int(windows), int(rewritten)
        told = named, why, str(remarks)
        return Result(*counts, *told, int(left), first=tuple(map(str, first)))
    except UNREADABLE:
        return None


def remote_of(order: Order) -> Remote | None:
    """Return the cache of other machines, if there is one to ask; what was asked for in full has
    the same answer with any cache.
    """
    url = os.environ.get("ISEL_REMOTE_CACHE", "")
    if not url or not (order.quick or order.late):
        return None
    from pathlib import Path

    from isel.cache.remote import Remote

    return Remote(url, Path(away_file(url, os.environ)))


def close(remote: Remote | None) -> str:
    """Let go of another machine's cache; return what is wrong with it."""
    if remote is None:
        return ""
    remote.close()
    return remote.problem
