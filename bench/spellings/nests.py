"""Nests of two to four operations on bytes, as values: what compositors, filters and thresholds do
one after the other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

from bench.spellings.values import Value
from bench.spellings.writer import Term, Writer

_SEED: Final = 7
_DEPTHS: Final = (2, 3, 4)
Operation: TypeAlias = Callable[[Writer, Sequence[Term]], Term]


def _over_255(w: Writer, v: Sequence[Term]) -> Term:
    t = v[0] * v[1] + 128
    return (t + (t >> 8)) >> 8


def _step(w: Writer, v: Sequence[Term]) -> Term:
    return w.where(v[0] > v[1], v[0] - v[1], w.number(0))


# All take and give what fits in a byte.
_OPERATIONS: Final[Sequence[tuple[str, int, Operation]]] = (
    ("over_255", 2, _over_255),
    ("step", 2, _step),
    ("weighted", 2, lambda w, v: (v[0] * 77 + v[1] * 179 + 128) >> 8),
    ("thirds", 2, lambda w, v: (v[0] * 85 + v[1] * 171) >> 8),
    ("one_two_one", 3, lambda w, v: (v[0] + v[1] * 2 + v[2] + 2) >> 2),
    ("biased", 2, lambda w, v: (v[0] - v[1] + 256) >> 1),
    ("square", 1, lambda w, v: (v[0] * v[0] + 128) >> 8),
    ("contrast", 1, lambda w, v: w.clip((((v[0] - 128) * 90) >> 6) + 128, 0, 255)),
    ("legal", 1, lambda w, v: w.clip(v[0], 16, 235)),
    ("lifted", 1, lambda w, v: w.clip(v[0] + 23, 0, 255)),
    ("sharpened", 2, lambda w, v: w.clip(v[0] * 2 - v[1], 0, 255)),
    ("inverse", 1, lambda w, v: 255 - v[0]),
    ("middle", 3, lambda w, v: w.most(w.least(v[0], v[1]), w.least(w.most(v[0], v[1]), v[2]))),
)


def nests(count: int = 60) -> tuple[Value, ...]:
    """Return as many nests, of each depth in turn; the name says which operations they are of."""
    rng = random.Random(_SEED)
    found: dict[str, Value] = {}
    while len(found) < count:
        chosen = [rng.choice(_OPERATIONS) for _ in range(_DEPTHS[len(found) % len(_DEPTHS)])]
        name = " ".join(op for op, _, _ in chosen)
        inputs = 1 + sum(arity - 1 for _, arity, _ in chosen)
        build = partial(_nested, [(arity, run) for _, arity, run in chosen])
        found.setdefault(name, Value(name, ("u8",) * inputs, "u8", build))
    return tuple(found.values())


def parts() -> dict[str, Value]:
    """Return each operation by itself, by its name."""
    return {name: Value(name, ("u8",) * arity, "u8", run) for name, arity, run in _OPERATIONS}


def _nested(chosen: Sequence[tuple[int, Operation]], w: Writer, v: Sequence[Term]) -> Term:
    """Return what an operation makes of what those before it made and of further inputs."""
    first, *rest = v
    for arity, run in chosen:
        first, rest = run(w, [first, *rest[: arity - 1]]), rest[arity - 1 :]
    return first
