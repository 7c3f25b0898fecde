"""Integer expressions of rules: widths, literals and conditions, written as Python writes them.

Names are widths and other integers of a rule, and literals (in capitals; their unsigned values,
signed as ``s(C)``).  ``lo(x)`` and ``hi(x)`` are bounds of a term read as signed, ``ulo(x)`` and
``uhi(x)`` as unsigned; ``lo(x + y)`` and the like are bounds of what the terms have as a sum,
difference or product without wrapping.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeAlias

from isel.ir.ops import natural

Tree: TypeAlias = "int | str | tuple[str, Tree] | tuple[str, Tree, Tree]"
FUNCTIONS: Final[Mapping[str, Callable[[int], int]]] = {
    "natural": natural,
    "log2": lambda value: max(value.bit_length() - 1, 0),
}
BOUNDS: Final = ("lo", "hi", "ulo", "uhi")
SIGNED: Final = "s"
COMPARISONS: Final = ("<", "<=", ">", ">=", "==", "!=")
MOST: Final = 512  # no exponent is larger
_TOKEN: Final = re.compile(r"\s*(\d+|[A-Za-z_]\w*|\*\*|//|<=|>=|==|!=|[-+*<>()])")


class Mistake(Exception):
    """What is wrong with an expression, and where in its text."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.what = what
        self.at = at


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """An integer expression, and where it stands in its file; ``uses`` are the names in it."""

    tree: Tree
    at: int
    uses: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "uses", frozenset(_names(self.tree)))

    @property
    def name(self) -> str | None:
        """The name that this is, if it is nothing else."""
        return self.tree if isinstance(self.tree, str) else None

    def value(self, numbers: Mapping[str, int]) -> int:
        """Return the value; raises :class:`KeyError` for what ``numbers`` lacks."""
        return evaluate(self.tree, numbers)


def _names(e: Tree) -> Iterator[str]:
    if isinstance(e, str):
        yield e
    elif isinstance(e, tuple):
        for x in e[1:]:
            yield from _names(x)


def calls(e: Tree) -> Iterator[tuple[str, str]]:
    """Yield (function, name) for every bound of a term and every signed literal."""
    if isinstance(e, tuple):
        if e[0] in (SIGNED, *BOUNDS):
            yield from ((e[0], name) for name in _names(e[1]))
        for x in e[1:]:
            yield from calls(x)


def replaced(e: Tree, names: Mapping[str, Tree]) -> Tree:
    """Return an expression with its names replaced."""
    if isinstance(e, str):
        return names.get(e, e)
    if isinstance(e, int):
        return e
    if len(e) == 2:
        return e[0], replaced(e[1], names)
    return e[0], replaced(e[1], names), replaced(e[2], names)


def evaluate(e: Tree, numbers: Mapping[str, int]) -> int:
    """Return the value of an expression (of a condition: 0 or 1).

    ``numbers`` gives names, ``s(C)`` for signed literals; raises :class:`KeyError` for others.
    """
    match e:
        case int():
            return e
        case str():
            return numbers[e]
        case ("neg", a):
            return -evaluate(a, numbers)
        case (name, a):
            if name in FUNCTIONS:
                return FUNCTIONS[name](evaluate(a, numbers))
            return numbers[f"{name}({a})"]
        case (op, a, b):
            return _OPERATIONS[op](evaluate(a, numbers), evaluate(b, numbers))


def power(exponent: int) -> int:
    """Return a power of two; one that no condition bounds is 0."""
    return 1 << exponent if 0 <= exponent < MOST else 0


_OPERATIONS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b if b else 0,
    "**": lambda a, b: power(b),
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "and": lambda a, b: int(bool(a and b)),
    "or": lambda a, b: int(bool(a or b)),
}


@cache
def read(text: str) -> Tree:
    """Read an expression; raises :class:`Mistake`."""
    reader = _Reader(text)
    found = reader.either()
    if reader.next:
        raise reader.mistake(f"'{reader.next}' in an integer expression")
    return found


def _is_range(e: Tree, *, arithmetic: bool) -> bool:
    """Tell whether ranges are known of an expression: a name, or arithmetic of names."""
    if isinstance(e, str):
        return True
    if not arithmetic or isinstance(e, int) or len(e) != 3 or e[0] not in ("+", "-", "*"):
        return False
    return all(_is_range(x, arithmetic=True) for x in e[1:])


class _Reader:
    """Reads an expression by the usual precedences; comparisons may be chained."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.end = self.at = 0
        self.next = ""
        self.advance()

    def mistake(self, what: str) -> Mistake:
        return Mistake(what if self.next else "an integer expression that ends", self.at)

    def advance(self) -> str:
        taken, m = self.next, _TOKEN.match(self.text, self.end)
        if m is None:
            rest = self.text[self.end :]
            self.at = self.end + len(rest) - len(rest.lstrip())
            self.next = rest.strip()[:1]
            if self.next:
                raise self.mistake(f"'{self.next}' in an integer expression")
        else:
            self.at, self.end, self.next = m.start(1), m.end(), m[1]
        return taken

    def chain(self, ops: Collection[str], part: Callable[[], Tree]) -> Tree:
        found = part()
        while self.next in ops:
            found = (self.advance(), found, part())
        return found

    def either(self) -> Tree:
        return self.chain(("or",), self.every)

    def every(self) -> Tree:
        return self.chain(("and",), self.compared)

    def compared(self) -> Tree:
        left = self.sum()
        found: Tree | None = None
        while self.next in COMPARISONS:
            op, right = self.advance(), self.sum()
            one: Tree = (op, left, right)
            found = one if found is None else ("and", found, one)
            left = right
        return left if found is None else found

    def sum(self) -> Tree:
        return self.chain(("+", "-"), self.product)

    def product(self) -> Tree:
        return self.chain(("*", "//"), self.factor)

    def factor(self) -> Tree:
        if self.next == "-":
            self.advance()
            return "neg", self.factor()
        base = self.atom()
        if self.next != "**":
            return base
        if base != 2:
            raise self.mistake("a power of something else than 2")
        return self.advance(), 2, self.factor()

    def atom(self) -> Tree:
        if self.next == "(":
            self.advance()
            return self.closed(self.either())
        if self.next.isdigit():
            return int(self.advance())
        if not self.next or not (self.next[0].isalpha() or self.next[0] == "_"):
            raise self.mistake(f"'{self.next}' in an integer expression")
        at, name = self.at, self.advance()
        if self.next != "(":
            return name
        if name not in (SIGNED, *BOUNDS, *FUNCTIONS):
            raise Mistake(f"unknown function '{name}'", at)
        self.advance()
        inner = self.either()
        if name not in FUNCTIONS and not _is_range(inner, arithmetic=name in ("lo", "hi")):
            raise Mistake(f"'{name}' of something else than a name", at)
        return name, self.closed(inner)

    def closed(self, e: Tree) -> Tree:
        if self.next != ")":
            raise self.mistake(f"'{self.next}', expected ')'")
        self.advance()
        return e
