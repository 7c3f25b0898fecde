"""Constants and immediates worth trying for a term: its own, and what follows from them."""

from __future__ import annotations

from itertools import permutations
from typing import Final

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir.expr import Expr, leaves, nodes
from isel.ir.ops import natural

_BYTE: Final = 8  # bits; entries of a truth table of three
_COLUMNS: Final = (0xF0, 0xCC, 0xAA)  # of a truth table of three


def constants_of(term: Expr) -> tuple[tuple[int, ...], frozenset[int]]:
    """Return signed constants worth trying and immediates worth trying, derived from a term's
    own.
    """
    found: dict[int, None] = {0: None, 1: None, -1: None}
    amounts: set[int] = {1}
    for e in nodes(term):
        if e.is_const and e.width > 1:
            v = e.value
            found[v if v < 1 << (e.width - 1) else v - (1 << e.width)] = None
            if v and v & (v - 1) == 0:
                amounts.add(v.bit_length() - 1)
            if v < 64:
                amounts.add(v)
        if e.op in ("shl", "lshr", "ashr") and e.args[1].is_const and e.args[1].value < e.width:
            k = e.args[1].value
            amounts |= {k, natural(e.width) - k}
            found[1 << k] = None
        if e.op == "extract":
            low, source = e.int_attr(0), e.args[0].width
            amounts |= {low, source - e.width - low}
    amounts |= {natural(term.width) // 2} | tables_of(term)
    if term.width == _BYTE:  # what an affine map adds
        amounts.add(evaluate_all([term], dict.fromkeys(leaves(term), 0), Integer())[term])
    return tuple(found), frozenset(k for k in amounts if k >= 0)


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
