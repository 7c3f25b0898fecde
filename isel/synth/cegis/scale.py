"""Scaling: the same lane at narrower elements, where the solver is quicker; answers are proved
again at full width.

Widths, shift amounts and powers of two near a multiple of a quarter of the base width move with it;
everything else stays.  This is a guess, never a claim: a program found on the scaled lane is only a
candidate for the real one (HYDRIDE section 4.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from isel.ir.build import make
from isel.ir.expr import Expr, const, elem, leaves, postorder, var
from isel.ir.ops import WidthError, signed
from isel.synth.cegis.grammar import families
from isel.synth.cegis.types import Component, Grammar
from isel.synth.limits import LEAST_SCALED_LEAF, SCALE_NEAR
from isel.synth.values.constants import is_shift


@dataclass(frozen=True, slots=True)
class Scale:
    """Elements of ``base`` bits become elements of ``small`` bits."""

    base: int
    small: int

    def number(self, k: int) -> int:
        """Return a width, bit position or shift amount on the small scale; raise ``WidthError``
        where there is none.
        """
        for parts in (1, 2, 4):
            unit = self.base // parts
            m = (2 * k + unit) // (2 * unit)
            d = k - m * unit
            if abs(d) <= SCALE_NEAR:
                if (found := m * (self.small // parts) + d) < 0:
                    raise WidthError(f"{k} of {self.base} bits")
                return found
        return k

    def value(self, e: Expr) -> Expr:
        """Return a literal on the small scale; raise ``WidthError`` where it does not fit."""
        width = self.number(e.width)
        v = signed(e.value, e.width)
        magnitude, sign = abs(v), -1 if v < 0 else 1
        if magnitude > 4:
            k = (magnitude + SCALE_NEAR).bit_length() - 1
            d = magnitude - (1 << k)
            if abs(d) <= SCALE_NEAR:
                magnitude = (1 << self.number(k)) + d
        if magnitude > 1 << width or (magnitude == 1 << width and v > 0):
            raise WidthError(f"{v} does not fit {width} bits")
        return const(sign * magnitude, width)

    def leaf(self, e: Expr) -> Expr:
        """Return a leaf on the small scale; distinct leaves stay distinct."""
        width = self.number(e.width)
        return var(e.source, width) if e.op == "var" else elem(e.source, e.offset, width)

    def term(self, root: Expr) -> Expr | None:
        """Return a term on the small scale, or ``None`` where its widths do not fit together."""
        done: dict[Expr, Expr] = {}
        try:
            for e in postorder([root]):
                done[e] = self._node(e, done)
        except WidthError:
            return None
        return done[root]

    def _node(self, e: Expr, done: dict[Expr, Expr]) -> Expr:
        if e.is_const:
            return self.value(e)
        if e.is_leaf:
            return self.leaf(e)
        args = [done[a] for a in e.args]
        if is_shift(e):
            args[1] = const(self.number(e.args[1].value), self.number(e.args[1].width))
        attr = tuple(self.number(v) if isinstance(v, int) else v for v in e.attr)
        if e.op in ("zext", "sext") and attr == (args[0].width,):
            return args[0]
        made = make(e.op, tuple(args), attr)
        if made.width != (e.width if e.width == 1 else self.number(e.width)):
            raise WidthError(f"{e.op} of {made.width} bits")
        return made

    def component(self, c: Component) -> Component | None:
        """Return the component on the small scale, with the same holes in the same order."""
        if c.members:
            small = [m for m in map(self.component, c.members) if m is not None]
            every = list(families(c.name, small))
            return every[0] if len(small) == len(c.members) and len(every) == 1 else None
        fn = self.term(c.fn)
        if fn is None or {*leaves(fn)} != {self.leaf(e) for e in c.formals}:
            return None
        return Component(c.name, fn, c.cost)

    def grammar(self, g: Grammar) -> Grammar:
        """Return the grammar on the small scale, without what does not fit; constants keep
        their places.
        """
        parts = tuple(c for c in map(self.component, g.components) if c is not None)
        return Grammar(g.name, parts, tuple(map(self.value, g.constants)), g.depth)


def scale_for(widths: Sequence[int]) -> Scale | None:
    """Return the scale for a lane whose leaves have these widths, or ``None`` where they are
    small already: a quarter, as far as no leaf gets narrower than four bits.
    """
    base, least = max(widths, default=0), min(widths, default=0)
    small = base // 4 if least >= LEAST_SCALED_LEAF * 4 else base // 2
    return (
        Scale(base, small) if base % 4 == 0 and least * small // base >= LEAST_SCALED_LEAF else None
    )
