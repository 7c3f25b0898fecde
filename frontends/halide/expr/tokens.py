"""Cutting printed expressions into words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from isel.errors import SyntaxProblem

Kind: TypeAlias = Literal["number", "float", "name", "mark", "end"]
_TOKEN: Final = re.compile(
    r"""\s*(?:
      (?P<float>\d+\.\d+(?:[eE][-+]?\d+)?[fh]?|\d+\.?\d*[eE][-+]?\d+[fh]?)
    | (?P<number>\d+)
    | (?P<name>[A-Za-z_$][\w$]*(?:\.[A-Za-z_$\d][\w$]*)*)
    | (?P<mark>\.\.|&&|\|\||[<>=!]=|[-+*/%<>!()\[\],:=])
    )""",
    re.VERBOSE,
)
_SPACE: Final = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class Token:
    """A word and where it begins."""

    kind: Kind
    text: str
    at: int


def tokens(text: str, file: str) -> tuple[Token, ...]:
    """Return the words of ``text``, an ``end`` last; raises :class:`isel.errors.SyntaxProblem`
    for a foreign character.
    """
    found: list[Token] = []
    at = 0
    while True:
        m = _TOKEN.match(text, at)
        if m is None:
            break
        kind: Kind = m.lastgroup  # type: ignore[assignment]
        found.append(Token(kind, m[m.lastgroup or 0], m.start(m.lastgroup or 0)))
        at = m.end()
    space = _SPACE.match(text, at)
    at = at if space is None else space.end()
    if at < len(text):
        raise SyntaxProblem(f"unexpected character '{text[at]}'", text, at, file)
    return (*found, Token("end", "", at))
