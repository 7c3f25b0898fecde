"""Values of one lane on samples: what instructions can make of a few terms, found by evaluation.

A bank holds rows of samples by width.  Exact matches are found by hashing rows; two-level
combinations by solving for the missing operand (add, sub, xor) or by a necessary condition on one
operand (for ``or``: no bit outside the result) before pairs are tried.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import prod
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from isel.ir import build as b
from isel.ir.canon import canonical
from isel.ir.expr import Expr, var
from isel.ir.ops import Lanes, signed_lanes, unsigned_dtype
from isel.rules import derived as d
from isel.synth.values.lanefn import LaneFn

Hashes: TypeAlias = npt.NDArray[np.uint64]
Pair: TypeAlias = tuple[int, int]
_QUICK: Final = 8
_MAX_PAIRS: Final = 60_000
_MAX_TRIPLES: Final = 4000
_MAX_CHECKS: Final = 4096
_WEIGHTS: Final = np.random.default_rng(7).integers(
    1, 1 << 63, size=1024, dtype=np.uint64
) | np.uint64(1)


def row_hash(rows: Lanes) -> Hashes:
    """Return a 64-bit hash of each row (the last axis) of samples."""
    flat = np.ascontiguousarray(rows)
    pad = -flat.shape[-1] * flat.dtype.itemsize % 8
    if pad:
        flat = np.concatenate(
            [flat, np.zeros((*flat.shape[:-1], pad // flat.dtype.itemsize), flat.dtype)], axis=-1
        )
    x = flat.view(np.uint64)
    weights = _WEIGHTS[: x.shape[-1]]
    with np.errstate(over="ignore"):
        x = (x ^ (x >> np.uint64(29))) * weights
        x = x ^ (x >> np.uint64(32))
        result: Hashes = (x * weights).sum(-1, dtype=np.uint64)
    return result


@dataclass(frozen=True, eq=False)
class Rows:
    """Terms of one width with their samples, one row each."""

    terms: tuple[Expr, ...]
    values: Lanes


Application: TypeAlias = tuple[LaneFn, tuple[Expr, ...]]


class Made:
    """How the rows of a level were made, spelled out only when asked: parts of (function,
    operand terms, row numbers by operand).
    """

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._parts: list[
            tuple[LaneFn, tuple[tuple[Expr, ...], ...], tuple[npt.NDArray[np.int64], ...]]
        ] = []
        self._size = 0

    def add(
        self,
        fn: LaneFn,
        terms: tuple[tuple[Expr, ...], ...],
        rows: tuple[npt.NDArray[np.int64], ...],
    ) -> None:
        """Append one function's rows."""
        self._starts.append(self._size)
        self._parts.append((fn, terms, rows))
        self._size += len(rows[0])

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, i: int) -> Application:
        k = bisect_right(self._starts, i) - 1
        fn, terms, rows = self._parts[k]
        at = i - self._starts[k]
        return fn, tuple(t[int(r[at])] for t, r in zip(terms, rows, strict=True))


@dataclass(frozen=True, eq=False)
class Level:
    """Every application of a lane function to known terms: samples, hash and how each row was
    made.
    """

    values: Lanes
    hashes: Hashes
    made: Made


def first_level(fns: Sequence[LaneFn], rows: dict[int, Rows]) -> dict[int, Level]:
    """Apply every function of one or two holes (three with a one-bit first) to all terms of
    fitting widths.
    """
    values: dict[int, list[Lanes]] = {}
    made: dict[int, Made] = {}
    for fn, operands, at in _applicable(fns, rows):
        new = fn.run(*(r.values[n] for r, n in zip(operands, at, strict=True)))
        values.setdefault(fn.width, []).append(new)
        made.setdefault(fn.width, Made()).add(fn, tuple(r.terms for r in operands), at)
    result: dict[int, Level] = {}
    for w, parts in values.items():
        joined = np.concatenate(parts)
        result[w] = Level(joined, row_hash(joined), made[w])
    return result


def applications(fns: Sequence[LaneFn], rows: dict[int, Rows]) -> int:
    """Return how many rows :func:`first_level` makes."""
    return sum(len(at[0]) for _, _, at in _applicable(fns, rows))


