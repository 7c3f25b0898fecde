"""Lanes are lifted to what instructions have, and what is cheaper otherwise stays as it is."""

from __future__ import annotations

from isel.egraph.limits import NEVER
from isel.ir.domain import Range, reduced
from isel.ir.expr import Expr, var
from isel.ir.ranges import ranges_where
from isel.ir.text import parse
from isel.model.machine import Machine
from isel.synth.instructions.library import library_of
from isel.synth.lift import Lifter, Lifts, lifter_of
from tests.synth.toy import ToyTarget

LIBRARY = library_of(Machine(ToyTarget(), "toy", frozenset(), 512))
AVERAGE = "(extract 0 16 (lshr (sub (zext 32 a:16) (not (zext 32 b:16))) 1:32))"


def lifted(text: str) -> Expr:
    return Lifts(LIBRARY, ranges_where(()))(parse(text))


def test_an_average_is_one_operation_whatever_its_spelling() -> None:
    found = lifter_of(LIBRARY).lift(parse(AVERAGE), ranges_where(()))
    assert found is not None and found.helps and found.said == "uavg(a, b)"
    assert lifted("(sub (or a:16 b:16) (lshr (xor a:16 b:16) 1:16))") is lifted(AVERAGE)


def test_what_is_cheap_stays() -> None:
    e = parse("(add a:16 b:16)")
    assert Lifts(LIBRARY, ranges_where(()))(e) is LIBRARY.narrow(e)


def test_odd_widths_have_no_price() -> None:
    price = Lifter(LIBRARY).price
    assert price("add", (), 9, (9, 9), (None, None)) == NEVER
    assert price("add", (), 16, (16, 16), (None, None)) < price(
        "mul", (), 64, (64, 64), (None, None)
    )


def test_ranges_of_the_window_are_used() -> None:
    """A sum that cannot wrap is one that saturates; without the fact it is not."""
    text = "(let ((s (add (zext 32 a:16) (zext 32 b:16)))) (extract 0 16 (ite (ult s 65535:32) s 65535:32)))"
    small = reduced(16, (0, 255))
    assert isinstance(small, Range)
    known = ranges_where((parse("(ult a:16 256:16)"), parse("(ult b:16 256:16)")))
    with_facts = Lifts(LIBRARY, known)(parse(text))
    assert with_facts is parse("(add a:16 b:16)")
    assert lifted(text) is not with_facts
    assert var("a", 16) in with_facts.args
