"""Each value is met once, as its cheapest term, and larger ones are made of these."""

from __future__ import annotations

from isel.learn.enumerate import enumerate_terms
from isel.learn.samples import Given, Samples
from isel.learn.vocabulary import choice, vocabulary
from tests.learn.toy import LIBRARY

WORDS = [w for w in vocabulary(LIBRARY) if w.op in ("add", "sub", "umax")]


def best(given: Given, size: int, most: int = 10_000) -> dict[str, int]:
    found = enumerate_terms(Samples(given), WORDS, size, most)
    return {s.best(0).term.text: s.best(0).term.size for s in found.by_value.values()}


def test_operands_that_swap_are_met_once() -> None:
    found = best(Given(("x", "y")), 1)
    assert "(add x y)" in found
    assert "(add y x)" not in found
    assert {"(sub x y)", "(sub y x)"} <= {*found}


def test_a_value_is_its_cheapest_term() -> None:
    found = best(Given(("x",)), 2)
    assert found["x"] == 0
    assert "(sub (add x x) x)" not in found


def test_no_more_terms_than_are_asked_for() -> None:
    found = enumerate_terms(Samples(Given(("x", "y"))), WORDS, 3, 50)
    assert found.count == 50


def test_a_bit_chooses() -> None:
    given = Given(("c", "x", "y"), bit="c")
    words = [*WORDS, choice(LIBRARY, "c")]
    found = enumerate_terms(Samples(given), words, 1, 10_000)
    assert "(ite c x y)" in {s.best(0).term.text for s in found.by_value.values()}
