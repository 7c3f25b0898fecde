"""The ten terms of the ablation: a lane as a term and the function with such lanes are one."""

from __future__ import annotations

import pytest

from bench.ablation.lanes import (
    TERMS,
    Term,
    average,
    dot_product,
    function,
    nests,
    rounding_shift,
    sums,
)
from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.places import places
from frontends.llvm.windows.scene import Limits, Scene
from isel.ir.build import add, trunc, zext
from isel.ir.canon import canonical
from isel.ir.expr import const, postorder, var
from semantics import target_named


def test_a_function_of_plain_operands() -> None:
    assert function("f", rounding_shift(8), 4).splitlines() == [
        "define <4 x i8> @f(<4 x i8> noundef %x) {",
        "  %v0 = sext <4 x i8> %x to <4 x i16>",
        "  %v1 = add <4 x i16> %v0, splat (i16 4)",
        "  %v2 = ashr <4 x i16> %v1, splat (i16 3)",
        "  %v3 = trunc <4 x i16> %v2 to <4 x i8>",
        "  ret <4 x i8> %v3",
        "}",
    ]


def test_elements_of_one_lane_lie_side_by_side() -> None:
    text = function("f", dot_product(16), 2)
    assert "<2 x i32> @f(<2 x i32> noundef %acc, <4 x i16> noundef %x" in text
    assert "shufflevector <4 x i16> %x, <4 x i16> poison, <2 x i32> <i32 1, i32 3>" in text


@pytest.mark.parametrize("term", TERMS, ids=lambda t: t.name)
def test_what_the_front_end_reads_is_the_term(term: Term) -> None:
    parsed = parse_module(normalise(function("f", term.lane(16), 4)))
    scene = Scene(parsed, parsed.functions[0], target_named("x86"))
    (place, *_) = places(scene, Limits(register=128))
    lane = place.sites[0].window.roots[0].lanes[0]
    assert lane is not None
    sums = ("dot product", "multiply add", "majority")  # their operands come in another order
    same = canonical(lane)[0] == canonical(term.lane(16))[0]
    assert same == (term.name not in sums)
    assert len(set(postorder([lane]))) == len(set(postorder([term.lane(16)])))


def test_sums_are_extended_shifted_and_cut() -> None:
    found = {t.name: t.lane(8) for t in sums(1)}
    assert len(found) == 2 * 8 * 3 * 3
    x, y = var("x", 8), var("y", 8)
    assert found["low(u: x+y+1 >> 0)"] == trunc(add(add(zext(x, 16), zext(y, 16)), const(1, 16)), 8)
    assert found["low(s: 2x+y >> 1)"].args[0].op == "ashr"
    assert {t.name for t in sums(7)} < found.keys()


def test_terms_of_terms() -> None:
    found = {t.name: t.lane(8) for t in nests(1)}
    assert len(found) == 7**3
    text = function("f", found["average(average, average)"], 4)
    assert text.count("<4 x i8> noundef") == text.count("trunc") == 3
    assert average(8) in postorder([found["average(average, average)"]])
    assert {t.name for t in nests(34)} < found.keys()
