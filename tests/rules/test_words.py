"""Conditions of rules as text of Python: its value is that of the expression it was made of."""

from __future__ import annotations

import pytest

from isel.ir.expr import Expr, const
from isel.ir.text import parse
from isel.rules.number import Tree, evaluate, read
from isel.rules.parse import parse_rules
from isel.rules.words import NAMES, function, words

RULE = parse_rules("r: (add x:w (mul y:w C:w)) => (add (mul C y) x)\n", "f").rules[0]


def value(tree: Tree, w: int, x: Expr, y: Expr, literal: Expr) -> object:
    text = f"def f(n_w, t_x, t_y, t_C):\n return {words(tree, RULE)}\n"
    made = function("f", text, NAMES)
    assert callable(made)
    return made(w, x, y, literal)


@pytest.mark.parametrize(
    "text",
    ["w - 1", "2**(w - 1) - C", "-w * 3 + C // 2", "natural(w + 1)", "log2(C)", "C + 1 < 2**w"],
)
@pytest.mark.parametrize("literal", [1, 7, 254])
def test_integers_are_what_they_were(text: str, literal: int) -> None:
    x = parse("x:8")
    tree = read(text) if "<" not in text else ("<", read("C + 1"), read("2**w"))
    assert value(tree, 8, x, x, const(literal, 8)) == evaluate(tree, {"w": 8, "C": literal})


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("s(C)", -1),
        ("lo(x)", -8),
        ("hi(x)", 7),
        ("ulo(y)", 0),
        ("uhi(y)", 3),
        ("uhi(x)", 255),
        ("lo(x + y)", -8),
        ("hi(x + y)", 10),
        ("hi(x * y)", 21),
        ("lo(x - y)", -11),
    ],
)
def test_bounds_are_of_what_is_known_of_terms(text: str, wanted: int) -> None:
    x, y = parse("(sext 8 a:4)"), parse("(and b:8 3:8)")
    assert value(read(text), 8, x, y, const(255, 8)) == wanted
