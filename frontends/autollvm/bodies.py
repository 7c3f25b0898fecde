"""A function of one module in place of its namesake in another one for the same machine.

Names of globals are held against each other, groups of attributes get other numbers; metadata,
which only promises more, is left out.  What comes of it is compared with the source as a whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from frontends.llvm.linked import binding
from frontends.llvm.text.identity import contents, mention
from frontends.llvm.text.isolate import declare, defined_name, definition_of
from frontends.llvm.text.parse import parse_module
from isel.errors import BadModule

_NODE: Final = re.compile(r",? ![a-zA-Z][\w.]* !\d+")
_LEFT_OUT: Final = re.compile(
    r"^\s+(?:#dbg_|(?:tail )?call .*@llvm\.experimental\.noalias\.scope\.decl).*\n", re.MULTILINE
)
_ATTRIBUTES: Final = re.compile(r"^attributes #.*", re.MULTILINE)
_MOVABLE: Final = re.compile(r"declare |@.* constant ")
_GROUP: Final = re.compile(r"(?<= )#(\d+)\b")
_GLOBAL: Final = re.compile(r'@(?:"[^"]*"|[-\w$.]+)')
_INTRINSIC: Final = re.compile(r"^declare [^@]*(@llvm\.[-\w.$]+)\(.*\n", re.MULTILINE)
_TYPE: Final = re.compile(r'^(%(?:"[^"]*"|[-\w$.]+)) = type .*')


def take(text: str, other: str, name: str) -> str | None:
    """Return a module with the body that another one gives a function; None where that reads what
    this module has otherwise, or has not.
    """
    mine, theirs = text.splitlines(), other.splitlines()
    here, there = definition_of(mine, name), definition_of(theirs, name)
    if not here or not there:
        return None
    body = _NODE.sub("", _LEFT_OUT.sub("", "\n".join(theirs[there.start : there.stop + 1])))
    beside = _beside(mine, theirs, body)
    if beside is None or "metadata " in body:
        return None
    groups = _ATTRIBUTES.findall(other)
    moved = "\n".join([*beside, body, *groups])
    free = len(_ATTRIBUTES.findall(text))  # LLVM numbers groups from 0
    moved = _GROUP.sub(lambda m: f"#{free + int(m[1])}", moved)
    try:
        return binding.normalise("\n".join([*mine[: here.start], moved, *mine[here.stop + 1 :]]))
    except BadModule:
        return None


def take_all(text: str, other: str, names: Iterable[str]) -> str:
    """Return a module with those bodies of another one that can be had."""
    for name in sorted(names):
        text = take(text, other, name) or text
    return text


def without(text: str, names: Collection[str]) -> tuple[str, dict[str, str]]:
    """Return a module that only declares some functions and those that call one of them which no
    other module can define, and these others with what they call.
    """
    calls = _local_calls(text)
    more: dict[str, str] = {}
    gone = {f"@{name}" for name in names}
    while new := {f: min(c & gone) for f, c in calls.items() if f not in gone and c & gone}:
        more |= {f[1:]: callee for f, callee in new.items()}
        gone |= new.keys()
    left = declare(text, {f[1:] for f in gone})
    named = Counter(_GLOBAL.findall(left))  # an intrinsic is declared, and called or of no use
    return binding.normalise(_INTRINSIC.sub(lambda m: m[0] if named[m[1]] > 1 else "", left)), more


def _local_calls(text: str) -> dict[str, frozenset[str]]:
    """Return by function which of a module's own it mentions that no other module can define."""
    module = parse_module(text)
    said = contents(module)
    local = {f"@{f.name}" for f in module.functions if {"internal", "private"} & set(f.returns)}
    return {f"@{f.name}": mention(f, said) & local for f in module.functions}


def _beside(mine: Sequence[str], theirs: Sequence[str], body: str) -> list[str] | None:
    """Return the lines beside it that a body needs, None where they cannot be had."""
    found = _lacking(dict(_globals(mine)), dict(_globals(theirs)), body)
    read = "\n".join([body, *(found or ())])
    known, asked = (
        {m[1]: m[0] for line in lines if (m := _TYPE.match(line)) and m[1] in read}
        for lines in (mine, theirs)
    )
    if found is None or any(known.get(name, line) != line for name, line in asked.items()):
        return None
    return [*(asked[name] for name in sorted(asked.keys() - known.keys())), *found]


def _lacking(known: Mapping[str, str], wanted: Mapping[str, str], body: str) -> list[str] | None:
    """Return the lines of globals that a body reads, itself or by way of others, and a module lacks
    that is known: declarations and constants; None for others, and for what both have otherwise.
    """
    found: dict[str, str] = {}
    queue = [body]
    while queue:
        for x in _GLOBAL.findall(queue.pop()):
            line, own = wanted.get(x, ""), known.get(x)
            if x in found or (own is not None and _same(own, line)):
                continue
            if own is not None or not _MOVABLE.match(line):
                return None
            found[x] = line
            queue.append(line.partition(" = ")[2])
    return list(found.values())


def _same(mine: str, theirs: str) -> bool:
    """Tell whether two lines are of one thing: functions by their names."""
    return mine == theirs or not (mine.startswith("@") or theirs.startswith("@"))


def _globals(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the lines that say what a global is, by its name."""
    for line in lines:
        if line.startswith("@"):
            yield line.partition(" = ")[0], line
        elif line.startswith(("declare ", "define ")):
            yield f"@{defined_name(line)}", line
