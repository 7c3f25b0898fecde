"""Names for the blocks of a function, so that assembly says which of them it was made of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from frontends.llvm.machine.trips import runs_of
from frontends.llvm.text.isolate import definition_of
from frontends.llvm.text.rewording import LABEL, free_stem, locals_in, name_numbers
from isel.cost.runs import Runs

_NUMBERED_TYPE: Final = re.compile(r"^%\d+ = type ", re.MULTILINE)
_LABEL: Final = re.compile(r"^(\d+):")


@dataclass(frozen=True, slots=True)
class Named:
    """A module of which the blocks of one function have names, and how often they run by these."""

    text: str
    runs: dict[str, Runs]


def read_names(text: str, function: str) -> Named:
    """Return a module with names for the numbered values and blocks of a function.

    Where that could change a meaning (types with numbers, inline assembly) it is left as it is.
    """
    lines = text.splitlines(keepends=True)
    inside = definition_of(lines, function)
    if not inside:
        return Named(text, {})
    first, last = inside.start, inside.stop
    body = lines[first:last]
    if any(map(_LABEL.match, body)) and not _NUMBERED_TYPE.search(text):
        if any(" asm " in x for x in body):
            return Named(text, {})
        free = free_stem(text, "isel.v")
        body = [_LABEL.sub(rf"{free}\1:", name_numbers(x, free)) for x in body]
        if not LABEL.match(body[1]):
            arguments = [int(n) for n in locals_in(lines[first]) if n.isdecimal()]
            body.insert(1, f"{free}{max(arguments, default=-1) + 1}:\n")
    whole = "".join((*lines[:first], *body, *lines[last:]))
    return Named(whole, runs_of([x.rstrip("\n") for x in body[1:]]))