def matches_of_terms(
    fns: Sequence[LaneFn], rows: dict[int, Rows], target: Lanes
) -> Iterator[Application]:
    """Yield the applications of :func:`first_level` that give the target."""
    for fn, operands, at in _applicable(fns, rows):
        quick = fn.run(*(r.values[:, :_QUICK][n] for r, n in zip(operands, at, strict=True)))
        near = np.nonzero((quick == target[:_QUICK]).all(-1))[0]
        good = near[
            _holds(fn, target, *(r.values[n[near]] for r, n in zip(operands, at, strict=True)))
        ]
        yield from (
            (fn, tuple(r.terms[int(n[i])] for r, n in zip(operands, at, strict=True)))
            for i in good.tolist()
        )


def _applicable(
    fns: Sequence[LaneFn], rows: dict[int, Rows]
) -> Iterator[tuple[LaneFn, list[Rows], tuple[npt.NDArray[np.int64], ...]]]:
    for fn in fns:
        if fn.arity > 3 or any(w not in rows for w in fn.widths):
            continue
        operands = [rows[w] for w in fn.widths]
        at = _numbers(fn, operands)
        if at is not None:
            yield fn, operands, at


def _numbers(fn: LaneFn, rows: list[Rows]) -> tuple[npt.NDArray[np.int64], ...] | None:
    """Return for each operand the rows to combine: all, or one of each pair where the operands
    may be swapped.
    """
    sizes = tuple(len(r.terms) for r in rows)
    if fn.arity == 3 and (fn.widths[0] != 1 or prod(sizes) > _MAX_TRIPLES):
        return None
    return _pairs(sizes[0]) if fn.arity == 2 and fn.commutes else _all_of(sizes)


@lru_cache(maxsize=256)
def _pairs(size: int) -> tuple[npt.NDArray[np.int64], ...]:
    i, j = np.triu_indices(size)
    return i, j


@lru_cache(maxsize=1024)
def _all_of(sizes: tuple[int, ...]) -> tuple[npt.NDArray[np.int64], ...]:
    return tuple(x.ravel() for x in np.indices(sizes))


Filter: TypeAlias = Callable[[Lanes, Lanes, int], npt.NDArray[np.bool_]]


@dataclass(frozen=True, slots=True)
class Witness:
    """What the operands of a function must satisfy if its result is the target (row by row).

    ``solve`` gives the one second operand that fits a first; else ``left`` and ``right`` are
    necessary.
    """

    solve: Callable[[Lanes, Lanes], Lanes] | None = None
    left: Filter | None = None
    right: Filter | None = None


