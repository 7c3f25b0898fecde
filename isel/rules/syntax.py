"""What a rule is: patterns of terms whose widths, attributes and literals are expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import TypeAlias

from isel.rules.number import Number


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """Any term of a width, or any literal (``literal``), whose name is in capitals."""

    name: str
    width: Number | None
    literal: bool
    at: int

    @property
    def is_hole(self) -> bool:
        """Tell whether this is where an operand goes in the expansion of an operation."""
        return self.name[0] == "%"


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """The literal of a computed value."""

    number: Number
    width: Number
    at: int


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    """A primitive, its attributes before its operands; left of ``<=>`` the operation defined."""

    op: str
    attributes: tuple[Number, ...]
    args: tuple[Pattern, ...]
    at: int


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """``body`` for each value of ``index``, which counts up from 0.

    In it ``total`` is the value before, at first ``start``.
    """

    total: str
    start: Pattern
    index: str
    count: Number
    body: Pattern
    at: int


@dataclass(frozen=True, slots=True, eq=False)
class Swappable:
    """A derived operation whose two operands may be swapped: its expansion over two holes."""

    body: Pattern
    holes: tuple[Leaf, Leaf]
    args: tuple[Pattern, Pattern]
    at: int


Sizes: TypeAlias = tuple[int, ...]  # widths of a rule, in the order of their names
Pattern: TypeAlias = Leaf | Value | Apply | Fold | Swappable


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """A question about terms to whoever applies the rule; the rule is true without it."""

    name: str
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, eq=False)
class Rule:
    """``left`` equals ``right`` where conditions hold; used within limits, if guards agree.

    A definition has an operation of its own on its left; a rule that ``turns`` is used from right
    to left as well; ``commutes`` says that its two operands may be swapped.  ``text`` is what the
    rule says, with the definitions that it uses, ``at`` where it begins in its file.
    """

    name: str
    left: Pattern
    right: Pattern
    conditions: tuple[Number, ...]
    limits: tuple[Number, ...]
    guards: tuple[Guard, ...]
    defines: bool
    turns: bool
    commutes: bool
    file: str
    source: str
    at: int
    text: str

    @property
    def is_learned(self) -> bool:
        """Tell whether a rule was learned, and is used only where its book's list has it."""
        return PurePath(self.file).parent.name == "learned"

    @cached_property
    def sizes(self) -> tuple[str, ...]:
        """The names of widths and attributes that the left side binds, as first used."""
        found = (n.name for n in numbers(self.left))
        return tuple(dict.fromkeys(x for x in found if x is not None and x not in self.literals))

    @cached_property
    def literals(self) -> tuple[str, ...]:
        """The names of literals, in the order of their first use."""
        return tuple(dict.fromkeys(x.name for x in leaves(self.left) if x.literal))

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The names of terms that are no literals, in the order of their first use."""
        return tuple(dict.fromkeys(x.name for x in leaves(self.left) if not x.literal))

    def width_of(self, name: str) -> Number:
        """Return the width of a term or literal."""
        return next(x.width for x in leaves(self.left) if x.name == name and x.width is not None)

    def is_static(self, number: Number) -> bool:
        """Tell whether an expression depends on widths and attributes alone."""
        return not number.uses & {*self.literals, *self.terms}


@dataclass(frozen=True, slots=True)
class Book:
    """The rules of a file in their order, and all definitions at hand by their operations."""

    rules: tuple[Rule, ...]
    definitions: Mapping[str, Rule]


def children(p: Pattern) -> tuple[Pattern, ...]:
    """Return the patterns inside of one."""
    match p:
        case Apply():
            return p.args
        case Swappable():
            return (p.body, *p.args)
        case Fold():
            return p.start, p.body
    return ()


def patterns(root: Pattern) -> Iterator[Pattern]:
    """Yield a pattern and all inside of it once, from the left."""
    seen: set[int] = set()
    stack = [root]
    while stack:
        p = stack.pop()
        if id(p) not in seen:
            seen.add(id(p))
            yield p
            stack.extend(reversed(children(p)))


def leaves(root: Pattern) -> Iterator[Leaf]:
    """Yield the leaves of a pattern, from the left; holes and running totals are none."""
    every = list(patterns(root))
    inner = {p.total for p in every if isinstance(p, Fold)}
    yield from (p for p in every if isinstance(p, Leaf) and p.name not in inner and not p.is_hole)


def numbers(root: Pattern) -> Iterator[Number]:
    """Yield widths, attributes and values of literals of a pattern, from the left."""
    for p in patterns(root):
        match p:
            case Leaf() if p.width is not None and not p.is_hole:
                yield p.width
            case Value():
                yield from (p.number, p.width)
            case Apply():
                yield from p.attributes
            case Fold():
                yield p.count
