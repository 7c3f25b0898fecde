"""Lines of ASL as tokens: comments go, what is in open brackets is one line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from semantics.importing.syntax import TextMistake

_TOKEN: Final = re.compile(
    r"\s*(?:(?P<bits>'[01x ]*')|(?P<number>0x[0-9a-fA-F_]+|\d+(?:\.\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*(?:\.\w+)*)|(?P<string>\"[^\"]*\")"
    r"|(?P<op>==|!=|<=|>=|<<|>>|&&|\|\||\+:|[-+*/^:;,()\[\]{}<>=!&.]))"
)
_COMMENT: Final = re.compile(r"//.*|/\*.*?\*/")


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its kind (``bits``, ``number``, ``name``, ``string``, ``op``) and text."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A statement's line, or several that are joined by open brackets."""

    indent: int
    tokens: tuple[Token, ...]
    at: int


def lines_of(text: Sequence[str], first: int) -> list[Line]:
    """Return the lines that are not empty; ``first`` is the number of the first; raise
    :class:`TextMistake`.
    """
    found: list[Line] = []
    open_, tokens, start, indent = 0, list[Token](), 0, 0
    for number, raw in enumerate(text, first):
        line = _COMMENT.sub("", raw).rstrip()
        if not line.strip():
            continue
        if not open_:
            tokens, start, indent = [], number, len(line) - len(line.lstrip())
        new = _tokens(line, number)
        tokens.extend(new)
        open_ += sum(
            {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(t.text, 0) for t in new
        )
        if open_ < 0:
            raise TextMistake("a bracket that closes nothing", number)
        if not open_:
            found.append(Line(indent, tuple(tokens), start))
    if open_:
        raise TextMistake("a bracket that is not closed", start)
    return found


def _tokens(line: str, number: int) -> list[Token]:
    at, found = 0, list[Token]()
    while at < len(line):
        m = _TOKEN.match(line, at)
        if m is None:
            raise TextMistake(
                f"'{line[at:].strip()[:20]}', expected a name, number or operator", number
            )
        assert m.lastgroup is not None
        found.append(Token(m.lastgroup, m[m.lastgroup]))
        at = m.end()
    return found
