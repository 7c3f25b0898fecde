"""Which components can stand where in a straight-line program, and facts about components that
prune it.

Everything here holds for every program of the grammar, so pruning by it never loses one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from isel.ir.build import ne
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const
from isel.smt.bitwuzla_solver import BitwuzlaSolver
from isel.smt.query import Query, Unsat
from isel.synth.cegis.types import Component
from isel.synth.limits import SYMMETRY_STEPS
from isel.synth.values.lanefn import Compiled, probe


def usable(
    components: Sequence[Component], available: frozenset[int], width: int, depth: int
) -> tuple[tuple[int, ...], ...]:
    """Return for each slot the components whose operand widths can exist and whose result can be
    used.

    ``available`` are the widths of the inputs; the last slot gives ``width`` bits.  Where a slot
    has none, no program of this depth exists.
    """
    slots = [set(range(len(components))) for _ in range(depth)]
    while True:
        size = sum(map(len, slots))
        _forward(components, available, slots)
        _backward(components, width, slots)
        if sum(map(len, slots)) == size:
            return tuple(tuple(sorted(s, key=lambda j: (components[j].width, j))) for s in slots)


def _forward(
    components: Sequence[Component], available: frozenset[int], slots: list[set[int]]
) -> None:
    known = set(available)
    for s in slots:
        s -= {j for j in s if not known.issuperset(components[j].widths)}
        known |= {components[j].width for j in s}


def _backward(components: Sequence[Component], width: int, slots: list[set[int]]) -> None:
    slots[-1] -= {j for j in slots[-1] if components[j].width != width}
    if len(slots) > 1:  # only the last slot can use the one before it
        before = {components[j].width for j in slots[-2]}
        slots[-1] -= {j for j in slots[-1] if before.isdisjoint(components[j].widths)}
    wanted: set[int] = set()
    for at in reversed(range(len(slots) - 1)):
        wanted |= {w for j in slots[at + 1] for w in components[j].widths}
        slots[at] -= {j for j in slots[at] if components[j].width not in wanted}


@cache
def symmetric_pairs(fn: Component) -> tuple[tuple[int, int], ...]:
    """Return the pairs of holes that may be swapped (proved); only neighbours of equal width
    are looked at.
    """
    if fn.members:
        every = [set(symmetric_pairs(c)) for c in fn.members]
        return tuple(sorted(set.intersection(*every)))
    x = fn.formals
    pairs = [(i, i + 1) for i in range(len(x) - 1) if x[i].width == x[i + 1].width]
    return tuple(
        (i, j) for i, j in pairs if _equal(fn, instantiate(fn.fn, {x[i]: x[j], x[j]: x[i]}))
    )


@cache
def trivial_twins(fn: Component) -> bool:
    """Tell whether a function of two operands is its operand, or a constant, when both are the
    same (proved).
    """
    if fn.members:
        return all(map(trivial_twins, fn.members))
    x = fn.formals
    if len(x) != 2 or x[0].width != x[1].width:
        return False
    merged = instantiate(fn.fn, {x[1]: x[0]})
    if merged.is_leaf or merged.is_const:
        return True
    value = Compiled(merged, x[:1])(probe(0, x[0].width))
    if bool((value == value[0]).all()):
        return _proved(merged, const(int(value[0]), merged.width))
    same = x[0].width == merged.width and bool((value == probe(0, x[0].width)).all())
    return same and _proved(merged, x[0])


def _equal(fn: Component, other: Expr) -> bool:
    if other is fn.fn:
        return True
    values = [probe(i, e.width) for i, e in enumerate(fn.formals)]
    if bool((Compiled(fn.fn, fn.formals)(*values) != Compiled(other, fn.formals)(*values)).any()):
        return False
    return _proved(fn.fn, other)


def _proved(a: Expr, b: Expr) -> bool:
    return isinstance(BitwuzlaSolver().check(Query((ne(a, b),)), SYMMETRY_STEPS), Unsat)
