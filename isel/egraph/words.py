"""What terms are, in words: the fewest operations over the names of leaves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from isel.egraph.extract import Extraction
from isel.egraph.graph import Contradiction, Graph, Spent
from isel.egraph.limits import NEVER
from isel.egraph.saturate import saturate, start
from isel.egraph.tables import rules
from isel.ir.canon import canonical, formal
from isel.ir.domain import Range, full
from isel.ir.expr import Expr, leaves
from isel.ir.ops import OPS, Attr
from isel.ir.ranges import Ranges, ranges_where
from isel.model.window import Window
from isel.rules.books import books_of

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
    try:
        (root,) = start(g, (form,), facts_of(holes, ranges_where(facts)))
    except (Spent, Contradiction):
        return ""
    saturate(g, tables=rules(books_of("")))
    said = in_plain(g, root, {repr(x): x for x in leaves(form)}).words(root)
    return FORMAL.sub(lambda m: holes[int(m[1])].source, said)


def facts_of(holes: Sequence[Expr], known: Ranges) -> tuple[tuple[Expr, Range], ...]:
    """Return what is known of the leaves for which formals stand, as facts about these."""
    ranges = ((formal(i, x.width), known.of(x)) for i, x in enumerate(holes))
    return tuple((x, r) for x, r in ranges if r != full(x.width))


def in_plain(g: Graph, root: int, given: Mapping[str, Expr]) -> Extraction:
    """Choose the fewest operations for a class; ``given`` are the leaves by their text."""
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
