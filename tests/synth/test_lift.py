"""Lanes are lifted to what instructions have, and what is cheaper otherwise stays as it is."""

from __future__ import annotations

import pytest

from isel.egraph.limits import NEVER
from isel.ir.build import eq
from isel.ir.canon import canonical, formal
from isel.ir.domain import Range, reduced
from isel.ir.expr import Expr, const
from isel.ir.ranges import ranges_where
from isel.ir.text import parse
from isel.model.machine import Machine
from isel.model.window import Root
from isel.synth.instructions.library import library_of
from isel.synth.lift import Lifter, Lifts, _as_mask, lifter_of
from isel.synth.limits import LACK_SHARE
from isel.synth.values.lanefn import lane_fn
from tests.synth.toy import ToyTarget

LIBRARY = library_of(Machine(ToyTarget(), "toy", frozenset(), 512))
AVERAGE = "(extract 0 16 (lshr (sub (zext 32 a:16) (not (zext 32 b:16))) 1:32))"


def lifts(text: str, *facts: str) -> Lifts:
    e = parse(text)
    root = Root(e.width, (e, e), (const(1, 1),) * 2)
    return Lifts(LIBRARY, ranges_where(tuple(map(parse, facts))), [root])


def lifted(text: str, *facts: str) -> Expr:
    """Return a lane up to renaming."""
    (root,) = lifts(text, *facts).roots
    assert root.lanes[0] is not None and root.lanes[0] is root.lanes[1]
    return canonical(root.lanes[0])[0]


def test_an_average_is_one_operation_whatever_its_spelling() -> None:
    found = lifter_of(LIBRARY).lift(parse(AVERAGE), ranges_where(()))
    assert found is not None and found.helps and found.said == "uavg(a, b)"
    assert lifted("(sub (or a:16 b:16) (lshr (xor a:16 b:16) 1:16))") is lifted(AVERAGE)


def test_the_price_is_that_of_all_lanes() -> None:
    found, twice = lifts(AVERAGE), parse(AVERAGE)
    assert found.helps and list(found.said) == ["uavg(a, b)"]
    root = Root(16, (twice,) * 64, (const(1, 1),) * 64)
    assert Lifts(LIBRARY, ranges_where(()), [root]).price > found.price > 0


def test_lanes_promise_as_much_of_a_price_as_they_save() -> None:
    """Of a program that is much cheaper than its operations one by one, as sums of products are."""
    found = lifts(AVERAGE)
    assert 0 < found.price < found.before
    part = found.price * 100 // 3
    assert found.promise(found.price + 100, apart=False) and found.promise(part, apart=False)
    assert not found.promise(16, apart=False)
    same = lifts("(add a:16 b:16)")
    assert same.price == same.before and not same.promise(same.price, apart=False)


STEP = "(let ((a (zext 32 x:8)) (b (zext 32 y:8))) (ite (slt b a) (sub a b) 0:32))"
NESTED = {  # each is of what fits in a byte
    f"(extract 8 8 (mul {STEP} 77:32))": "(ite (ult x0:8 x1:8) 0:8 (sub x0:8 x1:8))",
    f"(let ((s {STEP})) (extract 0 8 (ite (slt s 16:32) 16:32 s)))": "(ite (ult x0:8 x1:8) 0:8",
    "(extract 0 16 (ite (ult y:8 x:8) (mul (sub (zext 32 x:8) (zext 32 y:8)) 85:32) 0:32))": (
        "(ite (ult x0:8 x1:8) 0:8 (sub x0:8 x1:8))"
    ),
    "(extract 0 16 (ite (ult y:8 x:8) (add (sub (zext 32 x:8) (zext 32 y:8)) 23:32) 23:32))": (
        "(ite (ult x0:8 x1:8) 0:8 (sub x0:8 x1:8))"
    ),
}


@pytest.mark.parametrize("text", NESTED)
def test_what_is_nested_stays_in_a_byte(text: str) -> None:
    """A difference that is chosen where it is not negative fits in the bits of what it is of."""
    assert NESTED[text] in str(lifted(text))


def test_what_lacks_an_instruction_must_save_more() -> None:
    """Of what is searched apart as well."""
    found = lifts(AVERAGE)
    assert found.promise(found.price, apart=True)
    found.lacks = True
    more = found.price // LACK_SHARE
    assert found.promise(found.price + more, apart=True)
    assert not found.promise(found.price + more - 1, apart=True)


def test_what_is_cheap_stays() -> None:
    assert not lifts("(add a:16 b:16)").helps
    assert lifted("(add a:16 b:16)") is parse("(add x0:16 x1:16)")


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
    with_facts = lifted(text, "(ult a:16 256:16)", "(ult b:16 256:16)")
    assert with_facts is parse("(add x0:16 x1:16)")
    assert lifted(text) is not with_facts


def test_a_function_that_reads_nothing_is_no_mask() -> None:
    truth = lane_fn(const(1, 1))
    assert _as_mask(truth) is truth
    assert _as_mask(lane_fn(eq(formal(0, 8), formal(1, 8)))).width == 8
