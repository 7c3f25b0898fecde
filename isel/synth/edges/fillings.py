"""What fills an instruction that joins like pieces: products, one function of a few elements, or
halves of what lies side by side.

A slot that is left over has the neutral filling of its kind: a product one zero factor and
anything, a function of elements (a distance) equal ones, which are zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, product
from typing import Final, TypeAlias

from isel.ir.build import bxor, extract, sext, zext
from isel.ir.canon import canonical, free
from isel.ir.expr import Expr, const, leaves, nodes
from isel.ir.linear import Atom
from isel.ir.ops import Lanes, signed
from isel.ir.spans import whole, within
from isel.synth.values.lanefn import LaneFn, lane_fn
from isel.synth.values.linear import Monomial, SumOfProducts, monomials

Order: TypeAlias = Mapping[Expr, tuple[int, int]]
Row: TypeAlias = Callable[[Expr], Lanes]
_MOST_TRIED: Final = 6
_MOST_HOLES: Final = 3


def place(e: Expr, order: Order) -> tuple[int, int]:
    """Return (offset, source) of the first leaf of a term, or of the piece of it that it reads; of
    a literal what is behind all others.
    """
    found = [(1 << 62, 0)] if not leaves(e) else []
    for x in leaves(e):
        source, at = order.get(x, (0, 0))
        cut = [y.int_attr(0) for y in nodes(e) if y.op == "extract" and y.args[0] is x]
        found.append((at + min(cut, default=0), source))
    return min(found)


def filled(
    shape: SumOfProducts, group: Sequence[Monomial], width: int, order: Order
) -> Iterator[dict[Expr, Expr]]:
    """Yield the operands by slot, but for the addend: a left-over slot has its zero on either side,
    factors that may be on either side are in the order of their places.

    Beside a single product both factors are zero: alone it is no gain over a plain one, which has
    simpler operands.
    """
    given = [
        replace(m, atoms=tuple(sorted(m.atoms, key=lambda a: _source(a, order)))) for m in group
    ]
    pairs = [operands(*x, width) for x in zip(shape.products, given, strict=False)]
    left, alone = shape.products[len(group) :], len(group) < 2
    for side in (1,) if alone or not left else (1, 0):
        rest = [_neutral(slot, side, alone) for slot in left]
        holes = (x.term for slot in shape.products for x in slot)
        if None not in pairs:
            yield dict(zip(holes, chain(*filter(None, pairs), *rest), strict=True))


def _source(x: Atom, order: Order) -> tuple[int, int]:
    return place(x.term, order)[::-1]


def _neutral(slot: tuple[Atom, Atom], side: int, alone: bool) -> tuple[Expr, ...]:
    widths = [x.term.width for x in slot]
    return tuple(const(0, w) if alone or k == side else free(w) for k, w in enumerate(widths))


def operands(slot: tuple[Atom, Atom], m: Monomial, width: int) -> tuple[Expr, Expr] | None:
    """Return the factors that make a slot a product, as numbers."""
    c = signed(m.coefficient, width)
    if not m.atoms or (len(m.atoms) > 1 and c != 1):
        return None
    pair: tuple[Atom | int, ...] = m.atoms if len(m.atoms) > 1 else (*m.atoms, c)
    for p, q in (pair, pair[::-1]):
        left, right = _fit(p, slot[0]), _fit(q, slot[1])
        if left is not None and right is not None:
            return left, right
    return None


def shares(shape: SumOfProducts, m: Monomial, width: int) -> tuple[Monomial, ...]:
    """Return what fills slots of a sum for a monomial: itself or, where its coefficient is more
    than a slot holds, the fewest like shares of it.
    """
    c, most = signed(m.coefficient, width), len(shape.products) if len(m.atoms) == 1 else 0
    for n in range(1, most + 1):
        found = [replace(m, coefficient=(c + k) // n % (1 << width)) for k in range(n)]
        if None not in (operands(shape.products[0], x, width) for x in found):
            return tuple(found)
    return (m,)


def _fit(x: Atom | int, slot: Atom) -> Expr | None:
    room = slot.term.width
    if isinstance(x, int):
        return const(x, room) if within((x, x), whole(room, signed=slot.signed)) else None
    have = x.term.width
    if x.signed:
        return sext(x.term, room) if slot.signed and have <= room else None
    return zext(x.term, room) if have < room or (have == room and not slot.signed) else None


def value_of(x: Atom, slot: Atom) -> Expr | None:
    """Return an atom as a slot's operand, None where that may be another number."""
    return x.term if x.term.width == slot.term.width else _fit(x, slot)


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
    atoms = [x for m in monomials(term) if (x := m.value) is not None and x.term.args]
    if not 2 <= len(atoms) == len(monomials(term)):
        return None
    pieces, groups = zip(*(canonical(x.term) for x in atoms), strict=True)
    kinds, holes = {*zip(pieces, (x.signed for x in atoms), strict=True)}, [*chain(*groups)]
    if len(kinds) > 1 or len(set(holes)) < len(holes) or len(groups[0]) > _MOST_HOLES:
        return None
    return GroupedSum(lane_fn(pieces[0]), groups, atoms[0].signed)


def piece_filled(shape: GroupedSum, m: Monomial, order: Order, row: Row) -> tuple[Expr, ...] | None:
    """Return what fills a group's holes so that it gives a monomial, the first such choice."""
    part = None if m.value is None else _part(m.value, shape)
    if part is None:
        return None
    wanted, run = row(part), shape.piece.run
    every = _choices(part, shape.piece.widths, order)
    return next((x for x in every if bool((run(*map(row, x)) == wanted).all())), None)


def _choices(part: Expr, widths: Sequence[int], order: Order) -> Iterator[tuple[Expr, ...]]:
    """Yield what may fill holes: values of a term and zeros, or these values with other signs, as a
    function of unsigned numbers has it of signed ones.
    """
    near = (x for x in reversed(list(nodes(part))) if x.width in widths and not x.is_const)
    found = sorted(near, key=lambda x: (bool(x.args), place(x, order)))[:_MOST_TRIED]
    zeros = [const(0, w) for w in sorted(set(widths))]
    turned = [bxor(x, const(1 << (x.width - 1), x.width)) for x in found if x.is_leaf]
    for some in (found + zeros, turned):
        yield from product(*([x for x in some if x.width == w] for w in widths))


def _part(atom: Atom, shape: GroupedSum) -> Expr | None:
    """Return an atom in the width of a group, None where it may be more than that holds."""
    width = shape.piece.width
    if atom.term.width < width and not atom.signed:
        return zext(atom.term, width)
    if atom.term.width == width:
        return atom.term if atom.signed == shape.signed else None
    fits = atom.term.width > width and within(atom.bounds(), whole(width, signed=shape.signed))
    return extract(atom.term, 0, width) if fits else None
