"""From lines of a module as LLVM prints it to lines of the user's file: functions by name,
instructions by name or in order.

LLVM keeps the order of instructions when it reads text.  What it rewrites while reading (intrinsics
of older versions) makes the operations of a function differ; then instructions without a name of
their own have no line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

_DEFINE: Final = re.compile(r'^\s*define\b[^@]*@("(?:[^"\\]|\\.)*"|[-\w$.]+)')
_RESULT: Final = re.compile(r'\s*%("(?:[^"\\]|\\.)*"|[-\w$.]+)\s*=\s*')
_WORD: Final = re.compile(r"\s*([a-z]\w*)")
_LABEL: Final = re.compile(r'^\s*("(?:[^"\\]|\\.)*"|[-\w$.]+):')
_STRING: Final = re.compile(r'"[^"]*"')
_GOES_ON: Final = frozenset(("to", "unwind", "catch", "cleanup", "filter"))  # begins no instruction
_CALLS: Final = frozenset(("tail", "musttail", "notail"))


@dataclass(frozen=True, slots=True)
class _Start:
    """The first line of an instruction, from 1, its result's name and its operation."""

    line: int
    name: str
    operation: str


def lines_of(printed: str, given: str) -> Mapping[int, int]:
    """Return the lines, from 1, that instructions of a printed module have in the text that it
    was read from.
    """
    theirs = dict(_functions(given))
    found: dict[int, int] = {}
    for name, ours in _functions(printed):
        source = theirs.get(name, ())
        in_order = len(source) == len(ours) and all(
            a.operation == b.operation for a, b in zip(ours, source, strict=True)
        )
        by_name = {s.name: s.line for s in source if s.name and not s.name.isdigit()}
        for k, start in enumerate(ours):
            line = source[k].line if in_order else by_name.get(start.name, 0)
            if line:
                found[start.line] = line
    return found


def _functions(text: str) -> Iterator[tuple[str, Sequence[_Start]]]:
    """Yield the functions that a module defines, by name, with their instructions."""
    name, starts, depth = "", list[_Start](), 0
    for number, line in enumerate(text.split("\n"), 1):
        if not name:
            head = _DEFINE.match(line)
            name, starts, depth = (head[1].strip('"'), [], 0) if head is not None else ("", [], 0)
            continue
        if line.startswith("}"):
            yield name, starts
            name = ""
            continue
        code = _STRING.sub('""', line).partition(";")[0]
        if not depth:
            start = _start(line, number)
            starts.extend(() if start is None else (start,))
        depth = max(0, depth + sum(map(code.count, "([{")) - sum(map(code.count, ")]}")))


def _start(line: str, number: int) -> _Start | None:
    """Return the instruction that begins on a line."""
    label = _LABEL.match(line)
    rest = line[label.end() :] if label is not None else line
    result = _RESULT.match(rest)
    word = _WORD.match(rest, result.end() if result is not None else 0)
    if word is None or word[1] in _GOES_ON or "@llvm.dbg." in rest:
        return None
    return _Start(
        number,
        result[1].strip('"') if result is not None else "",
        "call" if word[1] in _CALLS else word[1],
    )
