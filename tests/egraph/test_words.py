"""Terms and windows in words."""

from __future__ import annotations

from isel.egraph.words import in_words, said_of
from isel.ir.build import trunc
from isel.ir.expr import const
from isel.ir.text import parse
from tests.synth import windows as w

MEAN = "(extract 0 8 (lshr (add (zext 16 a:8) (zext 16 b:8)) 1:16))"


def test_a_term_is_said() -> None:
    assert in_words(parse(MEAN)) == "uhadd(a, b)"
    assert in_words(parse("(add a:16 3:16)")) == "(a + 3)"


def test_facts_are_used() -> None:
    assert in_words(parse("(lshr a:8 7:8)"), (parse("(ult a:8 128:8)"),)) == "0"


def test_lanes_that_are_the_same_are_said_once() -> None:
    a = w.register("a", 16, 8)
    window = w.window([trunc(x, 8) if k else const(0, 8) for k, x in enumerate(a)], ("a", 16, 8))
    said = said_of(window)
    assert said == ("0", "extract(0, 8, a)")
