"""Terms as text: ``parse(show(e)) is e``, and errors point at the mistake."""

from __future__ import annotations

import pickle
import random

import pytest
from hypothesis import given

from isel.errors import SyntaxProblem
from isel.ir.expr import Expr, const, elem, show, show_all, term, var
from isel.ir.text import parse
from tests.ir.terms import every_application, random_term, seeds, widths


@given(seeds, widths)
def test_parse_of_show_is_the_same_object(seed: int, width: int) -> None:
    e = random_term(random.Random(seed), width, 5)
    assert parse(show(e)) is e
    assert pickle.loads(pickle.dumps(e)) is e


@pytest.mark.parametrize("width", [1, 2, 4])
def test_every_primitive_is_read_back(width: int) -> None:
    for name, args, attr in every_application(width):
        e = term(name, *args, attr=attr)
        assert parse(show(e)) is e


def test_shared_terms_are_printed_once() -> None:
    x = var("x", 8)
    square = term("mul", x, x)
    e = term("add", square, term("not", square))
    assert show(e) == "(let ((%0 (mul x:8 x:8))) (add %0 (not %0)))"
    assert show_all([x, e]) == ["x:8", show(e)]


def test_deep_sharing_stays_small() -> None:
    e: Expr = var("x", 16)
    for _ in range(200):
        e = term("add", e, e)
    assert len(show(e)) < 8000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5:8", const(5, 8)),
        ("-1:8", const(255, 8)),
        ("x:3", var("x", 3)),
        ("a0[16]:8", elem("a0", 16, 8)),
        ("%t.1:8", None),
        (" ( not x:1 ) ", term("not", var("x", 1))),
    ],
)
def test_leaves(text: str, expected: Expr | None) -> None:
    if expected is None:
        with pytest.raises(SyntaxProblem):
            parse(text)
    else:
        assert parse(text) is expected


@pytest.mark.parametrize(
    ("text", "column", "what"),
    [
        ("(add x:8 y:8", 13, "the text ends"),
        ("(plus x:8 y:8)", 2, "unknown operation 'plus'"),
        ("(add x:8 y)", 10, "expected a literal or a name with a width"),
        ("(add x:8 y:9)", 13, "operand widths differ"),
        ("(zext q x:8)", 7, "expected a number"),
        ("x:8 y:8", 5, "text after the term"),
        ("x:0", 4, "a term of no bits"),
    ],
)
def test_mistakes_name_their_place(text: str, column: int, what: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse(text)
    assert what in caught.value.what
    assert caught.value.column == column
    message = caught.value.message().split("\n")
    assert message[0].startswith(f"<text>:1:{column}: error: ")
    assert message[1] == text
    assert message[2] == " " * (column - 1) + "^"
