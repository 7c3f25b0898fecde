"""Leaves that are read in pieces."""

from __future__ import annotations

from functools import reduce

from isel.ir.build import add, extract, sext, zext
from isel.ir.expr import Expr, const, elem
from isel.model.window import Leaf, Root, Window
from isel.synth.values.pieces import in_pieces, piece_widths

LEAF = Leaf("a", 32, 4)
YES = const(1, 1)


def _window(*lanes: Expr) -> Window:
    return Window((LEAF,), (Root(lanes[0].width, lanes, (YES,) * len(lanes)),))


def _halves(k: int) -> Expr:
    e = elem("a", 32 * k, 32)
    return add(sext(extract(e, 0, 16), 32), sext(extract(e, 16, 16), 32))


def test_a_leaf_read_in_halves_has_elements_of_half_the_width() -> None:
    window = _window(*(_halves(k) for k in range(4)))
    widths = piece_widths(window)
    assert widths == {"a": 16}
    found = in_pieces(window, widths)
    assert found.leaves == window.leaves
    assert found.roots[0].lanes[1] is add(sext(elem("a", 32, 16), 32), sext(elem("a", 48, 16), 32))


def test_a_leaf_that_is_also_read_whole_or_across_pieces_stays() -> None:
    whole = _window(add(_halves(0), elem("a", 32, 32)))
    across = _window(extract(elem("a", 0, 32), 8, 16))
    mixed = _window(
        add(extract(elem("a", 0, 32), 0, 16), sext(extract(elem("a", 0, 32), 8, 8), 16))
    )
    for window in (whole, across, mixed):
        assert piece_widths(window) == {"a": 32}
        assert in_pieces(window, {"a": 32}) is window


def test_bits_are_read_of_whole_elements() -> None:
    bits = (extract(elem("a", 0, 32), k, 1) for k in range(32))
    assert piece_widths(_window(reduce(add, (zext(b, 32) for b in bits)))) == {"a": 32}
