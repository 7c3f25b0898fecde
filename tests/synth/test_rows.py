"""Rows: random sums of products laid out in instructions whose lanes share factors, with whatever
in the places that do not matter.
"""

from __future__ import annotations

import random
from functools import cache

from isel.ir.expr import Expr, elem
from isel.model.machine import Machine
from isel.synth.instructions.form import Form
from isel.synth.instructions.library import Library, library_of
from isel.synth.lanes.graph import LaneGraph
from isel.synth.layout.elements import ANY, Elements
from isel.synth.layout.rows import layout_of, layouts, rows_of, slots_of
from semantics import target_named
from tests.synth.toy import ToyTarget

Lane = dict[int, int]
SEEDS = 500


@cache
def library(isa: str) -> Library:
    if isa == "toy":
        return library_of(Machine(ToyTarget(), "toy", frozenset(), 512))
    target = target_named(isa)
    features = target.features("neoverse-v1", "+i8mm,-sve,-sve2")
    return library_of(Machine(target, "neoverse-v1", features, 128))


@cache
def forms() -> tuple[tuple[Library, Form], ...]:
    """Return every instruction that adds up several products, in registers of any size."""
    found = []
    for known in (library("toy"), library("arm")):
        for fn, shape in known.dots:
            if len(shape.products) > 1:
                every = (f for bits in known.sizes for f in known.forms(fn, bits))
                found += [(known, f) for f in every]
    return tuple(found)


def bilinear(
    rng: random.Random, lanes: int, slots: int, width: int
) -> list[list[tuple[Expr, Expr]]]:
    """Return what lanes multiply: strides, phases, gaps, one source or two, repeats."""
    stride, phase, gap = rng.choice((0, 1, 1, 2, 4, slots)), rng.randrange(4), rng.choice((1, 1, 2))
    row, across = rng.choice((1, 2, 4)), rng.choice((0, 0, 1, slots))
    taps = rng.randint(1, slots)
    sources = ("x", rng.choice(("x", "w", "w", "w")))
    kept = [k for k in range(taps) if taps == 1 or rng.random() < 0.9]
    return [
        [
            (
                elem(sources[0], width * (i // row * stride + phase + k * gap), width),
                elem(sources[1], width * (1000 + i % row * across + k), width),
            )
            for k in kept
        ]
        for i in range(lanes)
    ]


def check(seed: int) -> int:
    """Lay out one window; return how many layouts there are, all of them right."""
    rng = random.Random(seed)
    known, form = rng.choice(forms())
    assert form.fn.sum is not None
    shape = form.fn.sum
    width = shape.products[0][0].term.width
    elements = Elements(LaneGraph(known))
    lanes = bilinear(rng, form.instruction.lanes, len(shape.products), width)
    values: dict[int, int] = {}
    count = 0
    for slots, _ in [*layouts(form)] or [(slots_of(form, 0), 0)]:
        wanted = [{elements.leaf(x): elements.leaf(w) for x, w in lane} for lane in lanes]
        unused = rng.randrange(len(wanted)) if rng.random() < 0.3 else -1
        asked = {i: lane for i, lane in enumerate(wanted) if i != unused}
        held = layout_of(elements, form, slots, asked)
        if held is None:
            continue
        count += 1

        def value(e: int) -> int:
            if e == ANY:
                return rng.randrange(-128, 256)
            if elements.is_zero(e):
                return 0
            return values.setdefault(e, rng.randrange(-128, 256))

        numbers = [[value(e) for e in operand] for operand in held]
        for lane, products in asked.items():
            at = form.places[lane]
            given = sum(numbers[at[a][0]][at[a][1]] * numbers[at[b][0]][at[b][1]] for a, b in slots)
            assert given == sum(value(x) * value(w) for x, w in products.items()), (seed, lane)
    return count


def test_random_windows_are_laid_out_right() -> None:
    assert sum(map(check, range(SEEDS))) > SEEDS // 2


def test_rows_of_an_instruction() -> None:
    (form,) = library("arm").forms(
        next(f for f, s in library("arm").dots if len(s.products) == 8), 128
    )
    found = [rows_of(form, slots_of(form, side)) for side in (0, 1)]
    assert sorted(found) == [[[0, 1], [2, 3]], [[0, 2], [1, 3]]]
