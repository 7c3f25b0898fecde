"""Modules, as LLVM prints them, with other names for values, blocks and functions.

What a name outside of functions may mean stays: types, globals, metadata, comdats, groups of
attributes, ``llvm.`` declarations, functions of the C library, and what a string mentions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from frontends.llvm.text.tokens import TOKEN, callee_of

_LABEL: Final = re.compile(r'^("[^"]*"|[-\w$.]+):')
_DEFINITION: Final = re.compile(r'^\s*(%(?:"[^"]*"|[-\w$.]+)) = ')
_NUMBERED: Final = re.compile(r"^@\d+ = ")
_TYPE: Final = re.compile(r'^(%(?:"[^"]*"|[-\w$.]+)) = type ')
_STRING: Final = re.compile(r'(?<![%@!$])"([^"]*)"')
_PAIR: Final = re.compile(r"@(?:src|tgt)\d*$")
_LIBRARY: Final = re.compile(
    r'@(?:"?\\01.*|"?llvm\..*|main|objc_.*|_Z.*|__.*|mem\w+|bcmp|bzero|str\w+|[cmr]e?alloc|free|abort|exit'
    r"|printf|puts|putchar|l?l?abs|ffsl*|(?:f(?:abs|m(?:ax|in|od)|loor)|a?(?:sin|cos|tan)h?|sqrt|exp|log|pow"
    r"|ceil|round|trunc|rint|nearbyint|copysign|ldexp|atan2|exp2|log2|exp10|log10|sincos)[fl]?)$"
)
Choose: TypeAlias = Callable[[str], str]  # a name for one of a kind: "", for none


class NotRenamed(Exception):
    """A module in which a type and a value have one name."""


@dataclass(frozen=True, slots=True)
class _Body:
    """The lines that define a function, the last one its closing brace."""

    first: int
    last: int

    def locals(self, lines: Sequence[str], types: frozenset[str]) -> Iterator[str]:
        """Yield its arguments, blocks and values in the order in which LLVM numbers them."""
        heads = [t for t in TOKEN.findall(lines[self.first]) if t[0] == "%" and t not in types]
        yield from heads
        if not _LABEL.match(lines[self.first + 1]):
            yield f"%{sum(h[1:].isdecimal() for h in heads)}"
        for line in lines[self.first + 1 : self.last]:
            label, value = _LABEL.match(line), _DEFINITION.match(line)
            if label or value:
                yield f"%{label[1]}" if label else value[1] if value else ""


def _bodies(lines: Sequence[str]) -> Iterator[_Body]:
    first = -1
    for k, line in enumerate(lines):
        if line.startswith("define "):
            first = k
        elif line == "}" and first >= 0:
            yield _Body(first, k)
            first = -1


def _functions(lines: Sequence[str]) -> Iterator[str]:
    """Yield the functions that may be called otherwise."""
    said = {
        word
        for line in lines
        if line[:1] != "!"
        for text in _STRING.findall(line)
        for word in re.split(r"[(),]", text)
    }
    for line in lines:
        if line.startswith(("define ", "declare ")):
            name = f"@{callee_of(line)[0]}"
            fixed = _PAIR.match(name) or _LIBRARY.match(name) or " comdat" in line
            if not fixed and name[1:].strip('"') not in said:
                yield name


def rename(text: str, value: Callable[[], Choose], function: Choose) -> str:
    """Return a module, printed by LLVM, with other names.

    ``value`` starts a function and gives what names its arguments, blocks and values; what is
    named "" gets a number, and what is named as it was stays.
    """
    lines = text.split("\n")
    types = frozenset(m[1] for line in lines if (m := _TYPE.match(line)))
    globals_ = sum(_NUMBERED.match(line) is not None for line in lines)
    functions = _numbered(_functions(lines), function, "@", globals_)
    scopes: dict[str, Mapping[str, str]] = {}
    bodies = list(_bodies(lines))
    for b in bodies:
        names = list(b.locals(lines, types))
        if not types.isdisjoint(names):
            raise NotRenamed
        scopes[f"@{callee_of(lines[b.first])[0]}"] = _numbered(names, value(), "%")
    at = {k: b for b in bodies for k in range(b.first, b.last + 1)}
    out: list[str] = []
    for k, line in enumerate(lines):
        body = at.get(k)
        mine = {} if body is None else scopes[f"@{callee_of(lines[body.first])[0]}"]
        head = body is not None and k == body.first
        out.append(_line(line, mine, functions, scopes, inside=body is not None and not head))
        if head and not _LABEL.match(lines[k + 1]):
            out.append(_entry(line, mine, types))
    return "\n".join(out)


def _entry(head: str, mine: Mapping[str, str], types: frozenset[str]) -> str:
    """Return the label of a first block that has none."""
    count = sum(t[1:].isdecimal() for t in TOKEN.findall(head) if t[0] == "%" and t not in types)
    return f"{mine[f'%{count}'][1:]}:"


def _numbered(names: Iterable[str], choose: Choose, sigil: str, count: int = 0) -> dict[str, str]:
    found: dict[str, str] = {}
    for old in names:
        new = choose(old[1:])
        found[old] = f"{sigil}{new or count}"
        count += not new
    return found


def _line(
    line: str,
    mine: Mapping[str, str],
    functions: Mapping[str, str],
    scopes: Mapping[str, Mapping[str, str]],
    *,
    inside: bool,
) -> str:
    label = _LABEL.match(line) if inside else None
    if label:
        return f"{mine[f'%{label[1]}'][1:]}:"
    before = ["", "", "", ""]

    def swap(m: re.Match[str]) -> str:
        t = m[0]
        scope = scopes.get(before[-2], {}) if before[-4] == "blockaddress" else mine
        before.append(t)
        if t[0] == ";":
            return ""
        return scope.get(t, t) if t[0] == "%" else functions.get(t, t)

    return TOKEN.sub(swap, line).rstrip()


def plain(text: str) -> str:
    """Return a module, printed by LLVM, with numbers for names."""
    return rename(text, lambda: lambda _: "", lambda _: "")
