"""Registers put together and into another order: the plans mean what was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from isel.ir.expr import elem, show
from isel.model.machine import Machine
from isel.model.program import Step, meaning
from isel.synth.instructions.library import Library, library_of
from isel.synth.layout.merging import merge_of, restorer_of
from isel.synth.layout.plans import Plans
from tests.synth.toy import ToyTarget

TOY = ToyTarget()
INSTRUCTIONS = {i.name: i for i in TOY.instructions()}


@pytest.fixture(scope="module")
def library() -> Library:
    return library_of(Machine(TOY, "toy", frozenset(), 512))


def registers(plans: Plans, width: int, names: str) -> list[int]:
    return [plans.add(Step("leaf", width, 128 // width, name=n)) for n in names]


def lanes_of(plans: Plans, plan: int) -> list[str]:
    """Return what each lane of a plan is, as text."""
    program = plans.program([plan])
    return ["" if x is None else show(x) for x in meaning(program, INSTRUCTIONS)[program.roots[0]]]


def test_equal_steps_are_one_and_cost_once() -> None:
    plans = Plans()
    a, b = registers(plans, 32, "ab")
    total = plans.add(Step("apply", 32, 4, (a, b), "add32.128"), 50)
    assert plans.add(Step("apply", 32, 4, (a, b), "add32.128"), 50) == total
    twice = plans.add(Step("apply", 32, 4, (total, total), "add32.128"), 50)
    assert plans.cost([twice, total]) == 100 and plans.cost([a, b]) == 0
    unused = plans.add(Step("apply", 32, 4, (b, b), "add32.128"), 50)
    program = plans.program([twice])
    assert program.cost == 100 and len(program.steps) == 4 and plans.cost([twice, unused]) == 150


def test_a_view_of_a_view_is_one_of_the_register() -> None:
    plans = Plans()
    (a,) = registers(plans, 32, "a")
    bytes_ = plans.view(a, 8)
    assert plans.steps[bytes_].lanes == 16
    assert plans.view(a, 32) == a and plans.view(bytes_, 32) == a
    nothing = plans.view(plans.add(Step("undef", 32, 4)), 8)
    assert (plans.steps[nothing].kind, plans.steps[nothing].lanes) == ("undef", 16)


@pytest.mark.parametrize("picks", [(0, 1, 0, 1), (1, 1, 0, 0), (0, -1, 1, -1), (0, 0, 0, 0)])
def test_each_lane_is_of_the_register_that_was_picked(
    library: Library, picks: tuple[int, ...]
) -> None:
    plans = Plans()
    a, b = registers(plans, 32, "ab")
    merge = merge_of(library, 32, picks)
    assert merge is not None
    plan = merge.apply(plans, a, b)
    found = lanes_of(plans, plan)
    for k, pick in enumerate(picks):
        assert pick < 0 or found[k] == show(elem("ab"[pick], 32 * k, 32))


@pytest.mark.parametrize("order", [(3, 2, 1, 0), (0, 0, 2, 2), (1, 2, 3, 0)])
def test_a_register_is_put_in_another_order(library: Library, order: tuple[int, ...]) -> None:
    plans = Plans()
    (a,) = registers(plans, 32, "a")
    restorer = restorer_of(library, 32, np.array(order))
    assert restorer is not None
    plan = restorer.apply(plans, a)
    assert lanes_of(plans, plan) == [show(elem("a", 32 * k, 32)) for k in order]


def test_no_permute_of_the_toy_moves_parts_of_a_byte(library: Library) -> None:
    for nibbles in (np.arange(32)[::-1].copy(), np.arange(32) // 2 * 2):
        assert restorer_of(library, 4, nibbles) is None
    assert merge_of(library, 4, (0, 1) * 16) is None
    whole = restorer_of(library, 4, np.arange(32).reshape(16, 2)[::-1].reshape(-1).copy())
    assert whole is not None and whole.permute is not None and whole.permute.width == 8
