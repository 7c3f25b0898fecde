"""Samples of a lane's leaves: values on which terms are told apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes, pack
from isel.ir.expr import Expr, leaves
from isel.ir.ops import Lanes, unsigned_dtype
from isel.synth.values.lanefn import probe
from isel.synth.values.questions import Question

ALGEBRA: Final = NumpyLanes()
_CANDIDATES: Final = 2048
_LEVELS: Final = 8


def samples(question: Question) -> dict[Expr, Lanes]:
    """Return samples of the formals that satisfy the facts, with the counterexamples first."""
    holes = leaves(question.term)
    env = {x: probe(i, x.width) for i, x in enumerate(holes)}
    if question.facts:
        env = _satisfying(question.facts, holes, env)
    if question.rows:
        for i, x in enumerate(holes):
            head = pack([row[i] for row in question.rows][:24], x.width)
            env[x] = np.concatenate([head, env[x][len(head) :]])
    return env


def _satisfying(
    facts: Iterable[Expr], holes: tuple[Expr, ...], plain: dict[Expr, Lanes]
) -> dict[Expr, Lanes]:
    """Return samples that satisfy the facts: of ``plain``, and of rows in which all values are
    about as large, as many of each size as of any other.

    Sums that do not wrap want small values, and what is clamped afterwards small ones of both
    signs.
    """
    rng = np.random.default_rng(99)
    size = len(next(iter(plain.values())))
    parts: dict[Expr, list[Lanes]] = {x: [plain[x]] for x in holes}
    for level in range(_LEVELS):
        for x in holes:
            w = min(x.width, 64)
            top = rng.integers(
                -(1 << 63),
                (1 << 63) - 1,
                size=_CANDIDATES // _LEVELS,
                dtype=np.int64,
                endpoint=True,
            )
            shift = 64 - w + level // 2 * w // (_LEVELS // 2)  # every other level has signs
            small = (
                (top >> np.int64(min(shift, 62))).view(np.uint64)
                if level % 2
                else top.view(np.uint64) >> np.uint64(shift)
            )
            parts[x].append((small & np.uint64((1 << w) - 1)).astype(unsigned_dtype(x.width)))
    env = {x: np.concatenate(p) for x, p in parts.items()}
    values = evaluate_all(list(facts), env, ALGEBRA)
    good = np.ones(len(env[holes[0]]), dtype=bool)
    for f in facts:
        good &= values[f] != 0
    rows = np.nonzero(good)[0]
    if len(rows) == 0:
        return plain
    picked = rows[np.arange(size) * len(rows) // size]
    return {x: v[picked] for x, v in env.items()}
