"""Lane functions: canonical terms over numbered holes, compiled to numpy, with the classes of
shape the search exploits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeAlias

import numpy as np

from isel.interp.lanes import NumpyLanes
from isel.ir.build import make
from isel.ir.canon import formal, instantiate
from isel.ir.expr import Expr, leaves, nodes
from isel.ir.ops import OPS, Lanes, natural, unsigned_dtype
from isel.rules.recognise import recognised
from isel.synth.values.linear import SumOfProducts, monomials, sum_of_products

_PROBES = 64
_SATURATING = ("sadd_sat", "ssub_sat", "uadd_sat", "usub_sat")
_ALGEBRA = NumpyLanes()


_Call: TypeAlias = Callable[[list[Lanes]], Lanes]


class Compiled:
    """A term compiled to a list of numpy calls over its formals."""

    def __init__(self, root: Expr, formals: Sequence[Expr]) -> None:
        slot = {e: i for i, e in enumerate(formals)}
        consts: list[tuple[int, Lanes]] = []
        self._code: list[tuple[int, tuple[int, ...], _Call]] = []
        n = len(slot)
        for e in nodes(root):
            if e in slot:
                continue
            slot[e] = n
            if e.is_const:
                consts.append((n, _ALGEBRA.const(e.value, e.width)))
            else:
                self._code.append((n, tuple(slot[a] for a in e.args), _call(e)))
            n += 1
        self._more: list[Lanes] = [np.zeros(1, np.uint8)] * (n - len(formals))
        for k, c in consts:
            self._more[k - len(formals)] = c
        self._root = slot[root]
        self.formals = tuple(formals)

    def __call__(self, *values: Lanes) -> Lanes:
        """Evaluate on arrays that broadcast against each other, of at least one axis."""
        done = [*values, *self._more]
        for n, args, call in self._code:
            done[n] = call([done[a] for a in args])
        return done[self._root]


def _call(e: Expr) -> _Call:
    """Return what computes one operation, with what is known of it decided once."""
    op, widths, attr, width = OPS[e.op], tuple(a.width for a in e.args), e.attr, e.width
    if max(width, *widths) > 64:
        return lambda args: _ALGEBRA.apply(op, args, widths, attr, width)
    meaning = op.numpy
    plain = _shift(e) or (lambda args: meaning(args, widths, attr))
    if natural(width) == width:
        return plain
    mask = unsigned_dtype(width).type((1 << width) - 1)
    return lambda args: plain(args) & mask


def _shift(e: Expr) -> _Call | None:
    """Return a shift by a literal, which needs no look at the amounts."""
    if e.op not in ("shl", "lshr") or not e.args[1].is_const or e.args[1].value >= e.width:
        return None
    k = unsigned_dtype(e.width).type(e.args[1].value)
    return (lambda args: args[0] << k) if e.op == "shl" else (lambda args: args[0] >> k)


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

    @cached_property
    def arity(self) -> int:
        """Number of holes."""
        return len(self.widths)

    @cached_property
    def all_widths(self) -> frozenset[int]:
        """The widths of holes and result."""
        return frozenset((self.width, *self.widths))

    @cached_property
    def ops(self) -> frozenset[str]:
        """The primitives that occur."""
        return frozenset(e.op for e in nodes(self.term) if e.args)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The primitives that occur, ``variable`` where something is shifted by more than a
        literal, ``wide`` beyond 64 bits.
        """
        return (
            self.ops
            | ({"variable"} if varies(self.term) else frozenset())
            | ({"wide"} if is_wide(self.term) else frozenset())
        )

    @cached_property
    def commutes(self) -> bool:
        """Whether the two operands may be swapped (checked on samples: it only prunes)."""
        if self.arity != 2 or self.widths[0] != self.widths[1]:
            return False
        a, b = probe(0, self.widths[0]), probe(1, self.widths[0])
        return bool((self.run(a, b) == self.run(b, a)).all())

    @cached_property
    def pair(self) -> tuple[int, int] | None:
        """The two operands that may be swapped: both, or those that are added to a wider third."""
        if self.arity != 3:
            return (0, 1) if self.commutes else None
        ms = monomials(self.term) if self.ops <= {"add", "zext", "sext"} else ()
        narrow = [m.atoms[0] for m in ms if m.atoms and m.atoms[0].term.width < self.width]
        kinds = {(x.term.width, x.signed) for x in narrow}
        if (len(ms), len(narrow), len(kinds)) != (3, 2, 1):
            return None
        first, second = (leaves(self.term).index(x.term) for x in narrow)
        return min(first, second), max(first, second)

    @cached_property
    def is_identity(self) -> bool:
        """Whether the lane is moved unchanged."""
        return self.term.is_leaf

    @cached_property
    def is_sign(self) -> bool:
        """Whether the lane is the sign of the only hole."""
        w = self.widths[0]
        return self.arity == 1 and self.term is make("extract", (formal(0, w),), (w - 1, 1))

    @cached_property
    def sum(self) -> SumOfProducts | None:
        """The function as a sum of products of extended holes, if it is one."""
        return sum_of_products(self.term)

    @cached_property
    def saturates(self) -> bool:
        """Whether a sum or difference is clamped that a twin of the function lets wrap."""
        if self.sum is not None:
            return self.sum.clamped
        return any(True for _ in recognised(self.term, _SATURATING))

    def apply(self, *args: Expr) -> Expr:
        """Instantiate the function."""
        holes = (formal(i, w) for i, w in enumerate(self.widths))
        return instantiate(self.term, dict(zip(holes, args, strict=True)))


def varies(term: Expr) -> bool:
    """Tell whether something is shifted by an amount that is no literal."""
    return any(e.op in ("shl", "lshr", "ashr") and not e.args[1].is_const for e in nodes(term))


def is_wide(term: Expr) -> bool:
    """Tell whether some sub-term has more than 64 bits, which numpy has no type for."""
    return any(e.width > 64 for e in nodes(term))


@cache
def lane_fn(term: Expr) -> LaneFn:
    """Return the lane function of a canonical term."""
    return LaneFn(term)


@cache
def probe(i: int, width: int) -> Lanes:
    """Return the samples of the ``i``-th formal of ``width`` bits: random, corner, small and
    sparse values.
    """
    rng = np.random.default_rng((2026, i, width))
    n = _PROBES
    raw = rng.integers(0, 1 << 64, size=n, dtype=np.uint64, endpoint=False)
    w = min(width, 64)
    mask = np.uint64((1 << w) - 1)
    whole, half = 1 << w, 1 << (w - 1)
    own = [0, 1, 2, whole - 1, whole - 2, half, half - 1, half + 1, 255, 256, 127, 128]
    corners = np.array(own, dtype=np.uint64)
    kind = rng.random(n)
    v = np.where(kind < 0.25, corners[rng.integers(0, len(corners), n)], raw)
    v = np.where(
        (kind >= 0.25) & (kind < 0.40), raw >> np.uint64(64 - w // 2 - 1 if w > 8 else 58), v
    )
    v = np.where((kind >= 0.40) & (kind < 0.50), ~(raw >> np.uint64(60)), v) & mask
    return v.astype(object if width > 64 else unsigned_dtype(width))


def alike(fn: LaneFn) -> Sequence[LaneFn]:
    """Return a function, with sums differences: a literal may be added or its opposite taken."""
    x, y = formal(0, fn.width), formal(1, fn.width)
    sums = make("add", (x, y)), make("sub", (x, y))
    return tuple(map(lane_fn, sums)) if fn.term in sums else (fn,)
