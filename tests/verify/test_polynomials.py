"""Terms as polynomials over GF(2): the same ones are proved equal, whatever their order, and what
differs in one product is not.
"""

from __future__ import annotations

import pytest

from isel.ir import build as b
from isel.ir.expr import var
from isel.ir.text import parse
from isel.smt.query import Unsat
from isel.verify.polynomials import by_bits


def _differ(left: str, right: str, premise: str = "1:1") -> bool:
    failing = b.band(parse(premise), b.ne(parse(left), parse(right)))
    return not isinstance(by_bits(failing), Unsat)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("(clmul x:64 y:64)", "(clmul y:64 x:64)"),
        ("(clmul x:64 (xor y:64 z:64))", "(xor (clmul z:64 x:64) (clmul y:64 x:64))"),
        ("(clmul x:16 6:16)", "(xor (shl x:16 2:16) (shl x:16 1:16))"),
        ("(clmul (shl x:16 3:16) y:16)", "(shl (clmul x:16 y:16) 3:16)"),
        ("(ite c:1 (xor x:8 y:8) y:8)", "(xor y:8 (and x:8 (sext 8 c:1)))"),
        ("(or x:8 y:8)", "(not (and (not x:8) (not y:8)))"),
        ("(extract 4 4 (concat x:8 y:8))", "(extract 0 4 (lshr y:8 4:8))"),
        ("(ashr x:8 9:8)", "(sext 8 (extract 7 1 x:8))"),
        ("(zext 16 (lshr x:8 1:8))", "(lshr (zext 16 x:8) 1:16)"),
        ("(xor (add x:8 y:8) z:8)", "(xor z:8 (add x:8 y:8))"),
        ("(xor (shl x:8 z:8) y:8)", "(xor y:8 (shl x:8 z:8))"),
    ],
)
def test_the_same_polynomials_are_equal(left: str, right: str) -> None:
    assert not _differ(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("(clmul x:64 y:64)", "(clmul x:64 (and y:64 9223372036854775807:64))"),
        ("(clmul x:8 y:8)", "(mul x:8 y:8)"),
        ("(clmul x:8 (add y:8 z:8))", "(add (clmul x:8 y:8) (clmul x:8 z:8))"),
        ("(clmul x:16 6:16)", "(xor (shl x:16 2:16) (shl x:16 3:16))"),
        ("(ite c:1 x:8 y:8)", "(ite c:1 y:8 x:8)"),
        ("(or x:8 y:8)", "(xor x:8 y:8)"),
        ("(ashr x:8 1:8)", "(lshr x:8 1:8)"),
        ("(sext 16 x:8)", "(zext 16 x:8)"),
        ("(concat x:8 y:8)", "(concat y:8 x:8)"),
        ("(shl x:8 z:8)", "(shl x:8 y:8)"),
        ("(add x:8 y:8)", "(xor x:8 y:8)"),
    ],
)
def test_what_differs_is_left_to_others(left: str, right: str) -> None:
    assert _differ(left, right)


def test_a_comparison_that_decides_nothing_shows_nothing() -> None:
    """An equality that holds is no proof of what does not rest on it."""
    equal = "(xor x:8 (and x:8 y:8))"
    assert _differ(f"(zext 8 (eq {equal} (and x:8 (not y:8))))", "z:8")


def test_sums_that_grow_too_long_are_left() -> None:
    """A product of sums of thousands of products is not multiplied out."""
    x, y = (b.clmul(var(f"a{k}", 64), var(f"b{k}", 64)) for k in range(2))
    grown = b.clmul(b.clmul(x, x), b.clmul(y, y))
    assert by_bits(b.ne(grown, b.bxor(grown, b.lit(1, grown)))) is None
