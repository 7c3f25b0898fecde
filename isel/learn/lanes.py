"""Lanes as terms whose widths are expressions: what code spells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from isel.ir.canon import formal
from isel.ir.expr import Expr, leaves, postorder
from isel.ir.ops import signed
from isel.learn.limits import MOST_OF_A_LANE, SMALL
from isel.learn.samples import WIDTHS
from isel.learn.term import Term, leaf

NAMES: Final = ("x", "y", "z")


def general(e: Expr) -> Term | None:
    """Return a canonical lane with the width of its elements as ``w``; None for one that has none,
    or that is large.
    """
    holes = leaves(e)
    widths = {x.width for x in holes}
    size = sum(1 for _ in postorder([e]))
    if len(widths) != 1 or len(holes) > len(NAMES) or size > MOST_OF_A_LANE:
        return None
    (w,) = widths
    if w not in WIDTHS or not e.args:
        return None
    names = {formal(i, w): leaf(n) for i, n in zip(range(len(holes)), NAMES, strict=False)}
    return _term(e, w, names)


def _term(e: Expr, w: int, names: Mapping[Expr, Term]) -> Term:
    if e in names:
        return names[e]
    width = _width(e.width, w)
    if e.is_const:
        return leaf(_literal(e.value, e.width, w), width)
    args = tuple(_term(a, w, names) for a in e.args)
    attributes = tuple(_width(a, w) for a in e.attr if isinstance(a, int))
    if e.op == "extract":
        attributes = (_low(e.int_attr(0), w), width)
    return Term(e.op, attributes, args, width)


def _width(value: int, w: int) -> str:
    """Return a width by that of elements."""
    known = {w: "w", 2 * w: "2*w", 4 * w: "4*w", 1: "1"}
    return known.get(value) or (f"w + {value - w}" if value > w else f"w - {w - value}")


def _low(value: int, w: int) -> str:
    return "w" if value == w else "w - 1" if value == w - 1 else str(value)


def _literal(value: int, width: int, w: int) -> str:
    """Return a literal by the width of elements, where it is not small."""
    number = signed(value, width)
    if -SMALL <= number <= SMALL:
        return str(number)
    for text, power in (("w", w), ("(w-1)", w - 1), ("(2*w-1)", 2 * w - 1)):
        for more, other in (("", 0), (" - 1", -1)):
            if number == (1 << power) + other:
                return f"2**{text}{more}"
        if number == -(1 << power):
            return f"-2**{text}"
    return str(number)
