"""Edges to dot products: monomials of the wanted value put into the product slots of an
instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import gcd
from typing import Final, TypeAlias

from isel.ir.build import sext, zext
from isel.ir.canon import formal, free
from isel.ir.expr import Expr, const, leaves, postorder
from isel.ir.linear import Atom, Linear
from isel.ir.ops import signed
from isel.ir.spans import whole, within
from isel.synth.values.lanefn import LaneFn
from isel.synth.values.linear import (
    Monomial,
    SumOfProducts,
    _unclamped,
    factored,
    monomials,
    narrow_atoms,
    rebuild,
)

_MAX_GROUPS: Final = 12
_MAX_RESTS: Final = 2  # groups, without an addend, to which the rest of a sum is added,
_MAX_WITH_REST: Final = 8  # of a sum of so few terms: each rest is a sum to be solved in its turn
Dot: TypeAlias = tuple[LaneFn, tuple[Expr, ...], Expr | None]
Order: TypeAlias = Mapping[Expr, tuple[int, int]]


def dot_edges(
    dots: Sequence[tuple[LaneFn, SumOfProducts]],
    term: Expr,
    order: Order,
    narrow: Callable[[Expr], Expr],
) -> Iterator[Dot]:
    """Yield (function, operands, rest) whose sum of products, with the rest added to it if there is
    one, may be ``term``.

    The caller checks them on samples.

    ``dots`` are the dot products of the machine, their slots in the order of the elements they
    read. ``order`` places the term's leaves: (source, offset), as numbers, in a representative
    lane.  Factors that are computed (squares of differences) are wanted by ``narrow`` as well.
    """
    own = [dot for dot in dots if dot[0].width == term.width]
    for inner in dict.fromkeys((term, _unclamped(term) or term, _without_exceptions(term))):
        for fn, shape in own:
            if inner is term or shape.clamped:
                ms = monomials(inner)
                ms = in_order(ms, order) if shape.rows else ms
                yield from _fill(fn, shape, ms, inner.width, order)
    fields = narrow_atoms(term)
    if any(m.coefficient != 1 for m in fields) and all(len(m.atoms) == 1 for m in fields):
        for fn, shape in own:
            yield from _nest(fn, shape, fields, term.width, order)
    products = factored(term, narrow)
    if any(len(m.atoms) > 1 for m in products) and products != monomials(term):
        for fn, shape in own:
            yield from _fill(fn, shape, products, term.width, order)


def in_order(ms: Sequence[Monomial], order: Order) -> tuple[Monomial, ...]:
    """Return monomials with the factors of each in the order of their places."""

    def place(a: Atom) -> tuple[int, int]:
        return min(_places(a.term, order))

    return tuple(replace(m, atoms=tuple(sorted(m.atoms, key=place))) for m in ms)


def _without_exceptions(e: Expr) -> Expr:
    """Return the value beside literals that a term gives under conditions: a clamp in its own
    width.
    """
    while e.op == "ite" and e.args[1].is_const != e.args[2].is_const:
        e = e.args[2] if e.args[1].is_const else e.args[1]
    return e


def _fill(
    fn: LaneFn, shape: SumOfProducts, ms: tuple[Monomial, ...], width: int, order: Order
) -> Iterator[Dot]:
    slots = len(shape.products)
    addend = shape.addends[0] if len(shape.addends) == 1 else None
    if len(shape.addends) > 1:
        return
    eligible = sorted(_eligible(shape, ms), key=lambda m: _place(m, order))
    if not eligible:
        return
    for k, group in enumerate(_choices(eligible, slots, order)):
        rest = tuple(m for m in ms if m not in group)
        beside = rebuild(rest, width) if rest and addend is None else None
        if beside is not None and (
            k >= _MAX_RESTS or len(group) < slots or len(ms) > _MAX_WITH_REST
        ):
            continue
        for args in filled(shape, group, width):
            if addend is not None:
                value = _rest(rest, addend, width)
                if value is None:
                    continue
                args[addend.term] = value
            yield fn, tuple(args[formal(i, w)] for i, w in enumerate(fn.widths)), beside


def _nest(
    fn: LaneFn, shape: SumOfProducts, ms: tuple[Monomial, ...], width: int, order: Order
) -> Iterator[Dot]:
    """Yield a sum as a dot product of smaller sums, which are again dot products: equal parts of
    it, in the order of memory, by what their factors have in common.
    """
    slots = len(shape.products)
    if shape.addends or len(ms) % slots or len(ms) <= slots:
        return
    eligible = sorted(ms, key=lambda m: _place(m, order))
    each = len(ms) // slots
    parts = [eligible[k : k + each] for k in range(0, len(ms), each)]
    group = tuple(m for p in parts for m in _common(p, width))
    if len(group) == slots:
        for args in filled(shape, group, width):
            yield fn, tuple(args[formal(i, w)] for i, w in enumerate(fn.widths)), None


def _common(ms: Sequence[Monomial], width: int) -> Iterator[Monomial]:
    """Yield a sum as a factor times a sum that fits in half the width."""
    half = width // 2
    factor = gcd(*(signed(m.coefficient, width) for m in ms))
    inner = Linear({m.atoms: signed(m.coefficient, width) // factor for m in ms})
    if within(inner.bounds(), whole(half, signed=True)):
        yield Monomial(factor % (1 << width), (Atom(inner.term(half), signed=True),))


def neighbours(
    shape: SumOfProducts, ms: Sequence[Monomial], order: Order
) -> Iterator[tuple[Monomial, ...]]:
    """Yield groups of neighbours in memory, none of them twice, that nearly fill the slots of a
    sum.
    """
    slots = len(shape.products)
    eligible = _eligible(shape, ms)
    return (g for g in _runs(eligible, slots, order) if len(g) >= max(slots - 1, 2))


def by_place(
    shape: SumOfProducts, ms: Sequence[Monomial], order: Order
) -> Iterator[tuple[Monomial, ...]]:
    """Yield groups, none of them twice, that fill the slots of a sum, wherever their atoms are."""
    slots = len(shape.products)
    eligible = sorted(_eligible(shape, ms), key=lambda m: _place(m, order))
    return (tuple(eligible[k : k + slots]) for k in range(0, len(eligible) - slots + 1, slots))


def _eligible(shape: SumOfProducts, ms: Sequence[Monomial]) -> list[Monomial]:
    slot, width = shape.products[0], shape.width
    return [m for m in ms if m.atoms and _operands(slot, m, width) is not None]


def filled(
    shape: SumOfProducts, group: tuple[Monomial, ...], width: int
) -> Iterator[dict[Expr, Expr]]:
    """Yield the operands by slot, but for the addend."""
    for side in (0, 1) if 1 < len(group) < len(shape.products) else (0,):
        for exchanged in (False, True) if shape.rows else (False,):
            args = _assign(shape, group, width, side, exchanged=exchanged)
            if args is not None:
                yield args


def _rest(ms: tuple[Monomial, ...], addend: Atom, width: int) -> Expr | None:
    """Return what is added to the products as the addend's operand: of a wider sum that is
    clamped, one value that fits.
    """
    if addend.term.width == width:
        return rebuild(ms, width)
    if not ms:
        return const(0, addend.term.width)
    (m, *others) = ms
    if others or m.coefficient != 1 or len(m.atoms) != 1:
        return None
    x = m.atoms[0].term
    return x if x.width == addend.term.width else _fit(m.atoms[0], addend)


def _choices(
    eligible: list[Monomial], slots: int, order: Order
) -> tuple[tuple[Monomial, ...], ...]:
    """Return the groups to try: neighbours alone where they nearly fill an instruction, as
    whatever else is more to bring together.
    """
    runs = tuple(_runs(eligible, slots, order)) if len(eligible) > slots else ()
    return (
        runs
        if runs and min(map(len, runs)) >= max(slots - 1, 2)
        else tuple(dict.fromkeys((*runs, *_groups(eligible, slots))))
    )


def _runs(eligible: list[Monomial], slots: int, order: Order) -> Iterator[tuple[Monomial, ...]]:
    """Yield groups whose atoms are neighbours in the registers that they come from: a row of a
    filter beside its weights.
    """
    run: list[Monomial] = []
    for m in sorted(eligible, key=lambda m: _reads(m, order)):
        if run and (len(run) == slots or not _follows(m, run[-1], order)):
            if len(run) > 1:
                yield tuple(run)
            run = []
        run.append(m)
    if len(run) > 1:
        yield tuple(run)


def _follows(m: Monomial, before: Monomial, order: Order) -> bool:
    """Tell whether every atom is read just behind the one of the same source in ``before``."""
    a, b = _reads(before, order), _reads(m, order)
    return len(a) == len(b) and all((s, at + w, w) == y for (s, at, w), y in zip(a, b, strict=True))


def _reads(m: Monomial, order: Order) -> list[tuple[int, int, int]]:
    """Return (source, offset, width) of each atom, or of what a factor is computed from first, in
    order.  A computed summand that is no product lies nowhere: other instructions add those up.
    """
    if len(m.atoms) == 1:
        return [(*order.get(x.term, (-1, 0)), x.term.width) for x in m.atoms]
    return sorted(_first(x.term, order) for x in m.atoms)


def _first(e: Expr, order: Order) -> tuple[int, int, int]:
    x = min(leaves(e), key=lambda x: order.get(x, (-1, 0)), default=e)
    return (*order.get(x, (-1, 0)), x.width)


def _groups(eligible: list[Monomial], slots: int) -> Iterator[tuple[Monomial, ...]]:
    if len(eligible) <= slots:
        yield tuple(eligible)
        return
    seen = 0
    yield tuple(eligible[:slots])
    for group in combinations(eligible, slots):
        if group != tuple(eligible[:slots]):
            seen += 1
            if seen > _MAX_GROUPS:
                return
            yield group


def _place(m: Monomial, order: Order) -> tuple[int, int, int]:
    first = min((p for a in m.atoms for p in _places(a.term, order)), default=(0, 0))
    return (len(m.atoms) == 1, first[1], first[0])


def _places(e: Expr, order: Order) -> Iterator[tuple[int, int]]:
    """Yield (source, offset) of the leaves of a term, or of the pieces of them that it reads."""
    for x in leaves(e):
        source, at = order.get(x, (0, 0))
        cut = [y.int_attr(0) for y in postorder([e]) if y.op == "extract" and y.args[0] is x]
        yield source, at + min(cut, default=0)


def _assign(
    shape: SumOfProducts, group: tuple[Monomial, ...], width: int, side: int, *, exchanged: bool
) -> dict[Expr, Expr] | None:
    """Return the operands by slot; of the factors in a slot that is left over, the one on ``side``
    is zero and the other anything.  Each product has its factors in order of place, or
    ``exchanged``.

    Beside a single product both are zero: alone it is no gain over a plain one, which has simpler
    operands.
    """
    args: dict[Expr, Expr] = {}
    for k, (a, b) in enumerate(shape.products):
        if k >= len(group):
            zero, other = (b, a)[side].term, (a, b)[side].term
            args[zero], args[other] = (
                const(0, zero.width),
                free(other.width) if len(group) > 1 else const(0, other.width),
            )
            continue
        pair = _operands((b, a) if exchanged else (a, b), group[k], width)
        if pair is None:
            return None
        args[a.term], args[b.term] = pair[::-1] if exchanged else pair
    return args


def _operands(slot: tuple[Atom, Atom], m: Monomial, width: int) -> tuple[Expr, Expr] | None:
    c = m.coefficient if m.coefficient < 1 << (width - 1) else m.coefficient - (1 << width)
    if len(m.atoms) == 2:
        if c != 1:
            return None
        x, y = m.atoms
        for p, q in ((x, y), (y, x)):
            left, right = _fit(p, slot[0]), _fit(q, slot[1])
            if left is not None and right is not None:
                return left, right
        return None
    (x,) = m.atoms
    left, weight = _fit(x, slot[0]), _fit_const(c, slot[1])
    if left is not None and weight is not None:
        return left, weight
    right, weight = _fit(x, slot[1]), _fit_const(c, slot[0])
    return None if right is None or weight is None else (weight, right)


def _fit(x: Atom, slot: Atom) -> Expr | None:
    have, room = x.term.width, slot.term.width
    if x.signed:
        return sext(x.term, room) if slot.signed and have <= room else None
    if have < room or (have == room and not slot.signed):
        return zext(x.term, room)
    return None


def _fit_const(c: int, slot: Atom) -> Expr | None:
    w = slot.term.width
    low, high = (-(1 << (w - 1)), (1 << (w - 1)) - 1) if slot.signed else (0, (1 << w) - 1)
    return const(c, w) if low <= c <= high else None
