"""Single mechanisms of the search for edges: what each proposes, before samples are asked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from isel.ir.build import add
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, show
from isel.ir.text import parse
from isel.synth.edges.relevant import is_polynomial, native_terms, relevant
from isel.synth.edges.sums import halved_edges, shifted_edges
from isel.synth.values.lanefn import LaneFn, lane_fn

FUNCTIONS = {
    name: lane_fn(canonical(parse(text))[0])
    for name, text in {
        "add": "(add a:16 b:16)",
        "add32": "(add a:32 b:32)",
        "xor": "(xor a:16 b:16)",
        "shift": "(lshr a:16 b:16)",
        "multiply": "(mul a:16 b:16)",
        "less": "(ult a:16 b:16)",
        "add the upper": "(add a:16 (lshr b:16 8:16))",
        "add the upper with its sign": "(add a:16 (ashr b:16 8:16))",
    }.items()
}


def functions(names: str) -> list[LaneFn]:
    return [FUNCTIONS[n.strip()] for n in names.split(",")]


@pytest.mark.parametrize(
    ("term", "worth"),
    [
        ("(add x0:16 x1:16)", "add"),
        ("(mul x0:16 (add x1:16 x2:16))", "add, multiply"),
        ("(xor x0:16 x1:16)", "add, xor"),
        ("(lshr x0:16 x1:16)", "add, xor, shift"),
        ("(ult x0:16 x1:16)", "add, xor, less"),
        ("(add (zext 32 x0:16) (zext 32 x1:16))", "add, add32"),
    ],
)
def test_functions_are_screened_by_operators_and_widths(term: str, worth: str) -> None:
    given = functions("add, add32, xor, shift, multiply, less")
    found = relevant(given, parse(term))
    assert found == [f for f in given if f in functions(worth)]


def test_sums_of_products_are_known() -> None:
    assert is_polynomial(parse("(sub (mul (zext 32 x0:16) 3:32) (shl x1:32 2:32))"))
    assert not is_polynomial(parse("(add (lshr x0:16 1:16) x1:16)"))


def test_a_term_is_extended_to_a_width_that_instructions_have() -> None:
    def found(text: str) -> list[str]:
        return [show(x) for x in native_terms(parse(text))]

    assert found("x0:16") == ["x0:16"] and found("x0:1") == ["x0:1"]
    assert found("x0:9") == ["(zext 16 x0:9)", "(sext 16 x0:9)"]
    assert found("x0:65") == []


def shifts(term: str, apart: int) -> set[tuple[str, ...]]:
    low, high = formal(0, 8), formal(1, 8)
    order = {low: (0, 0), high: (0, apart)}
    given = functions("add, add the upper, add the upper with its sign")
    edges = shifted_edges(lambda widths: given, parse(term), order)
    return {(show(e.fn.term), *map(show, e.args)) for e in edges}


def test_the_upper_of_two_neighbours_is_added_by_a_shift() -> None:
    """In both orders; which comes first in an instruction is up to its text."""
    found = shifts("(add (zext 16 x0:8) (zext 16 x1:8))", 8)
    assert {x[0] for x in found} == {show(FUNCTIONS["add the upper"].term)}
    assert len(found) == 2
    assert {frozenset(x[1:]) for x in found} == {
        frozenset({"(concat x1:8 x0:8)", "(zext 16 x0:8)"})
    }


@pytest.mark.parametrize(
    ("term", "apart"),
    [
        ("(add (zext 16 x0:8) (zext 16 x1:8))", 16),
        ("(add (zext 16 x0:8) (mul (zext 16 x1:8) 3:16))", 8),
        ("(xor (zext 16 x0:8) (zext 16 x1:8))", 8),
    ],
)
def test_what_is_no_neighbour_or_is_there_more_often_is_not_shifted(term: str, apart: int) -> None:
    assert shifts(term, apart) == set()


def sum_of(leaves: Sequence[Expr]) -> Expr:
    total = leaves[0]
    for x in leaves[1:]:
        total = add(total, x)
    return total


def halves(count: int, apart: int) -> list[set[str]]:
    leaves = [formal(i, 16) for i in range(count)]
    order = {x: (0, apart * i) for i, x in enumerate(leaves)}
    fn = FUNCTIONS["add"]
    return [set(map(show, e.args)) for e in halved_edges({fn: (0, 1)}, sum_of(leaves), order)]


def test_what_lies_side_by_side_is_halved() -> None:
    assert halves(4, 16) == [{"(add x0:16 x1:16)", "(add x2:16 x3:16)"}]
    assert halves(4, 32) == [] and halves(2, 16) == [] and halves(3, 16) == []
