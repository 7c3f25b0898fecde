"""Edges to what a term is as it stands: a function of more holes than are tried on samples, whose
term it is, with terms in the holes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from isel.ir.canon import formal
from isel.ir.expr import Expr
from isel.synth.values.lanefn import LaneFn

_COMMUTE: Final = frozenset({"add", "mul", "and", "or", "xor", "eq"})
_HOLES: Final = 3
Bound: TypeAlias = Mapping[Expr, Expr | None]


def shape_edges(fns: Sequence[LaneFn], term: Expr) -> Iterator[tuple[LaneFn, tuple[Expr, ...]]]:
    """Yield the functions of three holes that a term is, with its operands."""
    for fn in fns:
        if fn.arity == _HOLES and fn.width == term.width and fn.term.op == term.op:
            holes = [formal(k, w) for k, w in enumerate(fn.widths)]
            found = next(_matches(fn.term, term, dict.fromkeys(holes)), None)
            given = [found[h] for h in holes] if found is not None else []
            operands = tuple(x for x in given if x is not None)
            if len(operands) == _HOLES:
                yield fn, operands


def _matches(pattern: Expr, term: Expr, bound: Bound) -> Iterator[Bound]:
    if pattern in bound:
        if pattern.width == term.width and bound[pattern] in (None, term):
            yield {**bound, pattern: term}
    elif pattern is term:
        yield bound
    elif not pattern.is_const and _head(pattern) == _head(term):
        orders = [term.args, term.args[::-1]] if pattern.op in _COMMUTE else [term.args]
        for args in orders:
            yield from _all_match(pattern.args, args, bound)


def _head(e: Expr) -> tuple[object, ...]:
    return e.op, e.attr, e.width, len(e.args)


def _all_match(patterns: Sequence[Expr], terms: Sequence[Expr], bound: Bound) -> Iterator[Bound]:
    if not patterns:
        yield bound
        return
    for found in _matches(patterns[0], terms[0], bound):
        yield from _all_match(patterns[1:], terms[1:], found)
