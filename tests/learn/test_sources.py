"""A grammar says what code spells: bounded, whatever it is, and each value a few times."""

from __future__ import annotations

import pytest

from isel.errors import SyntaxProblem
from isel.learn.samples import Given, Samples
from isel.learn.sources import Sources, shipped_sources
from isel.learn.term import leaf

PAIRS = "given x y\nfor EXT in zext, sext\nTERM = (extract 0 w SUM)\nSUM = (add WIDE WIDE)\n"
WIDE = "WIDE = (EXT {2*w} x) | (EXT {2*w} y)\n"


def terms(text: str, most: int = 1000) -> list[str]:
    sources = Sources(text, "test.grammar")
    return [t.text for t, _ in sources.terms(Samples(sources.givens[0]), most)]


def test_each_value_once_below_the_start() -> None:
    assert terms(PAIRS + WIDE) == [
        f"(extract 0 w (add ({e} {{2*w}} {a}) ({e} {{2*w}} {b})))"
        for e in ("zext", "sext")
        for a, b in (("x", "x"), ("x", "y"), ("y", "y"))
    ]


def test_a_grammar_without_end_is_bounded() -> None:
    found = terms("given x\nTERM = (add TERM TERM) | x\n", 20)
    assert found[0] == "x"
    assert len(found) <= 20


def test_a_name_that_is_itself_adds_nothing() -> None:
    assert terms("given x\nTERM = TERM | (not x)\n") == ["(not x)"]


@pytest.mark.parametrize(
    ("text", "what"),
    [("given x\n", "no 'TERM = ...'"), ("TERM = x\nwhat\n", "expected 'given ...'")],
)
def test_what_is_no_grammar_is_refused_at_its_place(text: str, what: str) -> None:
    with pytest.raises(SyntaxProblem, match=what):
        Sources(text, "test.grammar")


def test_the_grammar_of_the_product_speaks_of_literals_and_of_signs() -> None:
    givens = list(map(str, shipped_sources().givens))
    assert "x C if 0 <= s(C)" in givens
    assert "c x y z" in givens


def test_samples_meet_the_conditions() -> None:
    samples = Samples(Given(("x", "C"), ("0 <= lo(x)", "s(C) < 0")))
    for t, sign in (("x", 0), ("C", 1)):
        value = samples.value(leaf(t))
        for lanes, w in zip(value.lanes, value.bits, strict=True):
            assert set((lanes >> (w - 1)).tolist()) == {sign}


def test_a_name_may_stand_for_a_literal() -> None:
    assert terms("given x\nTERM = (shl x BY)\nBY = 1:w | 2:w\n") == ["(shl x 1:w)", "(shl x 2:w)"]
