"""Samples of a lane's leaves: values on which terms are told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

import numpy as np

from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes, pack
from isel.ir.expr import Expr, leaves, nodes
from isel.ir.ops import Lanes, unsigned_dtype
from isel.synth.limits import EQUAL_SAMPLES, FEW_KEPT
from isel.synth.values.lanefn import probe
from isel.synth.values.questions import Question

ALGEBRA: Final = NumpyLanes()
_CANDIDATES: Final = 2048
_LEVELS: Final = 8


def samples(question: Question) -> dict[Expr, Lanes]:
    """Return samples of the formals that satisfy the facts, with the counterexamples first."""
    holes = leaves(question.term)
    env = dict(_satisfying(question.facts, holes))
    met = _meet(question.term, env)
    if met is not None:
        kept = _hold(question.facts, met)
        env = {x: np.where(kept, met[x], v) for x, v in env.items()}
    if question.rows:
        for i, x in enumerate(holes):
            head = pack([row[i] for row in question.rows][:24], x.width)
            env[x] = np.concatenate([head, env[x][len(head) :]])
    return env


def _meet(term: Expr, env: Mapping[Expr, Lanes]) -> dict[Expr, Lanes] | None:
    """Return samples in some of which leaves are what they are compared with: few values are equal
    by chance.  None where none are compared so.
    """
    met = dict(env)
    for k, (x, y) in enumerate(_compared_leaves(term)):
        size = len(met[x])
        rows = np.random.default_rng(k).random(size) < EQUAL_SAMPLES
        other = pack([y.value] * size, y.width) if y.is_const else met[y]
        met[x] = np.where(rows, other, met[x]).astype(met[x].dtype)
    return met if any(met[x] is not v for x, v in env.items()) else None


def _compared_leaves(term: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield the leaves that a term compares with others or with literals, and what with."""
    for e in nodes(term):
        if e.op == "eq" and all(x.is_leaf or x.is_const for x in e.args):
            x, y = e.args
            yield (y, x) if x.is_const else (x, y)


def _hold(facts: Iterable[Expr], env: Mapping[Expr, Lanes]) -> Lanes:
    """Tell of each sample whether the facts hold."""
    given = list(facts)
    values = evaluate_all(given, dict(env), ALGEBRA) if given else {}
    good = np.ones(len(next(iter(env.values()))), dtype=bool)
    for f in given:
        good &= values[f] != 0
    return good


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
    rows = np.nonzero(_hold(facts, env))[0]
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
    whole, size = np.iinfo(np.int64), (_LEVELS, len(widths), _CANDIDATES // _LEVELS)
    tops = np.random.default_rng(99).integers(whole.min, whole.max, size, np.int64, endpoint=True)
    levels, found = np.arange(_LEVELS)[:, None], list[Lanes]()
    for k, width in enumerate(widths):
        w = min(width, 64)
        shift = 64 - w + levels // 2 * w // (_LEVELS // 2)
        small = tops[:, k].view(np.uint64) >> shift.astype(np.uint64)
        small[1::2] = (tops[1::2, k] >> np.minimum(shift[1::2], 62)).view(np.uint64)  # with signs
        found.append((small & np.uint64((1 << w) - 1)).astype(unsigned_dtype(width)).ravel())
    return tuple(found)
