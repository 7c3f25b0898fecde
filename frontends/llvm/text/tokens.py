"""Tokens of a line of LLVM IR and a cursor over them; reading past the end gives empty tokens,
never an error.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

TOKEN: Final = re.compile(
    r'[%@!$]?"[^"]*"|c"[^"]*"|[%@!#][-\w$.\\]+|0x[A-Za-z]?[0-9A-Fa-f]+|-?\d+(?:\.\d*(?:[eE][-+]?\d+)?)?|\.\.\.|[A-Za-z_$.][-\w$.]*|;[^\n]*|\S'
)
_OPENING: Final = frozenset("([{<")
_CLOSING: Final = frozenset(")]}>")


class NotUnderstood(Exception):
    """The text is not of the expected form; the instruction is then kept as unknown."""


class Cursor:
    """A position in the tokens of ``text``."""

    __slots__ = ("_ends", "_starts", "at", "text", "tokens")

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self.at = 0
        for found in TOKEN.finditer(text):
            token = found[0]
            if token[0] != ";":
                self.tokens.append(token)
                self._starts.append(found.start())
                self._ends.append(found.end())
        self.tokens += ["", "", "", "", "", ""]

    @property
    def token(self) -> str:
        """The current token, empty at the end."""
        return self.tokens[self.at]

    @property
    def position(self) -> int:
        """Where in the text the current token begins."""
        return self._starts[self.at] if self.at < len(self._starts) else len(self.text)

    def peek(self, ahead: int = 1) -> str:
        """Return a token at most five further on."""
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def next(self) -> str:
        """Return the current token and step over it."""
        token = self.tokens[self.at]
        if token:
            self.at += 1
        return token

    def take(self, token: str) -> bool:
        """Step over ``token`` if it is the current one."""
        if self.tokens[self.at] != token:
            return False
        self.at += 1
        return True

    def expect(self, token: str) -> None:
        """Step over ``token``; raise :class:`NotUnderstood` if it is not there."""
        if not self.take(token):
            raise NotUnderstood(f"{self.token!r}, expected {token!r}")

    def since(self, start: int) -> str:
        """Return the text from token ``start`` up to the current one."""
        if self.at <= start:
            return ""
        return self.text[self._starts[start] : self._ends[self.at - 1]]

    def skip_balanced(self) -> None:
        """Step over a bracket and all up to the one that closes it."""
        depth = 0
        while self.token:
            token = self.next()
            if token in _OPENING:
                depth += 1
            elif token in _CLOSING:
                depth -= 1
                if depth <= 0:
                    return
        raise NotUnderstood("an open bracket")

    def skip_value(self) -> None:
        """Step over a constant of any form: up to the comma, bracket or word that ends an
        operand.
        """
        start = self.at
        while (
            (token := self.token)
            and token not in _ENDS
            and not (token[0] in "#!" and self.at > start)
        ):
            if token in _CLOSING or (
                token == "[" and self.at > start and self.tokens[self.at - 1] != "splat"
            ):
                break
            if token in _OPENING:
                self.skip_balanced()
            else:
                self.at += 1
        if self.at == start:
            raise NotUnderstood("a missing value")


def rows_of(file: Path) -> dict[str, dict[str, str]]:
    """Return what a table says of names, by their kind: lines of kinds, what is said, and names."""
    found: dict[str, dict[str, str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line[0] != "#":
            kinds, said, names = line.split("\t")
            for kind in kinds.split("; "):
                found.setdefault(kind, {}).update(dict.fromkeys(names.split(), said))
    return found


@lru_cache(maxsize=4096)  # each judgement sees the lines of all functions of a module again
def callee_of(text: str) -> tuple[str, int]:
    """Return the name (without ``@``) of the function of a ``define`` or ``declare`` line, and
    where its parameters begin; empty and -1 without one.
    """
    c = Cursor(text)
    while c.token:
        if c.token[0] == "@" and c.peek() == "(":
            name = c.next()[1:]
            return name, c.position
        c.at += 1
    return "", -1


_ENDS: Final = frozenset((",", "to", "unwind", "="))
