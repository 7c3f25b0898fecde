"""What was decided about a function, as data: the lines that it becomes and the report, so that an
equal function is not looked at again.

The key of a function is its module without the other functions' bodies, with everything else that a
decision depends on (``about``). What LLVM printed of it was proved; :attr:`Decided.printed` is a
hash of that, and what is printed of an equal function must have it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Final

from frontends.llvm.report.tried import Outcome, Place, WindowReport
from frontends.llvm.splicing.write import Edits
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.text.isolate import isolate, nameless
from frontends.llvm.text.rewording import locals_in
from isel.json_text import to_json
from isel.trust import UNREADABLE

_NUMBERED: Final = re.compile(
    r",? ![\w.]+ !\d+| #\d+(?=[ ,]|$)", re.MULTILINE
)  # metadata and attribute groups are numbered by module


@dataclass(frozen=True, slots=True)
class Recent:
    """Keeps what was decided for as long as it lives."""

    _kept: dict[str, str] = field(default_factory=dict)

    def recall(self, key: str) -> str | None:
        """See :class:`isel.model.memory.Memory`."""
        return self._kept.get(key)

    def keep(self, key: str, value: str) -> None:
        """See :class:`isel.model.memory.Memory`."""
        self._kept[key] = value


@dataclass(frozen=True, slots=True)
class Decided:
    """A function's new lines, a hash of what LLVM printed of it, its reports, how many instructions
    there are, how many of them windows have ``covered`` and why not the others, and what it cost
    and costs.
    """

    edits: Edits
    printed: str
    windows: tuple[WindowReport, ...]
    count: int
    covered: tuple[int, Mapping[str, int]]
    cost: tuple[float, float] | None

    def reports(self, function: Function) -> list[WindowReport]:
        """Return the reports where they are in a module that has the function."""
        first = function.first
        return [replace(w, place=replace(w.place, line=w.place.line + first)) for w in self.windows]


def key_of(module: Module, function: Function, about: str) -> str:
    """Return the key of a function; ``about`` is everything that decisions depend on beside the
    text.
    """
    body = "\n".join(module.lines[function.first : function.last + 1])
    return hashlib.sha256(
        f"{about}\0{function.name}\0{_outline(module.text)}\0{body}".encode(
            errors="surrogateescape"
        )
    ).hexdigest()


@lru_cache(maxsize=2)
def _outline(text: str) -> str:
    """Return a hash of a module without the bodies of its functions."""
    return hashlib.sha256(nameless(isolate(text, "")).encode(errors="surrogateescape")).hexdigest()


def print_of(printed: Module, name: str) -> str:
    """Return a hash of a function as LLVM printed it."""
    function = next((f for f in printed.functions if f.name == name), None)
    text = "" if function is None else "\n".join(printed.lines[function.first : function.last + 1])
    return hashlib.sha256(_NUMBERED.sub("", text).encode(errors="surrogateescape")).hexdigest()


def write(decided: Decided, function: Function) -> str:
    """Return the text to keep, with the lines of reports counted from that of the function."""
    data = asdict(decided)
    data["edits"]["lines"] = list(decided.edits.lines.items())
    for row in data["windows"]:
        del row["seconds"], row["detail"]
        row["place"]["line"] -= function.first
    return to_json(data, sort_keys=True)


def read(text: str | None, function: Function) -> Decided | None:
    """Return what was kept of a function, or None where it is damaged."""
    if text is None:
        return None
    try:
        data = json.loads(text)
        lines = {int(k): tuple(map(str, new)) for k, new in data["edits"]["lines"]}
        edits = Edits(lines, {str(k): str(v) for k, v in data["edits"]["declarations"].items()})
        windows = tuple(map(_window, data["windows"]))
        cost = None if data["cost"] is None else (float(data["cost"][0]), float(data["cost"][1]))
        given = {"edits": edits, "windows": windows, "covered": tuple(data["covered"])}
        found = Decided(**{**data, **given, "cost": cost})
    except UNREADABLE:
        return None
    return found if _fits(found, function) else None


def _fits(found: Decided, function: Function) -> bool:
    """Tell whether what was kept is of lines and values of a function, or of what it became."""
    length, new = function.last - function.first, found.edits.lines
    names = {"", *function.view.defs, *(n for of in new.values() for x in of for n in locals_in(x))}
    return all(0 <= k <= length for k in new) and {w.place.root for w in found.windows} <= names


def _window(row: Mapping[str, object]) -> WindowReport:
    given = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
    place, outcome = Place(**row["place"]), Outcome(str(row["outcome"]))  # type: ignore[arg-type]
    return WindowReport(**{**given, "place": place, "outcome": outcome})  # type: ignore[arg-type]
