"""What is said of programs: optimal only where nothing costs less, fewest where smaller sizes
were refuted, and facts only where a proof needs them.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from isel.ir.build import add, band, bnot, concat, extract, lshr, neg, sub, trunc, ult, zext
from isel.ir.canon import formal
from isel.ir.expr import Expr, const, elem
from isel.model.answer import BEST_FOUND, Options
from isel.model.machine import Machine
from isel.model.program import Program, Step
from isel.model.window import Leaf, Root, Window
from isel.rules.derived import umin
from isel.synth.cegis.types import Component, Exhausted, Found, Grammar, OutOfSteps
from isel.synth.claims import (
    computed_bits,
    is_least,
    least_cost,
    needed_facts,
    operations,
    optimality,
)
from isel.synth.instructions.library import library_of
from isel.synth.synthesize import make_synthesizer
from isel.verify.windows import prove_window
from semantics import target_named

TARGET = target_named("x86")
MACHINE = Machine(TARGET, "haswell", TARGET.features("haswell", ""), 256)
YES = const(1, 1)
X, Y, WIDE = elem("a", 0, 8), elem("a", 8, 8), elem("w", 0, 32)
GRAMMAR = Grammar(
    "g", (Component("neg", neg(formal(0, 8)), 1), Component("not", bnot(formal(0, 8)), 1)), (), 3
)


def found(depth: int, *, optimal: bool) -> Found:
    return Found("g", (), (("op", ()),) * depth, (), 1, optimal, 1)


@pytest.mark.parametrize(
    ("count", "outcomes", "fewest"),
    [
        (1, (), True),
        (2, (), False),
        (2, (found(2, optimal=True),), True),
        (2, (found(2, optimal=False),), False),
        (3, (found(2, optimal=True),), False),
        (2, (OutOfSteps("g", 2, 1, ""), Exhausted("g", 1, 1)), True),
        (3, (Exhausted("g", 1, 1),), False),
        (None, (found(1, optimal=True),), False),
    ],
)
def test_only_refuted_sizes_make_operations_the_fewest(
    count: int | None, outcomes: tuple[Found | Exhausted | OutOfSteps, ...], *, fewest: bool
) -> None:
    tried = [(GRAMMAR, o) for o in outcomes]
    said = optimality(count, tried, computed=True)
    assert count != 1 or optimality(count, tried, computed=False) == BEST_FOUND
    assert (said != BEST_FOUND) == fewest
    assert (
        fewest is False
        or count == 1
        or said.startswith(
            f"fewest operations a lane in grammar g of 2 components: fewer than {count} "
        )
    )
    assert "optimal" not in said


def test_only_what_costs_least_is_optimal() -> None:
    assert optimality(None, (), computed=True, cheapest=True).startswith("optimal: ")
    assert optimality(None, (), computed=False, cheapest=True) == BEST_FOUND


def test_the_least_cost_counts_bits_that_are_computed() -> None:
    each = min(MACHINE.cost(i) / i.bits for i in MACHINE.instructions)
    sums = tuple(add(x, elem("b", 8 * i, 8)) for i, x in enumerate(lanes(8, 32)))
    assert least_cost([Root(8, sums, (YES,) * 32)], 8, MACHINE) == int(256 * each)
    assert least_cost([Root(8, sums * 2, (YES,) * 64)], 8, MACHINE) == 0  # equal lanes may be moved
    assert least_cost([Root(8, (None, *sums), (YES,) * 33)], 8, MACHINE) == int(
        256 * each
    )  # what is not used need not be computed


@pytest.mark.parametrize(
    ("registers", "shared", "computed", "price", "least"),
    [
        (1, False, 8, 1, True),
        (1, False, 0, 1, False),  # moves alone would do
        (1, False, 8, 2, False),
        (2, False, 8, 2, True),
        (2, False, 8, 3, False),
        (2, True, 8, 2, False),  # what is computed for one lane may be moved to another
        (2, True, 8, 1, True),
        (1, False, 8, None, False),
    ],
)
def test_code_of_one_operation_a_register_is_the_least(
    registers: int, computed: int, price: int | None, *, shared: bool, least: bool
) -> None:
    sums = [
        add(elem("a", 8 * i, 8), elem("b", 8 * i, 8))
        for i in range(MACHINE.vector_bits // 8 * (1 if shared else registers))
    ] * (registers if shared else 1)
    library = library_of(MACHINE)
    roots = [Root(8, tuple(sums), (YES,) * len(sums))]
    cost = None if price is None else price * library.cheapest_operation
    assert is_least(cost, roots, lambda: computed, library) == least
    if cost and least:
        assert not is_least(cost + 1, roots, lambda: computed, library)


def lanes(width: int, count: int) -> list[Expr]:
    return [elem("a", width * i, width) for i in range(count)]


def test_operations_of_a_lane_are_counted_without_moves() -> None:
    steps = (
        Step("leaf", 8, 32, name="a"),
        Step("slice", 8, 16, (0,), first=16),
        Step("slice", 8, 16, (0,)),
        Step("apply", 8, 16, (1, 2), name="_mm_avg_epu8"),
        Step("apply", 8, 16, (3, 1), name="_mm_unpacklo_epi8"),
        Step("view", 16, 8, (4,)),
        Step("apply", 16, 8, (5, 5), name="_mm_add_epi16"),
        Step("join", 16, 16, (6, 5)),
    )
    instructions = {s.name: MACHINE.by_name[s.name] for s in steps if s.name and s.kind == "apply"}
    assert operations(Program(steps, (7,)), instructions, lambda i, _: "unpack" in i.name) == 2


def test_facts_are_those_that_the_proof_needs() -> None:
    facts = tuple(ult(x, const(16, 8)) for x in lanes(8, 4)) + (ult(elem("b", 0, 8), const(3, 8)),)
    roots = (Root(8, tuple(umin(x, const(15, 8)) for x in lanes(8, 4)), (YES,) * 4),)
    window = Window((Leaf("a", 8, 4), Leaf("b", 8, 1)), roots, facts)
    assert needed_facts(window, lambda w: prove_window(w, [tuple(lanes(8, 4))])) == (
        "(ult a[0]:8 16:8)",
    )
    free = replace(window, roots=(Root(8, tuple(lanes(8, 4)), (YES,) * 4),))
    assert needed_facts(free, lambda w: prove_window(w, [tuple(lanes(8, 4))])) == ()


def test_a_search_says_what_it_knows() -> None:
    a, b = lanes(8, 16), [elem("b", 8 * i, 8) for i in range(16)]
    average = tuple(
        trunc(lshr(add(add(zext(x, 16), zext(y, 16)), const(1, 16)), const(1, 16)), 8)
        for x, y in zip(a, b, strict=True)
    )
    plain = Window((Leaf("a", 8, 16), Leaf("b", 8, 16)), (Root(8, average, (YES,) * 16),))
    result = make_synthesizer(MACHINE, Options()).search(plain)
    assert "fewest operations a lane: one" in result.candidates[0].claim
    assert result.candidates[0].facts == ()
    masked = Window(
        (Leaf("a", 8, 16),),
        (Root(8, tuple(band(x, const(15, 8)) for x in a), (YES,) * 16),),
        tuple(ult(x, const(16, 8)) for x in a),
    )
    candidates = make_synthesizer(MACHINE, Options()).search(masked).candidates
    assert {(c.claim, c.facts) for c in candidates} == {
        (BEST_FOUND, ("(ult a[0]:8 16:8)",))
    }  # a move would do


@pytest.mark.parametrize(
    ("lane", "facts", "bits"),
    [
        (add(X, Y), (), 8),
        (band(X, const(15, 8)), (), 8),
        (band(X, const(15, 8)), (ult(X, const(16, 8)),), 0),
        (zext(X, 16), (), 0),
        (concat(X, Y), (), 0),
        (extract(WIDE, 8, 16), (), 0),
        (extract(WIDE, 4, 8), (), 8),
        (zext(add(X, Y), 16), (), 8),
        (concat(add(X, Y), add(X, Y)), (), 8),  # computed once
        (concat(add(X, Y), sub(X, Y)), (), 16),
    ],
)
def test_bits_are_computed_where_no_move_gives_them(
    lane: Expr, facts: tuple[Expr, ...], bits: int
) -> None:
    assert computed_bits(lane, facts) == bits
