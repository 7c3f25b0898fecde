"""What terms are, in words: the fewest operations over the names of leaves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from isel.egraph.extract import Extraction
from isel.egraph.graph import Contradiction, Graph, Spent
from isel.egraph.limits import NEVER
from isel.egraph.saturate import add, saturate
from isel.ir.canon import canonical
from isel.ir.domain import full
from isel.ir.expr import Expr, leaves
from isel.ir.ops import OPS, Attr
from isel.ir.ranges import ranges_where
from isel.model.window import Window

FORMAL: Final = re.compile(r"\bx(\d+)\b")
WIDTHS: Final = (1, 8, 16, 32, 64)


def said_of(window: Window) -> tuple[str, ...]:
    """Return what the lanes of a window are, each once."""
    regional = window.in_regions()
    lanes = (e for r in regional.roots for e in r.lanes if e is not None)
    said = (in_words(e, regional.facts) for e in dict.fromkeys(lanes))
    return tuple(dict.fromkeys(w for w in said if w))


def in_words(e: Expr, facts: tuple[Expr, ...] = ()) -> str:
    """Return what a term is where facts hold, in words over the sources of leaves; empty where no
    rule says it.
    """
    g, (form, holes) = Graph(), canonical(e)
    done: dict[Expr, int] = {}
    known = ranges_where(facts)
    try:
        root = add(g, form, done)
        for x, h in zip(leaves(form), holes, strict=True):
            if (r := known.of(h)) != full(h.width):
                g.assume(done[x], r)
    except (Spent, Contradiction):
        return ""
    saturate(g)
    said = words(g, root, {repr(x): x for x in leaves(form)})
    return FORMAL.sub(lambda m: holes[int(m[1])].source, said)


def words(g: Graph, root: int, given: Mapping[str, Expr]) -> str:
    """Return what a class is in words; ``given`` are the leaves by their text."""
    return in_plain(g, root, given).words(root)


def in_plain(g: Graph, root: int, given: Mapping[str, Expr]) -> Extraction:
    """Choose the fewest operations for a class."""
    plain = Extraction(g, _plain_price, given)
    plain.choose(root)
    return plain


def _plain_price(
    op: str, attr: Attr, width: int, widths: tuple[int, ...], values: tuple[int | None, ...]
) -> int:
    """The price of operations in words: each the same, in widths of elements; more of derived ones
    whose operands have different widths, which say less.
    """
    if width not in WIDTHS or any(w not in WIDTHS for w in widths):
        return NEVER
    return 2 + (op in OPS or 8 * (len(set(widths)) - 1))
