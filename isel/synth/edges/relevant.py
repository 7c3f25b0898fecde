"""Which lane functions are worth trying for a term, by their operators and widths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from isel.ir.build import sext, zext
from isel.ir.expr import Expr, nodes
from isel.ir.ops import natural
from isel.synth.values.lanefn import LaneFn, is_wide, varies

_MOST_PLAIN: Final = 64  # bits that numpy has a type for
_RARE: Final = frozenset({"mul", "concat", "variable", "wide"})
_POLYNOMIAL: Final = frozenset({"add", "sub", "mul", "neg", "shl", "zext", "sext"})


def is_polynomial(term: Expr) -> bool:
    """Tell whether a term is a sum of products of extended parts."""
    return all(e.op in _POLYNOMIAL for e in nodes(term) if e.args)


def _multiplies_words(term: Expr) -> bool:
    """Tell whether there is a product of 64 bits: instructions that double it need a bit more."""
    return any(e.op == "mul" and e.width == _MOST_PLAIN for e in nodes(term))


def relevant(fns: Sequence[LaneFn], term: Expr) -> list[LaneFn]:
    """Screen functions by operators: sums of products need no logic, comparisons or right
    shifts, and products only multiply.
    """
    widths, rare = {e.width for e in nodes(term)} | {8, 16}, _rare(term)
    chosen = [
        f
        for f in fns
        if f.arity <= 3
        and not f.kinds & rare
        and f.all_widths <= widths
        and f.width >= min(term.width, 2)
    ]
    return [f for f in chosen if f.ops <= _POLYNOMIAL] if is_polynomial(term) else chosen


def _rare(term: Expr) -> frozenset[str]:
    """Return the rare kinds of operators that a term has no use for."""
    used = {e.op for e in nodes(term) if e.args}
    if {"shl", "lshr"} <= used:
        used.add("concat")
    if varies(term):
        used.add("variable")
    if is_wide(term) or _multiplies_words(term):
        used.add("wide")
    return _RARE - used


def native_terms(e: Expr) -> tuple[Expr, ...]:
    """Return a term, or its extensions to the next width that instructions have."""
    w = e.width
    if w == 1 or (w == natural(w) and w <= 64):
        return (e,)
    if w > 64:
        return ()
    return (zext(e, natural(w)), sext(e, natural(w)))
