"""What is said of programs: optimal only where all smaller sizes were refuted, and facts only where a proof needs them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from isel.ir.build import add, band, concat, extract, lshr, trunc, ult, zext
from isel.ir.derived import umin
from isel.ir.expr import Expr, const, elem
from isel.synth.answer import BEST_FOUND, Options
from isel.synth.cegis_types import Exhausted, Found, OutOfSteps
from isel.synth.claims import is_computed, needed_facts, operations, optimality
from isel.synth.machine import Machine
from isel.synth.program import Program, Step
from isel.synth.synthesize import SearchSynthesizer
from isel.synth.window import Leaf, Root, Window
from isel.verify.prove import prove_window
from semantics import target_named

TARGET = target_named("x86")
MACHINE = Machine(TARGET, "haswell", TARGET.features("haswell", ""), 256)
YES = const(1, 1)


def found(depth: int, *, optimal: bool) -> Found:
    return Found("g", (), (("op", ()),) * depth, (), 1, optimal, 1)


@pytest.mark.parametrize(
    ("count", "outcomes", "optimal"),
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
def test_only_refuted_sizes_make_a_program_optimal(count: int | None, outcomes: tuple[Found | Exhausted | OutOfSteps, ...], *, optimal: bool) -> None:
    said = optimality(count, outcomes, computed=True)
    assert count != 1 or optimality(count, outcomes, computed=False) == BEST_FOUND
    assert (said != BEST_FOUND) == optimal
    assert optimal is False or count == 1 or "grammar g" in said


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
    assert needed_facts(window, lambda w: prove_window(w, [tuple(lanes(8, 4))])) == ("(ult a[0]:8 16:8)",)
    free = replace(window, roots=(Root(8, tuple(lanes(8, 4)), (YES,) * 4),))
    assert needed_facts(free, lambda w: prove_window(w, [tuple(lanes(8, 4))])) == ()


def test_a_search_says_what_it_knows() -> None:
    a, b = lanes(8, 16), [elem("b", 8 * i, 8) for i in range(16)]
    average = tuple(trunc(lshr(add(add(zext(x, 16), zext(y, 16)), const(1, 16)), const(1, 16)), 8) for x, y in zip(a, b, strict=True))
    plain = Window((Leaf("a", 8, 16), Leaf("b", 8, 16)), (Root(8, average, (YES,) * 16),))
    result = SearchSynthesizer(MACHINE, Options()).search(plain)
    assert "optimal: one operation" in result.candidates[0].claim
    assert result.candidates[0].facts == ()
    masked = Window((Leaf("a", 8, 16),), (Root(8, tuple(band(x, const(15, 8)) for x in a), (YES,) * 16),), tuple(ult(x, const(16, 8)) for x in a))
    candidates = SearchSynthesizer(MACHINE, Options()).search(masked).candidates
    assert {(c.claim, c.facts) for c in candidates} == {(BEST_FOUND, ("(ult a[0]:8 16:8)",))}  # a move would do


def test_a_lane_is_computed_where_no_move_gives_it() -> None:
    (x, y), wide = lanes(8, 2), elem("w", 0, 32)
    assert is_computed(add(x, y), ())
    assert is_computed(band(x, const(15, 8)), ())
    assert not is_computed(band(x, const(15, 8)), (ult(x, const(16, 8)),))
    assert not is_computed(zext(x, 16), ())
    assert not is_computed(concat(x, y), ())
    assert not is_computed(extract(wide, 8, 16), ())
    assert is_computed(extract(wide, 4, 8), ())
