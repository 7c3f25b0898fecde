"""Choices by compared values, where a machine has masks as wide as its lanes and no bits."""

from __future__ import annotations

import pytest

from isel.ir.build import add, ite, ult
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, const, leaves
from isel.ir.ranges import ranges_where
from isel.ir.text import parse
from isel.model.machine import Machine
from isel.model.window import Root
from isel.synth.edges.choices import by_mask
from isel.synth.instructions.library import Library, library_of
from isel.synth.lanes.analysis import analyse
from isel.synth.lift import Lifts, lifter_of
from isel.synth.values.lanefn import lane_fn
from isel.synth.values.questions import Edge, Question
from semantics import target_named


def library(cpu: str) -> Library:
    target = target_named("x86")
    features = target.features(cpu, "")
    return library_of(Machine(target, cpu, features, target.vector_bits(features, {})))


def choice(width: int) -> Expr:
    """Return one of two values by how a third compares with a literal."""
    a, b, c = (formal(k, width) for k in range(3))
    return ite(ult(add(c, const(100, width)), const(200, width)), a, b)


def edges(cpu: str, term: Expr) -> list[Edge]:
    lane = canonical(term)[0]
    places = tuple((k, 0) for k, _ in enumerate(leaves(lane)))
    question = Question(lane, (), places, (), deep=True)
    return [e for e in analyse(library(cpu), question).edges if e.fn.arity > 1]


def masks(found: list[Edge]) -> list[Edge]:
    return [e for e in found if any(a.op == "sext" and a.args[0].width == 1 for a in e.args)]


def test_a_choice_of_bytes_is_a_blend_by_a_mask() -> None:
    assert {e.fn.arity for e in masks(edges("haswell", choice(8)))} == {3}


def test_what_is_the_greater_is_no_choice_by_a_mask() -> None:
    a, b = formal(0, 8), formal(1, 8)
    assert not masks(edges("haswell", ite(ult(a, b), b, a)))


def test_terms_that_are_no_choice_have_no_mask() -> None:
    a, b = formal(0, 8), formal(1, 8)
    fns = [lane_fn(add(a, b))]
    assert not list(by_mask(fns, add(a, b)))
    assert len(list(by_mask(fns, ite(ult(a, b), a, b)))) == 1
    assert not list(by_mask(fns, ite(ult(a, b), const(1, 9), const(0, 9))))


@pytest.mark.parametrize("cpu", ["haswell", "neoverse-v1"])
def test_an_unsigned_bound_of_a_sum_is_a_signed_one_where_that_is_cheaper(cpu: str) -> None:
    lane = parse("(sext 8 (ult (add a:8 208:8) 10:8))")
    target = target_named("x86" if cpu == "haswell" else "arm")
    features = target.features(cpu, "")
    found = library_of(Machine(target, cpu, features, target.vector_bits(features, {})))
    lifted = lifter_of(found).lift(lane, ranges_where(()))
    assert lifted is not None
    signed = canonical(lifted.term)[0] is parse("(sext 8 (slt (add x0:8 80:8) 138:8))")
    assert (lifted.helps, signed) == ((True, True) if cpu == "haswell" else (False, False))


def test_lanes_are_priced_in_registers_of_their_widest_value() -> None:
    """Sixteen bytes of products of words are computed in a register of 256 bits."""
    high = "(extract 8 8 (add (mul (zext 16 a:8) (zext 16 b:8)) 128:16))"
    root = Root(8, (parse(high),) * 16, (const(1, 1),) * 16)
    narrow, wide = (
        Lifts(library(cpu), ranges_where(()), [root]).price for cpu in ("nehalem", "haswell")
    )
    assert 0 < wide < narrow
