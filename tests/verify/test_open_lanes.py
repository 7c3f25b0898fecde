"""Lanes that a program leaves open: what rests on none of them is defined, whatever they hold."""

from __future__ import annotations

import pytest

from isel.ir.build import add
from isel.ir.expr import Expr, const, elem
from isel.model.program import Program, Step, outputs
from isel.model.verdict import Proved
from isel.model.window import Leaf, Root, Window
from isel.verify.windows import prove_window

_LEAF = Step("leaf", 16, 1, name="a")
_OPEN = Step("undef", 16, 1)
_WIDE = (_LEAF, _OPEN, Step("join", 16, 2, (0, 1)), Step("view", 32, 1, (2,)))


def _proved(lane: Expr | None, steps: tuple[Step, ...]) -> bool:
    root = Root(16, (lane,), (const(1, 1),))
    window = Window((Leaf("a", 16, 1),), (root,))
    found = outputs(Program(steps, (len(steps) - 1,)), {}, [root.lanes])
    return isinstance(prove_window(window, found), Proved)


_NARROW = Step("view", 16, 2, (3,))
_A = elem("a", 0, 16)


def test_a_lane_beside_an_open_one() -> None:
    """In a wider lane that another look takes apart again."""
    assert _proved(_A, (*_WIDE, _NARROW, Step("slice", 16, 1, (4,), first=0)))


def test_an_open_lane_itself() -> None:
    steps = (*_WIDE, _NARROW, Step("slice", 16, 1, (4,), first=1))
    assert not _proved(_A, steps)
    assert _proved(None, steps)  # nobody asks for it


@pytest.mark.parametrize("values", [(None, 7), (7, None)])
def test_an_open_lane_of_a_constant(values: tuple[int | None, ...]) -> None:
    constant = Step("const", 16, 2, values=values)
    steps = (constant, Step("view", 32, 1, (0,)), Step("view", 16, 2, (1,)))
    place = values.index(7)
    wanted = const(7, 16)
    assert _proved(wanted, (*steps, Step("slice", 16, 1, (2,), first=place)))
    assert not _proved(wanted, (*steps, Step("slice", 16, 1, (2,), first=1 - place)))
    assert not _proved(add(wanted, _A), (*steps, Step("slice", 16, 1, (2,), first=place)))
