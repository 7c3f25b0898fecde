"""Every input of a small term is looked at; a large one is left to the solvers."""

from __future__ import annotations

import random

import pytest

from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.build import add, ashr, band, eq, extract, mul, ne, sext, zext
from isel.ir.expr import Expr, const, elem, leaves
from isel.model.verdict import Proved, Refuted
from isel.smt.bitwuzla_solver import BitwuzlaSolver
from isel.smt.enumeration import enumerate_inputs
from isel.smt.query import GaveUp, Query, Sat, Unsat
from isel.verify.prove import Obligation, prove
from tests.ir.terms import random_term

A, B, C = (elem(f"a{k}", 0, 8) for k in range(3))
WEIGHTED = add(
    mul(sext(add(zext(A, 16), const(-117, 16)), 32), const(13107, 32)),
    mul(sext(add(zext(B, 16), const(-131, 16)), 32), const(9830, 32)),
)
SHIFTED = ashr(
    add(
        add(mul(zext(A, 32), const(13107, 32)), mul(zext(B, 32), const(9830, 32))),
        const(-117 * 13107 - 131 * 9830, 32),
    ),
    const(14, 32),
)


def test_what_solvers_give_up_on_is_proved() -> None:
    sides = ashr(WEIGHTED, const(14, 32)), sext(extract(SHIFTED, 0, 16), 32)
    assert isinstance(BitwuzlaSolver().check(Query((ne(*sides),)), 300), GaveUp)
    verdict = prove([Obligation(const(1, 1), *sides)])
    assert isinstance(verdict, Proved)
    assert isinstance(enumerate_inputs(ne(*sides)), Unsat)


@pytest.mark.parametrize("value", [0, 254 * 251 * 3 - 1, (255 << 16) + 7])
def test_the_only_counterexample_is_found(value: int) -> None:
    number = add(
        add(mul(zext(A, 32), const(1 << 16, 32)), mul(zext(B, 32), const(256, 32))), zext(C, 32)
    )
    found = enumerate_inputs(eq(number, const(value, 32)))
    assert isinstance(found, Sat)
    assert found.model == {A: value >> 16, B: value >> 8 & 255, C: value & 255}
    assert isinstance(enumerate_inputs(eq(number, const(1 << 24, 32))), Unsat)


@pytest.mark.parametrize("seed", range(30))
def test_agrees_with_integers(seed: int) -> None:
    rng = random.Random(seed)
    bit = extract(random_term(rng, 4, 4), 0, 1)
    holes = leaves(bit)
    rows = [
        [n >> 4 * k & 15 for k in range(len(holes))] for n in range(1 << 4 * min(len(holes), 3))
    ]
    found = enumerate_inputs(bit)
    if isinstance(found, Sat):
        assert evaluate(bit, found.model, Integer()) == 1
    elif found is not None and all(x.width <= 4 for x in holes) and len(holes) <= 3:
        assert all(
            evaluate(bit, dict(zip(holes, row, strict=True)), Integer()) == 0 for row in rows
        )


def test_too_much_is_left_alone() -> None:
    wide: Expr = elem("w", 0, 32)
    assert enumerate_inputs(eq(wide, const(0, 32))) is None
    assert isinstance(prove([Obligation(const(1, 1), add(wide, const(1, 32)), wide)]), Refuted)


def test_assignments_of_every_block_are_looked_at() -> None:
    """Leaves below, across and beyond the bits of a block: the one assignment is found."""
    given = elem("a", 0, 8), elem("b", 0, 11), elem("c", 0, 3)
    wanted = (200, 1777, 5)
    bit = const(1, 1)
    for x, v in zip(given, wanted, strict=True):
        bit = band(bit, eq(x, const(v, x.width)))
    answer = enumerate_inputs(bit)
    assert isinstance(answer, Sat)
    assert answer.model == dict(zip(given, wanted, strict=True))
    assert isinstance(enumerate_inputs(band(bit, ne(given[0], const(200, 8)))), Unsat)
