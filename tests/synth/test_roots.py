"""Programs for whole roots."""

from __future__ import annotations

from isel.ir import build as b
from isel.model.machine import Machine
from isel.synth.goals.registers import Registers
from isel.synth.goals.roots import solve_root
from isel.synth.goals.search import GoalSearch
from isel.synth.instructions.library import library_of
from isel.synth.lanes.graph import LaneGraph
from isel.synth.layout.bounds import NEVER, PRICES, Bounds
from isel.synth.layout.elements import Elements
from isel.synth.limits import Budget
from tests.synth import windows as w
from tests.synth.toy import ToyTarget


def test_what_has_no_plan_has_none_whatever_it_may_cost() -> None:
    """Where nothing is known, a share more than that is more than what stands for no plan."""
    library = library_of(Machine(ToyTarget(), "toy", frozenset(), 512))
    window = w.lanewise(b.mul, 64, 8, 2)
    (root,), widths = window.roots, {x.source: 64 for x in window.leaves}
    graph = LaneGraph(library)
    elements, bounds = Elements(graph), Bounds(library, graph, PRICES)
    goal = elements.of_lanes(root.lanes, [()] * len(root.lanes))
    bounds.reach(list(elements.classes_of(goal)))
    registers = Registers(library, elements, window.leaves, widths, PRICES)
    budget = Budget(100, NEVER + NEVER // 4)
    search = GoalSearch(library, elements, registers, bounds=bounds, budget=budget)
    assert solve_root(search, root.width, goal) is None
