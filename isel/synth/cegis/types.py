"""What CEGIS is asked and what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from isel.ir.canon import instantiate
from isel.ir.expr import Expr, leaves
from isel.ir.ops import WidthError

MEMBER: Final = "member"  # the leaf of a component whose value says which of its members is meant


@dataclass(frozen=True)
class Component:
    """One operation a program may use: a canonical lane function over ``x0, x1, …`` and its cost.

    The cost is in the unit of the caller; only its order matters here.  ``class_name`` is the
    equivalence class of the instruction, or empty where the target knows none.  ``members`` are
    operations of one form that differ in literals, such as shifts by immediates: their function has
    one leaf more, the number of the member, which is an unknown of the search.
    """

    name: str
    fn: Expr
    cost: int
    class_name: str = ""
    members: tuple[Component, ...] = ()

    @cached_property
    def formals(self) -> tuple[Expr, ...]:
        """The holes ``x0, x1, …`` in order."""
        holes = [e for e in leaves(self.fn) if e.source != MEMBER]
        return tuple(sorted(holes, key=lambda e: int(e.source[1:])))

    @cached_property
    def member(self) -> Expr | None:
        """The leaf that chooses among the members."""
        return next((e for e in leaves(self.fn) if e.source == MEMBER), None)

    @property
    def first(self) -> Expr:
        """The function, of the first member where there are several."""
        return self.members[0].fn if self.members else self.fn

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """The widths of the holes."""
        return tuple(e.width for e in self.formals)

    @property
    def width(self) -> int:
        """The width of the result."""
        return self.fn.width


@dataclass(frozen=True, slots=True)
class Grammar:
    """The programs that are searched: at most ``depth`` components over the lane's leaves and
    ``constants``.
    """

    name: str
    components: tuple[Component, ...]
    constants: tuple[Expr, ...]
    depth: int

    @property
    def by_name(self) -> dict[str, Component]:
        """The components, those with members by these."""
        return {m.name: m for c in self.components for m in c.members or (c,)}


@dataclass(frozen=True, slots=True)
class Task:
    """One grammar of one lane; terms travel as text (``premise`` is the one-bit literal 1 where
    there is none).
    """

    lane: Expr
    premise: Expr
    grammar: Grammar
    effort: int
    scaled: bool
    lanes: int = 1
    thorough: bool = True


@dataclass(frozen=True, slots=True)
class Found:
    """A program equal to the lane wherever the premise holds, proved by a solver.

    Operand ``k`` of a step means ``inputs[k]`` (the lane's leaves in order of first use, then the
    grammar's constants) below ``len(inputs)``, else the value of step ``k - len(inputs)``.
    ``values[i]`` is what step i computes, over the lane's leaves; the last is the lane.
    ``optimal`` tells that every smaller depth was shown to have no program in this grammar.
    ``others`` are programs of the same size that were met on the way and cost more: what ports make
    of prices only a whole block shows.
    """

    grammar: str
    inputs: tuple[Expr, ...]
    steps: tuple[tuple[str, tuple[int, ...]], ...]
    values: tuple[Expr, ...]
    cost: int
    optimal: bool
    effort: int
    others: tuple[Found, ...] = ()

    @property
    def depth(self) -> int:
        """The number of components."""
        return len(self.steps)

    def operand(self, k: int) -> Expr:
        """Return the term that operand number ``k`` stands for."""
        n = len(self.inputs)
        return self.inputs[k] if k < n else self.values[k - n]


@dataclass(frozen=True, slots=True)
class Exhausted:
    """No program of at most ``depth`` components of the grammar equals the lane: every size was
    unsatisfiable.
    """

    grammar: str
    depth: int
    effort: int


@dataclass(frozen=True, slots=True)
class OutOfSteps:
    """The effort ran out while looking at programs of ``depth`` components; nothing is known at
    that size.
    """

    grammar: str
    depth: int
    effort: int
    reason: str


def replay(
    inputs: Sequence[Expr], steps: Iterable[tuple[Component, Sequence[int]]]
) -> tuple[Expr, ...]:
    """Return what each step computes of inputs and earlier steps; raise ``WidthError`` where an
    operand has another width than its hole.
    """
    known = list(inputs)
    for c, operands in steps:
        args = [known[n] for n in operands]
        if [e.width for e in args] != list(c.widths):
            raise WidthError(f"operands of {c.name}")
        known.append(instantiate(c.fn, dict(zip(c.formals, args, strict=True))))
    return tuple(known[len(inputs) :])


Outcome: TypeAlias = Found | Exhausted | OutOfSteps
