"""Edges to what a term is as it stands: a function of more holes than are tried on samples, whose
term it is, with terms in the holes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from isel.ir.build import make, trunc
from isel.ir.canon import formal
from isel.ir.expr import Expr, nodes
from isel.synth.values.lanefn import LaneFn

_COMMUTE: Final = frozenset({"add", "mul", "and", "or", "xor", "eq"})
_SUMS: Final = frozenset({"add", "sub"})
_HOLES: Final = (2, 3)
Bound: TypeAlias = Mapping[Expr, Expr | None]


def shape_edges(fns: Sequence[LaneFn], term: Expr) -> Iterator[tuple[LaneFn, tuple[Expr, ...]]]:
    """Yield the functions of three holes that a term is, with its operands, and those of two of
    which one is a literal.  Sums of products are left to their linear form.
    """
    if term.op in _SUMS and any(e.op == "mul" for e in nodes(term)):
        return
    for fn in fns:
        if fn.arity in _HOLES and fn.width == term.width and fn.term.op == term.op:
            operands = _operands(fn, term)
            if operands:
                yield fn, operands


def _operands(fn: LaneFn, term: Expr) -> tuple[Expr, ...]:
    """Return what fills the holes of a function that a term is, none where it is not."""
    holes = [formal(k, w) for k, w in enumerate(fn.widths)]
    found = next(_matches(fn.term, term, dict.fromkeys(holes)), {})
    given = tuple(x for h in holes if (x := found.get(h)) is not None)
    two = fn.arity == min(_HOLES)
    whole = len(given) == fn.arity and (not two or any(x.is_const for x in given))
    return given if whole else ()


def _matches(pattern: Expr, term: Expr, bound: Bound) -> Iterator[Bound]:
    if pattern in bound:
        if pattern.width == term.width and bound[pattern] in (None, term):
            yield {**bound, pattern: term}
    elif pattern.is_const:
        if pattern is term:
            yield bound
    elif term.is_const and pattern.op in ("sext", "zext"):
        low = trunc(term, pattern.args[0].width)
        if make(pattern.op, (low,), pattern.attr) is term:
            yield from _matches(pattern.args[0], low, bound)
    elif _head(pattern) == _head(term):
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
