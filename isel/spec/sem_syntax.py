"""Expressions of the ``.sem`` language: tokens, nodes and the parser.

One grammar serves integers (shapes, indices, immediates) and bit-vectors (lane formulas); which of
the two a sub-expression is shows when it is evaluated (:mod:`isel.spec.sem_meaning`).  Precedence,
loosest first: ``c ? a : b``, comparisons, ``|``, ``^``, ``&``, ``<< >>``, ``+ -``, ``* / %``, unary
``- ~``, ``x[i]`` and calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

_TOKEN: Final = re.compile(
    r"\s*(0x[0-9a-fA-F]+|\d+|[A-Za-z_]\w*|<<|>>|<=|>=|==|!=|\.\.|[-+*/%&|^~<>?:()\[\],])"
)
_LEVELS: Final = (
    ("==", "!=", "<", "<=", ">", ">="),
    ("|",),
    ("^",),
    ("&",),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
TIGHTNESS: Final = {op: level for level, ops in enumerate(_LEVELS) for op in ops}


class Mistake(Exception):
    """A mistake at ``position`` of the text being read."""

    def __init__(self, what: str, position: int) -> None:
        super().__init__(what)
        self.what = what
        self.position = position


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """An integer."""

    value: int
    at: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A loop variable, constant, immediate, lane number or definition."""

    name: str
    at: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    """``-x`` or ``~x``."""

    op: str
    arg: Node
    at: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """An infix operation."""

    op: str
    left: Node
    right: Node
    at: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """``condition ? yes : no``."""

    condition: Node
    yes: Node
    no: Node
    at: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """``operand[index]``."""

    operand: str
    index: Node
    at: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """``function(arguments)``."""

    function: str
    args: tuple[Node, ...]
    at: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """``fold(op, k < K, f(k))``: f(0) op f(1) op …, from the left."""

    op: str
    variable: str
    count: Node
    body: Node
    at: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Pick:
    """``pick(table, base, count, index)``: element ``base + index`` of the operand ``table``;
    count is a power of two.
    """

    table: str
    base: Node
    count: Node
    index: Node
    at: int = 0


Node: TypeAlias = Number | Name | Unary | Binary | Choice | Element | Call | Fold | Pick


class Parser:
    """Reads one expression from ``text[start:stop]``; mistakes carry positions in ``text``."""

    def __init__(self, text: str, start: int = 0, stop: int | None = None) -> None:
        self.stop = len(text) if stop is None else stop
        self.tokens = list(_tokens(text, start, self.stop))
        self.index = 0

    def peek(self) -> str:
        """Return the next token, or nothing at the end."""
        return self.tokens[self.index][0] if self.index < len(self.tokens) else ""

    @property
    def position(self) -> int:
        """Where the next token starts."""
        return self.tokens[self.index][1] if self.index < len(self.tokens) else self.stop

    def next(self, want: str = "") -> str:
        """Take a token, which must be ``want`` if that is given."""
        token = self.peek()
        if want and token != want:
            raise Mistake(f"{_quoted(token)}, expected '{want}'", self.position)
        if not token:
            raise Mistake("the line ends, expected an expression", self.position)
        self.index += 1
        return token

    def name(self) -> str:
        """Take an identifier."""
        token = self.peek()
        if not token.isidentifier():
            raise Mistake(f"{_quoted(token)}, expected a name", self.position)
        return self.next()

    def end(self) -> None:
        """Check that nothing is left."""
        if self.peek():
            raise Mistake(f"'{self.peek()}', expected the end of the line", self.position)

    def expression(self) -> Node:
        """Read an expression."""
        at = self.position
        condition = self.binary(0)
        if self.peek() != "?":
            return condition
        self.next()
        yes = self.expression()
        self.next(":")
        return Choice(condition, yes, self.expression(), at)

    def binary(self, level: int) -> Node:
        """Read operators of a level and tighter ones (all of them associate to the left)."""
        left = self.unary()
        while True:
            own = TIGHTNESS.get(self.peek(), -1)
            if own < level:
                return left
            at = self.position
            op = self.next()
            left = Binary(op, left, self.binary(own + 1), at)

    def unary(self) -> Node:
        """Read a sign, a complement, or an atom."""
        at = self.position
        if self.peek() in ("-", "~"):
            return Unary(self.next(), self.unary(), at)
        return self.atom()

    def atom(self) -> Node:
        """Read a number, a name, an element, a call or a bracket."""
        at = self.position
        token = self.next()
        if token == "(":
            inner = self.expression()
            self.next(")")
            return inner
        if token[0].isdigit():
            return Number(int(token, 0), at)
        if not (token[0].isalpha() or token[0] == "_"):
            raise Mistake(f"'{token}', expected an expression", at)
        if self.peek() == "[":
            self.next()
            index = self.expression()
            self.next("]")
            return Element(token, index, at)
        if self.peek() == "(":
            self.next()
            return self.call(token, at)
        return Name(token, at)

    def call(self, function: str, at: int) -> Node:
        """Read the arguments of a call."""
        if function == "fold":
            return self.fold(at)
        if function == "pick":
            return self.pick(at)
        args = [self.expression()]
        while self.peek() == ",":
            self.next()
            args.append(self.expression())
        self.next(")")
        return Call(function, tuple(args), at)

    def fold(self, at: int) -> Node:
        """Read ``op, k < K, body)``."""
        op = self.next()
        self.next(",")
        variable = self.name()
        self.next("<")
        count = self.binary(1)
        self.next(",")
        body = self.expression()
        self.next(")")
        return Fold(op, variable, count, body, at)

    def pick(self, at: int) -> Node:
        """Read ``table, base, count, index)``."""
        table = self.name()
        parts: list[Node] = []
        for _ in range(3):
            self.next(",")
            parts.append(self.expression())
        self.next(")")
        return Pick(table, parts[0], parts[1], parts[2], at)


