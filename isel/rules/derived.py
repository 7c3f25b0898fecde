"""Operations that are not primitive: what they expand into, and where they are recognised.

Each is a definition of ``derived.rules``; here are the functions that apply them, and those few
that make terms of tables.  Widths are the least that keep every intermediate value exact.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final

from isel.ir.build import band, bnot, bor, eq, extract, ite, lit, sext, sle, slt, trunc, ule, ult
from isel.ir.expr import Expr
from isel.ir.ops import WidthError
from isel.rules.books import definitions
from isel.rules.make import Make, maker
from isel.rules.syntax import Apply, Rule
from isel.rules.unfold import width_of

_KEPT: Final = 1 << 14


@cache
def _function(op: str) -> tuple[Rule, Make]:
    rule = definitions()[op]
    return rule, maker(rule, rule.right)


@lru_cache(maxsize=_KEPT)
def expanded(op: str, args: tuple[Expr, ...], attributes: tuple[int, ...] = ()) -> Expr:
    """Return a derived operation of operands; raises :class:`WidthError` if they do not fit it."""
    rule, made = _function(op)
    assert isinstance(rule.left, Apply)
    sizes = {str(n.tree): v for n, v in zip(rule.left.attributes, attributes, strict=True)}
    for p, arg in zip(rule.left.args, args, strict=True):
        if sizes.setdefault(str(width_of(p).tree), arg.width) != arg.width:
            raise WidthError(f"{op} of operands of different widths")
    if not all(c.value(sizes) for c in rule.conditions):
        raise WidthError(f"no {op} of {sizes}")
    return made(tuple([sizes[n] for n in rule.sizes]), args)


def _one(op: str) -> Callable[[Expr], Expr]:
    return lambda a: expanded(op, (a,))


def _two(op: str) -> Callable[[Expr, Expr], Expr]:
    return lambda a, b: expanded(op, (a, b))


def _narrowing(op: str) -> Callable[[Expr, int], Expr]:
    return lambda a, width: expanded(op, (a,), (width,))


umin, umax, smin, smax = _two("umin"), _two("umax"), _two("smin"), _two("smax")
sadd_sat, ssub_sat = _two("sadd_sat"), _two("ssub_sat")
uadd_sat, usub_sat = _two("uadd_sat"), _two("usub_sat")
uavg, sign, uabsdiff = _two("uavg"), _two("sign"), _two("uabsdiff")
smulhi, umulhi, smulhrs = _two("smulhi"), _two("umulhi"), _two("smulhrs")
sat_s, sat_su, sat_u = _narrowing("sat_s"), _narrowing("sat_su"), _narrowing("sat_u")
sabs, popcount, ctlz, cttz = _one("abs"), _one("popcount"), _one("ctlz"), _one("cttz")
bswap, bitreverse = _one("bswap"), _one("bitreverse")

UNARY: Final = {
    "abs": sabs, "popcount": popcount, "ctlz": ctlz, "cttz": cttz, "bswap": bswap,
    "bitreverse": bitreverse,
}  # fmt: skip
BINARY: Final = {
    "umin": umin, "umax": umax, "smin": smin, "smax": smax, "sadd_sat": sadd_sat,
    "ssub_sat": ssub_sat, "uadd_sat": uadd_sat, "usub_sat": usub_sat, "uavg": uavg, "sign": sign,
    "uabsdiff": uabsdiff, "smulhi": smulhi, "umulhi": umulhi, "smulhrs": smulhrs,
}  # fmt: skip
NARROWING: Final = {"sat_s": sat_s, "sat_su": sat_su, "sat_u": sat_u, "trunc": trunc}


def fshl(a: Expr, b: Expr, count: Expr) -> Expr:
    """Shift ``a:b`` left by ``count`` modulo the width and keep the high half."""
    return expanded("fshl" if _is_power(a.width) else "fshl_odd", (a, b, count))


def fshr(a: Expr, b: Expr, count: Expr) -> Expr:
    """Shift ``a:b`` right by ``count`` modulo the width and keep the low half."""
    return expanded("fshr" if _is_power(a.width) else "fshr_odd", (a, b, count))


def _is_power(width: int) -> bool:
    return width & (width - 1) == 0


def mask_of(bit: Expr, width: int) -> Expr:
    """Return all ones where ``bit`` is set, else zero."""
    return sext(bit, width)


def pick(table: list[Expr], index: Expr) -> Expr:
    """Return entry ``index`` of ``table``, whose length is ``2**index.width``."""
    level = list(table)
    assert len(level) == 1 << index.width
    for i in range(index.width):
        bit = extract(index, i, 1)
        level = [ite(bit, level[k + 1], level[k]) for k in range(0, len(level), 2)]
    return level[0]


def truth(a: Expr, b: Expr, c: Expr, table: int) -> Expr:
    """Apply a function of three bits, bit by bit: bit ``4a+2b+c`` of ``table``."""
    result = lit(0, a)
    for row in range(8):
        if table >> row & 1:
            x = a if row & 4 else bnot(a)
            y = b if row & 2 else bnot(b)
            z = c if row & 1 else bnot(c)
            result = bor(result, band(band(x, y), z))
    return result


COMPARES: dict[str, Callable[[Expr, Expr], Expr]] = {
    "eq": eq,
    "ne": lambda a, b: bnot(eq(a, b)),
    "ult": ult,
    "ule": ule,
    "ugt": lambda a, b: ult(b, a),
    "uge": lambda a, b: ule(b, a),
    "slt": slt,
    "sle": sle,
    "sgt": lambda a, b: slt(b, a),
    "sge": lambda a, b: sle(b, a),
}
