"""Choices by one condition are joined, and nothing else changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir import build as b
from isel.ir.choices import joined
from isel.ir.expr import var
from isel.rules import derived as d

_X, _Y = var("x", 8), var("y", 8)
_GREATER, _LESSER = d.umax(_X, _Y), d.umin(_X, _Y)


def test_greater_less_lesser_is_the_difference() -> None:
    assert joined(b.sub(_GREATER, _LESSER)) is d.uabsdiff(_X, _Y)


def test_other_conditions_stay_apart() -> None:
    other = b.sub(_GREATER, d.smin(_X, _Y))
    assert joined(other) is other


@given(st.integers(0, 255), st.integers(0, 255))
def test_values_stay(x: int, y: int) -> None:
    env = {_X: x, _Y: y}
    for e in (
        b.sub(_GREATER, _LESSER),
        b.zext(b.mul(b.add(_GREATER, _LESSER), _LESSER), 16),
        b.eq(_GREATER, _LESSER),
    ):
        assert evaluate(joined(e), env, Integer()) == evaluate(e, env, Integer())
