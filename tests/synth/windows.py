"""Windows for search tests, spelled in primitive operations."""

from __future__ import annotations

from collections.abc import Callable

from isel.ir import build as b
from isel.ir.expr import Expr, const, elem
from isel.model.window import Leaf, Root, Window


def register(name: str, width: int, lanes: int) -> list[Expr]:
    """Return the elements of a leaf."""
    return [elem(name, i * width, width) for i in range(lanes)]


def window(lanes: list[Expr], *leaves: tuple[str, int, int]) -> Window:
    """Return a window of one root whose lanes are always defined."""
    root = Root(lanes[0].width, tuple(lanes), (const(1, 1),) * len(lanes))
    return Window(tuple(Leaf(*x) for x in leaves), (root,))


def lanewise(fn: Callable[..., Expr], width: int, lanes: int, arity: int) -> Window:
    """Return the window that applies ``fn`` lane by lane to leaves a, b, c, …"""
    names = [chr(ord("a") + k) for k in range(arity)]
    columns = zip(*(register(n, width, lanes) for n in names), strict=True)
    return window([fn(*x) for x in columns], *((n, width, lanes) for n in names))


def c32(v: int) -> Expr:
    """Return a literal of 32 bits."""
    return const(v, 32)


def u16(x: Expr) -> Expr:
    """Extend to 16 bits without sign."""
    return b.zext(x, 16)


def average(a: Expr, c: Expr) -> Expr:
    """Return the rounded average spelled in 16 bits."""
    return b.trunc(b.lshr(b.add(b.add(u16(a), u16(c)), const(1, 16)), const(1, 16)), 8)


def halving_add(a: Expr, c: Expr) -> Expr:
    """Return the truncated average spelled in 16 bits."""
    return b.trunc(b.lshr(b.add(u16(a), u16(c)), const(1, 16)), 8)


def multiply_high_rounded(a: Expr, c: Expr) -> Expr:
    """Return the rounded Q15 product spelled in 32 bits; (least, least) wraps."""
    product = b.mul(b.sext(a, 32), b.sext(c, 32))
    return b.trunc(b.ashr(b.add(product, c32(1 << 14)), c32(15)), 16)


def difference(a: Expr, c: Expr) -> Expr:
    """Return the absolute difference by comparison."""
    return b.ite(b.ult(c, a), b.sub(a, c), b.sub(c, a))


def clamp_u8(x: Expr) -> Expr:
    """Narrow u16 to u8 with saturation."""
    return b.trunc(b.ite(b.ult(x, const(255, 16)), x, const(255, 16)), 8)


def quantised_add(a: Expr, c: Expr) -> Expr:
    """Add two quantised bytes with weights, rounding and clamping in 32 bits."""
    left = b.mul(b.sub(b.zext(a, 32), c32(13)), c32(12345))
    right = b.mul(b.sub(b.zext(c, 32), c32(200)), c32(-9876))
    r = b.add(b.ashr(b.add(b.add(left, right), c32(2048)), c32(12)), c32(11))
    r = b.ite(b.slt(r, c32(255)), r, c32(255))
    return b.trunc(b.ite(b.slt(c32(0), r), r, c32(0)), 8)


def sobel(*v: Expr) -> Expr:
    """Return the clamped sum of absolute gradients of eight neighbours."""
    z = [u16(x) for x in v]

    def row(a: Expr, m: Expr, c: Expr) -> Expr:
        return b.add(b.add(a, b.mul(m, const(2, 16))), c)

    x = difference(row(z[0], z[3], z[5]), row(z[2], z[4], z[7]))
    y = difference(row(z[0], z[1], z[2]), row(z[5], z[6], z[7]))
    return clamp_u8(b.add(x, y))


def pairs() -> Window:
    """Return x[2i] + 2 x[2i+1] over bytes, in 16 bits."""
    a = register("a", 8, 64)
    return window(
        [b.add(u16(a[2 * i]), b.mul(u16(a[2 * i + 1]), const(2, 16))) for i in range(32)],
        ("a", 8, 64),
    )


def dot_four() -> Window:
    """Return s + four products of unsigned and signed bytes."""
    a, c, s = register("a", 8, 64), register("b", 8, 64), register("s", 32, 16)
    p = [b.mul(b.zext(x, 32), b.sext(y, 32)) for x, y in zip(a, c, strict=True)]
    lanes = [
        b.add(s[i], b.add(b.add(p[4 * i], p[4 * i + 1]), b.add(p[4 * i + 2], p[4 * i + 3])))
        for i in range(16)
    ]
    return window(lanes, ("a", 8, 64), ("b", 8, 64), ("s", 32, 16))


def weighted_row(a: Expr, c: Expr, e: Expr) -> Expr:
    """Return (a + 2 c + e) / 4, rounded, in 16 bits."""
    total = b.add(b.add(u16(a), b.mul(u16(c), const(2, 16))), b.add(u16(e), const(2, 16)))
    return b.trunc(b.lshr(total, const(2, 16)), 8)


def alternating() -> Window:
    """Return the greater of bytes in even lanes and their sum in odd ones."""
    a, c = register("a", 8, 64), register("b", 8, 64)
    lanes = [
        b.add(x, y) if i % 2 else b.ite(b.ult(x, y), y, x)
        for i, (x, y) in enumerate(zip(a, c, strict=True))
    ]
    return window(lanes, ("a", 8, 64), ("b", 8, 64))


def from_four() -> Window:
    """Return s + four products whose bytes come from four registers of unsigned and four of
    signed ones.
    """
    s = register("s", 32, 16)
    a, c = ([register(f"{n}{k}", 8, 16) for k in range(4)] for n in "ab")
    lanes = []
    for i in range(16):
        p = [b.mul(b.zext(x[i], 32), b.sext(y[i], 32)) for x, y in zip(a, c, strict=True)]
        lanes.append(b.add(s[i], b.add(b.add(p[0], p[1]), b.add(p[2], p[3]))))
    return window(lanes, ("s", 32, 16), *((f"{n}{k}", 8, 16) for n in "ab" for k in range(4)))
