"""Members of a class as unknowns, programs by price, and lanes that are not asked."""

from __future__ import annotations

from isel.ir.build import add, band, lshr, mul, ne, sext, sub, ult
from isel.ir.canon import formal, instantiate
from isel.ir.expr import Expr, const, elem
from isel.rules.derived import uadd_sat, uavg
from isel.smt.query import Query, Unsat
from isel.smt.z3_solver import Z3Solver
from isel.synth.cegis.grammar import families
from isel.synth.cegis.search import cegis
from isel.synth.cegis.types import Component, Exhausted, Found, Grammar
from isel.synth.lanes.graph import LaneClass
from isel.synth.requests import request_of
from tests.synth.cegis_parts import part

A, B = (elem(n, 0, 8) for n in "ab")
X, Y = formal(0, 8), formal(1, 8)
ADD, AND = part("add", add(X, Y)), part("and", band(X, Y))
SHIFTS = [Component(f"srl,n={k}", lshr(X, const(k, 8)), 100) for k in range(1, 8)]


def right(lane: Expr, found: object) -> Found:
    assert isinstance(found, Found), found
    assert isinstance(Z3Solver().check(Query((ne(lane, found.values[-1]),)), 10_000_000), Unsat)
    return found


def test_each_number_of_a_family_is_one_of_its_members() -> None:
    (family,) = families("srl", SHIFTS)
    assert family.member is not None and len(family.members) == len(SHIFTS)
    for k, m in enumerate(family.members):
        number = const(k, family.member.width)
        assert instantiate(family.fn, {family.member: number}) is m.fn
    assert family.formals == family.members[0].formals


def test_what_differs_in_more_than_literals_is_no_family() -> None:
    left = Component("sll,n=1", add(X, X), 100)
    dear = Component("srl,n=0", lshr(X, const(3, 8)), 300)
    other = Component("of another class", lshr(X, const(2, 8)), 100, "class")
    parts = list(families("s", [*SHIFTS, left, dear, other]))
    assert [len(c.members) for c in parts] == [7, 0, 0, 0]
    shared = add(ult(X, const(3, 8)), ult(X, const(3, 8)))
    apart = add(ult(X, const(3, 8)), ult(X, const(5, 8)))
    assert len(list(families("t", [Component("t", shared, 1), Component("u", apart, 1)]))) == 2


def test_the_member_is_found() -> None:
    lane = band(lshr(A, const(5, 8)), B)
    grammar = Grammar("g", (*families("srl", SHIFTS), AND), (), 2)
    found = right(lane, cegis(lane, grammar, 20_000))
    assert [name for name, _ in found.steps] == ["srl,n=5", "and"]
    none = cegis(lshr(sub(A, B), const(5, 8)), grammar, 20_000)
    assert isinstance(none, Exhausted)


def test_a_cheaper_program_of_the_same_size_is_preferred() -> None:
    dear = Component("add, dear", add(Y, X), 900)
    twice = part("twice", add(X, X))
    lane = add(add(A, A), B)
    found = right(lane, cegis(lane, Grammar("g", (dear, twice, ADD), (), 2), 40_000))
    assert found.cost == 2 * ADD.cost
    assert all(other.cost > found.cost for other in found.others)


def test_a_sum_of_products_is_left_to_its_own_edges() -> None:
    products = [mul(sext(formal(k, 8), 32), sext(formal(k + 1, 8), 32)) for k in (0, 2)]
    c = LaneClass(add(*products), (), {formal(k, 8): (f"x{k}", 0) for k in range(4)}, True)
    assert request_of(c) is None
    small = LaneClass(uadd_sat(uavg(X, Y), Y), (), {X: ("x", 0), Y: ("y", 0)}, True)
    request = request_of(small)
    assert request is not None and request.is_whole