def _quoted(token: str) -> str:
    return f"'{token}'" if token else "the line ends"


def _tokens(text: str, start: int, stop: int) -> Iterator[tuple[str, int]]:
    end = start
    for m in _TOKEN.finditer(text, start, stop):
        if m.start() != end:
            break
        end = m.end()
        token = m.group(1)
        yield token, end - len(token)
    rest = text[end:stop]
    if rest.strip():
        raise Mistake(
            f"'{rest.strip()[0]}' is no part of the language", end + len(rest) - len(rest.lstrip())
        )


def parse_expression(text: str, start: int = 0, stop: int | None = None) -> Node:
    """Read exactly one expression; raise :class:`Mistake`."""
    parser = Parser(text, start, stop)
    node = parser.expression()
    parser.end()
    return node


@lru_cache(maxsize=8192)
def parse_text(text: str) -> Node:
    """Read an expression that is a text of its own."""
    return parse_expression(text)


def show_node(node: Node, rename: Callable[[str], str] = lambda name: name, level: int = -1) -> str:
    """Print an expression; ``rename`` gives the text of each name.

    ``parse_expression`` reads it back.
    """
    match node:
        case Number(value=v):
            return str(v)
        case Name(name=n):
            return rename(n)
        case Unary(op=op, arg=a):
            return f"{op}{show_node(a, rename, 9)}"
        case Binary(op=op, left=a, right=b):
            own = TIGHTNESS[op]
            text = f"{show_node(a, rename, own)} {op} {show_node(b, rename, own + 1)}"
            return f"({text})" if own < level else text
        case Choice(condition=c, yes=a, no=b):
            text = f"{show_node(c, rename, 0)} ? {show_node(a, rename)} : {show_node(b, rename)}"
            return f"({text})" if level >= 0 else text
        case Element(operand=o, index=i):
            return f"{o}[{show_node(i, rename)}]"
        case Call(function=f, args=args):
            return f"{f}({', '.join(show_node(a, rename) for a in args)})"
        case Fold(op=op, variable=k, count=n, body=f):
            text = show_node(f, lambda x: x if x == k else rename(x))
            return f"fold({op}, {k} < {show_node(n, rename, 1)}, {text})"
        case Pick(table=t, base=b, count=n, index=i):
            return (
                f"pick({t}, {show_node(b, rename)}, {show_node(n, rename)}, {show_node(i, rename)})"
            )
