"""A function of one module in place of its namesake in another one for the same machine.

Names of globals are held against each other, groups of attributes get other numbers; metadata,
which only promises more, is left out.  What comes of it is compared with the source as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from frontends.llvm.linked import binding
from frontends.llvm.text.isolate import defined_name, definition_of
from isel.errors import BadModule

_NODE: Final = re.compile(r",? ![a-zA-Z][\w.]* !\d+")
_LEFT_OUT: Final = re.compile(r"\s+(?:#dbg_|call .*@llvm\.experimental\.noalias\.scope\.decl)")
_GROUP: Final = re.compile(r"(?<= )#(\d+)\b")
_GLOBAL: Final = re.compile(r'@(?:"[^"]*"|[-\w$.]+)')
_TYPE: Final = re.compile(r'^(%(?:"[^"]*"|[-\w$.]+)) = type ')


def take(text: str, other: str, name: str) -> str | None:
    """Return a module with the body that another one gives a function; None where that reads what
    this module has otherwise, or has not.
    """
    mine, theirs = text.splitlines(), other.splitlines()
    here, there = definition_of(mine, name), definition_of(theirs, name)
    lines = theirs[there.start : there.stop + 1]
    body = [_NODE.sub("", line) for line in lines if not _LEFT_OUT.match(line)]
    brought = _brought(mine, theirs, body)
    if not here or not there or brought is None or any("metadata " in line for line in body):
        return None
    first = 1 + max(
        (int(n) for n in re.findall(r"^attributes #(\d+)", text, re.MULTILINE)), default=0
    )
    groups = [line for line in theirs if line.startswith("attributes #")]
    moved = "\n".join([*brought, *body, *groups])
    moved = _GROUP.sub(lambda m: f"#{first + int(m[1])}", moved)
    try:
        return binding.normalise("\n".join([*mine[: here.start], moved, *mine[here.stop + 1 :]]))
    except BadModule:
        return None


def _brought(mine: Sequence[str], theirs: Sequence[str], body: list[str]) -> list[str] | None:
    """Return the lines beside it that a body needs, None where they cannot be had."""
    known, wanted = dict(_globals(mine)), dict(_globals(theirs))
    found: dict[str, str] = {}
    queue = list(body)
    while queue:
        for x in _GLOBAL.findall(queue.pop()):
            line = wanted.get(x, "")
            if x in found or (x in known and _same(known[x], line)):
                continue
            if x in known or (not line.startswith("declare ") and " constant " not in line):
                return None
            found[x] = line
            queue.append(line.partition(" = ")[2])
    types = {m[1]: line for line in mine if (m := _TYPE.match(line))}
    read = "\n".join([*body, *found.values()])
    asked = [(m[1], line) for line in theirs if (m := _TYPE.match(line)) and m[1] in read]
    if any(types.get(name, line) != line for name, line in asked):
        return None
    return [*(line for name, line in asked if name not in types), *found.values()]


def _same(mine: str, theirs: str) -> bool:
    """Tell whether two lines are of one thing: functions by their names."""
    return mine == theirs or (not mine.startswith("@") and not theirs.startswith("@"))


def _globals(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the lines that say what a global is, by its name."""
    for line in lines:
        if line.startswith("@"):
            yield line.partition(" = ")[0], line
        elif line.startswith(("declare ", "define ")):
            yield f"@{defined_name(line)}", line