def _all(x: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    return np.asarray(x.all(-1))


@cache
def _witness_rows() -> tuple[tuple[Callable[[Expr, Expr], Expr], Witness], ...]:
    above: Filter = lambda v, t, w: _all(v >= t)  # noqa: E731
    below: Filter = lambda v, t, w: _all(v <= t)  # noqa: E731
    signed_above: Filter = lambda v, t, w: _all(signed_lanes(v, w) >= signed_lanes(t, w))  # noqa: E731
    signed_below: Filter = lambda v, t, w: _all(signed_lanes(v, w) <= signed_lanes(t, w))  # noqa: E731
    within: Filter = lambda v, t, w: _all((v & ~t) == 0)  # noqa: E731
    covers: Filter = lambda v, t, w: _all((t & ~v) == 0)  # noqa: E731
    apart: Filter = lambda v, t, w: _all((t & v) == 0)  # noqa: E731

    def near(v: Lanes, t: Lanes, w: int) -> npt.NDArray[np.bool_]:
        one = v.dtype.type(1)
        low = (v >> one) + (v & one)
        return _all((t >= low) & (t - low <= v.dtype.type(1 << (w - 1))))

    return (
        (b.add, Witness(solve=lambda v, t: t - v)),
        (b.sub, Witness(solve=lambda v, t: v - t)),
        (b.bxor, Witness(solve=lambda v, t: v ^ t)),
        (b.bor, Witness(left=within, right=within)),
        (b.band, Witness(left=covers, right=covers)),
        (lambda x, y: b.band(b.bnot(x), y), Witness(left=apart, right=covers)),
        (d.umin, Witness(left=above, right=above)),
        (d.umax, Witness(left=below, right=below)),
        (d.smin, Witness(left=signed_above, right=signed_above)),
        (d.smax, Witness(left=signed_below, right=signed_below)),
        (d.uadd_sat, Witness(left=below, right=below)),
        (d.usub_sat, Witness(left=above)),
        (d.uavg, Witness(left=near, right=near)),
    )


@cache
def witness(fn: LaneFn) -> Witness:
    """Return the witness of a two-hole function of one width; an empty one where none is known."""
    w = fn.width
    if fn.widths == (w, w):
        x, y = var("p", w), var("q", w)
        for make, found in _witness_rows():
            if canonical(make(x, y))[0] is fn.term:
                return found
    return Witness()


@dataclass(frozen=True, eq=False)
class Pool:
    """The distinct first-level values of one width that are not known terms already; ``rows``
    of ``made`` are theirs.
    """

    width: int
    values: Lanes
    hashes: Hashes
    made: Made
    rows: Sequence[int]

    def __len__(self) -> int:
        return len(self.rows)

    def application(self, i: int) -> Application:
        """Return how a value was made."""
        return self.made[self.rows[i]]


def matches_of_one(fn: LaneFn, pool: Pool, target: Lanes) -> Iterator[int]:
    """Yield the rows of ``pool`` that a one-hole function maps to ``target``."""
    quick = fn.run(pool.values[:, :_QUICK])
    rows = np.nonzero((quick == target[:_QUICK]).all(-1))[0]
    yield from rows[_holds(fn, target, pool.values[rows])].tolist()


def matches_with_term(
    fn: LaneFn, pool: Pool, rows: Rows, target: Lanes, *, swap: bool
) -> Iterator[Pair]:
    """Yield (row of pool, term number) that a two-hole function maps to ``target``; ``swap``
    puts the term first.
    """
    run = (lambda a, c: fn.run(c, a)) if swap else fn.run
    i, j = _near(run, pool.values, rows.values, target)
    x, y = pool.values[i[:_MAX_CHECKS]], rows.values[j[:_MAX_CHECKS]]
    good = _holds(fn, target, y, x) if swap else _holds(fn, target, x, y)
    yield from zip(i[:_MAX_CHECKS][good].tolist(), j[:_MAX_CHECKS][good].tolist(), strict=True)


def _near(
    run: Callable[[Lanes, Lanes], Lanes], first: Lanes, second: Lanes, target: Lanes
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the pairs of rows that give the target on the first few samples, in order; all pairs
    are looked at on one of these samples, the one that tells most.
    """
    if not len(first):
        return (np.zeros(0, np.int64),) * 2
    k = int((first[:, :_QUICK] == target[:_QUICK]).sum(0).argmin())
    i, j = np.nonzero(run(first[:, None, k], second[None, :, k]) == target[k])
    quick = run(first[i, :_QUICK], second[j, :_QUICK])
    good = (quick == target[:_QUICK]).all(-1)
    return i[good], j[good]


def _holds(fn: LaneFn, target: Lanes, *operands: Lanes) -> npt.NDArray[np.bool_]:
    """Tell for each row of operands whether the function gives the target on all samples."""
    if not len(operands[0]):
        return np.zeros(0, dtype=bool)
    return np.asarray((fn.run(*operands) == target).all(-1))


def matches_of_two(fn: LaneFn, pool: Pool, target: Lanes) -> Iterator[Pair]:
    """Yield pairs of rows of ``pool`` that a two-hole function of one width maps to ``target``."""
    known, w = witness(fn), fn.width
    if known.solve is not None:
        yield from _solved_pairs(fn, pool, known.solve(pool.values, target[None, :]))
        return
    everything = np.ones(len(pool), dtype=bool)
    left = np.nonzero(known.left(pool.values, target, w) if known.left else everything)[0]
    right = np.nonzero(known.right(pool.values, target, w) if known.right else everything)[0]
    if len(left) * len(right) > _MAX_PAIRS:
        return
    for start in range(0, len(left), 256):
        part = left[start : start + 256]
        p, q = _near(fn.run, pool.values[part], pool.values[right], target)
        first, second = part[p][:_MAX_CHECKS], right[q][:_MAX_CHECKS]
        if fn.commutes:
            ordered = first <= second
            first, second = first[ordered], second[ordered]
        good = _holds(fn, target, pool.values[first], pool.values[second])
        yield from zip(first[good].tolist(), second[good].tolist(), strict=True)


def _solved_pairs(fn: LaneFn, pool: Pool, needed: Lanes) -> Iterator[Pair]:
    """Yield pairs of rows of which the second is the operand that is ``needed`` for the first."""
    if unsigned_dtype(fn.width).itemsize * 8 != fn.width:
        needed = needed & needed.dtype.type((1 << fn.width) - 1)
    where = {h: i for i, h in enumerate(pool.hashes.tolist())}
    for i, h in enumerate(row_hash(needed).tolist()):
        j = where.get(h)
        if j is not None and (i <= j or not fn.commutes):
            yield i, j
