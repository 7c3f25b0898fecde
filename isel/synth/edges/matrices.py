"""Affine maps of a byte over GF(2) by the instruction that multiplies with a matrix of bits: the
matrix is solved for, not searched (DESIGN section 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes
from isel.ir.build import make
from isel.ir.expr import Expr, const, leaves, postorder, substitute, var
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
    for e in postorder([term]):
        if e.width != BYTE or e is term or e.is_const:
            continue
        affine = affine_map(substitute(term, {e: _INNER}, make))
        if affine is not None:
            matrix, offset = affine
            operands = {BYTE: e, WORD: const(matrix, WORD)}
            for f in filter(_multiplies, functions(frozenset({offset}))):
                yield f, tuple(operands[w] for w in f.widths)


def _multiplies(f: LaneFn) -> bool:
    """Tell whether a function may multiply a byte by a matrix."""
    return f.width == BYTE and sorted(f.widths) == [BYTE, WORD]


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
