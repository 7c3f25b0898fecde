"""Affine maps of a byte over GF(2) by the instruction that multiplies with a matrix of bits: the
matrix is solved for, not searched (DESIGN section 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import chain
from typing import Final

import numpy as np

from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes
from isel.ir.build import concat, make
from isel.ir.expr import Expr, const, leaves, nodes, substitute, var
from isel.ir.ops import unsigned_dtype
from isel.synth.limits import BYTE, WORD
from isel.synth.values.lanefn import LaneFn

_INNER: Final = var("inner", BYTE)


def matrix_edges(
    functions: Callable[[frozenset[int]], Sequence[LaneFn]], term: Expr
) -> Iterator[tuple[LaneFn, tuple[Expr, ...]]]:
    """Yield functions of a byte and a matrix that may give a byte, with the values that it is an
    affine map of, and the matrices.

    ``functions`` are those of the machine with some immediates.  The caller checks them on samples.
    """
    if term.width != BYTE or not any(map(_multiplies, functions(frozenset({0})))):
        return
    for e, matrix, offset in chain(_products(term), _inner_maps(term)):
        for f in filter(_multiplies, functions(frozenset({offset}))):
            yield f, tuple({BYTE: e, WORD: matrix}[w] for w in f.widths)


def _inner_maps(term: Expr) -> Iterator[tuple[Expr, Expr, int]]:
    """Yield bytes that the term is an affine map of, with matrix and literal."""
    for e in nodes(term):
        if e.width == BYTE and e is not term and not e.is_const:
            found = affine_map(substitute(term, {e: _INNER}, make))
            if found is not None:
                yield e, const(found[0], WORD), found[1]


def _multiplies(f: LaneFn) -> bool:
    """Tell whether a function may multiply a byte by a matrix."""
    return f.width == BYTE and sorted(f.widths) == [BYTE, WORD]


def _products(term: Expr) -> Iterator[tuple[Expr, Expr, int]]:
    """Yield a byte, a matrix whose bytes are leaves, and a literal, whose product and sum the term
    may be.
    """
    given = leaves(term)
    for x in given if [e.width for e in given] == [BYTE] * (BYTE + 1) else ():
        rows = [e for e in given if e is not x]
        one = np.eye(BYTE + 1, BYTE, dtype=unsigned_dtype(BYTE))  # a byte a row, and none
        values = {x: np.ones_like(one[:, 0]), **{e: one[:, k] for k, e in enumerate(rows)}}
        found = evaluate_all([term], values, NumpyLanes())[term]
        bits = dict(zip((found[:-1] ^ found[-1]).tolist(), rows, strict=True))
        if set(bits) == {1 << k for k in range(BYTE)}:
            yield x, reduce(concat, (bits[1 << k] for k in range(BYTE))), int(found[-1])


def affine_map(term: Expr) -> tuple[int, int] | None:
    """Return the matrix of an affine map of one byte to a byte and what it adds, None for another
    term.

    Byte 7 - k of the matrix are the bits that result bit k is the parity of, as
    ``gf2p8affineqb`` has them (Intel, Galois Field New Instructions Technology Guide).
    """
    given = leaves(term)
    if term.width != BYTE or [x.width for x in given] != [BYTE]:
        return None
    every = np.arange(1 << BYTE, dtype=unsigned_dtype(BYTE))
    values = evaluate_all([term], {given[0]: every}, NumpyLanes())[term]
    columns = [values[1 << k] ^ values[0] for k in range(BYTE)]
    linear = [np.where(every >> k & 1, column, 0) for k, column in enumerate(columns)]
    if (np.bitwise_xor.reduce([*linear, np.full_like(every, values[0])]) != values).any():
        return None
    rows = (sum((int(c) >> k & 1) << j for j, c in enumerate(columns)) for k in range(BYTE))
    matrix = sum(row << BYTE * (BYTE - 1 - k) for k, row in enumerate(rows))
    return matrix, int(values[0])
