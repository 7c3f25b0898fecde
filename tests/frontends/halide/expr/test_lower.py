"""Lowered functions against the oracle: LLVM IR under the reference interpreter, expressions on
whole numbers.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Final

import pytest

from frontends.halide.expr.bounds import Bounds
from frontends.halide.expr.lower import Lowered, Spelling, lower
from frontends.halide.expr.parse import parse
from frontends.halide.expr.places import NotLowered
from frontends.halide.expr.rows import Row, read_rows
from frontends.halide.expr.tree import Node
from frontends.halide.expr.types import Type
from frontends.llvm.linked import binding
from frontends.llvm.text.parse import parse_module
from tests.frontends.halide.expr.oracle import arguments, evaluate
from tests.reference.interpreter import run
from tests.reference.values import POISON
from tests.reference.values import Memory as NoMemory
from tests.suites import SUITES

SUITE: Final = SUITES / "op_check"
FILES: Final = ("arm", "arm_reductions", "hvx", "hvx_reductions", "x86", "x86_reductions")
ROUNDS: Final = 3


def pattern(seed: int, name: str, type_: Type, index: int) -> int:
    """Return an element of a random buffer; corners are as likely as all other values together."""
    source = random.Random(f"{seed} {name} {type_} {index}")
    corners = (
        type_.low,
        type_.high,
        0,
        1,
        type_.wrapped(-1),
        type_.high - 1,
        type_.wrapped(type_.low + 1),
    )
    return type_.wrapped(
        source.choice(corners) if source.random() < 0.5 else source.getrandbits(type_.bits)
    )


def agrees(
    node: Node, lanes: int, lowered: Lowered, seed: int, variables: Mapping[str, int]
) -> int:
    """Check one random input; return how many lanes are defined."""

    def memory(name: str, type_: Type, index: int) -> int:
        return pattern(seed, name, type_, index)

    wanted = evaluate(node, lanes, memory, variables)
    function = parse_module(binding.normalise(lowered.text)).functions[0]
    found = run(function, arguments(lowered, memory, variables), NoMemory())
    mask = (1 << lowered.type.bits) - 1
    defined = [
        (k, f, w & mask)
        for k, (f, w) in enumerate(zip(found, wanted * (len(found) // len(wanted)), strict=True))
        if f is not POISON
    ]
    assert [d for d in defined if d[1] != d[2]] == [], (seed, lowered.text)
    low, high = Bounds().of(node)
    assert all(low <= w <= high for w in wanted) or len(defined) < len(wanted), (low, high, wanted)
    return len(defined)


def check(
    text: str, lanes: int = 4, *, types: Mapping[str, Type] | None = None, seeds: int = ROUNDS
) -> None:
    node = parse(text, buffers=types)
    for spelling in (Spelling(), Spelling(otherwise=True, apart=True, backwards=True)):
        lowered = lower(node, lanes, spelling)
        assert (
            sum(
                agrees(node, lanes, lowered, seed, {"y": 3 + seed, "t": 5 * seed})
                for seed in range(seeds)
            )
            > 0
        )


def rows() -> Iterator[Row]:
    for name in FILES:
        path = SUITE / f"{name}.tsv"
        yield from read_rows(path.read_text(), path.name)


def lowered_or_none(node: Node, lanes: int) -> Lowered | None:
    try:
        return lower(node, lanes)
    except NotLowered as problem:
        return None if "gather" in problem.why else pytest.fail(problem.why)


def test_every_row_is_lowered_as_it_is_meant() -> None:
    """All that are not lowered are gathers; what the lanes of a row have in common needs no
    more than sixteen of them.
    """
    refused: list[str] = []
    for row in rows():
        lanes = min(row.lanes, 16)
        lowered = lowered_or_none(row.node, lanes)
        if lowered is None:
            refused.append(row.instruction)
            continue
        assert lowered.type == row.type.of(lanes), row
        assert (
            sum(agrees(row.node, lanes, lowered, seed, {"y": 3 + seed}) for seed in range(ROUNDS))
            > 0
        ), row
    assert len(refused) == 5
    assert all("vlut" in name for name in refused)


@pytest.mark.parametrize(
    "text",
    [
        "(int16)input(x)/(int16)15",
        "(int16)input(x)/(int16)-15",
        "(int16)input(x) % (int16)15",
        "(int8)input(x)/(int8)-4",
        "(int8)input(x) % (int8)-8",
        "(int8)input(x)/(int8)-128",
        "(uint8)input(x)/(uint8)255",
        "(uint8)input(x) % (uint8)7",
        "(int8)input(x)/(int8)input(x + 16)",
        "(int8)input(x) % (int8)input(x + 16)",
        "(uint16)input(x)/(uint16)input(x + 16)",
        "(int8)input(x)/(int8)0",
        "(int8)div_round_to_zero((int8)input(x), (int8)input(x + 16))",
        "(int8)mod_round_to_zero((int8)input(x), (int8)7)",
        "(uint8)div_round_to_zero((uint8)input(x), (uint8)input(x + 16))",
        "(int8)shift_left((int8)input(x), ((int8)input(x + 16) % (int8)16) - (int8)8)",
        "(uint8)shift_right((uint8)input(x), (int8)-3)",
        "(int16)rounding_shift_left((int16)input(x), (int16)input(x + 16) % (int16)16 - (int16)8)",
        "(uint8)rounding_shift_right((uint8)input(x), (int8)2)",
        "(int16)rounding_mul_shift_right((int16)input(x), (int16)input(x + 16), (uint16)15)",
        "(int8)input(x)/(int8)7",
        "(int8)input(x)/(int8)-7",
        "(uint8)input(x)/(uint8)200",
        "(int16)rounding_mul_shift_right((int16)input(x), (int16)input(x + 16), (uint16)input(x + 32) % (uint16)16)",
        "(uint16)widening_mul((uint8)input(x), (uint8)3)",
        "uint16((uint32)shift_right(uint32((uint16)input(x))*uint32((uint8)input(x + 16)), (uint32)13))",
        "int16(shift_right((int32((int16)input(x))*int32((int16)input(x + 16)/(int16)3)) + 8192, (uint32)14))",
        "(int16)saturating_cast(((int32((int16)input(x))*int32((int16)input(x + 16))) + 16384)/32768)",
        "(int8)saturating_cast((uint32)shift_right((uint32)input(x), (uint32)1))",
        "(int16)rounding_halving_add((int16)input(x), (int16)input(x + 16))",
        "(uint16)absd((uint16)input(x), (uint16)input(x + 16))",
        "uint1((uint8)input(x)) && !((uint8)input(x) > (uint8)3)",
        "int8((uint8)input(x) == (uint8)input(x + 1))",
        "reinterpret<int8>((uint8)input(x))",
        "(uint8)saturating_narrow((uint16)input(x))",
        "(int16)widen_right_add((int16)input(x), (int8)input(x))",
        "let a = (uint8)input(x) in a + a*a",
        "select((uint8)input(0) == (uint8)y, (int16)input(x), (int16)3)",
        "sum(r in 0..1: sum(s in 0..2: int16((uint8)input(((6*x) + 3*r) + s))*int16(int8(s - r))))",
        "(uint8)5 + maximum(r in 0..3: (uint8)input((4*x) + r))",
        "saturating_sum(r in 0..3: (int8)input((4*x) + r))",
        "saturating_sum(r in 0..1: int32((int16)input((2*x) + r))*int32((int16)input(((2*x) + r) + 32)))",
        "saturating_sum(r in 0..2: int16((int8)input((3*x) + r))*int16((int8)input(((3*x) + r) + 32)))",
        "(uint8)input((x/2)*3 + x % 2)",
        "select((x % 2) == 0, uint8(x/2), (uint8)input(7 - x))",
    ],
)
def test_single_lanes(text: str) -> None:
    check(text, seeds=12)


@pytest.mark.parametrize(
    "text",
    [
        "f[ramp(t, 1, 8)] + f[ramp(t + 3, 2, 8)]",
        "(uint16x8)widening_add(f[ramp(t, 1, 8)], x8(f[t]))",
        "int32x4((uint8x4)f[ramp(t*2, 3, 4)])*x4(y)",
        "interleave_vectors(f[ramp(t, 1, 4)], f[ramp(9, 1, 4)])",
        "concat_vectors(slice_vectors(f[ramp(t, 1, 8)], 0, 2, 4), slice_vectors(f[ramp(t + 7, 1, 8)], 1, 2, 4))",
        "(uint8x2)vector_reduce_add(f[ramp(t, 1, 8)])",
        "(uint8)vector_reduce_max(f[ramp(t, 1, 8)])",
        "(int16x2)vector_reduce_saturating_add(int16x4(f[ramp(t, 1, 4)])*x4((int16)-30000))",
        "x2(ramp((uint8)3, (uint8)5, 4)) + f[ramp(t, 1, 8)]",
        "select(f[ramp(t, 1, 4)] > x4((uint8)3), ramp(y, 2, 4), x4(7))",
        "let t9 = t*3 in f[ramp(t9 + 1, 1, 4)]",
        "reinterpret<uint16x4>(f[ramp(t, 1, 8)])",
        "extract_element(f[ramp(t, 1, 8)], 5)",
        "shuffle(f[ramp(t, 1, 4)], 3, 1, 0, 2)",
        "f[ramp(ramp(t, 1, 2), x2(8), 3)]",
        "f[ramp(x2(t), ramp(1, 2, 2), 3)]",
    ],
)
def test_vectors_as_printed(text: str) -> None:
    check(text, types={"f": Type("uint", 8)}, seeds=6)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(float32)input(x)*2.500000f", "floating point is not selected"),
        ("(uint8)input((uint8)input(x))", "a gather: the index depends on data or is not linear"),
        ("f[ramp(t, y, 4)]", "a stride that is not known"),
    ],
)
def test_what_is_not_selected(text: str, why: str) -> None:
    with pytest.raises(NotLowered) as found:
        lower(parse(text), 4)
    assert found.value.why == why


def test_inputs_are_shared_where_a_stride_leaves_gaps() -> None:
    """Even and odd elements come from one vector, different offsets of whole vectors from two."""
    even_odd = lower(parse("(uint8)input(2*x) + (uint8)input((2*x) + 1)"), 8)
    assert [(i.base, i.size) for i in even_odd.inputs] == [(0, 16)]
    apart = lower(parse("(uint8)input(x) + (uint8)input(x + 16)"), 64)
    assert [(i.base, i.size) for i in apart.inputs] == [(0, 64), (16, 64)]
    window = lower(parse("sum(r in 0..2: int16((uint8)input(x + r)))"), 8)
    assert [(i.base, i.size) for i in window.inputs] == [(0, 10)]


def test_an_expression_becomes_one_function() -> None:
    wanted = (
        "define <4 x i32> @select(<4 x i32> noundef %input.0, <4 x i16> noundef %input.1) {\n"
        "  %v0 = sext <4 x i16> %input.1 to <4 x i32>\n"
        "  %v1 = mul <4 x i32> %v0, <i32 3, i32 3, i32 3, i32 3>\n"
        "  %v2 = add nsw <4 x i32> %input.0, %v1\n"
        "  ret <4 x i32> %v2\n}\n"
    )
    assert lower(parse("(input(x) + (int32((int16)input(x))*3))"), 4).text == wanted


def test_what_is_loaded_comes_from_pointers() -> None:
    (argument, *lines) = lower(
        parse("(uint8)input(2*x) + (uint8)input((2*x) + 1)"), 8, Spelling(loaded=True)
    ).text.splitlines()
    assert argument == "define <8 x i8> @select(ptr noundef %input.0.at) {"
    assert lines[0] == "  %input.0 = load <16 x i8>, ptr %input.0.at, align 1"
