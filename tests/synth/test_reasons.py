"""A search that finds nothing says which limit ended it."""

from __future__ import annotations

from isel.model.machine import Machine
from isel.synth.claims import why_none
from isel.synth.instructions.library import library_of
from isel.synth.lanes.graph import LaneGraph
from tests.synth.toy import ToyTarget


def test_the_limit_is_named() -> None:
    graph = LaneGraph(library_of(Machine(ToyTarget(), "toy", frozenset(), 512)), limit=5)
    assert why_none(graph, 400, None).endswith("the search ended at its limit of 400 goals")
    assert why_none(graph, 0, None) == "no program found"
    assert why_none(graph, 0, 3) == "no program found that costs less"
    graph.steps = 5
    assert why_none(graph, 0, 3).endswith("the lane graph ended at its limit of 5 steps")
