"""Choices of a source solved for what the target computes: put in, they give it."""

from __future__ import annotations

import pytest

from isel.ir.build import bnot, eq
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, leaves, show
from isel.ir.text import parse
from isel.smt.enumeration import enumerate_inputs
from isel.smt.query import Unsat
from isel.verify.invert import solve


def solved(source: str, wanted: str, choices: str) -> tuple[Expr, dict[Expr, Expr]]:
    """Return the source and what ``solve`` gives for the leaves of these names."""
    term = parse(source)
    chosen = frozenset(x for x in leaves(term) if x.source in choices.split())
    found: dict[Expr, Expr] = {}
    solve(term, parse(wanted), chosen, {x: const(0, x.width) for x in chosen}, found)
    return term, found


@pytest.mark.parametrize(
    "source",
    [
        "c:8",
        "(add c:8 x:8)",
        "(add x:8 c:8)",
        "(sub c:8 x:8)",
        "(sub x:8 c:8)",
        "(xor (not c:8) x:8)",
        "(neg (add c:8 1:8))",
        "(mul c:8 5:8)",
        "(concat c:4 d:4)",
        "(add (concat (neg c:4) d:4) x:8)",
        "(extract 0 8 (add (zext 16 c:8) 3:16))",
        "(extract 4 8 (add (concat c:8 9:4) (zext 12 x:8)))",
        "(mul c:8 (or x:8 1:8))",
    ],
)
def test_the_source_becomes_what_is_wanted(source: str) -> None:
    wanted = "(mul x:8 y:8)"
    term, found = solved(source, wanted, "c d")
    given = eq(instantiate(term, found), parse(wanted))
    assert not {"c", "d"} & {x.source for x in leaves(given)}
    assert isinstance(enumerate_inputs(bnot(given), 16), Unsat)


@pytest.mark.parametrize(
    ("source", "choice"),
    [
        ("(ite x:1 c:8 y:8)", "z:8"),
        ("(ite x:1 y:8 c:8)", "z:8"),
        ("(mul c:8 6:8)", "(mul (lshr z:8 1:8) 171:8)"),
        ("(lshr c:8 2:8)", "(shl z:8 2:8)"),
        ("(shl c:8 2:8)", "(lshr z:8 2:8)"),
    ],
)
def test_where_not_every_value_can_be_reached_it_is_a_guess(source: str, choice: str) -> None:
    _, found = solved(source, "z:8", "c")
    assert [show(x) for x in found.values()] == [choice]


def test_what_cannot_be_inverted_gives_nothing() -> None:
    assert solved("(udiv c:8 x:8)", "z:8", "c")[1] == {}
    assert solved("(add x:8 y:8)", "z:8", "c")[1] == {}
    deep = "c:8"
    for _ in range(12):
        deep = f"(neg (add {deep} x:8))"
    assert solved(deep, "z:8", "c")[1] == {}


def test_the_first_place_of_a_choice_decides() -> None:
    """A second one is not looked at: what comes of it is for the proof to see."""
    _, found = solved("(concat (add c:4 1:4) c:4)", "z:8", "c")
    assert [show(x) for x in found.values()] == ["(add (extract 4 4 z:8) 15:4)"]
