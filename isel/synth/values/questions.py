"""What is asked of the edges of a lane class, and the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from isel.ir.expr import Expr
from isel.model.mechanisms import Disabled
from isel.synth.values.lanefn import LaneFn

Row: TypeAlias = dict[Expr, int]
Places: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """``fn(args)`` equals the class's value; operands are terms over the class's formals."""

    fn: LaneFn
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A term over ``x0, x1, …``, what is known of them, where their representatives lie, and values
    that samples must include.

    ``deep`` asks for edges whose operands are computed from other terms, not only for those over
    the term's own parts; ``others`` are terms of the same value, whose edges are asked for as well.
    Edges whose names are ``disabled`` are not looked for (:mod:`isel.model.mechanisms`).
    """

    term: Expr
    facts: tuple[Expr, ...]
    places: Places
    rows: tuple[tuple[int, ...], ...]
    deep: bool
    others: tuple[Expr, ...] = ()
    disabled: Disabled = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """Edges of the class; operands of dot products (``parts``); ways to make other operands
    (``made``), where nothing else is worth looking for if it is ``settled``; and the work done, in
    rows evaluated.
    """

    edges: tuple[Edge, ...]
    parts: tuple[Expr, ...]
    made: tuple[tuple[Expr, tuple[Edge, ...]], ...]
    steps: int
    settled: bool = False
