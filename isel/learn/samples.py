"""What terms give on samples, at several widths at once: equal values make a question, no proof."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes
from isel.ir.canon import formal
from isel.ir.expr import Expr, var
from isel.ir.ops import Attr, Lanes, unsigned_dtype
from isel.learn.limits import DRAWN
from isel.learn.term import Builder, Term, integer
from isel.rules.spans import operation
from isel.synth.values.lanefn import Compiled

WIDTHS: Final = (8, 16, 32)
ROWS: Final = (2048, 1024, 512)  # at these widths
_EXTENSIONS: Final = ("zext", "sext")


@dataclass(frozen=True)
class Value:
    """Results on all samples, and their bits, by width."""

    lanes: tuple[Lanes, ...]
    bits: tuple[int, ...]

    @cached_property
    def keys(self) -> tuple[bytes, ...]:
        """A hash for each width."""
        return tuple(
            hashlib.blake2b(a.tobytes(), digest_size=10, salt=b"%d" % n).digest()
            for a, n in zip(self.lanes, self.bits, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Given:
    """What terms are about: leaves, literals without a value in capitals, and conditions; a
    leaf that is a ``bit`` has no other width.
    """

    leaves: tuple[str, ...]
    conditions: tuple[str, ...] = ()
    bit: str = ""

    @property
    def is_plain(self) -> bool:
        """Tell whether leaves are elements of any value."""
        return not self.conditions and not self.bit and not any(n.isupper() for n in self.leaves)

    def at(self, w: int) -> dict[str, Expr]:
        """Return the leaves as variables where elements have ``w`` bits, by name."""
        return {n: var(n, 1 if n == self.bit else w) for n in self.leaves}

    def __str__(self) -> str:
        premise = f" if {', '.join(self.conditions)}" if self.conditions else ""
        return f"{' '.join(self.leaves)}{premise}"


class Samples:
    """Samples of leaves for which the conditions hold, and the values of terms there."""

    def __init__(self, given: Given) -> None:
        self.given = given
        self._builders: list[Builder] = []
        self._columns: list[dict[Expr, Lanes]] = []
        self._known: dict[Term, Value] = {}
        self._code: dict[tuple[str, Attr, tuple[int, ...]], tuple[Compiled, int]] = {}
        for w, rows in zip(WIDTHS, ROWS, strict=True):
            leaves = given.at(w)
            builder = Builder(w, leaves)
            self._builders.append(builder)
            self._columns.append(_columns(given, builder, leaves, w, rows))

    def leaf(self, t: Term) -> Value:
        """Return the values of a leaf, or of a literal that is computed of such."""
        if t not in self._known:
            self._known[t] = self._leaf(t)
        return self._known[t]

    def _leaf(self, t: Term) -> Value:
        terms = [b.build(t) for b in self._builders]
        lanes = []
        for e, env, rows in zip(terms, self._columns, ROWS, strict=True):
            found = evaluate_all([e], env, NumpyLanes())[e]
            lanes.append(np.ascontiguousarray(np.broadcast_to(found, (rows,))))
        return Value(tuple(lanes), tuple(e.width for e in terms))

    def value(self, t: Term) -> Value:
        """Return the values of a term; raises :class:`isel.ir.ops.WidthError`."""
        if not t.op:
            return self.leaf(t)
        return self.apply(t.op, t.attributes, [self.value(a) for a in t.args])

    def apply(self, op: str, attributes: Sequence[str], args: Sequence[Value]) -> Value:
        """Return what an operation gives; raises :class:`isel.ir.ops.WidthError`."""
        lanes: list[Lanes] = []
        bits: list[int] = []
        for k, w in enumerate(WIDTHS):
            attr = tuple(integer(n, w) for n in attributes)
            widths = tuple(a.bits[k] for a in args)
            if op in _EXTENSIONS and attr[0] == widths[0]:
                lanes.append(args[0].lanes[k])
                bits.append(widths[0])
                continue
            key = (op, attr, widths)
            if key not in self._code:
                self._code[key] = _compile(*key)
            run, width = self._code[key]
            lanes.append(np.broadcast_to(run(*(a.lanes[k] for a in args)), (ROWS[k],)))
            bits.append(width)
        return Value(tuple(lanes), tuple(bits))


def _compile(op: str, attr: Attr, widths: tuple[int, ...]) -> tuple[Compiled, int]:
    found = operation(op, attr, widths)
    return Compiled(found, [formal(k, w) for k, w in enumerate(widths)]), found.width


def _columns(
    given: Given, builder: Builder, leaves: dict[str, Expr], w: int, rows: int
) -> dict[Expr, Lanes]:
    """Return samples of each leaf: pairs of corners, then small and random values."""
    rng = np.random.default_rng((2026, w, len(leaves)))
    count = rows * (DRAWN if given.conditions else 1)
    drawn = {x: _draw(rng, x.width, count) for x in leaves.values()}
    if not given.conditions:
        return drawn
    holds = np.ones(count, dtype=bool)
    for text in given.conditions:
        bit = builder.condition(text)
        holds &= np.broadcast_to(evaluate_all([bit], drawn, NumpyLanes())[bit], (count,)) != 0
    chosen = np.resize(np.flatnonzero(holds), rows)
    return {x: values[chosen] for x, values in drawn.items()}


def _draw(rng: np.random.Generator, w: int, count: int) -> Lanes:
    half, whole = 1 << (w - 1), 1 << w
    if w == 1:
        return rng.integers(0, 2, count).astype(np.uint8)
    corners = [0, 1, 2, 3, half - 2, half - 1, half, half + 1, half + 2, whole - 2, whole - 1]
    kinds = rng.integers(0, 4, count)
    any_value = rng.integers(0, whole, count, dtype=np.uint64)
    corner = np.array(corners, dtype=np.uint64)[rng.integers(0, len(corners), count)]
    near = (corner + rng.integers(0, 5, count, dtype=np.uint64)) % np.uint64(whole)
    found = np.where(kinds == 0, corner, np.where(kinds == 1, near, any_value))
    return found.astype(unsigned_dtype(w))
