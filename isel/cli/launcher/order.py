"""What the rewriter is asked, what becomes of a module, and how that is kept.

The key is the text of the module without the names of its file, everything that was asked, and the
tool's identity (:mod:`isel.cli.launcher.tool`).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from isel.cli.launcher.limits import ORDER_LARGEST
from isel.cli.launcher.places import away_file
from isel.json_text import to_json

if TYPE_CHECKING:
    from isel.cache.remote import Remote
    from isel.cache.store import Store

MEASURED: Final = " measured"  # behind the key of a module from which functions were taken back
_FORMAT: Final = "isel module 6"
_NAMES: Final = re.compile(r"^(; ModuleID|source_filename) = .*", re.MULTILINE)


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


def hash_of(result: Result) -> str:
    """Return a hash of what is written, nothing where nothing is rewritten."""
    new = result.new.encode(errors="surrogateescape") if isinstance(result.new, str) else result.new
    return hashlib.sha256(new).hexdigest() if new else ""


def keep_row(store: Store, key: str, result: Result) -> None:
    """Keep what became of a module, if that is text, and not too much."""
    if isinstance(result.new, str) and len(result.new) <= ORDER_LARGEST:
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
