"""The search finds the known programs, at their price, with proofs; a wrong edge never survives."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache

import pytest

from isel.ir import build as b
from isel.ir.expr import Expr, const
from isel.model.answer import Options, Result
from isel.model.machine import Machine
from isel.model.program import meaning, read_program
from isel.model.window import Window
from isel.spec.instruction import Instruction
from isel.synth.loop import SearchSynthesizer
from isel.synth.synthesize import make_synthesizer
from tests.synth import windows as w
from tests.synth.toy import ToyTarget


@cache
def search(*, cegis: bool = False) -> SearchSynthesizer:
    return make_synthesizer(
        Machine(ToyTarget(), "toy", frozenset(), 512), Options(disabled=() if cegis else ("cegis",))
    )


CASES: list[tuple[str, Window, int, tuple[str, ...]]] = [
    ("average", w.lanewise(w.average, 8, 64, 2), 50, ("avg8.512",)),
    ("multiply high", w.lanewise(w.multiply_high_rounded, 16, 32, 2), 100, ("mulhrs16.512",)),
    ("difference", w.lanewise(w.difference, 8, 64, 2), 150, ()),
    ("halving add", w.lanewise(w.halving_add, 8, 64, 2), 150, ()),
    ("pairs", w.pairs(), 102, ("maddubs.512",)),
    ("dot of four", w.dot_four(), 100, ("dpbusd.512",)),
    (
        "weighted row in four operations on bytes",
        w.lanewise(w.weighted_row, 8, 64, 3),
        200,
        ("avg8.512",),
    ),
    ("lanes of two functions", w.alternating(), 204, ("permute8.512",)),
    ("dot of four registers", w.from_four(), 718, ("dpbusd.512", "permute8.512")),
    ("clamp", w.lanewise(w.clamp_u8, 16, 64, 1), 306, ("packus8.512",)),
    ("quantised add", w.lanewise(w.quantised_add, 8, 64, 2), 1710, ("dpwssd.512", "packs16.512")),
    ("sobel", w.lanewise(w.sobel, 8, 64, 8), 3210, ("maddubs.512", "packus8.512")),
]


@pytest.mark.parametrize(
    ("name", "window", "price", "uses"),
    [pytest.param(*c, id=c[0]) for c in CASES],
)
def test_known_programs_are_found(
    name: str, window: Window, price: int, uses: tuple[str, ...]
) -> None:
    result = search().search(window)
    assert result.complete and result.candidates
    best = result.candidates[0]
    assert best.program.cost <= price, best.program.text()
    assert set(uses) <= {s.name for s in best.program.steps}


def test_facts_decide_comparisons_before_the_search() -> None:
    """A bound on the addend shows that a dot product is not clamped."""
    plain, most = w.dot_four(), const(1 << 24, 32)
    root = plain.roots[0]
    lanes = tuple(None if e is None else b.ite(b.slt(e, most), e, most) for e in root.lanes)
    clamped = replace(plain, roots=(replace(root, lanes=lanes),))
    facts = [b.ult(x, const(1 << 20, 32)) for x in w.register("s", 32, 16)]
    known = search().search(replace(clamped, facts=tuple(facts))).candidates[0]
    assert [s.name for s in known.program.steps if s.kind == "apply"] == ["dpbusd.512"]
    assert all(c.program.cost > known.program.cost for c in search().search(clamped).candidates)


def test_candidates_are_ordered_and_distinct() -> None:
    found = search().search(w.lanewise(w.difference, 8, 64, 2)).candidates
    costs = [c.program.cost for c in found]
    assert costs == sorted(costs)
    assert len({c.program.text() for c in found}) == len(found) > 1


def test_programs_read_back() -> None:
    program = search().search(w.pairs()).candidates[0].program
    again = read_program(program.text())
    assert again.text() == program.text()
    machine = search().library.machine
    assert meaning(again, machine.by_name) == meaning(program, machine.by_name)


def test_a_fresh_search_gives_the_same_answer() -> None:
    window = w.lanewise(w.clamp_u8, 16, 64, 1)
    texts = [
        _texts(
            make_synthesizer(
                Machine(ToyTarget(), "toy", frozenset(), 512), Options(disabled=("cegis",))
            ).search(window)
        )
        for _ in range(2)
    ]
    assert texts[0] == texts[1]


def _texts(result: Result) -> list[str]:
    return [c.program.text() for c in result.candidates]


def test_cegis_adds_what_the_graph_lacks() -> None:
    result = search(cegis=True).search(w.lanewise(w.halving_add, 8, 16, 2))
    assert result.candidates and result.candidates[0].program.cost <= 150


def test_illegal_lane_counts_are_padded() -> None:
    program = search().search(w.lanewise(w.average, 8, 24, 2)).candidates[0].program
    assert program.steps[program.roots[0]].lanes == 24


def test_nothing_is_found_without_instructions() -> None:
    class Empty(ToyTarget):
        def instructions(self) -> tuple[Instruction, ...]:
            return super().instructions()[:1]

    result = make_synthesizer(
        Machine(Empty(), "toy", frozenset(), 512), Options(disabled=("cegis",))
    ).search(w.pairs())
    assert not result.candidates and result.complete


def test_goals_within_goals_are_bounded() -> None:
    """A chain of 100 operations is 100 goals within each other: more of Python's frames than a
    program may be deep in, so those far down are solved first.
    """

    def chain(x: Expr, y: Expr, z: Expr) -> Expr:
        for _ in range(50):
            x = b.bor(b.add(x, z), y)
        return x

    def frames() -> int:
        frame, count = sys._getframe(), 0
        while frame.f_back is not None:
            frame, count = frame.f_back, count + 1
        return count

    window = w.lanewise(chain, 8, 64, 3)
    deepest = sys.getrecursionlimit()
    sys.setrecursionlimit(frames() + 600)
    try:
        found = search().search(window).candidates
    finally:
        sys.setrecursionlimit(deepest)
    assert [c.program.cost for c in found] == [100 * 50]
