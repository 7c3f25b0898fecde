"""What operations mean: the traps of the guide's language, each as a small operation with the
lane it must give.
"""

from __future__ import annotations

import random

import pytest

from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.expr import elem, show
from isel.ir.text import parse
from isel.spec.instruction import Role
from tests.semantics.importer.guide import Parameter, entry, imported, instructions, one

A: Parameter = ("__m128i", "a", "UI16")
B: Parameter = ("__m128i", "b", "UI16")
LANES = "FOR j := 0 to 7\n\ti := j*16\n\t{}\nENDFOR"


def lane(body: str, *parameters: Parameter, i: int = 1) -> str:
    return show(one(LANES.format(body), *parameters).lane(i, {}))


@pytest.mark.parametrize(
    ("body", "sign", "expected"),
    [
        # a shift to the right is arithmetic where the elements are signed
        ("dst[i+15:i] := a[i+15:i] >> 3", "U", "(zext 16 (extract 3 13 a[16]:16))"),
        ("dst[i+15:i] := a[i+15:i] >> 3", "S", "(sext 16 (extract 3 13 a[16]:16))"),
        # intermediate sums are exact: the average needs nine bits for eight
        (
            "dst[i+15:i] := (a[i+15:i] + b[i+15:i] + 1) >> 1",
            "U",
            "(extract 1 16 (add (add (zext 17 a[16]:16) (zext 17 b[16]:16)) 1:17))",
        ),
        # and wrap only at the assignment
        ("dst[i+15:i] := a[i+15:i] + b[i+15:i]", "S", "(add a[16]:16 b[16]:16)"),
        (
            "tmp[31:0] := a[i+15:i] * b[i+15:i]\n\tdst[i+15:i] := tmp[31:16]",
            "U",
            "(extract 16 16 (mul (zext 32 a[16]:16) (zext 32 b[16]:16)))",
        ),
        (
            "tmp[31:0] := a[i+15:i] * b[i+15:i]\n\tdst[i+15:i] := tmp[31:16]",
            "S",
            "(extract 16 16 (mul (sext 32 a[16]:16) (sext 32 b[16]:16)))",
        ),
        (
            "dst[i+15:i] := a[i+15:i] > b[i+15:i] ? 0xFFFF : 0",
            "S",
            "(sext 16 (slt b[16]:16 a[16]:16))",
        ),
        (
            "dst[i+15:i] := a[i+15:i] > b[i+15:i] ? 0xFFFF : 0",
            "U",
            "(sext 16 (ult b[16]:16 a[16]:16))",
        ),
        ("dst[i+15:i] := NOT a[i+15:i] AND b[i+15:i]", "U", "(and (not a[16]:16) b[16]:16)"),
        (
            "dst[i+15:i] := SaturateU16(a[i+15:i] - b[i+15:i])",
            "U",
            "(ite (ult a[16]:16 b[16]:16) 0:16 (sub a[16]:16 b[16]:16))",
        ),
        (
            "dst[i+15:i] := MAX(a[i+15:i], b[i+15:i])",
            "S",
            "(ite (slt a[16]:16 b[16]:16) b[16]:16 a[16]:16)",
        ),
    ],
)
def test_lanes(body: str, sign: str, expected: str) -> None:
    kind = f"{sign}I16"
    found = lane(body, ("__m128i", "a", kind), ("__m128i", "b", kind))
    assert found == expected or _values(found) == _values(expected)


def _values(text: str) -> list[int]:
    """Return what a term over two words gives: the operands of a sum may be in another order,
    those of a difference not.
    """
    a, b = (elem(name, 16, 16) for name in ("a", "b"))
    rng = random.Random(16)
    pairs = [(rng.getrandbits(16) >> rng.choice((0, 8)), rng.getrandbits(16)) for _ in range(200)]
    return [evaluate(parse(text), {a: x, b: y}, Integer()) for x, y in pairs]


def test_a_saturated_sum_of_products_is_exact() -> None:
    """Two products of 32 bits and an accumulator: saturation sees all 34 bits that the sum may
    need.
    """
    operation = (
        "FOR j := 0 to 3\n\tp.dword := SignExtend32(a.word[2*j]) * SignExtend32(b.word[2*j])\n"
    )
    operation += "\tq.dword := SignExtend32(a.word[2*j+1]) * SignExtend32(b.word[2*j+1])\n"
    operation += "\tdst.dword[j] := Saturate32(c.dword[j] + p + q)\nENDFOR"
    found = one(
        operation,
        ("__m128i", "a", "SI16"),
        B[:2] + ("SI16",),
        ("__m128i", "c", "SI32"),
        result=("__m128i", "dst", "SI32"),
    )
    low = 1 << 15
    env = (
        {elem("a", k, 16): low for k in (0, 16)}
        | {elem("b", k, 16): low for k in (0, 16)}
        | {elem("c", 0, 32): (1 << 31) - 1}
    )
    assert evaluate(found.lane(0, {}), env, Integer()) == (1 << 31) - 1
    assert (
        evaluate(found.lane(0, {}), env | {elem("c", 0, 32): (1 << 32) - 5}, Integer())
        == (1 << 31) - 5
    )


