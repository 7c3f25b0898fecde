"""Leaves that a window reads only in pieces narrower than their elements: the search sees them
in pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from isel.ir.build import make
from isel.ir.expr import Expr, elem, postorder, substitute
from isel.ir.ops import natural
from isel.model.window import Root, Window


def piece_widths(window: Window) -> Mapping[str, int]:
    """Return for the source of each leaf the width in which it is read: one that divides the
    width of its elements, and all offsets, and is that of elements of registers.

    Single bits are read of whole elements: a count of bits is a function of its operand.
    """
    width = {x.source: x.width for x in window.leaves}
    read: dict[str, set[int]] = {name: set() for name in width}
    for source, bits in _reads([e for r in window.roots for e in r.lanes if e is not None]):
        read[source].add(bits)
    return {name: found.pop() if len(found) == 1 else width[name] for name, found in read.items()}


def _reads(roots: Sequence[Expr]) -> Iterator[tuple[str, int]]:
    """Yield sources, and the width of each piece of an element that is read."""
    yield from ((e.source, e.width) for e in roots if e.op == "elem")
    for e in postorder(roots):
        for a in (a for a in e.args if a.op == "elem"):
            yield a.source, e.width if _is_piece(e, a) else a.width


def _is_piece(e: Expr, a: Expr) -> bool:
    """Tell whether a term is a piece of an element, at a multiple of its width."""
    whole = e.op == "extract" and e.width == natural(e.width)
    return whole and e.int_attr(0) % e.width == 0 and a.width % e.width == 0


def in_pieces(window: Window, widths: Mapping[str, int]) -> Window:
    """Return the window with elements of ``widths`` in its lanes; its leaves stay as they are."""
    roots = [e for r in window.roots for e in r.lanes if e is not None]
    mapping: dict[Expr, Expr] = {}
    for e in postorder(roots):
        if e.op == "extract" and e.args[0].op == "elem" and widths[e.args[0].source] == e.width:
            source = e.args[0]
            mapping[e] = elem(source.source, source.offset + e.int_attr(0), e.width)
    if not mapping:
        return window
    return replace(window, roots=tuple(_replaced(r, mapping) for r in window.roots))


def _replaced(root: Root, mapping: dict[Expr, Expr]) -> Root:
    lanes = tuple(None if e is None else substitute(e, mapping, make) for e in root.lanes)
    return Root(root.width, lanes, tuple(substitute(d, mapping, make) for d in root.defined))
