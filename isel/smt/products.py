"""Products as unknowns within their bounds: what holds for all such values holds for the products.

Solvers that spell a product in bits cannot see its range; what both sides of an equality make of
one product seldom needs more than that.  A product of extended factors that fits its width is one
unknown, at every width: extended in a greater one, its low bits in a less one; factors that are
shifted up are the product, shifted up.  A product with a factor whose halves are factors of others
is the sum of products with these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, TypeAlias

from isel.ir import spans
from isel.ir.build import add, all_of, bor, eq, extract, make, ne, neg, shl, sle, ule
from isel.ir.expr import Expr, const, postorder, var
from isel.ir.ops import signed
from isel.ir.ranges import range_of

Key: TypeAlias = "Expr | frozenset[tuple[tuple[Expr, str], int]]"
_NARROWEST: Final = 16  # below, solvers are as fast with the product itself


def without_products(bit: Expr, *, bounded: bool = True) -> Expr | None:
    """Return a one-bit term that can be 1 wherever ``bit`` can: its products of two terms are new
    leaves, ``bounded`` by intervals or not at all.

    None where there is no such product.
    """
    unknowns: dict[Key, Expr] = {}
    bounds: list[Expr] = []
    done: dict[Expr, Expr] = {}
    scaled = _scales(_without_constants(bit))
    for e in postorder([bit := _with_halves(bit, scaled)]):
        literal = any(a.is_const for a in e.args) and not any(_bare(a) in scaled for a in e.args)
        if e.op != "mul" or e.width < _NARROWEST or literal:
            done[e] = make(e.op, tuple(done[a] for a in e.args), e.attr) if e.args else e
            continue
        made = make("mul", tuple(_extend(a) for a in e.args))
        product, by = _unshifted(made if made.op == "mul" else e)
        width, whole, key = _exact(product)
        sign = any(a.op == "sext" for a in product.args)
        fresh = unknowns.get(key)
        if fresh is None:
            fresh = unknowns[key] = var(f"product{len(unknowns)}", width)
            bounds += _bounds(fresh, whole, negative=sign or width == e.width) if bounded else []
            if bounded and product.args == e.args and _is_multiple(e):
                bounds += _multiples(fresh, done[e.args[0]], e.args[1])
        value = (
            extract(fresh, 0, e.width)
            if width >= e.width
            else make("sext" if sign else "zext", (fresh,), (e.width,))
        )
        done[e] = shl(value, const(by, e.width)) if by else value
    return all_of(done[bit], *bounds) if unknowns else None


def _scales(bit: Expr) -> Mapping[Expr, Mapping[int, int]]:
    """Return, by factor, the low parts of literals that it is multiplied by which are such literals
    themselves, and their widths.
    """
    known: dict[Expr, dict[int, int]] = {}
    for e in postorder([bit]):
        if e.op == "mul" and e.args[1].is_const:
            known.setdefault(_bare(e.args[0]), {})[e.args[1].value] = e.width
    found: dict[Expr, dict[int, int]] = {}
    for x, values in known.items():
        half = x.width // 2
        lows = {v & ((1 << half) - 1) for v in values if v >> half}
        if lows & values.keys():
            found[x] = dict.fromkeys(lows & values.keys(), half)
    return found


def _without_constants(bit: Expr) -> Expr:
    """Return a term without operations on literals alone."""
    done: dict[Expr, Expr] = {}
    for e in postorder([bit]):
        done[e] = make(e.op, tuple(done[a] for a in e.args), e.attr) if e.args else e
    return done[bit]


def _bare(factor: Expr) -> Expr:
    return factor.args[0] if factor.op in ("zext", "sext") else factor


def _with_halves(bit: Expr, scaled: Mapping[Expr, Mapping[int, int]]) -> Expr:
    """Return a one-bit term that is 1 wherever ``bit`` is, in which products by a value whose low
    part is a factor elsewhere are sums of products by that and by the rest, within their bounds.
    """
    products = [e for e in postorder([bit]) if e.op == "mul"]
    cuts: dict[Expr, int] = {}
    for part in (a.args[0] for e in products for a in e.args if a.op == "zext"):
        if part.op == "extract" and part.int_attr(0) == 0:
            cuts.setdefault(part.args[0], part.width)
    if not cuts and not scaled:
        return bit
    bounds: list[Expr] = []
    done: dict[Expr, Expr] = {}
    for e in postorder([bit]):
        made = make(e.op, tuple(done[a] for a in e.args), e.attr) if e.args else e
        found = None
        if e.op == "mul" and made.op == "mul":
            found = _halved(made, cuts) or _as_scales(made, scaled)
        if found is not None:
            bounds += _bounds(found, made, negative=any(a.op == "sext" for a in made.args))
        done[e] = found or made
    return all_of(done[bit], *bounds)


def _halved(product: Expr, cuts: Mapping[Expr, int]) -> Expr | None:
    """Return a product by a factor that is cut in two as the sum of products by the parts."""
    for factor, other in (product.args, product.args[::-1]):
        whole = factor.args[0] if factor.op in ("zext", "sext") else factor
        at = cuts.get(whole)
        if at is not None:
            w = product.width
            how = factor.op if whole is not factor else "zext"
            low = make("zext", (extract(whole, 0, at),), (w,))
            high = make(how, (extract(whole, at, whole.width - at),), (w,))
            return add(make("mul", (other, low)), shl(make("mul", (other, high)), const(at, w)))
    return None


def _as_scales(product: Expr, scaled: Mapping[Expr, Mapping[int, int]]) -> Expr | None:
    """Return a product by a literal as the sum of products by its parts, the low one of which is
    a factor elsewhere.
    """
    x, by = product.args
    for low, at in scaled.get(_bare(x), {}).items() if by.is_const else ():
        if by.value >> at and by.value & ((1 << at) - 1) == low:
            w = product.width
            high = make("sext", (extract(by, at, w - at),), (w,))
            lower = make("mul", (x, const(low, w)))
            return add(lower, shl(make("mul", (x, high)), const(at, w)))
    return None


def _extend(factor: Expr) -> Expr:
    """Return a value that is shifted up and down again as the extension of its low bits."""
    if factor.op not in ("ashr", "lshr") or factor.args[0].op != "shl":
        return factor
    (x, up), down = factor.args[0].args, factor.args[1]
    if up is not down or not up.is_const or not 0 < up.value < x.width:
        return factor
    low = extract(x, 0, x.width - up.value)
    return make("sext" if factor.op == "ashr" else "zext", (low,), (x.width,))


def _unshifted(product: Expr) -> tuple[Expr, int]:
    """Return a product, and how far it is shifted up to be ``product``."""
    (x, m), (y, n) = (_unshifted_factor(a) for a in product.args)
    made = make("mul", (x, y))
    return (made, m + n) if made.op == "mul" and m + n < product.width else (product, 0)


def _unshifted_factor(factor: Expr) -> tuple[Expr, int]:
    """Return a factor of the same width, and how far it is shifted up to be ``factor``: also below
    an extension that sees all its bits.
    """
    inner = factor.args[0] if factor.op in ("zext", "sext") else factor
    if inner.op != "shl" or not inner.args[1].is_const:
        return factor, 0
    x, by = inner.args[0], inner.args[1].value
    if inner is factor:
        return (x, by) if by < x.width else (factor, 0)
    if x.op != "zext" or x.args[0].width + by > x.width:
        return factor, 0
    full = x.args[0].width + by == x.width
    return make(factor.op if full else "zext", x.args, (factor.width,)), by


def _exact(product: Expr) -> tuple[int, Expr, Key]:
    """Return the width in which a product of extended factors is exact, the product in no less
    than that, and what determines its value there; of others the product as it is.
    """
    if all(a.op in ("zext", "sext") or a.is_const for a in product.args):
        factors = [_least(a) if a.is_const else (a.args[0], a.op) for a in product.args]
        width = sum(x.width for x, _ in factors)
        whole = product
        if product.width < width:
            whole = make("mul", tuple(make(op, (x,), (width,)) for x, op in factors))
        return width, whole, frozenset(Counter(factors).items())
    return product.width, product, product


def _least(literal: Expr) -> tuple[Expr, str]:
    """Return a literal in as few bits as hold it, and how it is extended."""
    value = signed(literal.value, literal.width)
    width = (value if value >= 0 else ~value).bit_length() + 1
    return const(value, width), "sext"


def _is_multiple(product: Expr) -> bool:
    """Tell whether a product is one of an extended value by a positive literal."""
    x, by = product.args
    return x.op in ("zext", "sext") and by.is_const and 0 < by.value < 1 << (by.width - 1)


def _multiples(unknown: Expr, x: Expr, by: Expr) -> list[Expr]:
    """Return that a multiple of a value is 0 where that is, and else at least as far from it."""
    zero, least = const(0, x.width), const(by.value, unknown.width)
    return [
        bor(sle(zero, x), sle(unknown, neg(least))),
        bor(sle(x, zero), sle(least, unknown)),
        bor(ne(x, zero), eq(unknown, const(0, unknown.width))),
    ]


def _bounds(unknown: Expr, product: Expr, *, negative: bool) -> list[Expr]:
    """Return what an interval says of an unknown of that value; nothing where its width says as
    much.
    """
    (low, high), w = range_of(product).read(signed=negative), unknown.width
    least, most = spans.whole(w, signed=negative)
    if low < least or high > most or (low, high) == (least, most):
        return []
    at_most = sle if negative else ule
    return [at_most(const(low, w), unknown), at_most(unknown, const(high, w))]
