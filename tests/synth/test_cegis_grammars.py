"""Grammars out of instructions, each pruning heuristic by itself, scaling, and several grammars
at once.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import pytest

from isel.ir.build import add, ashr, bxor, lshr, mul, sext, trunc, zext
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, const, elem
from isel.model.answer import GrammarOptions
from isel.rules.derived import smax, smin, smulhrs, uabsdiff, uavg, umax, umin, usub_sat
from isel.smt.query import Answer, GaveUp, Query
from isel.spec.instruction import Immediate, Instruction, Membership, Operand, Role
from isel.synth.cegis.grammar import Catalogue, amounts_of
from isel.synth.cegis.scale import Scale, scale_for
from isel.synth.cegis.scaled import cegis_scaled
from isel.synth.cegis.screen import (
    class_of,
    constants_of,
    grammars_for,
    scored,
    screened,
)
from isel.synth.cegis.search import Component, Exhausted, Found, Grammar, OutOfSteps
from isel.workers import Pool
from tests.synth.cegis_parts import (
    average,
    best,
    byte_parts,
    halving_add,
    part,
    rounding_product,
    run_grammars,
    width_parts,
    word_parts,
)
from tests.synth.toy import toy

T = TypeVar("T")
R = TypeVar("R")
A, B = (elem(n, 0, 8) for n in "ab")
P, Q = (elem(n, 0, 16) for n in "pq")
OFF = GrammarOptions(
    screening=False,
    screened=False,
    scored=False,
)


def instruction(
    name: str, fn: Callable[[Expr, Expr], Expr], width: int, lanes: int, role: Role = Role.IN
) -> Instruction:
    operands = (Operand("a", width, lanes), Operand("b", width, lanes, role))

    def lane(i: int, immediates: Mapping[str, int]) -> Expr:
        return fn(elem("a", i * width, width), elem("b", i * width, width))

    return Instruction(
        name,
        name,
        operands,
        (),
        fn(formal(0, width), formal(1, width)).width,
        lanes,
        frozenset(),
        (),
        "",
        lane,
    )


def shift(name: str, width: int, values: tuple[int, ...]) -> Instruction:
    def lane(i: int, immediates: Mapping[str, int]) -> Expr:
        return lshr(elem("a", i * width, width), const(immediates["n"], width))

    return Instruction(
        name,
        name,
        (Operand("a", width, 8),),
        (Immediate("n", 8, values),),
        width,
        8,
        frozenset(),
        (),
        "",
        lane,
    )


def addsub() -> Instruction:
    def lane(i: int, immediates: Mapping[str, int]) -> Expr:
        a, b = elem("a", i * 8, 8), elem("b", i * 8, 8)
        return add(a, b) if i % 2 else usub_sat(a, b)

    return Instruction(
        "addsub",
        "addsub",
        (Operand("a", 8, 8), Operand("b", 8, 8)),
        (),
        8,
        8,
        frozenset(),
        (),
        "",
        lane,
    )


def test_one_component_per_function_at_the_least_price() -> None:
    prices = {"slow": 300, "fast": 100, "other": 50}
    instructions = [
        instruction("slow", uavg, 8, 16),
        instruction("fast", uavg, 8, 32),
        instruction("other", add, 8, 16),
    ]
    parts = Catalogue(instructions, lambda i: prices[i.name]).components(average(A, B))
    assert [(c.name, c.cost) for c in parts] == [("fast", 100), ("other", 50)]


def test_permutes_and_copies_are_left_out() -> None:
    instructions = [
        instruction("permute", add, 8, 16, Role.INDEX),
        instruction("copy", lambda a, b: a, 8, 16),
    ]
    assert Catalogue(instructions, lambda i: 1).components(average(A, B)) == ()


def test_lanes_of_several_functions_are_no_component() -> None:
    """No goal is met by them, so that programs of theirs would be of no use."""
    assert Catalogue([addsub()], lambda i: 1).components(A) == ()


def test_immediates_come_from_the_lane() -> None:
    lane = trunc(ashr(add(mul(sext(P, 32), sext(Q, 32)), const(1 << 14, 32)), const(15, 32)), 16)
    assert {15, 14, 1, 2} <= amounts_of(lane)
    parts = Catalogue([shift("srl", 16, tuple(range(16)))], lambda i: 1).components(lane)
    names = {f"srl,n={k}" for k in amounts_of(lane) if k < 16}
    assert [{m.name for m in c.members} for c in parts] == [names]
    (few,) = Catalogue([shift("srl", 16, (0, 1, 2, 3))], lambda i: 1).components(average(A, B))
    assert len(few.members) == 3  # a shift by nothing is a copy


def test_components_are_members_of_the_instructions_classes() -> None:
    known = [
        replace(instruction("add8", add, 8, 16), classes=(Membership("add"),)),
        replace(instruction("add16", add, 16, 8), classes=(Membership("add"),)),
    ]
    of_values = replace(
        shift("srl", 16, (1, 2, 3)),
        classes=(Membership("half", ((1,),)), Membership("lshr_imm", ((2,), (4,)))),
    )
    parts = Catalogue([*known, of_values, instruction("new", uavg, 8, 16)], lambda i: 1).components(
        average(A, B)
    )
    assert {c.name: c.class_name for c in parts} == {
        "add8": "add",
        "add16": "add",
        "srl,n=1": "half",
        "srl,n=2": "lshr_imm",
        "srl,n=3": "",
        "new": "",
    }
    alone = [c for c in parts if not c.class_name]
    assert len({class_of(c) for c in alone}) == 2 and not {class_of(c) for c in alone} & {
        "add",
        "half",
        "lshr_imm",
    }


def test_members_of_a_class_are_screened_by_width() -> None:
    lane = average(A, B)
    narrow_product, wide_product = (
        replace(part(f"p{w}", mul(formal(0, w), formal(1, w))), class_name="mul") for w in (8, 64)
    )
    sums = [
        replace(part(f"s{w}", add(formal(0, w), formal(1, w))), class_name="add")
        for w in (8, 16, 64)
    ]
    bits = [
        replace(part(f"x{w}", bxor(formal(0, w), formal(1, w))), class_name="xor") for w in (1, 8)
    ]
    everything = [wide_product, *sums, *bits, narrow_product]
    kept = [c.name for c in screened(lane, everything)]  # predicates are of no use
    assert kept == ["s8", "s16", "x8"]


def test_the_best_members_of_each_class_are_kept() -> None:
    """Signed maxima and minima have one shape and are two classes; one class may have members
    of several shapes.
    """
    a, b = formal(0, 8), formal(1, 8)
    shapes = [
        part("smin", smin(a, b)),
        part("smax", smax(a, b)),
        part("umin", umin(a, b)),
        part("umax", umax(a, b)),
    ]
    classes = [replace(c, class_name=c.name) for c in shapes]
    one = [replace(c, class_name="one") for c in shapes]
    o = GrammarOptions(per_class=1)
    assert [len(scored(average(A, B), parts, o)) for parts in (shapes, classes, one)] == [2, 4, 1]


def test_screening_by_operator_width_and_length() -> None:
    a, b = formal(0, 8), formal(1, 8)
    product, wide = part("product", mul(a, b)), part("wide", add(formal(0, 64), formal(1, 64)))
    long = part("long", add(add(add(a, b), add(formal(2, 8), formal(3, 8))), formal(4, 8)))
    everything = (*byte_parts(), product, wide, long)
    lane = average(A, B)

    assert {*everything} - {*screened(lane, everything)} == {product, wide, long}


def test_scoring_prefers_what_the_lane_is_made_of() -> None:
    lane = rounding_product(P, Q)
    kept = scored(lane, word_parts(), GrammarOptions(limit=6))
    assert "smulhrs16" in {c.name for c in kept}
    assert len(kept) == 6


def test_scoring_limits_multipliers() -> None:
    kept = scored(rounding_product(P, Q), word_parts(), GrammarOptions(multipliers=1))
    assert [c.name for c in kept if "mul" in c.name] == ["smulhrs16"]


def test_each_grammar_is_a_switch() -> None:
    lane = halving_add(A, B)
    assert [g.name for g in grammars_for(lane, word_parts(), OFF)] == ["screened"]
    assert len(grammars_for(lane, word_parts(), OFF)[0].components) == len(word_parts())
    assert {g.name for g in grammars_for(lane, word_parts())} >= {"scored", "screened"}
    one = replace(OFF, scored=True)
    assert [g.name for g in grammars_for(lane, word_parts(), one)] == ["scored"]


def test_constants_fit_their_width_and_are_no_shift_amounts() -> None:
    lane = trunc(lshr(add(mul(zext(A, 16), const(257, 16)), const(100, 16)), const(8, 16)), 8)
    assert constants_of(lane, byte_parts(), 3) == (const(100, 8), const(1, 8), const(0, 8))


def test_results_do_not_depend_on_workers_or_order() -> None:
    lane = average(A, B)
    grammars = grammars_for(lane, word_parts((1, 7)), GrammarOptions(depth=2))
    grammars = (*grammars, replace(grammars[0], depth=3))
    assert len(grammars) >= 2
    inline = run_grammars(lane, grammars, 2500)

    class Backwards:
        def map(self, fn: Callable[[T], R], items: Sequence[T], /) -> list[R]:
            return [fn(i) for i in reversed(items)][::-1]

    assert run_grammars(lane, grammars, 2500, Backwards()) == inline
    assert run_grammars(lane, grammars[::-1], 2500) == inline[::-1]
    with Pool(2) as pool:
        assert run_grammars(lane, grammars, 2500, pool) == inline
    found = best(inline)
    assert found is not None
    assert best(inline[::-1]) == found


def test_a_worker_that_died_is_no_answer() -> None:
    class Dead:
        def map(self, fn: Callable[[T], R], items: Sequence[T], /) -> list[str]:
            return ["killed" for _ in items]

    with pytest.raises(RuntimeError, match="worker of the search failed: killed"):
        run_grammars(average(A, B), [Grammar("g", byte_parts(), (), 1)], pool=Dead())


def test_outcomes_travel() -> None:
    (outcome,) = run_grammars(average(A, B), [Grammar("g", byte_parts(), (), 1)])
    again = pickle.loads(pickle.dumps(outcome))
    assert again == outcome
    assert isinstance(again, Found)
    assert again.values[-1] is outcome.values[-1]  # type: ignore[union-attr]


def test_instructions_to_programs() -> None:
    catalogue = Catalogue(toy((128, 256)), lambda i: 100 if i.bits == 128 else 200)
    lanes = {"avg": average(A, B), "mulhrs": rounding_product(P, Q), "usubs": uabsdiff(A, B)}
    for name, lane in lanes.items():
        grammars = grammars_for(lane, catalogue.components(lane))
        found = best(run_grammars(lane, grammars))
        assert found is not None
        assert found.depth == (3 if name == "usubs" else 1)
        assert all(step.endswith(".128") for step, _ in found.steps)
        assert found.values[-1].width == lane.width


def test_scaling_moves_widths_amounts_and_powers() -> None:
    scale = Scale(16, 8)
    assert [scale.number(k) for k in (0, 1, 2, 8, 14, 15, 16, 17, 18, 31, 32)] == [
        0,
        1,
        2,
        4,
        6,
        7,
        8,
        9,
        10,
        15,
        16,
    ]
    assert scale.value(const(1 << 14, 32)) is const(1 << 6, 16)
    assert scale.value(const(255, 16)) is const(15, 8)
    assert scale.value(const(-1, 16)) is const(-1, 8)
    x, y = formal(0, 8), formal(1, 8)
    part16 = Component("mulhrs", smulhrs(formal(0, 16), formal(1, 16)), 1)
    scaled = scale.component(part16)
    assert scaled is not None
    assert scaled.fn is smulhrs(x, y)


def test_scale_is_only_for_wide_lanes() -> None:
    assert scale_for([4, 4]) is None
    assert scale_for([8, 8]) == Scale(8, 4)
    assert scale_for([16]) == Scale(16, 4)
    assert scale_for([32, 32]) == Scale(32, 8)
    assert scale_for([8, 32]) == Scale(32, 16)


def test_scaled_search_is_proved_at_full_width() -> None:
    wide = [elem(n, 0, 32) for n in "xy"]
    grammar = Grammar("g", tuple(width_parts(32)), (), 3)
    asked: list[Query] = []

    def check(query: Query) -> Answer:
        from isel.smt.portfolio import default_portfolio

        asked.append(query)
        return default_portfolio().check(query)

    lane = uabsdiff(wide[0], wide[1])
    found = cegis_scaled(lane, grammar, 8000, check=check)
    assert isinstance(found, Found)
    assert not found.optimal
    assert len(asked) == 1
    assert asked[0].assertions[-1].args[0].args[0].width == 32
    assert found.inputs == tuple(wide)


def test_scaled_answers_need_a_proof_too() -> None:
    wide = [elem(n, 0, 32) for n in "xy"]
    lane = uabsdiff(wide[0], wide[1])
    grammar = Grammar("g", tuple(width_parts(32)), (), 3)
    outcome = cegis_scaled(lane, grammar, 8000, check=lambda q: GaveUp("never sure"))
    assert isinstance(outcome, OutOfSteps)


def test_a_small_scale_coincidence_is_not_believed() -> None:
    """Two constants are one on the small scale; the full width decides."""
    lane = add(elem("x", 0, 32), const(1 << 3, 32))
    component = part("add15", add(formal(0, 32), const(1 << 15, 32)))
    scale = scale_for([32])
    assert scale is not None
    small, scaled = scale.term(lane), scale.component(component)
    assert small is not None
    assert scaled is not None
    assert canonical(small)[0] is scaled.fn
    grammar = Grammar("g", (component,), (), 1)
    assert isinstance(cegis_scaled(lane, grammar, 8000), OutOfSteps)  # nothing is said of 32 bits
    assert isinstance(cegis_scaled(lane, grammar, 8000, thorough=True), Exhausted)
