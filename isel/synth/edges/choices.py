"""Functions whose operands are known before any is tried: those of a term, all its leaves, or what
it chooses between and the mask by which it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import TypeAlias

from isel.ir.build import make, sext, shl
from isel.ir.expr import Expr, const, leaves
from isel.ir.ops import natural
from isel.rules.derived import sat_s
from isel.synth import limits
from isel.synth.values.lanefn import LaneFn

Orders: TypeAlias = tuple[LaneFn, Iterable[tuple[Expr, ...]]]  # of operands, one of which will do


def of_operands(fns: Sequence[LaneFn], term: Expr) -> Iterator[Orders]:
    """Yield functions of one hole, and each operand of a term: extensions, absolute values."""
    for fn in fns:
        if fn.arity == 1 and fn.width == term.width:
            for e in term.args:
                if e.width == fn.widths[0] and not e.is_const:
                    yield fn, [(e,)]


def all_leaves(fns: Sequence[LaneFn], term: Expr) -> Iterator[Orders]:
    """Yield functions of as many holes as a term has leaves, and these in every order."""
    given = leaves(term)
    for fn in fns if len(given) == limits.MOST_HOLES else ():
        if fn.arity == limits.MOST_HOLES and fn.width == term.width:
            every = permutations(given)
            yield fn, [o for o in every if fn.widths == tuple(x.width for x in o)]


def by_mask(fns: Sequence[LaneFn], term: Expr) -> Iterator[Orders]:
    """Yield functions of a mask as wide as a term that is a choice, and of what that is between."""
    if term.op == "ite" and term.width == natural(term.width):
        mask = make("sext", term.args[:1], (term.width,))
        for fn in fns:
            if fn.all_widths == {term.width}:
                every = permutations((mask, *term.args[1:]), fn.arity)
                yield fn, [o for o in every if mask in o]


def by_sign(fns: Sequence[LaneFn], term: Expr) -> Iterator[Orders]:
    """Yield functions that give the sign of a lane, and lanes that have a bit there."""
    for fn in (f for f in fns if term.width == 1 and f.is_sign):
        yield fn, [(x,) for x in _with_sign(term, fn.widths[0])]


def _with_sign(term: Expr, width: int) -> Iterator[Expr]:
    """Yield values of ``width`` bits whose sign is a bit: what it is of, moved; or only it."""
    if term.op == "extract" and term.args[0].width >= width:
        x = term.args[0]
        x = shl(x, const(x.width - 1 - term.int_attr(0), x.width))
        while x.width > width:
            x = sat_s(x, x.width // 2)
        yield x
    yield sext(term, width)
