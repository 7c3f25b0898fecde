"""Terms of odd widths in the widths that instructions have, where no value goes beyond the odd
width.
"""

from __future__ import annotations

from isel.ir.build import make, sext, zext
from isel.ir.expr import Expr, const, postorder
from isel.ir.ops import natural, signed
from isel.ir.ranges import fits, range_of


def widened(e: Expr) -> Expr | None:
    """Return an equal term of a slice of something of odd width, computed in the next natural
    width; None where that may differ.
    """
    if e.op != "extract":
        return None
    inner = e.args[0]
    if inner.width == natural(inner.width) or inner.width > 64:
        return None
    made: dict[Expr, Expr | None] = {}
    for x in postorder([inner]):
        made[x] = _wide(x, natural(inner.width), made)
    whole = made[inner]
    return None if whole is None else make("extract", (whole,), e.attr)


def _wide(x: Expr, width: int, made: dict[Expr, Expr | None]) -> Expr | None:
    """Return the value of a term with its sign in ``width`` bits, or of a comparison its answer."""
    if x.is_const:
        return const(signed(x.value, x.width), width) if x.width > 1 else x
    if x.width == natural(x.width):
        return sext(x, width) if x.width <= width else None
    if x.op in ("sext", "zext"):
        inner = x.args[0]
        if inner.width != natural(inner.width):
            return None
        negative = range_of(inner).signed[0] < 0
        return zext(inner, width) if x.op == "zext" and negative else sext(inner, width)
    args = [made[a] for a in x.args]
    given = tuple(a for a in args if a is not None)
    if len(given) < len(args) or not (
        x.op in ("slt", "sle", "eq", "ite")
        or (x.op in ("add", "sub", "mul") and fits(x.op, *x.args, signed=True))
    ):
        return None
    return make(x.op, given)
