"""Rows: what lanes share of the operands of an instruction that adds up products, and how their
products are laid out in it.

Lanes that read one place of a factor share a row.  A row holds the union of what its lanes need, in
the order of memory; the other factor is at each place what the lane multiplies that with, or zero.
What lanes share must agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from isel.ir.expr import const
from isel.synth.instructions.form import Form
from isel.synth.layout.elements import ANY, Elements
from isel.synth.limits import MAX_KEPT
from isel.synth.values.questions import Edge

Slots: TypeAlias = tuple[tuple[int, int], ...]  # the holes of each product, the row's first
Products: TypeAlias = Mapping[int, int]  # elements of a row by what they are multiplied with


def slots_of(form: Form, side: int) -> Slots:
    """Return the products of a form in the order in which a row on one ``side`` holds them."""
    products = () if form.fn.sum is None else form.fn.sum.products
    found = ((int(p[side].term.source[1:]), int(p[1 - side].term.source[1:])) for p in products)
    return tuple(sorted(found, key=lambda s: int(form.index[s[0]][0])))


@lru_cache(maxsize=MAX_KEPT)
def rows_of(form: Form, slots: Slots) -> list[list[int]]:
    """Return the lanes of each row: those that read one place in their first factors."""
    row: dict[tuple[int, int], list[int]] = {}
    for lane, places in enumerate(form.places):
        own = next((row[places[a]] for a, _ in slots if places[a] in row), [])
        own.append(lane)
        row.update((places[a], own) for a, _ in slots)
    return list({id(r): r for r in row.values()}.values())


@lru_cache(maxsize=MAX_KEPT)
def layouts(form: Form) -> tuple[tuple[Slots, int], ...]:
    """Return the products of a form by the side on which lanes share rows, and the order of the
    factors of each: 0 as they are typed or, where either may be on either side, 1 by the places of
    their elements, -1 the other way round.
    """
    return tuple(
        (slots, order)
        for slots in (slots_of(form, side) for side in (0, 1))
        for x, y in (form.fn.sum.products[:1] if form.fn.sum else ())
        for order in ((1, -1) if (x.signed, x.term.width) == (y.signed, y.term.width) else (0,))
    )


def products_of(
    elements: Elements, element: int, edge: Edge, slots: Slots, order: int
) -> Products | None:
    """Return what a lane multiplies; None where it reads one element of a row twice."""
    held: list[tuple[int, int]] = []
    for s in slots:
        x, w = (elements.argument(element, edge.args[k]) for k in s)
        if not any(e != ANY and elements.is_zero(e) for e in (x, w)):
            swapped = order and (elements.place(x) > elements.place(w)) == (order > 0)
            held.append((w, x) if swapped else (x, w))
    return dict(held) if len({x for x, _ in held}) == len(held) else None


def layout_of(
    elements: Elements, form: Form, slots: Slots, lanes: Mapping[int, Products | None]
) -> list[list[int]] | None:
    """Return what a form's operands must hold for its ``lanes`` to add up such products; None where
    a row is too short, or lanes disagree.
    """
    if None in lanes.values():
        return None
    operands = [[ANY] * o.lanes for o in form.instruction.operands]
    used: set[tuple[int, int]] = set()
    for row in rows_of(form, slots):
        own = {lane: products for lane in row if (products := lanes.get(lane)) is not None}
        at = _places(elements, {x for products in own.values() for x in products}, len(slots))
        for lane, products in own.items():
            for pair in products.items():
                k = at.get(pair[0], ANY)
                if k == ANY or not _hold(form.places[lane], slots[k], pair, operands):
                    return None
                used.add((lane, k))
    idle = ((lane, k) for lane in lanes for k in range(len(slots)) if (lane, k) not in used)
    right = all(_neutral(elements, form, slots[k], lane, operands) for lane, k in idle)
    return operands if right else None


def _hold(
    places: Sequence[tuple[int, int]],
    slot: tuple[int, int],
    pair: tuple[int, int],
    operands: list[list[int]],
) -> bool:
    """Put the factors of a product where a lane reads them; tell whether what is there agrees."""
    for hole, e in zip(slot, pair, strict=True):
        o, i = places[hole]
        if operands[o][i] not in (ANY, e):
            return False
        operands[o][i] = e
    return True


def _neutral(
    elements: Elements, form: Form, slot: tuple[int, int], lane: int, operands: list[list[int]]
) -> bool:
    """Make a product of a lane zero, by its second factor if that may be; tell whether it is."""
    places = [form.places[lane][hole] for hole in reversed(slot)]
    zeros = [elements.const(const(0, form.instruction.operands[o].width)) for o, _ in places]
    for wanted in (zeros, [ANY, ANY]):
        for (o, i), zero, e in zip(places, zeros, wanted, strict=True):
            if operands[o][i] == e:
                operands[o][i] = zero
                return True
    return False


def _places(elements: Elements, row: set[int], slots: int) -> Mapping[int, int]:
    """Return the slot of each element of a row: as they lie in memory where that fits, gaps and
    all, else one behind the other; none for more than there are slots.
    """
    if not 0 < len(row) <= slots:
        return {}
    placed = sorted((elements.place(x), x) for x in row)
    source, first, width = placed[0][0]
    steps = {x: (at - first) / width for (s, at, _), x in placed if s == source != ""}
    if len(steps) == len(placed) and {*steps.values()} <= {*range(slots)}:
        return {x: int(k) for x, k in steps.items()}
    return {x: k for k, (_, x) in enumerate(placed)}
