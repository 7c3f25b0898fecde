"""Lanes that differ in literals only."""

from __future__ import annotations

from isel.ir.build import add, extract, mul, sub, ule, zext
from isel.ir.canon import canonical, formal, instance, matched, rename
from isel.ir.expr import Expr, const, elem, leaves, term
from isel.model.machine import Machine
from isel.synth.instructions.library import library_of
from isel.synth.lanes.graph import LaneGraph
from isel.synth.layout.elements import Elements
from isel.synth.values.abstract import abstracted, instances
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


def _weighed(i: int, alpha: int) -> Expr:
    """Return what composes byte ``i`` of two pixels by the ``alpha`` of each."""
    x, y = elem("a", 8 * i, 8), elem("b", 8 * i, 8)
    return add(mul(x, elem("b", 8 * alpha, 8)), mul(y, sub(const(255, 8), elem("a", 8 * alpha, 8))))


def test_leaves_that_coincide_make_a_lane_an_instance_of_one_where_they_do_not() -> None:
    lanes = [_weighed(i, 3) for i in range(4)]
    form, holes = canonical(lanes[0])
    assert [instance(form, e) is not None for e in lanes] == [True] * 4
    assert [matched(form, e) is not None for e in lanes] == [True] * 3 + [False]
    found = instances(lanes)
    assert list(found) == [lanes[3]]
    other, stands = found[lanes[3]]
    assert (
        other is lanes[2]
        and rename(other, dict(zip(leaves(other), stands, strict=True))) is lanes[3]
    )
    assert instance(canonical(lanes[3])[0], lanes[0]) is None and len(holes) == 4


def test_a_lane_is_no_instance_of_another_operator_width_or_literal() -> None:
    x, y = elem("a", 0, 8), elem("b", 0, 8)
    form = canonical(add(mul(x, y), const(3, 8)))[0]
    assert instance(form, add(mul(x, x), const(3, 8))) == (x, x)
    assert instance(form, add(mul(x, x), const(4, 8))) is None
    assert instance(form, add(mul(x, const(3, 8)), const(3, 8))) is None
    assert instance(form, sub(mul(x, x), const(3, 8))) is None
    wide = elem("a", 0, 16)
    assert instance(form, add(mul(wide, wide), const(3, 16))) is None


def test_instances_are_of_one_class_where_as_much_is_known_of_them() -> None:
    library = library_of(Machine(ToyTarget(), "toy", frozenset(), 512))
    lanes = [_weighed(i, 3) for i in range(4)]
    elements = Elements(LaneGraph(library, limit=0))
    goal = elements.of_lanes(lanes, [()] * 4)
    assert len(elements.classes_of(goal)) == 1 and len(set(elements.binding[goal[3]])) == 2
    fact = ule(elem("a", 0, 8), const(9, 8))
    elements = Elements(LaneGraph(library, limit=0))
    goal = elements.of_lanes([lanes[0], lanes[3]], [(fact,)] * 2)
    assert len(elements.classes_of(goal)) == 2  # of the byte that the first one reads
