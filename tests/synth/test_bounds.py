"""Lower bounds of what registers of some lanes cost."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from isel.ir import build as b
from isel.ir.expr import Expr, const, elem
from isel.model.machine import Machine
from isel.synth.instructions.library import Library, library_of
from isel.synth.lanes.graph import LaneClass, LaneGraph
from isel.synth.layout.bounds import PRICES, Bounds
from isel.synth.values.questions import Edge
from semantics import searched_for

BITS = 512


@pytest.fixture(scope="module")
def library() -> Library:
    target = searched_for("x86_64-unknown-linux-gnu")
    features = target.features("sapphirerapids", "")
    return library_of(Machine(target, "sapphirerapids", features, BITS))


def _classes(graph: LaneGraph, *terms: Expr) -> list[LaneClass]:
    order = {elem(name, 0, 32): (name, 0) for name in "abc"}
    return [graph.classify(e, (), order, wanted=True)[0] for e in terms]


def test_a_piece_alone_takes_as_many_registers_as_there_are_pieces(library: Library) -> None:
    """All pieces of a value are read from the registers that hold it; one of two fills a register
    of two that do.
    """
    whole = b.add(elem("a", 0, 32), elem("b", 0, 32))
    graph = LaneGraph(library)
    bounds = Bounds(library, graph, PRICES)
    (all_, high, low) = _classes(graph, whole, b.extract(whole, 16, 16), b.extract(whole, 0, 16))
    bounds.reach([all_, high, low])
    assert bounds.least_of([high, low], BITS) <= bounds.least(all_, BITS)
    assert bounds.least(high, BITS) >= 2 * bounds.least(all_, BITS)
    assert bounds.least_of([high], BITS) == bounds.least(high, BITS)
    assert bounds.least_of([], BITS) == 0


def test_what_the_first_ways_need_is_looked_at_first(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A graph ends after so many classes: plain ways come first, and what these need."""
    x, y, z = (b.zext(elem(name, 0, 32), 64) for name in "abc")
    graph, asked = LaneGraph(library), list[LaneClass]()
    bounds, edges = Bounds(library, graph, PRICES), graph.edges
    (root,) = _classes(graph, b.extract(b.lshr(b.add(b.add(x, y), z), const(1, 64)), 0, 32))
    first = next(way for way in bounds.ways(root) if way)

    def noted(c: LaneClass) -> Sequence[Edge]:
        asked.append(c)
        return edges(c)

    monkeypatch.setattr(graph, "edges", noted)
    bounds.reach([root])
    assert next(c for c in asked if c is not root) in first
