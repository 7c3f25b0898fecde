"""What was measured of functions, kept by function and CPU, so that what lost is not written again
by builds, and nothing that two runs agree on is measured again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

from bench.measure import changed
from bench.measure.verdict import Timed, Verdict
from frontends.llvm.linked import binding
from frontends.llvm.pipeline.decided import print_of
from frontends.llvm.pipeline.options import Rewritten
from frontends.llvm.text.parse import parse_module
from isel.json_text import to_json
from isel.trust import UNREADABLE

_FORMAT: Final = "isel measured 1"


class Rows(Protocol):
    """Keeps text by key; see :class:`isel.cache.store.Store`."""

    def function(self, key: str) -> str | None:
        """Return what was kept."""

    def add_function(self, key: str, value: str) -> None:
        """Keep a value."""


class Looked(NamedTuple):
    """Why functions are taken back, by name, a line for each that was measured now, and a regular
    expression of the names of all others.
    """

    lost: dict[str, str]
    lines: tuple[str, ...]
    others: str


def look(
    done: Rewritten, rows: Rows, tool: str, mark: str, *, measure: bool, cpu: str = ""
) -> Looked:
    """Return which of the changed functions are slower; those of which nothing is known are
    measured where that is asked for.

    ``tool`` is the identity of what rewrites, ``mark`` the key of a row that says that anything was
    measured; the CPU is this machine's.
    """
    about = f"{_FORMAT}\0{tool}\0{cpu or binding.host_cpu()}"
    before, after = parse_module(done.before), parse_module(done.text)
    lost: dict[str, str] = {}
    lines: list[str] = []
    for name in changed.changed(before, after):
        key = _hash(f"{about}\0{print_of(before, name)}")
        found: Verdict | None = _read(rows.function(key))
        if found is None and measure:
            found = changed.measure_alone(done.before, done.text, name)
            _keep(found, rows, mark, key)
        if isinstance(found, Timed) and found.loses:
            lost[name] = f"measured: {found}"
        if found is not None and measure:
            lines.append(f"@{name}: {found}{', taken back' if name in lost else ''}")
    return Looked(lost, tuple(lines), all_but(lost))


def all_but(names: Iterable[str]) -> str:
    """Return a regular expression that whole names of other functions match."""
    return rf"(?!(?:{'|'.join(re.escape(n.strip(chr(34))) for n in names)})\Z)(?s:.*)"


def _keep(found: Verdict, rows: Rows, mark: str, key: str) -> None:
    """Keep what two runs agree on; what is noisy is tried another time."""
    if isinstance(found, Timed):
        rows.add_function(mark, "1")
        rows.add_function(key, to_json([found.first, found.second, found.control]))


def _read(kept: str | None) -> Timed | None:
    if kept is None:
        return None
    try:
        first, second, control = map(float, json.loads(kept))
    except UNREADABLE:
        return None
    return Timed(first, second, control)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()
