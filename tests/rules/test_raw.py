"""Rules as the terms that proofs see: nothing in them is made by a rule."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from isel.ir.expr import leaves, show, var
from isel.ir.ops import WidthError
from isel.rules.books import definitions
from isel.rules.derived import expanded
from isel.rules.parse import parse_rules
from isel.rules.raw import Instance, choices, instance
from isel.rules.syntax import Rule
from isel.rules.unfold import width_of

LOW = "r: (extract 0 n (add x:w y:w)) => (add (extract 0 n x) (extract 0 n y))\n    if n < w\n"
SMALL = "r: (add x:w C:w) => (sub x {-C}:w)\n    if hi(x) < C\n"


def rule(text: str) -> Rule:
    return parse_rules(text, "f", definitions()).rules[0]


def at(text: str, sizes: Mapping[str, int]) -> Instance:
    found = instance(rule(text), sizes)
    assert found is not None
    return found


def test_a_rule_at_widths() -> None:
    found = at(LOW, {"w": 8, "n": 4})
    assert [show(x) for x in (found.premise, *found.lefts, found.right)] == [
        "1:1",
        "(extract 0 4 (add x:8 y:8))",
        "(add (extract 0 4 x:8) (extract 0 4 y:8))",
    ]


def test_where_a_condition_on_widths_fails_there_is_nothing_to_prove() -> None:
    assert instance(rule(LOW), {"w": 8, "n": 8}) is None


def test_conditions_on_values_are_the_premise_and_literals_are_unknowns() -> None:
    found = at(SMALL, {"w": 8})
    assert show(found.premise) == "(and 1:1 (slt (sext 9 x:8) (zext 9 C:8)))"
    assert [show(x) for x in found.lefts] == ["(add x:8 C:8)"]
    assert var("C", 8) in leaves(found.wrong)


def test_sides_of_different_widths_are_an_error() -> None:
    with pytest.raises(WidthError, match="8 bits are not 4 bits"):
        instance(rule("r: (add x:w y:w) => (extract 0 4 x)\n"), {"w": 8})


def test_operands_of_a_derived_operation_come_in_either_order() -> None:
    """An operation within another one is in two orders for each of the two of the outer one."""
    two = rule("r: (umin x:w (umax y:w z:w)) => (umin (umax y z) x)\n")
    assert len(list(choices(two.left))) == 4
    found = at("r: (umin x:w y:w) => (umin y x)\n", {"w": 8})
    x, y = var("x", 8), var("y", 8)
    assert set(found.lefts) == {expanded("umin", (x, y)), expanded("umin", (y, x))}


@pytest.mark.parametrize(
    ("left", "width"),
    [
        ("(umin x:w y:w)", 8),
        ("(zext v x:w)", 16),
        ("(ult x:w y:w)", 1),
        ("(concat x:w y:v)", 24),
        ("(ite c:1 x:w y:w)", 8),
    ],
)
def test_the_width_of_a_pattern_is_that_of_its_terms(left: str, width: int) -> None:
    sizes = {"w": 8, "v": 16}
    r = rule(f"r: {left} => {left.replace(':w', '').replace(':v', '').replace(':1', '')}\n")
    found = instance(r, sizes)
    assert found is not None and found.right.width == width
    assert width_of(r.left).value(sizes) == width
