"""Left sides of rules as functions: which terms they fit, and in how many ways."""

from __future__ import annotations

import pytest

from isel.egraph.terms import matcher, outline
from isel.ir.expr import show
from isel.ir.text import parse
from isel.rules.parse import parse_rules
from isel.rules.syntax import Rule

LOW = "(extract 0 n (add x:w y:w)) => (add (extract 0 n x) (extract 0 n y)) if n < w"
NEGATIVE = "(add x:w C:w) => (sub x {-C}:w) if s(C) < 0"
DOUBLE = "(add x:w (mul x 3:w)) => (mul x 4:w)"
EXTENDED = "(sext v x:w) => (zext v x) if lo(x) >= 0"


def rule(text: str) -> Rule:
    left, _, condition = text.partition(" if ")
    lines = f"r: {left}\n" + (f"    if {condition}\n" if condition else "")
    return parse_rules(lines, "f").rules[0]


@pytest.mark.parametrize(
    ("text", "term", "ways"),
    [
        (LOW, "(extract 0 8 (add a:16 b:16))", ["8 16 a:16 b:16", "8 16 b:16 a:16"]),
        (LOW, "(extract 4 8 (add a:16 b:16))", []),
        (LOW, "(extract 0 8 (sub a:16 b:16))", []),
        (NEGATIVE, "(add a:8 251:8)", ["8 a:8 251:8"]),
        (NEGATIVE, "(add a:8 5:8)", []),
        (NEGATIVE, "(add a:8 b:8)", []),
        (DOUBLE, "(add (mul a:8 3:8) a:8)", ["8 a:8"]),
        (DOUBLE, "(add (mul a:8 3:8) b:8)", []),
        (DOUBLE, "(add (mul a:8 4:8) a:8)", []),
        (EXTENDED, "(sext 32 (zext 16 a:8))", ["32 16 (zext 16 a:8)"]),
        (EXTENDED, "(sext 32 a:16)", []),
    ],
)
def test_ways_in_which_a_term_is_a_left_side(text: str, term: str, ways: list[str]) -> None:
    found = matcher(rule(text))(parse(term))
    assert [" ".join([*map(str, sizes), *map(show, terms)]) for sizes, terms in found] == ways


def test_an_outline_has_operators_where_they_are_certain() -> None:
    """Operands that may be swapped are of any operator; of others the first is looked at."""
    assert outline(rule(LOW).left) == ("extract", "add")
    assert outline(rule(DOUBLE).left) == ("add", "")
    assert outline(rule("(shl x:w {1}:w) => (add x x)").left) == ("shl", "")
    assert outline(rule("(shl (not x:w) y:w) => (not x)").left) == ("shl", "not")
