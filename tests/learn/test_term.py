"""Terms with expressions for widths read and print as rules are written."""

from __future__ import annotations

import pytest

from isel.ir.expr import var
from isel.ir.text import parse
from isel.learn.term import Builder, read_term

AVERAGE = "(extract 0 w (lshr (add (zext {2*w} x) (zext {2*w} y)) 1:{2*w}))"


@pytest.mark.parametrize(
    "text",
    [AVERAGE, "(sat_su w (shl (sext {2*w} x) 1:{2*w}))", "(ite (slt x 0:w) {C + 1}:w {-C}:w)"],
)
def test_what_is_read_prints_the_same(text: str) -> None:
    assert read_term(text).text == text


def test_leaves_have_their_widths_where_they_are_first() -> None:
    t = read_term("(ite c (add x y) (sub y x))")
    assert t.left_text(set(), "c") == "(ite c:1 (add x:w y:w) (sub y x))"


def test_a_computed_literal_does_not_bind_its_name() -> None:
    t = read_term("(add x {C + 1}:w)")
    assert t.leaves == {"x", "C"}
    assert t.binds == {"x"}


def test_a_term_at_a_width() -> None:
    built = Builder(8, {"x": var("x", 8), "y": var("y", 8)}).build(read_term(AVERAGE))
    assert built is parse("(extract 0 8 (lshr (add (zext 16 x:8) (zext 16 y:8)) 1:16))")


@pytest.mark.parametrize(
    ("text", "renamed"),
    [
        ("(sub y x)", "(sub x y)"),
        ("(sub x y)", "(sub x y)"),
        ("(add (and C y) (xor x y))", "(add (and C x) (xor y x))"),
        ("(and y {-1}:w)", "(and y {-1}:w)"),
    ],
)
def test_leaves_are_named_in_the_order_of_their_places(text: str, renamed: str) -> None:
    assert read_term(text).canonical == read_term(renamed)
