"""Concrete inputs: a bank of samples that refutes most candidates before a solver is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from isel.interp.lanes import pack
from isel.ir.expr import Expr
from isel.ir.ops import Lanes
from isel.synth.values.lanefn import Compiled

SIZE = 256


def _corners(width: int) -> list[int]:
    top = 1 << (width - 1)
    return [
        v & (2 * top - 1)
        for v in (0, 1, 2, 3, -1, -2, top, top - 1, top + 1, top // 2, 127, 128, 255, 256)
    ]


def _values(position: int, width: int) -> list[int]:
    """Return random, corner, small, nearly full and sparse values; the same in every process."""
    rng = np.random.default_rng((41, position, width))
    words = [
        [int(x) for x in rng.integers(0, 1 << 64, size=SIZE, dtype=np.uint64)]
        for _ in range((width + 63) // 64)
    ]
    raw = [
        sum(word[i] << 64 * k for k, word in enumerate(words)) & ((1 << width) - 1)
        for i in range(SIZE)
    ]
    kinds = rng.integers(0, 8, size=SIZE)
    corners = _corners(width)
    out: list[int] = []
    for i, (v, kind) in enumerate(zip(raw, kinds.tolist(), strict=True)):
        if i < SIZE // 4 or kind >= 4:
            out.append(v)
        elif kind < 2:
            out.append(corners[v % len(corners)])
        elif kind == 2:
            out.append(v >> (width // 2))
        else:
            out.append(~(v >> (width // 2)) & ((1 << width) - 1))
    return out


@dataclass(frozen=True)
class Bank:
    """Samples of the leaves where the premise holds, and the lane's value on each."""

    leaves: tuple[Expr, ...]
    inputs: tuple[Lanes, ...]
    target: Lanes

    @cached_property
    def size(self) -> int:
        """The number of samples."""
        return len(self.target)

    def example(self, i: int) -> tuple[int, ...]:
        """Return the leaves' values in sample ``i``."""
        return tuple(int(a[i]) for a in self.inputs)

    def value(self, e: Expr) -> Lanes:
        """Evaluate a term over the leaves on every sample."""
        return _values_of(e, self.leaves, self.inputs, self.size)

    def mismatch(self, e: Expr) -> int | None:
        """Return the first sample on which ``e`` is not the lane's value."""
        if not self.size:
            return None
        wrong = self.value(e) != self.target
        return int(np.argmax(wrong)) if bool(wrong.any()) else None

    def extended(self, lane: Expr, examples: Sequence[Mapping[Expr, int]]) -> Bank:
        """Return the bank with more samples; the premise must hold on them."""
        inputs = tuple(
            np.concatenate([a, pack([m.get(e, 0) for m in examples], e.width)])
            for e, a in zip(self.leaves, self.inputs, strict=True)
        )
        return _evaluated(lane, self.leaves, inputs)


def _values_of(e: Expr, over: tuple[Expr, ...], inputs: tuple[Lanes, ...], size: int) -> Lanes:
    return np.broadcast_to(Compiled(e, over)(*inputs), (size,))


def _evaluated(lane: Expr, over: tuple[Expr, ...], inputs: tuple[Lanes, ...]) -> Bank:
    size = len(inputs[0]) if inputs else 0
    return Bank(over, inputs, _values_of(lane, over, inputs, size))


def bank(lane: Expr, premise: Expr, over: tuple[Expr, ...]) -> Bank:
    """Return samples of the leaves ``over`` on which ``premise`` is 1 (possibly none)."""
    inputs = tuple(pack(_values(i, e.width), e.width) for i, e in enumerate(over))
    if not premise.is_const:
        keep = _values_of(premise, over, inputs, SIZE) == 1
        inputs = tuple(a[keep] for a in inputs)
    elif premise.value == 0:
        inputs = tuple(a[:0] for a in inputs)
    return _evaluated(lane, over, inputs)


def essential(lane: Expr, samples: Bank, premise: Expr) -> tuple[Expr, ...]:
    """Return leaves whose change alone changes the lane on some sample: no program can do
    without them.
    """
    out: list[Expr] = []
    for k, e in enumerate(samples.leaves):
        moved = tuple(np.roll(a, 1) if j == k else a for j, a in enumerate(samples.inputs))
        differs = _values_of(lane, samples.leaves, moved, samples.size) != samples.target
        if not premise.is_const:
            differs &= _values_of(premise, samples.leaves, moved, samples.size) == 1
        if bool(differs.any()):
            out.append(e)
    return tuple(out)
