"""Nodes that the languages of vendors' texts share: ``E`` are the expressions of one of them, and
``at`` is a place in its text, which makes no difference between nodes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

E = TypeVar("E")


class TextMistake(Exception):
    """What of a text cannot be read or executed, and where it stands."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what, at)
        self.what, self.at = what, at


@dataclass(frozen=True, slots=True)
class Num:
    """A number."""

    value: int
    at: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Var:
    """A variable, a parameter, or a named constant."""

    name: str
    at: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Unary(Generic[E]):
    """An operator before its operand."""

    op: str
    arg: E
    at: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Binary(Generic[E]):
    """An operator between two operands."""

    op: str
    left: E
    right: E
    at: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Conditional(Generic[E]):
    """One of two values by a test."""

    test: E
    yes: E
    no: E
    at: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Apply(Generic[E]):
    """A function applied to arguments."""

    name: str
    args: tuple[E, ...]
    at: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Assign(Generic[E]):
    """An assignment."""

    target: E
    value: E
    at: int


@dataclass(frozen=True, slots=True)
class Return(Generic[E]):
    """The value of a function."""

    value: E
    at: int


def difference(high: E, low: E) -> list[tuple[E, int]]:
    """Return the terms of ``high - low`` with their signs, without those that cancel."""
    left: list[tuple[E, int]] = []
    for e, sign in (*_terms(high, 1), *_terms(low, -1)):
        if (e, -sign) in left:
            left.remove((e, -sign))
        else:
            left.append((e, sign))
    return left


def _terms(e: E, sign: int) -> list[tuple[E, int]]:
    if isinstance(e, Binary) and e.op in ("+", "-"):
        return _terms(e.left, sign) + _terms(e.right, sign if e.op == "+" else -sign)
    return [(e, sign)]
