"""CEGIS on one lane: what it finds is right, what it calls exhausted is, and nothing depends on
luck.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from itertools import combinations_with_replacement, permutations

import numpy as np
import pytest

from isel.interp.evaluate import evaluate
from isel.interp.lanes import NumpyLanes
from isel.ir.build import add, band, bnot, bxor, eq, lshr, ne, sub, trunc, ule, ult, zext
from isel.ir.canon import formal, instantiate
from isel.ir.expr import Expr, const, elem
from isel.ir.ops import Lanes
from isel.rules.derived import smax, uabsdiff, umin
from isel.smt.bitwuzla_solver import Session
from isel.smt.query import Answer, GaveUp, Query, Sat, Unsat
from isel.smt.z3_solver import Z3Solver
from isel.synth.cegis.search import Component, Exhausted, Found, Grammar, Outcome, OutOfSteps, cegis
from isel.synth.cegis.slots import symmetric_pairs, trivial_twins
from tests.synth.cegis_parts import (
    average,
    byte_parts,
    gauss,
    halving_add,
    part,
    rounding_product,
    word_parts,
)

A, B, C = (elem(n, 0, 8) for n in "abc")
P, Q = (elem(n, 0, 16) for n in "pq")
ONE = (const(1, 8),)


def replay(found: Found, grammar: Grammar) -> Expr:
    """Build the program again from its names alone."""
    parts = {c.name: c for c in grammar.components}
    known = list(found.inputs)
    for name, numbers in found.steps:
        known.append(
            instantiate(
                parts[name].fn,
                dict(zip(parts[name].formals, (known[k] for k in numbers), strict=True)),
            )
        )
    return known[-1]


def assert_right(
    lane: Expr, outcome: Outcome, grammar: Grammar, premise: Expr | None = None
) -> Found:
    assert isinstance(outcome, Found), outcome
    program = replay(outcome, grammar)
    assert outcome.values[-1] is program
    holds = const(1, 1) if premise is None else premise
    assert isinstance(Z3Solver().check(Query((holds, ne(lane, program))), 50_000_000), Unsat)
    return outcome


def on_all_bytes(e: Expr) -> Lanes:
    grid = np.meshgrid(np.arange(256, dtype=np.uint8), np.arange(256, dtype=np.uint8))
    return np.asarray(evaluate(e, {A: grid[0], B: grid[1]}, NumpyLanes()))


CASES = {
    "average": (average(A, B), Grammar("g", byte_parts(), ONE, 1), 1),
    "halving add": (halving_add(A, B), Grammar("g", byte_parts(), ONE, 3), 3),
    "absolute difference": (uabsdiff(A, B), Grammar("g", byte_parts(), (), 3), 3),
    "rounding product": (rounding_product(P, Q), Grammar("g", word_parts(), (), 1), 1),
    "maximum of three": (smax(smax(A, B), C), Grammar("g", byte_parts(), ONE, 3), 2),
    "saturating cast": (
        trunc(umin(P, const(255, 16)), 8),
        Grammar("g", word_parts(), (const(255, 16),), 2),
        1,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_finds_the_smallest_program(name: str) -> None:
    lane, grammar, depth = CASES[name]
    found = assert_right(lane, cegis(lane, grammar, 40_000), grammar)
    assert found.depth == depth
    assert found.optimal
    assert found.cost == sum(
        next(c.cost for c in grammar.components if c.name == n) for n, _ in found.steps
    )


def test_average_is_one_step() -> None:
    lane = average(A, B)
    found = cegis(lane, Grammar("g", byte_parts(), ONE, 3))
    assert isinstance(found, Found)
    assert [n for n, _ in found.steps] == ["uavg8"]
    assert {found.operand(k) for k in found.steps[0][1]} == {A, B}


def test_answers_agree_on_every_byte() -> None:
    for lane in (halving_add(A, B), uabsdiff(A, B)):
        grammar = Grammar("g", byte_parts(), ONE, 3)
        found = cegis(lane, grammar, 40_000)
        assert isinstance(found, Found)
        assert (on_all_bytes(lane) == on_all_bytes(replay(found, grammar))).all()


def test_one_component_twice() -> None:
    lane = uabsdiff(A, B)
    grammar = Grammar("g", tuple(c for c in byte_parts() if c.name in ("usub_sat8", "or8")), (), 3)
    found = assert_right(lane, cegis(lane, grammar), grammar)
    assert sorted(n for n, _ in found.steps) == ["or8", "usub_sat8", "usub_sat8"]


def test_gauss_row_needs_four_steps() -> None:
    lane, grammar = gauss(A, B, C), Grammar("g", byte_parts(), ONE, 4)
    assert assert_right(lane, cegis(lane, grammar, 200_000), grammar).depth == 4


def test_exhausted_below_the_least_size() -> None:
    lane = halving_add(A, B)
    for depth in (1, 2):
        outcome = cegis(lane, Grammar("g", byte_parts(), ONE, depth), 40_000)
        assert isinstance(outcome, Exhausted)
        assert outcome.depth == depth


def test_exhausted_without_a_fitting_width() -> None:
    assert isinstance(
        cegis(average(A, B), Grammar("g", tuple(c for c in word_parts() if c.width == 16), (), 3)),
        Exhausted,
    )


def test_out_of_steps() -> None:
    for effort in (0, 1, 5):
        outcome = cegis(halving_add(A, B), Grammar("g", byte_parts(), ONE, 3), effort)
        assert isinstance(outcome, OutOfSteps)
        assert outcome.depth == 1


def test_premise_is_honoured() -> None:
    grammar = Grammar(
        "g", tuple(c for c in byte_parts() if c.name in ("usub_sat8", "uadd_sat8")), (), 1
    )
    lane, premise = sub(A, B), ule(B, A)
    assert isinstance(cegis(lane, grammar), Exhausted)
    found = assert_right(lane, cegis(lane, grammar, premise=premise), grammar, premise)
    assert found.steps == (("usub_sat8", (0, 1)),)


def test_a_premise_that_samples_rarely_meet() -> None:
    wide = elem("w", 0, 32)
    grammar = Grammar(
        "g",
        (part("and32", band(formal(0, 32), formal(1, 32))), part("not32", bnot(formal(0, 32)))),
        (),
        1,
    )
    premise = eq(wide, const(0x12345678, 32))
    lane = add(wide, const(0xEDCBA987 - 0x12345678, 32))
    assert isinstance(cegis(lane, grammar), Exhausted)
    assert assert_right(lane, cegis(lane, grammar, premise=premise), grammar, premise).steps == (
        ("not32", (0,)),
    )


def test_premise_over_other_leaves() -> None:
    lane, premise = add(A, B), eq(C, B)
    grammar = Grammar(
        "g",
        (
            part("sub8", sub(formal(0, 8), formal(1, 8))),
            part("neg8", sub(const(0, 8), formal(0, 8))),
        ),
        (),
        2,
    )
    assert_right(lane, cegis(lane, grammar, premise=premise), grammar, premise)


def give_up(query: Query) -> Answer:
    return GaveUp("never sure")


def test_a_solver_that_gives_up_finds_and_excludes_nothing() -> None:
    for depth in (1, 3):
        outcome = cegis(average(A, B), Grammar("g", byte_parts(), ONE, depth), check=give_up)
        assert isinstance(outcome, OutOfSteps)


def test_candidates_stand_only_when_proved() -> None:
    asked: list[Query] = []

    def check(query: Query) -> Answer:
        asked.append(query)
        return Unsat("witness")

    grammar = Grammar("g", byte_parts(), ONE, 1)
    found = cegis(average(A, B), grammar, check=check)
    assert isinstance(found, Found)
    assert len(asked) == 1
    assert asked[0].assertions[1] is ne(average(A, B), found.values[-1])


def test_counterexamples_of_the_solver_are_used() -> None:
    """The samples miss the one input on which a near-equal component differs."""
    secret = 0x5A5A1234
    x = formal(0, 32)
    near = part("near", bxor(x, zext(eq(x, const(secret, 32)), 32)))
    other = part("other", bxor(x, const(1, 32)))
    wide = elem("w", 0, 32)
    lane = bxor(wide, zext(eq(wide, const(secret + 1, 32)), 32))
    grammar = Grammar("g", (near, other), (), 1)
    assert isinstance(cegis(lane, grammar), Exhausted)


WIDTH = 4


def tiny() -> tuple[Component, ...]:
    a, b = formal(0, WIDTH), formal(1, WIDTH)
    return (
        part("add", add(a, b)),
        part("sub", sub(a, b)),
        part("andn", band(bnot(a), b)),
        part("umin", umin(a, b)),
        part("half", lshr(a, const(1, WIDTH))),
        part("widen", zext(a, 2 * WIDTH)),
        part("sum", add(formal(0, 2 * WIDTH), formal(1, 2 * WIDTH))),
        part("low", trunc(formal(0, 2 * WIDTH), WIDTH)),
        part("less", zext(ult(a, b), WIDTH)),
    )


def random_program(rng: random.Random, depth: int) -> Expr:
    """Return the value of a random program; its last step has ``WIDTH`` bits."""
    while True:
        known: list[Expr] = [elem("a", 0, WIDTH), elem("b", 0, WIDTH), const(3, WIDTH)]
        for _ in range(depth):
            c = rng.choice(tiny())
            fitting = [[e for e in known if e.width == w] for w in c.widths]
            if all(fitting):
                known.append(
                    instantiate(
                        c.fn, dict(zip(c.formals, (rng.choice(f) for f in fitting), strict=True))
                    )
                )
        if len(known) == 3 + depth and known[-1].width == WIDTH and not known[-1].is_const:
            return known[-1]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_no_program_is_lost_to_pruning(depth: int) -> None:
    """Whatever a program of some size computes is found at that size or below."""
    rng = random.Random(7 * depth)
    grammar = Grammar("g", tiny(), (const(3, WIDTH),), depth)
    for _ in range(12):
        lane = random_program(rng, depth)
        outcome = cegis(lane, grammar, 100_000)
        trivial = {elem("a", 0, WIDTH), elem("b", 0, WIDTH)} | set(grammar.constants)
        if lane not in trivial:
            assert assert_right(lane, outcome, grammar).depth <= depth


def test_exhausted_agrees_with_enumeration() -> None:
    """Everything of at most two steps, by brute force, against the solver's word that there is
    nothing.
    """
    a, b = elem("a", 0, WIDTH), elem("b", 0, WIDTH)
    grid = np.meshgrid(np.arange(1 << WIDTH, dtype=np.uint8), np.arange(1 << WIDTH, dtype=np.uint8))
    table = {
        e: np.asarray(evaluate(e, {a: grid[0].ravel(), b: grid[1].ravel()}, NumpyLanes()))
        for e in (a, b)
    }
    reached: set[tuple[int, bytes]] = set()

    def grow(known: list[tuple[int, bytes]], depth: int) -> None:
        for c in tiny():
            for numbers in sorted(
                {
                    p
                    for q in combinations_with_replacement(range(len(known)), len(c.widths))
                    for p in permutations(q)
                }
            ):
                if tuple(known[k][0] for k in numbers) != c.widths:
                    continue
                env = {
                    x: np.frombuffer(known[k][1], np.uint8)
                    for x, k in zip(c.formals, numbers, strict=True)
                }
                value = (
                    c.width,
                    np.asarray(evaluate(c.fn, env, NumpyLanes())).astype(np.uint8).tobytes(),
                )
                reached.add(value)
                if depth > 1:
                    grow([*known, value], depth - 1)

    grow([(WIDTH, t.tobytes()) for t in table.values()], 2)
    rng = random.Random(3)
    grammar = Grammar("g", tiny(), (), 2)
    answers = {True: 0, False: 0}
    for _ in range(30):
        lane = random_program(rng, rng.choice([1, 2, 3]))
        if lane in (a, b):
            continue
        value = np.broadcast_to(
            np.asarray(evaluate(lane, {a: grid[0].ravel(), b: grid[1].ravel()}, NumpyLanes())),
            table[a].shape,
        )
        if value.tobytes() in {t.tobytes() for t in table.values()} or (value == value[0]).all():
            continue
        expected = (WIDTH, value.astype(np.uint8).tobytes()) in reached
        assert isinstance(cegis(lane, grammar, 100_000), Found if expected else Exhausted), lane
        answers[expected] += 1
    assert min(answers.values()) >= 3


def test_facts_about_components() -> None:
    by_name = {c.name: c for c in byte_parts()}
    assert symmetric_pairs(by_name["umin8"]) == ((0, 1),)
    assert symmetric_pairs(by_name["usub_sat8"]) == ()
    assert trivial_twins(by_name["uavg8"])
    assert trivial_twins(by_name["xor8"])
    assert not trivial_twins(by_name["add8"])


def test_same_answer_twice() -> None:
    lane, grammar = halving_add(A, B), Grammar("g", byte_parts(), ONE, 3)
    assert cegis(lane, grammar) == cegis(lane, grammar)


SCRIPT = """
from tests.synth.test_cegis import *
lane = halving_add(A, B)
print(cegis(lane, Grammar("g", byte_parts(), ONE, 3)), cegis(uabsdiff(A, B), Grammar("g", byte_parts(), (), 3)))
"""


def test_same_answer_under_other_hash_seeds() -> None:
    answers = set()
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.getcwd()}
        answers.add(
            subprocess.run(
                [sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True, check=True
            ).stdout
        )
    assert len(answers) == 1
    assert "Found" in answers.pop()


def test_session_handles() -> None:
    session = Session()
    x = session.fresh(8)
    a = formal(0, 8)
    session.require_handle(session.inline(eq(a, const(42, 8)), {a: x}))
    assert isinstance(session.check(100), Sat)
    assert session.value(x) == 42
    session.require_handle(session.inline(ult(a, const(42, 8)), {a: x}))
    assert isinstance(session.check(100), Unsat)


@pytest.mark.parametrize("name", ["halving add", "absolute difference"])
def test_whole_vectors_give_the_same_program_for_more_work(name: str) -> None:
    """An example constrains sixteen lanes, or the failing one alone."""
    lane, grammar, depth = CASES[name]
    wise, whole = (
        assert_right(lane, cegis(lane, grammar, effort=1 << 20, lanes=n), grammar) for n in (1, 16)
    )
    assert wise.depth == whole.depth == depth
    assert wise.effort < whole.effort
