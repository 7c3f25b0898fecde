"""Proofs by steps are replayed; a step that is changed or left out is refused."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir.build import make
from isel.ir.domain import Range, full, literal
from isel.ir.expr import Expr, const, leaves, var
from isel.ir.ops import OPS
from isel.ir.text import parse
from isel.model.steps import Bounded, Equal, Node, Steps
from isel.rules.derived import expanded
from isel.verify.saturated import steps_of
from isel.verify.steps import replay
from tests.egraph.test_saturate import SPELLINGS

PAIRS = [(first, t) for first, *others in SPELLINGS.values() for t in others]
FAULTS = 300
OF_RANGES = 100


def proof(pair: tuple[str, str]) -> tuple[Expr, Expr, Steps]:
    left, right = parse(pair[0]), parse(pair[1])
    found = steps_of(left, right, {})
    assert found is not None
    return left, right, found


@pytest.mark.parametrize("pair", PAIRS)
def test_explanations_are_replayed(pair: tuple[str, str]) -> None:
    left, right, steps = proof(pair)
    assert replay(steps, left, right, {}) == ""


def test_an_explanation_proves_nothing_else() -> None:
    left, _, steps = proof(PAIRS[0])
    assert replay(steps, left, parse("(add p:16 q:16)"), {}) != ""


def without(steps: Steps, k: int) -> Steps:
    return replace(steps, steps=steps.steps[:k] + steps.steps[k + 1 :])


def needed(left: Expr, right: Expr, steps: Steps) -> list[int]:
    """Return the steps without which a proof is none."""
    return [k for k in range(len(steps.steps)) if replay(without(steps, k), left, right, {})]


def values(steps: Steps) -> list[int]:
    """Return what each node is for some values of the leaves."""
    done: list[Expr] = []
    for n in steps.nodes:
        args = tuple(done[k] for k in n.kids)
        match n.op:
            case "leaf":
                done.append(var(str(n.attr[0]), n.width))
            case "const":
                done.append(const(int(n.attr[0]), n.width))
            case "sum":
                total = const(int(n.attr[0]), n.width)
                for x, f in zip(args, n.attr[1:], strict=True):
                    total = make("add", (total, make("mul", (x, const(int(f), n.width)))))
                done.append(total)
            case op if op in OPS:
                done.append(make(op, args, n.attr))
            case op:
                done.append(expanded(op, args, tuple(int(x) for x in n.attr)))
    rng = random.Random(7)
    given = {x: rng.randrange(1 << x.width) for e in done for x in leaves(e)}
    found = evaluate_all(done, given, Integer())
    return [found[e] for e in done]


def test_faults_are_refused() -> None:
    """Other substitutions, widths and ranges, and steps left out, where a proof needs the step."""
    rng = random.Random(38)
    proofs = [proof(pair) for pair in PAIRS]
    rows = [(*p, needed(*p), values(p[2])) for p in proofs]
    planted = 0
    while planted < FAULTS - OF_RANGES:
        left, right, steps, need, value = rng.choice(rows)
        if not need:
            continue
        k = rng.choice(need)
        row = steps.steps[k]
        other: Bounded | Equal
        if isinstance(row, Bounded):
            held = literal(rng.randrange(1 << row.range.width), row.range.width)
            if value[row.node] == held.unsigned[0]:
                continue
            other = replace(row, range=held)
        elif row.terms and rng.random() < 0.5:
            at, node = rng.randrange(len(row.terms)), rng.randrange(len(steps.nodes))
            if value[node] == value[row.terms[at]]:
                continue
            other = replace(row, terms=(*row.terms[:at], node, *row.terms[at + 1 :]))
        elif row.sizes:
            at, by = rng.randrange(len(row.sizes)), rng.choice((-1, 1, 8))
            sizes = (*row.sizes[:at], row.sizes[at] + by, *row.sizes[at + 1 :])
            other = replace(row, sizes=sizes)
        else:
            planted += 1
            assert replay(without(steps, k), left, right, {}) != ""
            continue
        planted += 1
        changed = replace(steps, steps=(*steps.steps[:k], other, *steps.steps[k + 1 :]))
        assert replay(changed, left, right, {}) != "", (row, other)


def test_a_range_that_rests_on_its_union_is_refused() -> None:
    """What fits in n bits is an extension of its low part: the union gives the range it needs."""
    rng = random.Random(39)
    for _ in range(OF_RANGES):
        w = rng.choice((16, 32, 64))
        n = rng.choice([k for k in (8, 9, 16, 17, 32, 33) if k < w])
        steps = resting(w, n, rng.randrange(3))
        left, right = parse(f"(zext {w} (extract 0 {n} x:{w}))"), parse(f"x:{w}")
        assert replay(steps, left, right, {}) != ""


def resting(w: int, n: int, order: int) -> Steps:
    """Return steps that say of a leaf that it fits in n bits as it is an extension of them."""
    nodes = (
        Node("leaf", (f"x:{w}",), (), w),
        Node("extract", (0, n), (0,), n),
        Node("zext", (w,), (1,), w),
    )
    small = Range(w, (0, (1 << n) - 1), (0, (1 << n) - 1), (1 << w) - (1 << n), 0)
    union = Equal(2, 0, "fits.u", (w, n), (0,))
    ranges = (Bounded(1, full(n)), Bounded(2, small), Bounded(0, small))
    rows = (
        (*ranges, union),
        (union, *ranges),
        (ranges[0], ranges[1], union, ranges[2]),
    )[order]
    return Steps(nodes, rows, 2, 0)
