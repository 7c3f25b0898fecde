"""CEGIS on one lane of a window, over several pruned grammars; what it finds become edges."""

from __future__ import annotations

from collections.abc import Mapping

from isel.ir.build import all_of
from isel.ir.canon import formal, rename
from isel.ir.expr import Expr, leaves
from isel.model.answer import Options
from isel.synth.cegis.run import Mapper, run_grammars
from isel.synth.cegis.screen import grammars_for, is_searchable
from isel.synth.cegis.types import Found, Grammar, Outcome
from isel.synth.instructions.library import Library
from isel.synth.lanes.graph import LaneClass, LaneGraph
from isel.synth.values.lanefn import lane_fn
from isel.synth.values.questions import Edge


def searched_lane(
    library: Library, c: LaneClass, options: Options, steps: int, pool: Mapper | None
) -> list[tuple[Grammar, Outcome]]:
    """Return what grammars make of a class with ``steps`` each, times the effort; none where it
    is too large for them.
    """
    if not is_searchable(c.term):
        return []
    steps *= options.effort
    heuristics = options.grammars
    grammars = grammars_for(c.term, library.catalogue.components(c.term), heuristics)
    key = (c.term, c.facts, steps, heuristics)
    outcomes = library.outcomes.get(key)
    if outcomes is None:
        outcomes = library.outcomes[key] = run_grammars(
            c.term,
            grammars,
            steps,
            pool=pool,
            premise=all_of(*c.facts),
            scaled=heuristics.scaled,
            lanes=heuristics.lanes,
        )
    return list(zip(grammars, outcomes, strict=True))


def add_found(graph: LaneGraph, c: LaneClass, found: Found, fns: Mapping[str, Expr]) -> None:
    """Add a program for a class to the graph, an edge a step."""
    last = len(found.steps) - 1
    for i, (name, operands) in enumerate(found.steps):
        args = tuple(found.operand(k) for k in operands)
        if i == last:
            graph.add_edge(c, Edge(lane_fn(fns[name]), args))
            c.parts.update(a for a in args if a.args)
            continue
        inner, holes = graph.part(c, found.values[i], wanted=False)
        mapping = {x: formal(k, x.width) for k, x in enumerate(holes)}
        if all(x in mapping for a in args for x in leaves(a)):
            graph.add_edge(inner, Edge(lane_fn(fns[name]), tuple(rename(a, mapping) for a in args)))
