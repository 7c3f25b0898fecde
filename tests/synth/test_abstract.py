"""Lanes that differ in literals only."""

from __future__ import annotations

from isel.ir.build import add, extract, mul, zext
from isel.ir.canon import formal, rename
from isel.ir.expr import Expr, const, elem, term
from isel.model.machine import Machine
from isel.synth.instructions.library import library_of
from isel.synth.lanes.graph import LaneGraph
from isel.synth.layout.elements import Elements
from isel.synth.values.abstract import abstracted
from tests.synth.toy import ToyTarget


def _lane(i: int, k: int) -> Expr:
    return extract(add(mul(zext(elem("a", 8 * i, 8), 16), const(k, 16)), const(100, 16)), 0, 8)


def test_a_literal_that_varies_becomes_a_hole_and_one_that_does_not_stays() -> None:
    lanes = [_lane(i, k) for i, k in enumerate((3, 5, 7, 9, 11))]
    found = abstracted(lanes)
    assert found is not None
    for lane, values in zip(lanes, found.holes, strict=True):
        assert rename(found.term, {formal(k, v.width): v for k, v in enumerate(values)}) is lane
        assert [v.is_const for v in values] == [False, True]


def test_equal_columns_are_one_hole() -> None:
    lanes = [
        add(mul(elem("a", 16 * i, 16), const(k, 16)), const(k, 16)) for i, k in enumerate((3, 5))
    ]
    found = abstracted(lanes)
    assert found is not None
    assert len(found.holes[0]) == 2


def test_lanes_of_different_operators_have_nothing_in_common() -> None:
    x, y = elem("a", 0, 16), elem("b", 0, 16)
    assert abstracted([add(x, y), mul(x, y)]) is None
    assert abstracted([add(x, y), add(mul(x, y), y)]) is None


def test_terms_that_share_much_are_compared_as_graphs() -> None:
    """As trees these have 2**60 nodes."""
    library = library_of(Machine(ToyTarget(), "toy", frozenset(), 512))

    def lane(i: int) -> Expr:
        e = elem("a", 8 * i, 8)
        for k in range(60):
            e = term("sub", e, term("lshr", e, const(k + i, 8)))
        return e

    elements = Elements(LaneGraph(library, limit=0))
    goal = elements.of_lanes([lane(i) for i in range(6)], [()] * 6)
    assert len(elements.classes_of(goal)) == 1
