"""Neighbours in one register: instructions that add pairs, and those that shift one of them down."""

from __future__ import annotations

from functools import cache

from isel.ir.build import add, concat, mul, sext, shl, zext
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, const
from isel.model.machine import Machine
from isel.synth.instructions.library import Library, library_of
from isel.synth.lanes.analysis import analyse
from isel.synth.values.lanefn import lane_fn
from isel.synth.values.questions import Answer, Question
from semantics import target_named

LOW, HIGH = formal(0, 8), formal(1, 8)


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


def test_where_pairs_are_dear_they_are_no_reason() -> None:
    """x86 adds pairs, too, but at the price of three instructions."""
    sum_ = lane_fn(canonical(add(formal(0, 16), formal(1, 16)))[0])
    assert sum_ in library("arm", "neoverse-v1", 128).pairwise
    assert sum_ not in library("x86", "znver4", 512).pairwise


def test_halves_cost_what_the_target_says() -> None:
    arm, x86 = library("arm", "neoverse-v1", 128), library("x86", "znver4", 512)
    assert max(arm.machine.halves_cost) < 50
    assert x86.machine.halves_cost == (100, 100)
