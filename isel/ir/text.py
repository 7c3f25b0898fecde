"""The text of terms: S-expressions whose leaves carry widths.

``5:8`` and ``-1:8`` are literals (printed unsigned), ``x:8`` is a variable, ``a0[16]:8`` the slice
of 8 bits at bit 16 of the operand a0, ``(add x:8 5:8)`` a primitive, ``(zext 16 x:8)`` one whose
attributes come before the operands (also ``(extract low width x)``), and ``(let ((%0 T) ...) T)``
names shared sub-terms.  ``parse(show(e)) is e``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from isel.errors import SyntaxProblem
from isel.ir.expr import Expr, const, elem, term, var
from isel.ir.ops import OPS, WidthError

_TOKEN: Final = re.compile(r"\s*([()]|[^\s()]+)")
_LEAF: Final = re.compile(
    r"(?:(?P<int>-?\d+)|(?P<name>[A-Za-z_.$][\w.$]*)(?:\[(?P<offset>-?\d+)\])?):(?P<width>\d+)$"
)
_ATTRIBUTES: Final = {"zext": 1, "sext": 1, "extract": 2}


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    at = 0
    while at < len(text):
        m = _TOKEN.match(text, at)
        if m is None:
            if text[at:].strip():
                raise SyntaxProblem("unreadable text", text, at)
            return
        yield m.group(1), m.start(1)
        at = m.end()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(_tokens(text))
        self.at = 0
        self.names: dict[str, Expr] = {}

    def fail(self, what: str) -> SyntaxProblem:
        position = self.tokens[self.at][1] if self.at < len(self.tokens) else len(self.text)
        return SyntaxProblem(what, self.text, position)

    def next(self, want: str | None = None) -> str:
        if self.at >= len(self.tokens):
            raise self.fail(f"the text ends, expected {want or 'a term'}")
        token = self.tokens[self.at][0]
        if want is not None and token != want:
            raise self.fail(f"'{token}', expected '{want}'")
        self.at += 1
        return token

    def number(self) -> int:
        token = self.next()
        try:
            return int(token)
        except ValueError:
            self.at -= 1
            raise self.fail(f"'{token}', expected a number") from None

    def expression(self) -> Expr:
        token = self.next()
        if token != "(":
            return self.leaf(token)
        head = self.next()
        if head == "let":
            return self.let()
        if head not in OPS:
            self.at -= 1
            raise self.fail(f"unknown operation '{head}'")
        attr = tuple(self.number() for _ in range(_ATTRIBUTES.get(head, 0)))
        args = tuple(self.expression() for _ in range(OPS[head].arity))
        self.next(")")
        try:
            return term(head, *args, attr=attr)
        except WidthError as error:
            self.at -= 1
            raise self.fail(str(error)) from None

    def let(self) -> Expr:
        self.next("(")
        while self.next() == "(":
            name = self.next()
            self.names[name] = self.expression()
            self.next(")")
        body = self.expression()
        self.next(")")
        return body

    def leaf(self, token: str) -> Expr:
        if token in self.names:
            return self.names[token]
        m = _LEAF.match(token)
        if m is None:
            self.at -= 1
            raise self.fail(f"'{token}', expected a literal or a name with a width")
        width = int(m["width"])
        if width < 1:
            raise self.fail("a term of no bits")
        if m["int"] is not None:
            return const(int(m["int"]), width)
        if m["offset"] is not None:
            return elem(m["name"], int(m["offset"]), width)
        return var(m["name"], width)


def parse(text: str) -> Expr:
    """Read one term; raise :class:`isel.errors.SyntaxProblem` with the position of the mistake."""
    parser = _Parser(text)
    result = parser.expression()
    if parser.at != len(parser.tokens):
        raise parser.fail("text after the term")
    return result
