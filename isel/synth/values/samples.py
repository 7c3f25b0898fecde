"""Samples of a lane's leaves: values on which terms are told apart."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np

from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes, pack
from isel.ir.expr import Expr, leaves
from isel.ir.ops import Lanes, unsigned_dtype
from isel.synth.limits import FEW_KEPT
from isel.synth.values.lanefn import probe
from isel.synth.values.questions import Question

ALGEBRA: Final = NumpyLanes()
_CANDIDATES: Final = 2048
_LEVELS: Final = 8


def samples(question: Question) -> dict[Expr, Lanes]:
    """Return samples of the formals that satisfy the facts, with the counterexamples first."""
    holes = leaves(question.term)
    env = dict(_satisfying(question.facts, holes))
    if question.rows:
        for i, x in enumerate(holes):
            head = pack([row[i] for row in question.rows][:24], x.width)
            env[x] = np.concatenate([head, env[x][len(head) :]])
    return env


@lru_cache(maxsize=FEW_KEPT)
def _satisfying(facts: tuple[Expr, ...], holes: tuple[Expr, ...]) -> Mapping[Expr, Lanes]:
    """Return samples that satisfy the facts: of the usual ones, and of rows in which all values are
    about as large, as many of each size as of any other.
    """
    plain = {x: probe(i, x.width) for i, x in enumerate(holes)}
    if not facts:
        return plain
    size = len(plain[holes[0]])
    levels = _levels(tuple(x.width for x in holes))
    env = {x: np.concatenate([plain[x], more]) for x, more in zip(holes, levels, strict=True)}
    values = evaluate_all(facts, env, ALGEBRA)
    good = np.ones(len(env[holes[0]]), dtype=bool)
    for f in facts:
        good &= values[f] != 0
    rows = np.nonzero(good)[0]
    if len(rows) == 0:
        return plain
    picked = rows[np.arange(size) * len(rows) // size]
    return {x: v[picked] for x, v in env.items()}


@lru_cache(maxsize=FEW_KEPT)
def _levels(widths: tuple[int, ...]) -> tuple[Lanes, ...]:
    """Return values of so many bits, those of one row about as large.

    Sums that do not wrap want small values, and what is clamped afterwards small ones of both
    signs.
    """
    rng = np.random.default_rng(99)
    parts: list[list[Lanes]] = [[] for _ in widths]
    for level in range(_LEVELS):
        for k, width in enumerate(widths):
            w = min(width, 64)
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
            parts[k].append((small & np.uint64((1 << w) - 1)).astype(unsigned_dtype(width)))
    return tuple(map(np.concatenate, parts))
