"""Why a search found no program."""

from __future__ import annotations

from isel.synth.lanes.graph import LaneGraph


def why_none(graph: LaneGraph, goals: int, price: int | None) -> str:
    """Say which limit stopped a search: that of ``goals``, if not 0, or the lane graph's; or that
    nothing costs less than a ``price``.
    """
    if goals:
        return f"no program found: the search ended at its limit of {goals} goals"
    if graph.limit and graph.steps >= graph.limit:
        return f"no program found: the lane graph ended at its limit of {graph.limit} steps"
    return "no program found" if price is None else "no program found that costs less"
