"""What may help a proof and is not believed, but looked at: above all a proof of an equality by
steps, which a graph of equal terms hands over and a checker replays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from isel.ir.domain import Range
from isel.ir.expr import Expr
from isel.ir.ops import Attr

Kids: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """An operation of nodes, by their numbers; ``sum`` has a constant and a factor for each."""

    op: str
    attr: Attr
    kids: Kids
    width: int


@dataclass(frozen=True, slots=True)
class Bounded:
    """A node is within a range: by its operation and what was said of its operands before, or by a
    fact.
    """

    node: int
    range: Range
    fact: bool = False


@dataclass(frozen=True, slots=True)
class Equal:
    """Two nodes are equal: by a rule at sizes of terms, or by what ``rule`` names otherwise: sums
    of sums (``sum``), low parts of sums (``low``), a range of one value (``value``).
    """

    left: int
    right: int
    rule: str
    sizes: tuple[int, ...]
    terms: Kids


@dataclass(frozen=True, slots=True)
class Steps:
    """The nodes, operands before their users, and steps in the order in which they are true, after
    which ``left`` is ``right``.
    """

    nodes: tuple[Node, ...]
    steps: tuple[Bounded | Equal, ...]
    left: int
    right: int


# Finds steps by which two terms are equal where leaves are in ranges, in so many steps of its own.
Finder: TypeAlias = Callable[[Expr, Expr, dict[Expr, Range], int], Steps | None]
# Finds an assignment under which a one-bit term is 1.
Near: TypeAlias = Callable[[Expr], dict[Expr, int] | None]
# Adds what choices have to be, so that the first term is the second one, to others.
Solve: TypeAlias = Callable[
    [Expr, Expr, frozenset[Expr], Mapping[Expr, Expr], dict[Expr, Expr]], None
]


@dataclass(frozen=True, slots=True)
class Hints:
    """Who says something: steps, which are replayed; assignments, under which a term is evaluated;
    and choices, with which it is proved.
    """

    steps: Finder | None = None
    near: Near = lambda _: None
    solve: Solve = lambda *_: None


SILENT = Hints()