def test_a_comparison_named_by_the_immediate() -> None:
    operation = "CASE (imm8[2:0]) OF\n0: OP := _MM_CMPINT_EQ\n1: OP := _MM_CMPINT_LT\n2: OP := _MM_CMPINT_LE\n3: OP := _MM_CMPINT_FALSE\n4: OP := _MM_CMPINT_NE\n"
    operation += (
        "5: OP := _MM_CMPINT_NLT\n6: OP := _MM_CMPINT_NLE\n7: OP := _MM_CMPINT_TRUE\nESAC\n"
    )
    operation += "FOR j := 0 to 7\n\ti := j*16\n\tk[j] := (a[i+15:i] OP b[i+15:i]) ? 1 : 0\nENDFOR"
    found = one(operation, A, B, ("int", "imm8", "IMM"), result=("__mmask8", "k", "MASK"))
    assert found.immediates[0].values == tuple(range(8))
    assert [show(found.lane(2, {"imm8": v})) for v in (1, 3, 7)] == [
        "(ult a[32]:16 b[32]:16)",
        "0:1",
        "1:1",
    ]


def test_an_index_of_the_immediate_stays_symbolic() -> None:
    operation = "FOR j := 0 to 3\n\tdst.dword[j] := (a >> (imm8[1:0] * 32))[31:0]\nENDFOR"
    found = one(
        operation,
        ("__m128i", "a", "UI32"),
        ("int", "imm8", "IMM"),
        result=("__m128i", "dst", "UI32"),
    )
    assert [show(found.lane(1, {"imm8": v})) for v in range(4)] == [
        f"a[{32 * v}]:32" for v in range(4)
    ]


def test_an_index_in_an_operand_is_a_pick() -> None:
    found = imported(
        entry(
            "_mm_p",
            ("__m128i", "dst", "UI32"),
            [("__m128i", "a", "UI32"), ("__m128i", "x", "UI32")],
            "FOR j := 0 to 3\n\ti := j*32\n\tn := x[i+1:i]*32\n\tdst[i+31:i] := a[n+31:n]\nENDFOR",
        )
    )
    assert "lane pick(a, 0, 4, trunc(x[i], 2))" in found.files["arithmetic.sem"]


def test_masked_forms_share_the_block_of_their_twin() -> None:
    plain = LANES.format("dst[i+15:i] := a[i+15:i] + b[i+15:i]")
    masked = LANES.format(
        "IF k[j]\n\t\tdst[i+15:i] := a[i+15:i] + b[i+15:i]\n\tELSE\n\t\tdst[i+15:i] := {}\n\tFI"
    )
    result, k = ("__m128i", "dst", "UI16"), ("__mmask8", "k", "MASK")
    found = imported(
        entry("_mm_t", result, [A, B], plain),
        entry(
            "_mm_mask_t",
            result,
            [("__m128i", "src", "UI16"), k, A, B],
            masked.format("src[i+15:i]"),
        ),
        entry("_mm_maskz_t", result, [k, A, B], masked.format("0")),
    )
    (text,) = found.files.values()
    assert text.count("instruction ") == 1 and "predication {P}(k, src)" in text
    read = instructions(found)
    assert [o.name for o in read["_mm_mask_t"].operands] == ["src", "k", "a", "b"]
    assert [o.name for o in read["_mm_maskz_t"].operands] == ["k", "a", "b"]
    assert show(read["_mm_mask_t"].lane(0, {})).startswith("(ite k[0]:1 (add ")


def test_names_that_occur_twice_are_told_apart() -> None:
    body = LANES.format("dst[i+15:i] := a[i+15:i] + b[i+15:i]")
    found = imported(
        *(
            entry("_mm_t", ("__m128i", "dst", "UI16"), [A, B], body, cpuids)
            for cpuids in (("AVX_VNNI",), ("AVX512_VNNI", "AVX512VL"))
        )
    )
    assert sorted(instructions(found)) == ["_mm_t", "_mm_t.avxvnni"]
    assert instructions(found)["_mm_t"].features == {"avx512vnni", "avx512vl"}


def test_rotations_and_extensions_of_variable_counts() -> None:
    found = one(LANES.format("dst[i+15:i] := ZeroExtend16(a[i+15:i] << b[i+15:i])"), A, B)
    assert show(found.lane(0, {})) == "(shl a[0]:16 b[0]:16)"
    guarded = one(
        LANES.format(
            "IF b[63:0] > 15\n\t\tdst[i+15:i] := 0\n\tELSE\n\t\tdst[i+15:i] := a[i+15:i] >> b[63:0]\n\tFI"
        ),
        A,
        B,
    )
    assert show(guarded.lane(1, {})).endswith("16:64) (lshr a[16]:16 b[0]:16) 0:16)")


def test_what_chooses_among_elements_is_an_index() -> None:
    body = "n := b[i+2:i]*16\n\tdst[i+15:i] := a[n+15:n]"
    moved = one(LANES.format(body), A, B)
    assert [(o.name, o.role) for o in moved.operands] == [("a", Role.IN), ("b", Role.INDEX)]
    added = one(LANES.format("dst[i+15:i] := a[i+15:i] + b[i+15:i]"), A, B)
    assert {o.role for o in added.operands} == {Role.IN}
