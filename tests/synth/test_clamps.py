"""Clamps are the same saturating operations, however they are spelled."""

from __future__ import annotations

import pytest

from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, postorder
from isel.ir.text import parse
from isel.rules.derived import sadd_sat, ssub_sat, uadd_sat, usub_sat
from isel.synth.instructions.narrow import Narrower

A, B = formal(0, 8), formal(1, 8)
OFFERED = {canonical(f(A, B))[0] for f in (sadd_sat, ssub_sat, uadd_sat, usub_sat)}
NARROW = Narrower(lambda fn: fn in OFFERED)


def least(sign: str, x: str, y: str) -> str:
    return f"(ite ({sign}lt {x} {y}) {x} {y})"


def greatest(sign: str, x: str, y: str) -> str:
    return f"(ite ({sign}lt {x} {y}) {y} {x})"


def clamps(x: str, low: str, high: str) -> tuple[str, ...]:
    """Return the orders in which bounds are met; the last is of bounds that are no negative."""
    return (
        greatest("s", least("s", x, high), low),
        greatest("s", least("s", high, x), low),
        least("s", greatest("s", x, low), high),
        least("s", high, greatest("s", low, x)),
        least("u", greatest("s", x, low), high),
    )


def read(clamped: str) -> Expr:
    return parse(f"(extract 0 8 {clamped})")


def pair(extension: str, width: int, op: str = "add") -> str:
    return f"({op} ({extension} {width} x:8) ({extension} {width} y:8))"


SUM, DIFFERENCE = pair("sext", 16), pair("sext", 16, "sub")
TOTAL, BELOW = pair("zext", 32), pair("zext", 32, "sub")
HALF = "(add (sext 16 x:8) (zext 16 (lshr y:8 1:8)))"
LESS = "(sub (sext 16 x:8) (zext 16 (lshr y:8 1:8)))"
SAME = {
    "a signed sum": clamps(SUM, "-128:16", "127:16")[:4],
    "a signed difference": clamps(DIFFERENCE, "-128:16", "127:16")[:4],
    "an unsigned sum": (
        *clamps(TOTAL, "0:32", "255:32"),
        least("s", TOTAL, "255:32"),
        least("u", TOTAL, "255:32"),
    ),
    "an unsigned difference": (*clamps(BELOW, "0:32", "255:32"), greatest("s", BELOW, "0:32")),
    "a sum that is never too small": (
        *clamps(HALF, "-128:16", "127:16")[:4],
        least("s", HALF, "127:16"),
    ),
    "a difference that is never too large": (
        *clamps(LESS, "-128:16", "127:16")[:4],
        greatest("s", LESS, "-128:16"),
    ),
}
MEANT = {
    "a signed sum": sadd_sat,
    "a signed difference": ssub_sat,
    "an unsigned sum": uadd_sat,
    "an unsigned difference": usub_sat,
    "a sum that is never too small": sadd_sat,
    "a difference that is never too large": ssub_sat,
}


@pytest.mark.parametrize("name", SAME)
def test_one_operation_whatever_the_spelling(name: str) -> None:
    found = {NARROW(read(x)) for x in SAME[name]}
    assert len(found) == 1
    (e,) = found
    y = parse("(lshr y:8 1:8)") if "never" in name else parse("y:8")
    assert e is MEANT[name](parse("x:8"), y)


KNOWN = ("(zext 32 l:8)", "(zext 32 h:8)"), ("(sext 32 l:8)", "(sext 32 h:8)")
LITERAL = ("3:32", "250:32"), ("-100:32", "99:32")


@pytest.mark.parametrize("low_high", LITERAL, ids=["unsigned", "signed"])
def test_bounds_in_bytes_are_met_in_one_order(low_high: tuple[str, str]) -> None:
    orders = clamps("x:32", *low_high)[: 5 if low_high is LITERAL[0] else 4]
    (made,) = {NARROW(read(x)) for x in orders}
    assert made is not NARROW(read("x:32")) and widths_of_choices(made)[-2:] == [8, 8]


@pytest.mark.parametrize("low_high", KNOWN, ids=["unsigned", "signed"])
def test_bounds_that_may_cross_are_met_in_theirs(low_high: tuple[str, str]) -> None:
    first, _, turned, _, mixed = (NARROW(read(x)) for x in clamps("x:32", *low_high))
    low, high = low_high
    choice = f"(ite (slt x:32 {low}) {low} {least('s', 'x:32', high)})"
    every = [first, turned, NARROW(read(choice))]
    assert len(set(every)) == len(every)
    assert all(widths_of_choices(e)[-2:] == [8, 8] for e in every)
    assert (mixed is turned) == (low_high is KNOWN[0])


def widths_of_choices(e: Expr) -> list[int]:
    return [x.width for x in postorder([e]) if x.op == "ite"]


def test_a_choice_of_differences_is_a_distance() -> None:
    a, b = "(zext 32 x0:8)", "(zext 32 x1:8)"
    lane = f"(ite (ult x1:8 x0:8) (sub {a} {b}) (sub {b} {a}))"
    apart = "(ite (ult x1:8 x0:8) (sub x0:8 x1:8) (sub x1:8 x0:8))"
    assert NARROW(parse(lane)) is parse(f"(zext 32 {apart})")
