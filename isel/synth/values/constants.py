"""Constants and immediates worth trying for a term: its own, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Final

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir.expr import Expr, leaves, nodes
from isel.ir.ops import natural, signed

SHIFTS: Final = ("shl", "lshr", "ashr")
_SMALL: Final = 64  # literals below which are immediates to try
_BYTE: Final = 8  # bits; entries of a truth table of three
_COLUMNS: Final = (0xF0, 0xCC, 0xAA)  # of a truth table of three


def constants_of(term: Expr) -> tuple[tuple[int, ...], frozenset[int]]:
    """Return signed constants worth trying and immediates worth trying, derived from a term's
    own.
    """
    found: dict[int, None] = {0: None, 1: None, -1: None}
    amounts = {1, natural(term.width) // 2, *tables_of(term)}
    for e in nodes(term):
        found.update(dict.fromkeys(_literals(e)))
        amounts.update(_amounts(e))
    if term.width == _BYTE:  # what an affine map adds
        amounts.add(evaluate_all([term], dict.fromkeys(leaves(term), 0), Integer())[term])
    return tuple(found), frozenset(k for k in amounts if k >= 0)


def _literals(e: Expr) -> Iterator[int]:
    """Yield a literal, and the factor that a shift is."""
    if e.is_const and e.width > 1:
        yield signed(e.value, e.width)
    elif is_shift(e):
        yield 1 << e.args[1].value


def _amounts(e: Expr) -> Iterator[int]:
    """Yield what a literal shifts by, as itself or as a factor, and where shifts and slices cut."""
    if e.is_const and e.width > 1:
        yield from (e.value,) if e.value < _SMALL else ()
        yield from (e.value.bit_length() - 1,) if e.value.bit_count() == 1 else ()
    elif is_shift(e):
        yield from (e.args[1].value, natural(e.width) - e.args[1].value)
    elif e.op == "extract":
        yield from (e.int_attr(0), e.args[0].width - e.width - e.int_attr(0))


def is_shift(e: Expr) -> bool:
    """Tell whether a term is a shift by a literal."""
    return e.op in SHIFTS and e.args[1].is_const and e.args[1].value < e.width


def tables_of(term: Expr) -> frozenset[int]:
    """Return the truth tables, in eight bits, of a bitwise function of two or three leaves, for
    every order of these; none for other terms.
    """
    given, width = leaves(term), term.width
    if width < _BYTE or not 2 <= len(given) <= len(_COLUMNS):
        return frozenset()
    every = (e for e in nodes(term) if e.args)
    if any(e.op not in ("and", "or", "xor", "not") or e.width != width for e in every):
        return frozenset()
    found = set()
    for columns in permutations(_COLUMNS, len(given)):
        values = {x: c & ((1 << width) - 1) for x, c in zip(given, columns, strict=True)}
        bits = evaluate_all([term], values, Integer())[term]
        found.add(bits & 0xFF)
    return frozenset(found)
