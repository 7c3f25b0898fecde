"""Edges to what a term is as it stands."""

from __future__ import annotations

import pytest

from isel.ir.canon import canonical
from isel.ir.expr import show
from isel.ir.text import parse
from isel.synth.edges.shapes import shape_edges
from isel.synth.values.lanefn import lane_fn

MIXED = "(or (and x:8 y:8) z:8)"
SCALED = "(xor (sext 16 x:8) (zext 16 y:8))"


@pytest.mark.parametrize(
    ("function", "term", "operands"),
    [
        (MIXED, "(or c:8 (and (not a:8) b:8))", ["(not a:8)", "b:8", "c:8"]),
        (MIXED, "(or (or a:8 b:8) c:8)", None),
        (MIXED, "(and (and a:8 b:8) c:8)", None),
        (SCALED, "(xor (sext 16 a:8) 77:16)", ["a:8", "77:8"]),
        (SCALED, "(xor (sext 16 a:8) 777:16)", None),
        (SCALED, "(xor (sext 16 a:8) (zext 16 b:8))", None),
    ],
)
def test_functions_that_a_term_is(function: str, term: str, operands: list[str] | None) -> None:
    fn = lane_fn(canonical(parse(function))[0])
    found = [sorted(map(show, args)) for _, args in shape_edges([fn], parse(term))]
    assert found == ([] if operands is None else [sorted(operands)])


def test_sums_of_products_are_left_to_their_linear_form() -> None:
    fn = lane_fn(canonical(parse("(add (mul x:8 y:8) z:8)"))[0])
    assert not list(shape_edges([fn], parse("(add (mul a:8 b:8) c:8)")))
