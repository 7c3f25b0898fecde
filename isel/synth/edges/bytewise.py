"""Terms of which one byte alone decides the value, and what they are for each value of it."""

from __future__ import annotations

from collections.abc import Mapping
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
from isel.synth import limits
from isel.synth.limits import BYTE

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


@lru_cache(maxsize=limits.FEW_KEPT)
def bytewise(term: Expr, facts: tuple[Expr, ...] = ()) -> Bytewise | None:
    """Return a term of a byte or a bit as a function of one byte: its only leaf, a byte computed of
    a few leaves, or the one that chooses among many leaves.  None for others, and little ones.
    """
    found = _deciding(term)
    return None if found is None else _function(*found, facts)


def _deciding(term: Expr) -> tuple[Expr, Expr, Expr] | None:
    """Return a term, the leaf of it that decides, and the byte which that stands for."""
    given = leaves(term)
    if {x.width for x in given} == {BYTE}:
        if len(given) >= limits.LEAST_TABLE:
            few = len(given) <= limits.MOST_TABLE
            given = leaves(*(e.args[0] for e in nodes(term) if few and e.op == "ite"))
        if len(given) == 1:
            return term, given[0], given[0]
    few = len(given) <= limits.FEW_LEAVES and len(nodes(term)) <= limits.MOST_ANALYSED_NODES
    return _computed_byte(term) if few else None


def _computed_byte(term: Expr) -> tuple[Expr, Expr, Expr] | None:
    """Return a byte through which all leaves reach a term, with another leaf in its place."""
    given = set(leaves(term))
    whole = (e for e in nodes(term)[:-1] if e.args and e.width == BYTE and {*leaves(e)} == given)
    parts = ((substitute(term, {e: _BYTE}, make), _BYTE, e) for e in whole)
    return next((x for x in parts if leaves(x[0]) == (_BYTE,)), None)


def _function(term: Expr, x: Expr, byte: Expr, facts: tuple[Expr, ...]) -> Bytewise | None:
    """Return a term that ``x``, which stands for a byte, decides: leaves that it chooses among are
    told apart by their values in two runs.
    """
    if sum(1 for e in nodes(term) if e.args) < limits.LEAST_LOOKUP:
        return None
    table = tuple(e for e in leaves(term) if e is not x)
    given = {e: _EVERY[k : k + 1] for k, e in enumerate(table)}
    values = evaluate_all([term], {x: _EVERY, **given}, NumpyLanes())
    entries = _row(values[term])
    if table:
        given = {e: ~row for e, row in given.items()}
        other = _row(evaluate_all([term], {x: _EVERY, **given}, NumpyLanes())[term])
        taken = (entries + other == VALUES - 1) & (entries < len(table))
        if not (taken | (entries == other)).all():
            return None
        entries = np.where(taken, entries + VALUES, entries)
    inner = _inner(term, x, byte, values)
    return Bytewise(byte, _domain(byte, facts), entries, table, inner)


def _inner(
    term: Expr, x: Expr, byte: Expr, values: Mapping[Expr, Lanes]
) -> tuple[tuple[Expr, Ints], ...]:
    """Return distinct bytes on the way from ``x`` to a term, over the byte that it stands for."""
    found: dict[bytes, tuple[Expr, Ints]] = {}
    for e in nodes(term):
        if e.width == BYTE and e.args and e is not term and leaves(e) == (x,):
            row = _row(values[e])
            found.setdefault(row.tobytes(), (substitute(e, {x: byte}, make), row))
    return tuple(found.values())[: limits.MOST_INDICES]


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
