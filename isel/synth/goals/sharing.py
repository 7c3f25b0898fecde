"""Which outputs share a register: lanes of all roots, taken together so that a row of an
instruction that adds up products lies in memory behind the row before it.

The registers are searched as roots of their own, and what puts their lanes in order as moves of
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise, product
from typing import TypeAlias

from isel.ir.expr import Expr, const, leaves
from isel.model.program import Program, Step
from isel.model.window import Leaf, Root, Window
from isel.synth.instructions.library import Library
from isel.synth.layout.rows import rows_of, slots_of
from isel.synth.limits import MOST_SHARED
from isel.synth.values.lanefn import LaneFn

Order: TypeAlias = tuple[int, ...]  # lanes of all roots, register by register


def programs(
    library: Library,
    window: Window,
    roots: Sequence[Root],
    fns: Sequence[LaneFn],
    best: Callable[[Window, int], Program | None],
    price: int,
) -> Iterator[Program]:
    """Yield programs for a window whose lanes share registers; ``best`` finds one for a window that
    costs less than some price.  ``roots`` are those of the window, over regions.
    """
    lanes = library.machine.vector_bits // window.roots[0].width
    for order in orders(library, roots, fns):
        registers, moves = windows_of(window, order, lanes)
        made = best(registers, price)
        behind = None if made is None else best(moves, price - made.cost)
        if made is not None and behind is not None:
            yield composition(made, behind)


def orders(library: Library, roots: Sequence[Root], fns: Sequence[LaneFn]) -> list[Order]:
    """Return the orders in which lanes of roots share registers, for functions that give them."""
    lanes = [e for r in roots for e in r.lanes]
    if len({r.width for r in roots}) > 1 or None in lanes:
        return []
    every = product(_places(list(filter(None, lanes))), list(_rows(library, fns)))
    found = dict.fromkeys(_order(places, *rows) for places, rows in every)
    return [o for o in found if o not in ((), tuple(range(len(lanes))))][:MOST_SHARED]


def _places(lanes: Sequence[Expr]) -> list[list[int]]:
    """Return for each source that lanes read in different places the first bit that each reads."""

    def first(e: Expr) -> dict[str, int]:
        read = ((x.source, x.offset) for x in leaves(e) if x.op == "elem")
        return dict(sorted(read, reverse=True))

    read = [first(e) for e in lanes]
    every = set(read[0]).intersection(*read)
    columns = [[own[s] for own in read] for s in sorted(every)]
    return [c for c in columns if len(set(c)) > 1]


def _rows(library: Library, fns: Sequence[LaneFn]) -> Iterator[tuple[list[list[int]], int]]:
    """Yield the rows of the instructions with full registers that have such a function, and the
    bits of a row.
    """
    for fn in fns:
        for form in library.forms(fn, library.machine.vector_bits):
            for slots in (slots_of(form, side) for side in (0, 1)):
                yield rows_of(form, slots), sum(fn.widths[a] for a, _ in slots)


def _order(places: Sequence[int], rows: Sequence[Sequence[int]], bits: int) -> Order:
    """Return lanes in the order of registers of which each row begins ``bits`` behind the one
    before it; none where there are none such.
    """
    size, count = len(rows[0]), len(rows)
    lanes = sorted(range(len(places)), key=lambda k: (places[k], k))
    steps = {b - a for a, b in pairwise(places[k] for k in lanes[::size])}
    step = max(steps) if len(steps) == 1 else 0
    apart = bits // step if step > 0 and not bits % step else 0
    whole = size * apart * count
    if count < 2 or not whole or len(lanes) % whole:
        return ()
    at = {at: (r, k) for r, row in enumerate(rows) for k, at in enumerate(row)}
    held = [at[j] for j in range(size * count)]
    firsts = (first + k * size for first in range(0, len(lanes), whole) for k in range(apart))
    return tuple(lanes[first + r * apart * size + k] for first in firsts for r, k in held)


def windows_of(window: Window, order: Order, lanes: int) -> tuple[Window, Window]:
    """Return a window whose roots are registers of so many lanes, and one that puts them in the
    order of the window's roots.
    """
    width = window.roots[0].width
    values = [x for r in window.roots for x in zip(r.lanes, r.defined, strict=True)]
    picked = [order[k : k + lanes] for k in range(0, len(order), lanes)]
    columns = (tuple(zip(*(values[k] for k in p), strict=True)) for p in picked)
    roots = tuple(Root(width, given, defined) for given, defined in columns)
    held = tuple(Leaf(f"row{n}", width, lanes) for n in range(len(picked)))
    return replace(window, roots=roots, price=None), Window(held, _moves(window, order, held))


def _moves(window: Window, order: Order, held: Sequence[Leaf]) -> tuple[Root, ...]:
    """Return the roots of a window as lanes of registers."""
    width, lanes = held[0].width, held[0].lanes
    at = {k: divmod(j, lanes) for j, k in enumerate(order)}
    elements = [held[n].element(i * width, width) for n, i in map(at.__getitem__, range(len(at)))]
    ends = accumulate(len(r.lanes) for r in window.roots)
    parts = (tuple(elements[e - len(r.lanes) : e]) for r, e in zip(window.roots, ends, strict=True))
    return tuple(Root(width, part, (const(1, 1),) * len(part)) for part in parts)


def composition(registers: Program, moves: Program) -> Program:
    """Return the program that moves the lanes of what another one computes."""
    steps: list[Step] = list(registers.steps)
    new: list[int] = []
    for s in moves.steps:
        if s.kind == "leaf":
            new.append(registers.roots[int(s.name.removeprefix("row"))])
        else:
            steps.append(replace(s, args=tuple(new[a] for a in s.args)))
            new.append(len(steps) - 1)
    roots = tuple(new[r] for r in moves.roots)
    return Program(tuple(steps), roots, registers.cost + moves.cost)
