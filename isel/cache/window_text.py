"""Windows read back from their text, so that rows can be checked without the module they came
from.
"""

from __future__ import annotations

from dataclasses import replace

from isel.ir.expr import Expr, const
from isel.ir.text import parse
from isel.model.window import WORDS, Leaf, Root, Window


def read_window(text: str) -> Window:
    """Read the text of :meth:`isel.model.window.Window.text`; raises ``ValueError`` for
    anything else.
    """
    leaves: list[Leaf] = []
    roots: list[tuple[int, list[tuple[Expr | None, Expr]]]] = []
    facts: list[Expr] = []
    price: int | None = None
    for line in text.splitlines():
        head, _, rest = line.strip().partition(" ")
        if line.startswith("  ") and roots:
            roots[-1][1].append(_lane(line[2:]))
        elif head == "leaf":
            name, shape, *more = rest.split(" ")
            lanes, width = _shape(shape)
            place = [word for word in more if word not in WORDS]
            region, first, period = place or ("", "0", "0")
            leaf = Leaf(name, width, lanes, region, int(first), int(period))
            leaves.append(replace(leaf, scalar="scalar" in more, invariant="invariant" in more))
        elif head == "root":
            roots.append((_shape(rest)[1], []))
        elif head == "fact":
            facts.append(parse(rest))
        elif head == "price":
            price = int(rest)
        else:
            raise ValueError(f"not a line of a window: {line}")
    columns = ((w, [e for e, _ in lanes], [d for _, d in lanes]) for w, lanes in roots)
    made = tuple(Root(w, tuple(values), tuple(defined)) for w, values, defined in columns)
    return Window(tuple(leaves), made, tuple(facts), price)


def _shape(text: str) -> tuple[int, int]:
    lanes, _, width = text.partition("x")
    return int(lanes), int(width)


def _lane(text: str) -> tuple[Expr | None, Expr]:
    value, conditional, condition = text.partition(" if ")
    defined = parse(condition) if conditional else const(1, 1)
    return (None if value == "-" else parse(value)), defined
