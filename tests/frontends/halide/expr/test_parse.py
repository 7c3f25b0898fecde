"""The grammar of printed expressions: what is read, as what type, and what is said of mistakes."""

from __future__ import annotations

import pytest

from frontends.halide.expr.parse import parse
from frontends.halide.expr.tree import nodes
from frontends.halide.expr.types import Type
from isel.errors import SyntaxProblem


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("input(x)", "int32"),
        ("(uint8)input(x)", "uint8"),
        ("uint16((uint8)input(x))", "uint16"),
        ("(int16)-32767", "int16"),
        ("-16", "int32"),
        ("2.500000f", "float32"),
        ("(float64)2.5", "float64"),
        ("(float32)input(x)*2.500000f", "float32"),
        ("(uint8)abs((int8)input(x))", "uint8"),
        ("saturating_cast((int64)input(x))", "int32"),
        ("(uint32)shift_left(uint32((uint16)input(x)), -16)", "uint32"),
        ("(uint16)widening_mul((uint8)a(x), (uint8)b(x))", "uint16"),
        ("(int16)widening_mul((uint8)a(x), (int8)b(x))", "int16"),
        ("(int16)widening_sub((uint8)a(x), (uint8)b(x))", "int16"),
        ("(uint8)saturating_narrow((int16)a(x))", "uint8"),
        ("(x % 2) == 0", "uint1"),
        ("!(x > 3) || x == 9 && x < 7", "uint1"),
        ("select(x > 3, (int8)a(x), (int8)3)", "int8"),
        ("let t = (uint8)a(x) in t + t", "uint8"),
        ("(let t = (uint8)a(x) in t) + (uint8)1", "uint8"),
        ("(int16)123 + sum(r in 0..3: int16((uint8)a((4*x) + r)))", "int16"),
        ("ramp(x, 1, 8)", "int32x8"),
        ("x8((uint8)3)", "uint8x8"),
        ("x4(ramp(x, 1, 2))", "int32x8"),
        ("(int32x8)vector_reduce_add(int32x32(x32((uint8)1)))", "int32x8"),
        ("interleave_vectors(ramp(x, 1, 4), ramp(y, 1, 4))", "int32x8"),
        ("slice_vectors(ramp(x, 1, 8), 1, 2, 4)", "int32x4"),
        ("reinterpret<uint8x8>(ramp(x, 1, 2))", "uint8x8"),
        ("(int8)reinterpret((uint8)a(x))", "int8"),
        ("f.min.0 + o.s0.x.v1.base.s", "int32"),
        ("(uint1)likely(x > 3)", "uint1"),
        ("(int16)mul_shift_right((int16)a(x), (int16)b(x), (uint16)15)", "int16"),
        ("(int32)widen_right_mul(a(x), (uint16)b(x))", "int32"),
    ],
)
def test_types(text: str, kind: str) -> None:
    assert str(parse(text).type) == kind


def test_operators_bind_as_in_c() -> None:
    assert parse("a + b*c - d/e % f") == parse("((a + (b*c)) - ((d/e) % f))")
    assert parse("a < b && c == d || e < f") == parse("((a < b) && (c == d)) || (e < f)")
    assert parse("a - b - c") == parse("(a - b) - c")
    assert parse("- 3") == parse("-3")


def test_names_of_the_paper_are_halides() -> None:
    assert (
        parse("(int16)rounding_mul_shr((int16)a(x), (int16)b(x), (uint16)15)").op
        == "rounding_mul_shift_right"
    )
    assert parse("(uint16)extending_add((uint16)a(x), (uint8)b(x))").op == "widen_right_add"


def test_buffers_and_variables_may_be_declared() -> None:
    assert str(parse("f[ramp(t, 1, 8)]", buffers={"f": Type("uint", 8)}).type) == "uint8x8"
    assert str(parse("(uint16x8)f[ramp(t, 1, 8)]").type) == "uint16x8"
    assert str(parse("v + (uint8)1", variables={"v": Type("uint", 8)}).type) == "uint8"


def test_positions_are_no_part_of_a_tree() -> None:
    assert parse("(uint8)a(x)  +  (uint8)3") == parse("(uint8)a(x) + (uint8)3")
    assert [n.at for n in nodes(parse("a + b"))] == [2, 0, 4]


