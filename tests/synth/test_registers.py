"""Goals of leaves: one answer for all sources of a shape, whatever was asked before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import pytest

from isel.ir.expr import const, elem
from isel.model.machine import Machine
from isel.model.program import Program
from isel.model.window import Leaf
from isel.synth.goals.registers import Registers
from isel.synth.instructions.library import Library, library_of
from isel.synth.lanes.graph import LaneGraph
from isel.synth.layout.bounds import NEVER, PRICES
from isel.synth.layout.elements import ANY, Elements
from isel.synth.layout.moving import moves_of
from semantics import target_named
from tests.synth.toy import ToyTarget

Lanes: TypeAlias = Sequence[tuple[str, int] | int | None]
LEAVES = tuple(Leaf(name, 8, 16) for name in "abcd")
WIDTHS = {leaf.source: 8 for leaf in LEAVES}


@pytest.fixture(scope="module")
def library() -> Library:
    return library_of(Machine(ToyTarget(), "toy", frozenset(), 512))


def _moved(library: Library, lanes: Lanes) -> tuple[int, Program] | None:
    """Move bytes: of a leaf, a literal, or anything."""
    elements = Elements(LaneGraph(library))
    registers = Registers(library, elements, LEAVES, WIDTHS, PRICES)
    ids = [
        ANY
        if x is None
        else elements.atom(const(x, 8) if isinstance(x, int) else elem(x[0], 8 * x[1], 8))
        for x in lanes
    ]
    goal = np.array(ids, dtype=np.int64)
    found = registers.move(8, goal, NEVER)
    assert found is None or registers.quick_bound(8, goal) <= found[0]
    return None if found is None else (found[0], registers.plans.program([found[1]]))


def _interleaved(a: str, b: str) -> Lanes:
    return [x for k in range(8) for x in ((a, k), (b, k))]


def test_goals_that_differ_in_their_sources_have_one_answer_renamed(library: Library) -> None:
    moves_of.cache_clear()
    first, second = _moved(library, _interleaved("a", "b")), _moved(library, _interleaved("d", "c"))
    assert first is not None and second is not None
    assert moves_of.cache_info().currsize == 1
    assert first[0] == second[0]
    assert second[1].text() == first[1].text().replace("16x8 a", "16x8 d").replace(
        "16x8 b", "16x8 c"
    )


def test_an_answer_does_not_depend_on_what_was_asked_before(library: Library) -> None:
    goals: list[Lanes] = [
        _interleaved("a", "b"),
        [("c", 15 - k) for k in range(16)],
        [("a", k // 2) if k % 2 == 0 else 0 for k in range(16)],
        [*(("b", k) for k in range(8)), *[None] * 8],
    ]
    moves_of.cache_clear()
    forwards = [_moved(library, g) for g in goals]
    moves_of.cache_clear()
    backwards = [_moved(library, g) for g in reversed(goals)][::-1]
    assert [f and (f[0], f[1].text()) for f in forwards] == [
        b and (b[0], b[1].text()) for b in backwards
    ]
    assert forwards[0] is not None


def test_a_bound_does_not_depend_on_what_others_found(library: Library) -> None:
    """Else a search would go another way in a process that has searched other windows."""
    elements = Elements(LaneGraph(library))
    goal = np.array(
        [elements.leaf(elem("abcd"[k % 4], 8 * (15 - k), 8)) for k in range(16)], dtype=np.int64
    )
    moves_of.cache_clear()
    first, second = (Registers(library, elements, LEAVES, WIDTHS, PRICES) for _ in range(2))
    bound = first.quick_bound(8, goal)
    found = first.move(8, goal, NEVER)
    assert found is not None and bound < found[0] == first.quick_bound(8, goal)
    assert second.quick_bound(8, goal) == bound


def test_a_value_that_no_register_has_is_not_moved(library: Library) -> None:
    assert _moved(library, [("elsewhere", k) for k in range(16)]) is None


def test_an_extension_of_the_low_half_of_a_register_has_the_register_as_its_operand() -> None:
    """A program of half a register cannot be written."""
    x86 = target_named("x86")
    own = library_of(Machine(x86, "haswell", x86.features("haswell", ""), 256))
    elements = Elements(LaneGraph(own))
    leaf = Leaf("a", 16, 8)
    registers = Registers(own, elements, [leaf], {leaf.source: 16}, PRICES)
    ids = [elements.atom(x) for k in range(4) for x in (elem("a", 16 * k, 16), const(0, 16))]
    found = registers.move(16, np.array(ids, dtype=np.int64), NEVER)
    assert found is not None
    steps = registers.plans.program([found[1]]).steps
    (apply,) = [s for s in steps if s.kind == "apply"]
    sizes = [steps[a].width * steps[a].lanes for a in apply.args]
    assert sizes == [o.bits for o in own.machine.by_name[apply.name].operands]


def test_an_extension_that_reorders_puts_no_zeros_after_elements() -> None:
    hvx = target_named("hvx")
    features = hvx.features("hexagonv66", "+hvxv66,+hvx-length128b")
    own = library_of(Machine(hvx, "hexagonv66", features, 2048))
    elements = Elements(LaneGraph(own))
    leaf = Leaf("a", 8, 128)
    registers = Registers(own, elements, [leaf], {leaf.source: 8}, PRICES)
    ids = [elements.atom(x) for k in range(128) for x in (elem("a", 8 * k, 8), const(0, 8))]
    found = registers.move(8, np.array(ids, dtype=np.int64), NEVER)
    assert found is not None
    text = registers.plans.program([found[1]]).text()
    assert "Q6_Wuh_vunpack_Vub" in text and "vzxt" not in text
