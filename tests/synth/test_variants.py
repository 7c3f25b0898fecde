"""The search offers programs of other terms of a lane, and of equals what wraps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from isel.ir import build as b
from isel.ir.canon import formal
from isel.ir.expr import Expr, const, postorder
from isel.ir.text import parse
from isel.model.answer import Options
from isel.model.machine import Machine
from isel.model.program import LaneValues
from isel.model.verdict import Unknown, Verdict
from isel.model.window import Window
from isel.rules.derived import uabsdiff
from isel.synth.edges.variants import but_plain, with_variants
from isel.synth.goals.ways import Ways
from isel.synth.instructions.library import library_of
from isel.synth.lanes.graph import LaneGraph
from isel.synth.layout.bounds import PRICES, Bounds
from isel.synth.layout.elements import Elements
from isel.synth.loop import SearchSynthesizer
from isel.synth.synthesize import make_synthesizer
from isel.synth.values.lanefn import alike, lane_fn
from isel.synth.values.questions import Answer, Edge, Question
from isel.verify.prove import Checker
from isel.verify.windows import prove_window
from tests.synth import windows as w
from tests.synth.toy import ToyTarget

MACHINE = Machine(ToyTarget(), "toy", frozenset(), 512)


@cache
def search() -> SearchSynthesizer:
    return make_synthesizer(MACHINE, Options(disabled=("cegis",)))


def steps(lanes: list[Expr]) -> list[str]:
    window = w.window(lanes, ("a", 16, 32), ("b", 16, 32))
    found = search().search(window).candidates[0]
    return [s.name for s in found.program.steps if s.kind == "apply"]


def test_half_of_a_difference_stays_in_its_width() -> None:
    a, c = w.register("a", 16, 32), w.register("b", 16, 32)
    wide = [b.sub(b.sext(x, 32), b.sext(y, 32)) for x, y in zip(a, c, strict=True)]
    used = steps([b.trunc(b.ashr(e, const(1, 32)), 16) for e in wide])
    assert all(name.endswith("16.512") for name in used)


def test_where_proofs_stay_open_simpler_programs_are_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The best of the lane as it is spelled, its best of one level; no program is asked about
    twice.
    """
    a, c = w.register("a", 16, 32), w.register("b", 16, 32)
    wide = [b.sub(b.sext(x, 32), b.sext(y, 32)) for x, y in zip(a, c, strict=True)]
    lanes = [b.trunc(b.ashr(e, const(1, 32)), 16) for e in wide]
    asked: list[list[str]] = []

    def narrow(outputs: Sequence[LaneValues]) -> bool:
        every = postorder([e for e in outputs[0] if e is not None])
        return not any(x.op == "sext" and x.width == 32 for x in every)

    def unsure(
        window: Window, outputs: Sequence[LaneValues], effort: int, checker: Checker | None
    ) -> Verdict:
        asked.append([repr(e) for e in outputs[0]])
        known = narrow(outputs)
        return Unknown("open") if known else prove_window(window, outputs, effort, checker)

    monkeypatch.setattr("isel.synth.loop.prove_window", unsure)
    used = steps(lanes)
    assert any(not name.endswith("16.512") for name in used)
    assert len(asked) > 1 and len({tuple(x) for x in asked}) == len(asked)


def test_what_wraps_is_preferred_to_its_saturating_twin() -> None:
    """Sums of small values do neither, and cost the same, whichever is found first."""
    library = library_of(MACHINE)
    graph = LaneGraph(library)
    elements, small = Elements(graph), const(255, 16)
    a, c = w.register("a", 16, 32), w.register("b", 16, 32)
    lanes = [b.add(b.band(x, small), b.band(y, small)) for x, y in zip(a, c, strict=True)]
    classes = elements.classes_of(elements.of_lanes(lanes, [()] * 32))
    sums = classes[0]
    sums.edges = tuple(sorted(graph.edges(sums), key=lambda e: not e.fn.saturates))
    bounds = Bounds(library, graph, PRICES)
    bounds.reach([sums])
    options = Ways(library, elements, bounds, frozenset()).options(classes, 512)
    best = [form.fn for least, form, _ in options if least == options[0][0]]
    assert sums.edges[0].fn.saturates and not best[0].saturates
    assert any(fn.saturates for fn in best)


def test_variants_are_over_the_formals_of_the_term() -> None:
    """The order in which a variant reads its leaves is not that of the term."""
    x, y = formal(0, 8), formal(1, 8)
    term = uabsdiff(x, y)
    asked: list[Question] = []

    def none(question: Question) -> Answer:
        asked.append(question)
        return Answer((), (), (), 1)

    others = tuple(b.ite(c, b.sub(x, y), b.sub(y, x)) for c in (b.ult(y, x), b.ult(x, y)))
    question = Question(term, (), ((0, 0), (1, 0)), ((3, 5),), deep=True, others=others)
    answer = with_variants(question, none)
    assert [e.args for e in answer.edges] == [v.args for v in others]
    assert [q.rows for q in asked] == [((3, 5),), ((5, 3),), ((3, 5),)]
    assert [q.deep for q in asked] == [True, False, False] and answer.steps == 3
    other = Edge(answer.edges[0].fn, (b.ult(x, y), x, y))
    edges = {term: (*answer.edges, other), b.add(x, y): (other,)}
    assert but_plain(edges, {term: others}) == {(term, other)}


def test_a_literal_is_added_or_its_opposite_taken() -> None:
    """So that what is looked for next is no program of the same shape."""
    plus, minus, both = (lane_fn(parse(f"({op} x0:16 x1:16)")) for op in ("add", "sub", "and"))
    assert [*alike(plus)] == [*alike(minus)] == [plus, minus] and [*alike(both)] == [both]