@pytest.mark.parametrize(
    ("text", "at", "what"),
    [
        ("", 0, "expected an expression, found 'the end'"),
        ("(uint8)input(x", 14, "expected ')', found 'the end'"),
        ("a b", 2, "expected an operator or the end, found 'b'"),
        ("a ? b : c", 2, "unexpected character '?'"),
        ("(uint8)input(x) + 3", 16, "'add' takes operands of one type, found uint8 and int32"),
        ("(uint8)256", 7, "256 is no uint8"),
        ("(int8)2.5", 6, "expected an integer of type int8, found 2.5"),
        ("(uint8)3.", 8, "unexpected character '.'"),
        ("select(x, a, b)", 0, "'select' takes a truth value first, found int32"),
        ("x && (y > 2)", 2, "'and' takes operands of one type, found int32 and uint1"),
        ("(uint8)abs(x)", 0, "'abs' of these operands is uint32, not uint8"),
        ("abs(a, b)", 3, "'abs' takes 1 operand, found 2"),
        ("min(a)", 3, "'min' takes 2 operands, found 1"),
        (
            "(uint8)shift_left((uint8)a(x), 3)",
            0,
            "'shift_left' takes operands of 8 bits and 1 lanes, found int32",
        ),
        (
            "(int16)mul_shift_right((int16)a(x), (int16)b(x), (int16)15)",
            0,
            "'mul_shift_right' takes an unsigned amount, found int16",
        ),
        ("sum(r in 3..0: a(r))", 0, "the range 3..0 is empty"),
        ("sum(r in 0..3 a(r))", 14, "expected ':', found 'a'"),
        (
            "slice_vectors(ramp(x, 1, 4), 1, 2, 4)",
            0,
            "'slice_vectors' of 4 lanes takes a lane that is not there",
        ),
        (
            "concat_vectors(ramp(x, 1, 4), x4((uint8)1))",
            0,
            "'concat_vectors' takes vectors of one type",
        ),
        ("a(2.5)", 2, "expected an integer as an index of 'a', found float32"),
        (
            "reinterpret<uint8x4>((uint8)a(x))",
            0,
            "reinterpret: expected the bits of uint8x4, found uint8",
        ),
        (
            "(int32x3)vector_reduce_add(ramp(x, 1, 8))",
            0,
            "'vector_reduce_add' of int32x8 gives int32s in a divisor of 8 lanes, not int32x3",
        ),
        ("(" * 500, 80, "the expression is nested too deeply"),
    ],
)
def test_mistakes(text: str, at: int, what: str) -> None:
    with pytest.raises(SyntaxProblem) as found:
        parse(text)
    assert (found.value.position, found.value.what) == (at, what)


PRINTED = (
    "<halide.Expr of type uint8: uint8(((uint16((uint8)a_im(x, y)) + uint16((uint8)b_im(x, y))) + (uint16)1)/(uint16)2)>",
    "<halide.Expr of type uint8: uint8(((uint16((uint8)a_im(x, y)) + uint16((uint8)b_im(x, y))) + (uint16)1)/(uint16)2)>",
    "<halide.Expr of type uint8: (uint8)absd((uint8)a_im(x, y), (uint8)b_im(x, y))>",
    "<halide.Expr of type uint8: (uint8)saturating_add((uint8)a_im(x, y), (uint8)b_im(x, y))>",
    "<halide.Expr of type uint8: (uint8)saturating_cast(int16((uint8)a_im(x, y)) - int16((uint8)b_im(x, y)))>",
    "<halide.Expr of type int32: max(min(int32((int16)c_im(x))*3, 7), -5)>",
    "<halide.Expr of type uint8: select((uint8)a_im(x, y) > (uint8)b_im(x, y), (uint8)a_im(x, y), (uint8)b_im(x, y))>",
    "<halide.Expr of type int32: min(int32((uint8)a_im(x, y)), 3)>",
    "<halide.Expr of type uint8: (uint8)shift_left(max((uint8)a_im(x, y), (uint8)b_im(x, y)), (uint8)2)>",
    "<halide.Expr of type int16: int16(shift_right(int32((int16)c_im(x))*int32((int16)c_im(x + 1)), (uint32)16))>",
    "<halide.Expr of type int16: (int16)count_leading_zeros((int16)c_im(x))>",
    "<halide.Expr of type uint8: (uint8)popcount((uint8)a_im(x, y))>",
    "<halide.Expr of type uint8: (uint8)bitwise_and((uint8)bitwise_not((uint8)a_im(x, y)), (uint8)15)>",
    "<halide.Expr of type int16: ((int16)0 - (int16)c_im(x))>",
    "<halide.Expr of type int16: ((int16)c_im(x) % (int16)7)>",
    "<halide.Expr of type int16: ((int16)c_im(x)/(int16)4)>",
    "<halide.Expr of type uint16: (uint16)widening_mul((uint8)a_im(x, y), (uint8)b_im(x, y))>",
    "<halide.Expr of type int16: (int16)mul_shift_right((int16)c_im(x), (int16)c_im(x), (uint16)15)>",
    "<halide.Expr of type int16: (int16)rounding_mul_shift_right((int16)c_im(x), (int16)c_im(x), (uint16)15)>",
    "<halide.Expr of type uint8: (uint8)3>",
    "<halide.Expr of type int32: 2>",
    "<halide.Expr of type int16: (int16)300>",
    "<halide.Expr of type uint8: ((uint8)a_im(x, y) + (uint8)p)>",
    "<halide.Expr of type uint8: ((uint8)f(x, y)*(uint8)2)>",
    "<halide.Expr of type uint8: (uint8)a_im(x, y)>",
)


@pytest.mark.parametrize("printed", PRINTED)
def test_what_print_shows_in_python(printed: str) -> None:
    """The words around an expression say its type, which must be what the expression is."""
    _, _, kind, inside = printed.removesuffix(">").split(" ", 4)[1:]
    assert parse(printed) == parse(inside)
    assert f"{parse(printed).type}:" == kind
    with pytest.raises(SyntaxProblem, match="the expression is"):
        parse(printed.replace(kind, "int64:"))
