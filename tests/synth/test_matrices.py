"""Affine maps of the bits of a byte are one instruction with a matrix that is solved for."""

from __future__ import annotations

import pytest

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir import build as b
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, const
from isel.model.machine import Machine
from isel.synth.edges.matrices import affine_map
from isel.synth.instructions.library import library_of
from isel.synth.lanes.analysis import analyse
from isel.synth.values.questions import Question
from semantics import target_named

X = formal(0, 8)
SPREAD = b.ashr(b.shl(X, const(5, 8)), const(7, 8))
ROTATED = b.bor(b.shl(X, const(3, 8)), b.lshr(X, const(5, 8)))
GREY = b.bnot(b.bxor(X, b.lshr(X, const(1, 8))))
MATRIX_INSTRUCTION = "vgf2p8affineqb_512"


def _by_matrix(matrix: int, offset: int, x: int) -> int:
    """Return what the instruction gives by its manual."""
    rows = [matrix >> 8 * (7 - k) & 0xFF for k in range(8)]
    return offset ^ sum(((row & x).bit_count() & 1) << k for k, row in enumerate(rows))


@pytest.mark.parametrize("term", [SPREAD, ROTATED, GREY, b.shl(X, const(1, 8))])
def test_the_matrix_gives_every_value(term: Expr) -> None:
    found = affine_map(term)
    assert found is not None
    for x in range(256):
        assert _by_matrix(*found, x) == evaluate_all([term], {X: x}, Integer())[term]


@pytest.mark.parametrize(
    "term", [b.add(X, const(3, 8)), b.mul(X, const(10, 8)), b.zext(X, 16), const(3, 8)]
)
def test_what_carries_is_no_affine_map(term: Expr) -> None:
    assert affine_map(term) is None


@pytest.mark.parametrize(("term", "offset"), [(SPREAD, 0), (GREY, 0xFF)])
def test_a_matrix_is_an_edge(term: Expr, offset: int) -> None:
    target = target_named("x86")
    features = target.features("sapphirerapids", "")
    library = library_of(
        Machine(target, "sapphirerapids", features, target.vector_bits(features, {}))
    )
    fn = library.function_of(MATRIX_INSTRUCTION, (("b", offset),))
    lane = canonical(term)[0]

    def edges(*disabled: str) -> set[object]:
        question = Question(lane, (), ((0, 0),), (), deep=False, disabled=disabled)
        return {e.fn for e in analyse(library, question).edges}

    assert fn is not None and fn in edges()
    assert fn not in edges("lookups")
    assert [f.immediates for f in library.forms(fn, 512)] == [(("b", offset),)]
