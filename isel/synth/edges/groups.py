"""Edges to sums of like groups: a sum whose terms are one function of a few elements each (sums
of absolute differences).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final, TypeAlias

import numpy as np

from isel.ir.build import bxor, extract, make
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, const, leaves, postorder
from isel.ir.linear import Atom
from isel.ir.ops import Lanes
from isel.ir.spans import whole, within
from isel.synth.values.lanefn import LaneFn, lane_fn
from isel.synth.values.linear import Monomial, monomials, rebuild

Order: TypeAlias = Mapping[Expr, tuple[int, int]]
_MAX_TRIED: Final = 6
_MAX_HOLES: Final = 3


@dataclass(frozen=True, slots=True)
class GroupedSum:
    """``sum of extend(piece(holes of group k))``: the piece over formals, the formals that fill
    its holes by group, and how it is extended.
    """

    piece: LaneFn
    groups: tuple[tuple[Expr, ...], ...]
    signed: bool


@cache
def grouped_sum(term: Expr) -> GroupedSum | None:
    """Recognise a lane function that sums at least two values of one function, no element being
    read twice.
    """
    ms = monomials(term)
    if len(ms) < 2 or any(
        m.coefficient != 1 or len(m.atoms) != 1 or not m.atoms[0].term.args for m in ms
    ):
        return None
    pieces = [canonical(m.atoms[0].term) for m in ms]
    holes = [h for _, group in pieces for h in group]
    if (
        len({p for p, _ in pieces}) > 1
        or len({m.atoms[0].signed for m in ms}) > 1
        or len(set(holes)) < len(holes)
        or len(pieces[0][1]) > _MAX_HOLES
    ):
        return None
    return GroupedSum(
        lane_fn(pieces[0][0]), tuple(group for _, group in pieces), ms[0].atoms[0].signed
    )


@dataclass(frozen=True, slots=True)
class Found:
    """A sum's groups as ``fn(args)``, of the sum's width or wider, and the rest of the sum (None:
    there is none).

    ``natural``: nothing else will do better, since every group is used and the operands are
    neighbours in the order in which they are read.
    """

    fn: LaneFn
    args: tuple[Expr, ...]
    rest: Expr | None
    natural: bool


def group_edges(
    functions: Sequence[tuple[LaneFn, GroupedSum]],
    term: Expr,
    order: Order,
    row: Callable[[Expr], Lanes],
) -> Iterator[Found]:
    """Yield applications that may give ``term`` modulo its width, with ``rest`` added; the caller
    checks them on samples.

    ``functions`` have their groups in the order of the elements they read, ``order`` places the
    term's leaves, and ``row`` evaluates sub-terms on samples.
    """
    if not functions or term.op not in ("add", "sub", "zext", "sext", "extract"):
        return
    ms = monomials(term)
    if len(ms) < 2:
        return
    for fn, shape in functions:
        if fn.width < term.width:
            continue
        fits = {m: args for m in ms if (args := _filled(shape, m, order, row)) is not None}
        chosen = sorted(fits, key=lambda m: _place(fits[m], order))[: len(shape.groups)]
        if len(chosen) < 2:
            continue
        values: dict[Expr, Expr] = {}
        for k, group in enumerate(shape.groups):
            filling = (
                fits[chosen[k]] if k < len(chosen) else tuple(const(0, h.width) for h in group)
            )
            values.update(zip(group, filling, strict=True))
        rest = tuple(m for m in ms if m not in chosen)
        natural = (
            not rest
            and len(chosen) == len(shape.groups)
            and all(
                _neighbours(column, order)
                for column in zip(*(fits[m] for m in chosen), strict=True)
            )
        )
        yield Found(
            fn,
            tuple(values[formal(i, w)] for i, w in enumerate(fn.widths)),
            rebuild(rest, term.width) if rest else None,
            natural,
        )


def low_part(fn: LaneFn, width: int) -> LaneFn:
    """Return the function that takes the low ``width`` bits of what ``fn`` gives."""
    return lane_fn(extract(formal(0, fn.width), 0, width))


def sum_of_two(width: int) -> LaneFn:
    """Return addition."""
    return lane_fn(make("add", (formal(0, width), formal(1, width))))


def _filled(
    shape: GroupedSum, m: Monomial, order: Order, row: Callable[[Expr], Lanes]
) -> tuple[Expr, ...] | None:
    """Return what fills a group's holes so that it gives a monomial, the first such choice: values
    of it, or these with other signs, as a function of unsigned numbers has it of signed ones.
    """
    part = _part(m.atoms[0], shape) if m.coefficient == 1 and len(m.atoms) == 1 else None
    if part is None:
        return None
    wanted = row(part)
    widths = shape.piece.widths
    near = [x for x in reversed(list(postorder([part]))) if not x.is_const and x.width in widths]
    found = sorted(near, key=lambda x: (bool(x.args), _place((x,), order)))[:_MAX_TRIED]
    zeros = [const(0, w) for w in sorted(set(widths))]
    biased = [bxor(x, const(1 << (x.width - 1), x.width)) for x in found if x.is_leaf]
    for tried in ([*found, *zeros], biased):
        for args in product(*([x for x in tried if x.width == w] for w in widths)):
            given = shape.piece.run(*(row(a) for a in args))
            if bool((np.broadcast_to(given, wanted.shape) == wanted).all()):
                return args
    return None


def _part(atom: Atom, shape: GroupedSum) -> Expr | None:
    """Return an atom in the width of a group, None where it may be more than that holds."""
    width = shape.piece.width
    if atom.term.width == width:
        return atom.term if atom.signed == shape.signed else None
    fits = atom.term.width > width and within(atom.bounds(), whole(width, signed=shape.signed))
    return extract(atom.term, 0, width) if fits else None


def _neighbours(column: Sequence[Expr], order: Order) -> bool:
    """Tell whether operands are one literal, or elements of one source that follow each other."""
    if all(a.is_const for a in column):
        return len(set(column)) == 1
    places = [order.get(a) for a in column]
    first = places[0]
    return first is not None and all(
        p == (first[0], first[1] + k * column[0].width) for k, p in enumerate(places)
    )


def _place(args: Sequence[Expr], order: Order) -> tuple[int, int]:
    places = sorted(
        (p[1], p[0]) for a in args for x in leaves(a) if (p := order.get(x)) is not None
    )
    return places[0] if places else (0, 0)
