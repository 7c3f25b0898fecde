"""Neighbours in one register: instructions that add pairs, and those that shift one of them down."""

from __future__ import annotations

from functools import cache, reduce
from itertools import permutations

from isel.ir.build import add, concat, mul, sext, shl, zext
from isel.ir.canon import canonical, formal, rename
from isel.ir.expr import Expr, const
from isel.model.machine import Machine
from isel.rules.derived import expanded
from isel.synth.instructions.library import Library, library_of
from isel.synth.lanes.analysis import analyse
from isel.synth.values.lanefn import lane_fn
from isel.synth.values.questions import Answer, Question
from semantics import target_named

LOW, HIGH = formal(0, 8), formal(1, 8)
ADDING = set(permutations((32, 32, 64)))  # widths of what adds a pair to something


@cache
def library(isa: str, cpu: str, bits: int) -> Library:
    target = target_named(isa)
    return library_of(Machine(target, cpu, target.features(cpu, ""), bits))


def answer(term: Expr, *, apart: int = 8) -> Answer:
    form, holes = canonical(term)
    places = tuple((0, apart * int(x.source[1:])) for x in holes)
    return analyse(library("arm", "neoverse-v1", 128), Question(form, (), places, (), True))


def shifts(found: Answer) -> list[frozenset[Expr]]:
    """Return the operands of edges that shift; which comes first is up to the instruction's text."""
    return [frozenset(e.args) for e in found.edges if e.fn.ops & {"lshr", "ashr"}]


def test_the_upper_neighbour_is_added_by_a_shift() -> None:
    """One of the two that the sum has of it; the other is left to instructions that add pairs."""
    twice = add(zext(LOW, 16), shl(zext(HIGH, 16), const(1, 16)))
    both = add(zext(LOW, 16), zext(HIGH, 16))
    assert {concat(HIGH, LOW), both} in shifts(answer(twice))
    signed = add(sext(LOW, 16), mul(sext(HIGH, 16), const(2, 16)))
    assert {concat(HIGH, LOW), add(sext(LOW, 16), sext(HIGH, 16))} in shifts(answer(signed))


def test_only_neighbours_are_one_value() -> None:
    assert shifts(answer(add(zext(LOW, 16), zext(HIGH, 16)), apart=16)) == []


def test_pairs_are_tried_in_both_orders() -> None:
    found = [e.args for e in answer(add(zext(LOW, 16), zext(HIGH, 16))).edges]
    assert (LOW, HIGH) in found
    assert (HIGH, LOW) in found


def four(width: int) -> list[Expr]:
    return [formal(i, width) for i in range(4)]


def test_a_sum_of_neighbours_is_one_of_halves_in_half_the_width() -> None:
    a, b, c, d = four(16)
    half = add(sext(a, 32), sext(b, 32))
    halves = half, rename(half, {a: c, b: d})  # lanes of one class
    whole = reduce(add, [sext(x, 64) for x in (a, b, c, d)])
    narrow = [set(e.args) for e in answer(whole, apart=16).edges if e.fn.widths == (32, 32)]
    assert set(halves) in narrow
    more = add(whole, const(123, 64))
    adding = [set(e.args) for e in answer(more, apart=16).edges if e.fn.widths in ADDING]
    assert {*halves, const(123, 64)} in adding


def test_halves_that_may_not_fit_keep_their_width() -> None:
    a, b, c, d = four(32)
    edges = answer(reduce(add, [zext(x, 64) for x in (a, b, c, d)]), apart=32).edges
    half, _ = canonical(add(zext(a, 64), zext(b, 64)))
    pairs = [{canonical(x)[0] for x in e.args} for e in edges if e.fn.widths == (64, 64)]
    assert {half} in pairs
    assert not any(e.fn.widths == (32, 32) and e.fn.term.op == "add" for e in edges)


def test_extremes_are_those_of_halves() -> None:
    for op in ("umin", "smax"):
        a, b, c, d = four(8)
        whole = reduce(lambda x, y: expanded(op, (x, y)), (a, b, c, d))
        halves = expanded(op, (a, b)), expanded(op, (c, d))
        assert halves in [e.args for e in answer(whole).edges]
        assert halves not in [e.args for e in answer(whole, apart=16).edges]


def test_where_pairs_are_dear_they_are_no_reason() -> None:
    """x86 adds pairs, too, but at the price of three instructions."""
    sum_ = lane_fn(canonical(add(formal(0, 16), formal(1, 16)))[0])
    assert sum_ in library("arm", "neoverse-v1", 128).pairwise
    assert sum_ not in library("x86", "znver4", 512).pairwise


def test_halves_cost_what_the_target_says() -> None:
    arm, x86 = library("arm", "neoverse-v1", 128), library("x86", "znver4", 512)
    assert max(arm.machine.halves_cost) < 50
    assert x86.machine.halves_cost == (100, 100)


def test_forms_that_repeat_an_element_are_known() -> None:
    """Of a function with another form they are not tried at first."""
    arm = library("arm", "neoverse-v1", 128)
    fn = arm.function_of("vmlaq_s32", ())
    assert fn is not None
    forms = {f.instruction.name: f for f in arm.forms(fn, 128)}
    assert not forms["vmlaq_s32"].repeats
    assert forms["vmlaq_lane_s32"].repeats
