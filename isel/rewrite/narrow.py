"""Terms in the widths that instructions have: high halves of products, and low parts of sums,
products and logic.

Every rule is an equality of bit-vectors; what is made of the result is proved against the window as
it was.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Final

from isel.ir.build import add, ashr, band, extract, lshr, make, sext, trunc, zext
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, const, postorder
from isel.ir.linear import Linear, linear
from isel.ir.ops import natural
from isel.ir.ranges import decide, range_of
from isel.rewrite.divide import divided
from isel.rewrite.saturate import saturating
from isel.rewrite.widen import widened

_MODULAR: Final = frozenset(
    {"add", "sub", "mul", "and", "or", "xor", "neg", "not"}
)  # low bits depend on low bits only
Offered = Callable[[Expr], bool]


class Narrower:
    """Rewrites terms for one set of instructions; ``offered`` tells whether a canonical lane
    function is one of theirs.
    """

    def __init__(self, offered: Offered) -> None:
        self._offered = offered
        self._done: dict[Expr, Expr] = {}
        self._rounding: dict[Expr, Expr] = {}

    def __call__(self, e: Expr) -> Expr:
        """Return an equal term."""
        return _bottom_up(_bottom_up(decide(e), self._rounding, _round), self._done, self._narrow)

    def _narrow(self, made: Expr) -> Expr:
        if made.op in ("lshr", "ashr"):
            return self._high_half(made) or made
        if made.op in ("udiv", "sdiv"):
            return self._quotient(made)
        if made.op == "extract" and made.int_attr(0) == 0:
            return self._saturating(made) or self._low_part(made) or widened(made) or made
        return made

    def _quotient(self, e: Expr) -> Expr:
        """A division is a product, shifted, all of it in the widths of instructions."""
        found = divided(e, lambda width: self._gives_high("zext", width))
        return e if found is None else _bottom_up(found, self._done, self._narrow)

    def _saturating(self, e: Expr) -> Expr | None:
        """A clamped sum is a saturating operation, in a width of instructions where none has
        that operation.
        """
        found = saturating(e)
        return (
            found
            if found is None or self._offered(canonical(found)[0])
            else widened(found) or found
        )

    def _high_half(self, e: Expr) -> Expr | None:
        """A right shift of a product by half its width and more is a shift of its high half,
        where some instruction gives that.
        """
        product, amount = e.args
        half = e.width // 2
        if (
            product.op != "mul"
            or not amount.is_const
            or not half <= amount.value < e.width
            or e.width != natural(e.width)
        ):
            return None
        signs = [s for s in ("zext", "sext") if all(_extended(a, s, half) for a in product.args)]
        high = extract(product, half, half)
        rest = const(amount.value - half, half)
        for sign in signs:
            if self._gives_high(sign, half):
                return (
                    zext(lshr(high, rest), e.width)
                    if e.op == "lshr"
                    else sext(ashr(high, rest), e.width)
                )
        return None

    def _gives_high(self, sign: str, width: int) -> bool:
        """Tell whether an instruction gives the high half of a product."""
        x, y = (make(sign, (formal(k, width),), (2 * width,)) for k in (0, 1))
        return self._offered(extract(make("mul", (x, y)), width, width))

    def _low_part(self, e: Expr) -> Expr | None:
        """The low part of a sum is the sum of the low parts, where the operands have narrower
        forms.
        """
        inner = e.args[0]
        if inner.op not in _MODULAR or e.width != natural(e.width) or e.width == 1:
            return None
        parts = tuple(self._narrow(extract(a, 0, e.width)) for a in inner.args)
        if any(
            p.op == "extract" and p.args[0] is a for p, a in zip(parts, inner.args, strict=True)
        ):
            return None
        return make(inner.op, parts)


def _extended(e: Expr, sign: str, width: int) -> bool:
    """Tell whether a factor is a value of ``width`` bits, extended: by an operator or as a
    literal.
    """
    if e.is_const:
        value = e.value
        if sign == "zext":
            return value < 1 << width
        return value < 1 << (width - 1) or value >= (1 << e.width) - (1 << (width - 1))
    return e.op == sign and e.args[0].width <= width


def _bottom_up(e: Expr, done: dict[Expr, Expr], step: Callable[[Expr], Expr]) -> Expr:
    for x in postorder([e]):
        if x not in done:
            done[x] = step(make(x.op, tuple(done[a] for a in x.args), x.attr)) if x.args else x
    return done[e]


def _round(e: Expr) -> Expr:
    """The low part of a sum with a shift to the right and its last bit among the addends has a
    sum, shifted: one addition rounds.
    """
    total = e.args[0] if e.op == "extract" and e.int_attr(0) == 0 else e
    return (_rounded(total, e.width) if total.op == "add" else None) or e


def _rounded(total: Expr, width: int) -> Expr | None:
    form = linear(total, width=width)
    once = [p for p, c in form.parts.items() if c == 1 and p and p[0].term.width >= width]
    for bit, shifted in permutations(once, 2):
        found = _rounding_shift(bit[0].term, shifted[0].term, width)
        if found is not None:
            rest = Linear({p: c for p, c in form.parts.items() if p not in (bit, shifted)})
            return add(rest.term(width), found) if rest.parts else found
    return None


def _rounding_shift(bit: Expr, shifted: Expr, width: int) -> Expr | None:
    """Return the low part of ``bit + shifted`` if one is the last bit that the other has
    shifted out.
    """
    if bit.op != "and" or shifted.op not in ("lshr", "ashr") or not shifted.args[1].is_const:
        return None
    x, k = shifted.args[0], shifted.args[1].value
    if not 0 < k < x.width or not _is_bit(bit, x, k - 1):
        return None
    total = add(x, const(1 << (k - 1), x.width))
    if k <= x.width - width:
        return trunc(ashr(total, shifted.args[1]), width)
    low, high = range_of(x).signed
    if high + (1 << (k - 1)) >= 1 << (x.width - 1) or (low < 0 and shifted.op == "lshr"):
        return None
    return trunc(make(shifted.op, (total, shifted.args[1])), width)


def _low(e: Expr, width: int) -> Expr:
    """Return a term with the same low bits, without extensions and truncations around it."""
    while (e.op in ("zext", "sext") or (e.op == "extract" and e.int_attr(0) == 0)) and e.args[
        0
    ].width >= width:
        e = e.args[0]
    return e


def _is_bit(e: Expr, x: Expr, k: int) -> bool:
    """Tell whether ``e`` is bit ``k`` of ``x``, alone."""
    if e.op != "and" or e.args[0].op != "lshr":
        return False
    part = e.args[0].args[0]
    return _low(part, k + 1) is x and e is band(
        lshr(part, const(k, part.width)), const(1, part.width)
    )
