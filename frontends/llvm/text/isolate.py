"""One function of a module by itself, so that judging it does not compile the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from frontends.llvm.text.tokens import Cursor, callee_of

_LINKAGE: Final = (
    r"(?:private|internal|available_externally|linkonce|linkonce_odr|weak|weak_odr|common|appending"
    r"|external|extern_weak)"
)
_DEFINE: Final = re.compile(rf"^define (?:{_LINKAGE} )?(?:dso_local |dso_preemptable )?")
_FILE: Final = re.compile(r"^(?:; ModuleID|source_filename) = .*\n", re.MULTILINE)
_GROUP: Final = re.compile(r"(?<= )#\d+")
_ALIAS: Final = re.compile(r"^@.* (?:alias|ifunc) .*$", re.MULTILINE)
_NAME: Final = r'@"[^"]*"|@[-\w$.]+'
_SYMBOL: Final = re.compile(_NAME)
_PLACE: Final = re.compile(rf'blockaddress\(({_NAME}), %(?:"[^"]*"|[-\w$.]+)\)')
_NUMBERED: Final = re.compile(r'(@?"[^"]*")|@(\d+)\b(?!\.)')
_OPENING: Final = ("(", "[", "{", "<")


def defined_name(header: str) -> str:
    """Return the name (as it is spelled) of the function that a ``define`` line starts."""
    return callee_of(header)[0]


def definition_of(lines: Sequence[str], function: str) -> range:
    """Return which lines define a function, without the brace that ends it; none where no line
    begins to.
    """
    heads = (f"@{function}(", f'@"{function}"(')
    for first, line in enumerate(lines):
        if line.startswith("define ") and any(h in line for h in heads):
            ends = (k for k in range(first, len(lines)) if lines[k].startswith("}"))
            return range(first, next(ends, len(lines)))
    return range(0)


def nameless(text: str) -> str:
    """Return a module without the names of its file: no code depends on where that lies."""
    return _FILE.sub("", text)


def name_alone(function: str) -> str:
    """Return what :func:`isolated` calls a function: its name, or, where assembly has another one
    for it (which is exact, or has characters that are escaped), one of ours.
    """
    if function.isdecimal():
        return f"isel.unnamed.{function}"
    name = function.strip('"')
    return "isel.exact" if "\\" in name else name


def isolate(text: str, function: str) -> str:
    """Return the module with ``function`` external, called :func:`name_alone`, and every other
    function, and what is an alias of one, only declared.
    """
    kept = function.strip('"')
    heads = [line for line in text.splitlines() if line.startswith("define ")]
    alone = declare(text, {_spell(defined_name(line)) for line in heads} - {kept})
    alone = re.sub(
        r"^define .*$", lambda m: _DEFINE.sub("define ", m[0]), alone, flags=re.MULTILINE
    )
    if "@0" in alone:  # numbers begin there
        alone = _NUMBERED.sub(lambda m: m[1] or f"@{name_alone(m[2])}", alone)
    if "\\" in kept:
        alone = alone.replace(f'@"{kept}"', f"@{name_alone(kept)}")
    return alone


def declare(text: str, gone: set[str]) -> str:
    """Return the module with some functions, and what is an alias of one, only declared."""
    aliases = _aliases_of(text, gone)
    out: list[str] = []
    skipping = False
    for line in text.splitlines():
        if skipping:
            skipping = line != "}"
            continue
        skipping = line.startswith("define ") and _spell(defined_name(line)) in gone
        out.append(_declaration(line) if skipping else aliases.get(line, line))
    left = "\n".join(out) + "\n"
    if "blockaddress(" in left:
        left = _PLACE.sub(lambda m: "null" if _spell(m[1][1:]) in gone else m[0], left)
    return left


def _spell(name: str) -> str:
    return name.strip('"')


def _aliases_of(text: str, gone: set[str]) -> dict[str, str]:
    """Return a declaration for each line that makes an alias (or a function that the linker picks)
    of what is not there; its name is then gone, too.
    """
    waiting = _ALIAS.findall(text) if " alias " in text or " ifunc " in text else []
    found: dict[str, str] = {}
    while True:
        now = [x for x in waiting if gone & set(_pointed_at(x))]
        if not now:
            return found
        for line in now:
            found[line] = _declare(line)
            gone.add(_spell(line[1 : line.index(" = ")]))
        waiting = [line for line in waiting if line not in found]


def _pointed_at(line: str) -> list[str]:
    return [_spell(name[1:]) for name in _SYMBOL.findall(line)[1:]]


def _declare(line: str) -> str:
    """Return the declaration of the function or variable of an alias's name and type."""
    c = Cursor(line)
    name = c.next()
    while c.token and c.token not in ("alias", "ifunc"):
        c.at += 1
    c.next()
    start = parameters = c.at
    while c.token and c.token != ",":
        parameters = c.at
        if c.token in _OPENING:
            c.skip_balanced()
        else:
            c.at += 1
    kind = c.since(start)
    if c.tokens[parameters] != "(":
        return f"{name} = external global {kind}"
    end = c.at
    c.at = parameters
    result = c.since(start)
    c.at = end
    return f"declare {result} {name}{c.since(parameters)}"


@lru_cache(maxsize=4096)
def _declaration(header: str) -> str:
    _, start = callee_of(header)
    if start < 0:
        return header
    c = Cursor(header[start:])
    c.skip_balanced()
    end = start + len(c.since(0))
    group = _GROUP.search(header, end)
    return _DEFINE.sub("declare ", header[:end]) + (f" {group.group()}" if group else "")
