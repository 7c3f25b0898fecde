"""Terms of which one byte alone decides the value, and what they are for each value of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes
from isel.ir.build import make
from isel.ir.expr import Expr, leaves, nodes, substitute, var
from isel.ir.ops import Lanes, unsigned_dtype
from isel.ir.ranges import ranges_where
from isel.spec.known import Ints
from isel.synth.limits import (
    BYTE,
    FEW_KEPT,
    FEW_LEAVES,
    LEAST_LOOKUP,
    LEAST_TABLE,
    MOST_ANALYSED_NODES,
    MOST_INDICES,
    MOST_TABLE,
)

VALUES: Final = 1 << BYTE
_EVERY: Final = np.arange(VALUES, dtype=unsigned_dtype(BYTE))
_BYTE: Final = var("byte", BYTE)


@dataclass(frozen=True, slots=True, eq=False)
class Bytewise:
    """A term that ``byte`` decides, which takes the values ``domain``.

    ``entries`` are what the term is by value of the byte: a literal, or ``VALUES`` more than the
    number of one of the leaves ``table``.  ``inner`` are other bytes on the way, with their values.
    """

    byte: Expr
    domain: Ints
    entries: Ints
    table: tuple[Expr, ...]
    inner: tuple[tuple[Expr, Ints], ...]


@lru_cache(maxsize=FEW_KEPT)
def bytewise(term: Expr, facts: tuple[Expr, ...] = ()) -> Bytewise | None:
    """Return a term of a byte or a bit as a function of one byte: its only leaf, a byte computed of
    a few leaves, or the one that chooses among many leaves.  None for others, and little ones.
    """
    given = leaves(term)
    if len(given) >= LEAST_TABLE:
        index = _chooser(term, given)
        return None if index is None else _chosen(term, index, facts)
    if [x.width for x in given] == [BYTE]:
        return _computed(term, given[0], given[0], facts)
    if len(given) > FEW_LEAVES or len(nodes(term)) > MOST_ANALYSED_NODES:
        return None
    for e in nodes(term):
        if e.width == BYTE and e.args and e is not term and set(leaves(e)) == set(given):
            rest = substitute(term, {e: _BYTE}, make)
            if leaves(rest) == (_BYTE,):
                return _computed(rest, _BYTE, e, facts)
    return None


def _computed(term: Expr, x: Expr, byte: Expr, facts: tuple[Expr, ...]) -> Bytewise | None:
    """Return a term over ``x``, which stands for a byte."""
    if sum(1 for e in nodes(term) if e.args) < LEAST_LOOKUP:
        return None
    values = evaluate_all([term], {x: _EVERY}, NumpyLanes())
    found: dict[bytes, tuple[Expr, Ints]] = {}
    for e in nodes(term):
        if e.width == BYTE and e.args and e is not term and np.ndim(values[e]):
            row = _row(values[e])
            inside = e if x is byte else substitute(e, {x: byte}, make)
            found.setdefault(row.tobytes(), (inside, row))
    inner = tuple(found.values())[:MOST_INDICES]
    return Bytewise(byte, _domain(byte, facts), _row(values[term]), (), inner)


def _chooser(term: Expr, given: Sequence[Expr]) -> Expr | None:
    """Return the only byte that the conditions of a tree of choices among leaves look at."""
    if term.op != "ite" or len(given) > MOST_TABLE or any(x.width != BYTE for x in given):
        return None
    conditions: dict[Expr, None] = {}
    for e in nodes(term):
        if e.op == "ite":
            conditions.update(dict.fromkeys(leaves(e.args[0])))
            if any(a.args and (a.op != "ite" or a.width != BYTE) for a in e.args[1:]):
                return None
    return next(iter(conditions)) if len(conditions) == 1 else None


def _chosen(term: Expr, index: Expr, facts: tuple[Expr, ...]) -> Bytewise | None:
    """Return a choice among leaves, told apart by their values in two runs."""
    table = tuple(x for x in leaves(term) if x is not index)
    runs: list[Ints] = []
    for mask in (0, VALUES - 1):
        given = {x: _EVERY[k : k + 1] ^ _EVERY.dtype.type(mask) for k, x in enumerate(table)}
        runs.append(_row(evaluate_all([term], {**given, index: _EVERY}, NumpyLanes())[term]))
    one, other = runs
    taken = one + other == VALUES - 1
    if not bool((taken | (one == other)).all()) or bool((one[taken] >= len(table)).any()):
        return None
    every = [e for e in nodes(term) if e.width == BYTE and e.args and leaves(e) == (index,)]
    values = evaluate_all(every, {index: _EVERY}, NumpyLanes())
    inner = tuple((e, _row(values[e])) for e in every[:MOST_INDICES])
    return Bytewise(index, _domain(index, facts), np.where(taken, one + VALUES, one), table, inner)


def _row(values: Lanes) -> Ints:
    return np.broadcast_to(values, (VALUES,)).astype(np.int64)


def _domain(byte: Expr, facts: tuple[Expr, ...]) -> Ints:
    """Return the values that a byte takes where the facts about it alone hold."""
    low, high = ranges_where(facts).of(byte).unsigned
    every = np.arange(low, high + 1, dtype=np.int64)
    own = [f for f in facts if leaves(f) == (byte,)]
    values = evaluate_all(own, {byte: _EVERY[low : high + 1]}, NumpyLanes()) if own else {}
    kept = every[np.all([values[f] != 0 for f in own], axis=0)] if own else every
    return kept if len(kept) else every
