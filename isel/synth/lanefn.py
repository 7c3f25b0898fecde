"""Lane functions: canonical terms over numbered holes, compiled to numpy, with the classes of shape the search exploits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from isel.interp.lanes import NumpyLanes
from isel.ir.canon import formal
from isel.ir.expr import Expr, leaves, postorder
from isel.ir.ops import OPS, Attr, Lanes, Op, unsigned_dtype
from isel.synth.linear import SumOfProducts, sum_of_products

_PROBES = 64
_ALGEBRA = NumpyLanes()


@dataclass(frozen=True, slots=True)
class _Instruction:
    op: Op
    args: tuple[int, ...]
    widths: tuple[int, ...]
    attr: Attr
    width: int


class Compiled:
    """A term compiled to a list of numpy calls over its formals."""

    def __init__(self, root: Expr, formals: Sequence[Expr]) -> None:
        slot = {e: i for i, e in enumerate(formals)}
        self._consts: list[tuple[int, Lanes]] = []
        self._code: list[tuple[int, _Instruction]] = []
        n = len(slot)
        for e in postorder([root]):
            if e in slot:
                continue
            slot[e] = n
            if e.is_const:
                self._consts.append((n, _ALGEBRA.const(e.value, e.width)))
            else:
                self._code.append((n, _Instruction(OPS[e.op], tuple(slot[a] for a in e.args), tuple(a.width for a in e.args), e.attr, e.width)))
            n += 1
        self._size = n
        self._root = slot[root]
        self.formals = tuple(formals)

    def __call__(self, *values: Lanes) -> Lanes:
        """Evaluate on arrays that broadcast against each other."""
        done: list[Lanes] = [*values, *([values[0]] * (self._size - len(values)))] if values else [np.zeros(1, np.uint8)] * self._size
        for n, c in self._consts:
            done[n] = c
        for n, i in self._code:
            done[n] = _ALGEBRA.apply(i.op, [done[a] for a in i.args], i.widths, i.attr, i.width)
        return done[self._root]


@dataclass(frozen=True, eq=False)
class LaneFn:
    """One distinct lane function; equal canonical terms give one object."""

    term: Expr

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """Widths of the holes x0, x1, …"""
        return tuple(e.width for e in leaves(self.term))

    @cached_property
    def run(self) -> Compiled:
        """The function on numpy lanes."""
        return Compiled(self.term, [formal(i, w) for i, w in enumerate(self.widths)])

    @property
    def width(self) -> int:
        """Width of the result."""
        return self.term.width

    @property
    def arity(self) -> int:
        """Number of holes."""
        return len(self.widths)

    @cached_property
    def ops(self) -> frozenset[str]:
        """The primitives that occur."""
        return frozenset(e.op for e in postorder([self.term]) if e.args)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The primitives that occur, ``variable`` where something is shifted by more than a literal, ``wide`` beyond 64 bits."""
        return self.ops | ({"variable"} if varies(self.term) else frozenset()) | ({"wide"} if is_wide(self.term) else frozenset())

    @cached_property
    def commutes(self) -> bool:
        """Whether the two operands may be swapped (checked on samples: it only prunes)."""
        if self.arity != 2 or self.widths[0] != self.widths[1]:
            return False
        a, b = probe(0, self.widths[0]), probe(1, self.widths[0])
        return bool((self.run(a, b) == self.run(b, a)).all())

    @cached_property
    def is_identity(self) -> bool:
        """Whether the lane is moved unchanged."""
        return self.term.is_leaf

    @cached_property
    def sum(self) -> SumOfProducts | None:
        """The function as a sum of products of extended holes, if it is one."""
        return sum_of_products(self.term)

    def apply(self, *args: Expr) -> Expr:
        """Instantiate the function."""
        from isel.ir.canon import instantiate

        return instantiate(self.term, {formal(i, w): a for (i, w), a in zip(enumerate(self.widths), args, strict=True)})


def varies(term: Expr) -> bool:
    """Tell whether something is shifted by an amount that is no literal."""
    return any(e.op in ("shl", "lshr", "ashr") and not e.args[1].is_const for e in postorder([term]))


def is_wide(term: Expr) -> bool:
    """Tell whether some sub-term has more than 64 bits, which numpy has no type for."""
    return any(e.width > 64 for e in postorder([term]))


@cache
def lane_fn(term: Expr) -> LaneFn:
    """Return the lane function of a canonical term."""
    return LaneFn(term)


@cache
def probe(i: int, width: int) -> Lanes:
    """Return the samples of the ``i``-th formal of ``width`` bits: random, corner, small and sparse values."""
    rng = np.random.default_rng((2026, i, width))
    n = _PROBES
    raw = rng.integers(0, 1 << 64, size=n, dtype=np.uint64, endpoint=False)
    w = min(width, 64)
    mask = np.uint64((1 << w) - 1)
    corners = np.array([0, 1, 2, (1 << w) - 1, (1 << w) - 2, 1 << (w - 1), (1 << (w - 1)) - 1, (1 << (w - 1)) + 1, 255, 256, 127, 128], dtype=np.uint64)
    kind = rng.random(n)
    v = np.where(kind < 0.25, corners[rng.integers(0, len(corners), n)], raw)
    v = np.where((kind >= 0.25) & (kind < 0.40), raw >> np.uint64(64 - w // 2 - 1 if w > 8 else 58), v)
    v = np.where((kind >= 0.40) & (kind < 0.50), ~(raw >> np.uint64(60)), v)
    v = v & mask
    if width > 64:
        return v.astype(object)
    return v.astype(unsigned_dtype(width))
