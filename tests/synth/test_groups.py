"""Sums of like groups: absolute differences of bytes in one instruction, whatever the width of
the sum and what is added.
"""

from __future__ import annotations

from functools import reduce

import pytest

from isel.interp.evaluate import evaluate_onto
from isel.ir import build as b
from isel.ir.canon import formal
from isel.ir.expr import Expr, const, leaves
from isel.ir.ops import Lanes
from isel.model.answer import Options
from isel.model.machine import Machine
from isel.model.window import Window
from isel.rules import derived as d
from isel.synth.edges.fillings import grouped_sum
from isel.synth.edges.sums import group_edges
from isel.synth.synthesize import make_synthesizer
from isel.synth.values.lanefn import lane_fn
from isel.synth.values.questions import Question
from isel.synth.values.samples import ALGEBRA, samples
from tests.synth import windows as w
from tests.synth.toy import ToyTarget


def _differences(
    width: int, *, lanes: int = 4, start: int = 0, of: int = 8, acc: bool = False
) -> Window:
    """Return sums of the absolute differences of ``of`` neighbours, in ``width`` bits."""
    x, y, z = (
        w.register("a", 8, 8 * lanes),
        w.register("b", 8, 8 * lanes),
        w.register("z", width, lanes),
    )
    result: list[Expr] = []
    for i in range(lanes):
        parts = [b.zext(d.uabsdiff(x[8 * i + k], y[8 * i + k]), width) for k in range(start, of)]
        result.append(reduce(b.add, [z[i], *parts] if acc else parts))
    return w.window(
        result, ("a", 8, 8 * lanes), ("b", 8, 8 * lanes), *([("z", width, lanes)] if acc else [])
    )


def _signed(lanes: int = 4) -> Window:
    """Return sums of the absolute differences of eight signed neighbours, in 32 bits each."""
    x, y = (w.register(name, 8, 8 * lanes) for name in "ab")
    result: list[Expr] = []
    for i in range(lanes):
        far = [b.sub(b.sext(x[8 * i + k], 32), b.sext(y[8 * i + k], 32)) for k in range(8)]
        parts = [b.zext(b.ite(b.slt(f, const(0, 32)), b.neg(f), f), 64) for f in far]
        result.append(reduce(b.add, parts))
    return w.window(result, ("a", 8, 8 * lanes), ("b", 8, 8 * lanes))


@pytest.mark.parametrize(
    ("window", "price", "uses"),
    [
        (_signed(), 252, {"sad.256"}),
        (_differences(64), 100, {"sad.256"}),
        (_differences(32), 300, {"sad.256", "trunc64to32.256"}),
        (_differences(64, acc=True), 150, {"sad.256", "add64.256"}),
        (_differences(32, acc=True), 350, {"sad.256", "trunc64to32.256", "add32.128"}),
    ],
    ids=["signed", "whole", "low part", "with an addend", "low part with an addend"],
)
def test_sums_of_absolute_differences(window: Window, price: int, uses: set[str]) -> None:
    best = (
        make_synthesizer(
            Machine(ToyTarget(), "toy", frozenset(), 512), Options(disabled=("cegis",))
        )
        .search(window)
        .candidates[0]
        .program
    )
    assert uses <= {s.name for s in best.steps}, best.text()
    assert best.cost <= price


def test_bytes_alone_are_differences_from_zero() -> None:
    x = w.register("a", 8, 32)
    lanes = [reduce(b.add, [b.zext(x[8 * i + k], 64) for k in range(8)]) for i in range(4)]
    best = (
        make_synthesizer(
            Machine(ToyTarget(), "toy", frozenset(), 512), Options(disabled=("cegis",))
        )
        .search(w.window(lanes, ("a", 8, 32)))
        .candidates[0]
        .program
    )
    assert best.cost <= 102 and "sad.256" in {s.name for s in best.steps}


def test_what_is_no_sum_of_like_groups() -> None:
    x, y, z = w.register("a", 8, 3)
    assert grouped_sum(b.add(b.zext(x, 16), b.zext(y, 16))) is None
    shared = b.add(b.zext(d.uabsdiff(x, y), 16), b.zext(d.uabsdiff(y, z), 16))
    assert grouped_sum(shared) is None
    mixed = b.add(b.zext(d.uabsdiff(x, y), 16), b.sext(d.sabs(z), 16))
    assert grouped_sum(mixed) is None
    assert grouped_sum(b.add(b.zext(d.sabs(x), 16), b.zext(d.sabs(y), 16))) is not None
    assert grouped_sum(const(3, 8)) is None


def test_an_instruction_that_takes_all_is_full() -> None:
    """One that adds up all but one value leaves nothing to look for."""
    x = [b.zext(d.uabsdiff(formal(2 * k, 8), formal(2 * k + 1, 8)), 64) for k in range(8)]
    total = reduce(b.add, x)
    shape = grouped_sum(total)
    assert shape is not None
    functions = [(lane_fn(total), shape)]
    for term, full in (
        (total, True),
        (b.add(total, formal(16, 64)), True),
        (reduce(b.add, [total, formal(16, 64), formal(17, 64)]), False),
        (reduce(b.add, x[:7]), False),
    ):
        env = samples(Question(term, (), (), (), deep=False))
        places = {e: (k, 0) for k, e in enumerate(leaves(term))}

        def row(e: Expr, values: dict[Expr, Lanes] = env) -> Lanes:
            return evaluate_onto(e, values, ALGEBRA)

        assert [f.full for f in group_edges(functions, term, places, row)] == [full]
