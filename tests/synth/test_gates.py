"""Circuits over unknowns of a solver: each is asked at every value of small unknowns."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from isel.ir.expr import const
from isel.smt.bitwuzla_solver import Session
from isel.smt.query import Sat, Unsat
from isel.synth.cegis.gates import Gates, Index, bits_for

EFFORT = 10_000


def holds(session: Session, bit: int) -> bool:
    """Tell whether a bit is 1 in every model of what was asserted, and there is one."""
    gates = Gates(session)
    assert isinstance(session.check(EFFORT), Sat)
    gates.require(gates.inverse(bit))
    return isinstance(session.check(EFFORT), Unsat)


def literal(session: Session, value: int, width: int) -> int:
    return session.inline(const(value, width), {})


Make = Callable[[Gates, list[int]], int]
CONNECTIVES: dict[str, tuple[Make, Callable[[list[int]], bool]]] = {
    "all": (Gates.all, lambda xs: all(xs)),
    "any": (Gates.any, lambda xs: any(xs)),
    "both": (lambda g, xs: g.both(g.true, g.all(xs)), lambda xs: all(xs)),
    "inverse": (lambda g, xs: g.inverse(g.any(xs)), lambda xs: not any(xs)),
}


@pytest.mark.parametrize("name", CONNECTIVES)
@pytest.mark.parametrize("count", [0, 1, 3])
def test_connectives(name: str, count: int) -> None:
    make, wanted = CONNECTIVES[name]
    for values in product((0, 1), repeat=count):
        session = Session()
        gates = Gates(session)
        bit = make(gates, [literal(session, v, 1) for v in values])
        assert holds(session, bit if wanted(list(values)) else gates.inverse(bit))


@pytest.mark.parametrize(("x", "y"), [(3, 3), (3, 4), (4, 3), (15, 16), (0, 200)])
def test_numbers_of_any_widths_are_compared(x: int, y: int) -> None:
    session = Session()
    gates = Gates(session)
    a, b = literal(session, x, 4) if x < 16 else 0, literal(session, y, 8)
    less, same = gates.at_most(a, 4, b, 8), gates.same(a, 4, b, 8)
    assert holds(session, less if x <= y else gates.inverse(less))
    session, gates = (s := Session()), Gates(s)
    same = gates.same(literal(session, x, 4), 4, literal(session, y, 8), 8)
    assert holds(session, same if x == y else gates.inverse(same))


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_an_index_is_one_of_its_options(count: int) -> None:
    assert 1 << bits_for(count) >= count
    for value in range(1 << bits_for(count)):
        session = Session()
        gates, index = Gates(session), Index(session, count)
        gates.require(index.constraint())
        gates.require(index.equals(value))
        answer = session.check(EFFORT)
        assert isinstance(answer, Sat) is (value < count)
        if value >= count:
            continue
        chosen = index.choose([literal(session, 10 + k, 8) for k in range(count)], 8)
        assert chosen is not None
        assert holds(session, gates.same(chosen, 8, literal(session, 10 + value, 8), 8))


def test_an_option_that_is_nothing_is_any() -> None:
    session = Session()
    index = Index(session, 2)
    only = literal(session, 7, 8)
    assert index.choose([None, only], 8) == only
    assert index.choose([None, None], 8) is None


def test_what_is_forbidden_does_not_hold_together() -> None:
    session = Session()
    gates = Gates(session)
    x, y = session.fresh(1), session.fresh(1)
    gates.forbid([x, y])
    gates.implies(x, y)
    assert holds(session, gates.inverse(x))
