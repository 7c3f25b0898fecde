"""Lower bounds of what registers of some lanes cost."""

from __future__ import annotations

import pytest

from isel.ir import build as b
from isel.ir.expr import Expr, elem
from isel.model.machine import Machine
from isel.synth.instructions.library import Library, library_of
from isel.synth.lanes.graph import LaneClass, LaneGraph
from isel.synth.layout.bounds import PRICES, Bounds
from semantics import searched_for

BITS = 512


@pytest.fixture(scope="module")
def library() -> Library:
    target = searched_for("x86_64-unknown-linux-gnu")
    features = target.features("sapphirerapids", "")
    return library_of(Machine(target, "sapphirerapids", features, BITS))


def _classes(graph: LaneGraph, *terms: Expr) -> list[LaneClass]:
    order = {elem("a", 0, 32): ("a", 0), elem("b", 0, 32): ("b", 0)}
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
