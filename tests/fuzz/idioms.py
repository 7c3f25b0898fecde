"""The patterns that instruction selection is about, spelled in primitive operations over random
operands.
"""

from __future__ import annotations

from typing import Final

from tests.fuzz.operations import MAX_BITS, Production
from tests.fuzz.writer import Shape, Writer


def _extended(w: Writer, s: Shape, how: str, factor: int = 2, operand: str | None = None) -> str:
    wide = s.widened(factor)
    return w.emit(wide, f"{how} {s} {operand or w.pick(s)} to {wide}")


def _fits(s: Shape, factor: int = 2) -> bool:
    return s.bits * factor <= MAX_BITS and s.width * factor <= 64


def average(w: Writer, s: Shape) -> None:
    """(a + b + r) >> 1 in double width, narrowed; the flags hold by the extension."""
    how = w.rng.choice(("zext", "sext"))
    wide = s.widened()
    a, b = _extended(w, s, how), _extended(w, s, how)
    flags = ("", " nuw nsw", " nuw") if how == "zext" else ("", " nsw")
    total = w.emit(wide, f"add{w.rng.choice(flags)} {wide} {a}, {b}")
    if w.rng.random() < 0.6:
        total = w.emit(
            wide,
            f"add{w.rng.choice(flags) if how == 'zext' else ''} {wide} {total}, splat (i{wide.width} 1)",
        )
    half = w.emit(
        wide, f"{'lshr' if how == 'zext' else 'ashr'} {wide} {total}, splat (i{wide.width} 1)"
    )
    w.emit(s, f"trunc{w.rng.choice(('', ' nuw')) if how == 'zext' else ''} {wide} {half} to {s}")


def high_product(w: Writer, s: Shape) -> None:
    """(a * b + r) >> k in double width, narrowed."""
    how, other = w.rng.choice(
        (("zext", "zext"), ("sext", "sext"), ("sext", "sext"), ("zext", "sext"))
    )
    wide = s.widened()
    product = w.emit(
        wide,
        f"mul{' nsw' if how == other == 'sext' and w.rng.random() < 0.5 else ''} {wide} {_extended(w, s, how)}, {_extended(w, s, other)}",
    )
    amount = w.rng.choice((s.width, s.width - 1, s.width - 1, w.rng.randrange(1, wide.width)))
    if w.rng.random() < 0.5:
        product = w.emit(wide, f"add {wide} {product}, splat (i{wide.width} {1 << (amount - 1)})")
    shifted = w.emit(
        wide,
        f"{'lshr' if how == 'zext' == other else w.rng.choice(('ashr', 'lshr'))} {wide} {product}, splat (i{wide.width} {amount})",
    )
    w.emit(s, f"trunc {wide} {shifted} to {s}")


def dot_product(w: Writer, s: Shape) -> None:
    """Neighbouring products added up in a wider type, with or without an accumulator."""
    ways = w.rng.choice((2, 2, 4))
    if s.lanes % ways or not _fits(s, ways) or s.lanes // ways < 2:
        return
    part = Shape(s.lanes // ways, s.width)
    wide = part.widened(ways)
    left, right = w.rng.choice((("sext", "sext"), ("zext", "sext"), ("zext", "zext")))
    a, b = w.pick(s), w.pick(s)
    total = w.pick(wide) if w.rng.random() < 0.5 else ""
    for k in range(ways):
        mask = "<" + ", ".join(f"i32 {ways * i + k}" for i in range(part.lanes)) + ">"
        halves = [
            w.emit(part, f"shufflevector {s} {v}, {s} poison, <{part.lanes} x i32> {mask}")
            for v in (a, b)
        ]
        x, y = _extended(w, part, left, ways, halves[0]), _extended(w, part, right, ways, halves[1])
        product = w.emit(wide, f"mul {wide} {x}, {y}")
        total = w.emit(wide, f"add {wide} {total}, {product}") if total else product


def difference(w: Writer, s: Shape) -> None:
    """|a - b| by a select, by minimum and maximum, or by saturating subtraction."""
    a, b = w.pick(s), w.pick(s)
    sign = w.rng.choice("us")
    kind = w.rng.random()
    suffix = f"v{s.lanes}i{s.width}"
    typed = [f"{s} {a}", f"{s} {b}"]
    if kind < 0.4:
        x, y = w.emit(s, f"sub {s} {a}, {b}"), w.emit(s, f"sub {s} {b}, {a}")
        mask = w.emit(s.masks(), f"icmp {sign}{w.rng.choice(('gt', 'ge'))} {s} {a}, {b}")
        w.emit(s, f"select {s.masks()} {mask}, {s} {x}, {s} {y}")
    elif kind < 0.7:
        high, low = (
            w.call(s, f"llvm.{sign}max.{suffix}", typed),
            w.call(s, f"llvm.{sign}min.{suffix}", typed),
        )
        w.emit(s, f"sub {s} {high}, {low}")
    else:
        x, y = (
            w.call(s, f"llvm.usub.sat.{suffix}", typed),
            w.call(s, f"llvm.usub.sat.{suffix}", typed[::-1]),
        )
        w.emit(s, f"{w.rng.choice(('or', 'add'))} {s} {x}, {y}")


def clamp(w: Writer, s: Shape) -> None:
    """A saturating narrowing of a wider value: by min and max, or by compare and select."""
    wide = s.widened()
    v = w.pick(wide)
    sign = w.rng.choice("us")
    low, high = (
        (0, (1 << s.width) - 1)
        if w.rng.random() < 0.5
        else (-(1 << (s.width - 1)), (1 << (s.width - 1)) - 1)
    )
    suffix = f"v{wide.lanes}i{wide.width}"
    if sign == "s":
        v = w.call(
            wide, f"llvm.smax.{suffix}", [f"{wide} {v}", f"{wide} splat (i{wide.width} {low})"]
        )
    if w.rng.random() < 0.5:
        v = w.call(
            wide,
            f"llvm.{sign}min.{suffix}",
            [f"{wide} {v}", f"{wide} splat (i{wide.width} {high})"],
        )
    else:
        limit = f"splat (i{wide.width} {high})"
        mask = w.emit(wide.masks(), f"icmp {sign}lt {wide} {v}, {limit}")
        v = w.emit(wide, f"select {wide.masks()} {mask}, {wide} {v}, {wide} {limit}")
    w.emit(s, f"trunc {wide} {v} to {s}")


def widened_saturation(w: Writer, s: Shape) -> None:
    """Saturating addition or subtraction spelled in double width."""
    wide = s.widened()
    how = w.rng.choice(("zext", "sext"))
    flags = " nsw" if w.rng.random() < 0.5 else ""
    total = w.emit(
        wide,
        f"{w.rng.choice(('add', 'sub'))}{flags} {wide} {_extended(w, s, how)}, {_extended(w, s, how)}",
    )
    w.used.add(total)
    clamp(w, s)


def bit_select(w: Writer, s: Shape) -> None:
    """(a & m) | (b & ~m), as or, disjoint or, xor or addition."""
    m = w.pick(s)
    inverse = w.emit(s, f"xor {s} {m}, splat (i{s.width} -1)")
    x, y = w.emit(s, f"and {s} {w.pick(s)}, {m}"), w.emit(s, f"and {s} {w.pick(s)}, {inverse}")
    w.emit(s, f"{w.rng.choice(('or', 'or disjoint', 'xor', 'add nuw', 'add'))} {s} {x}, {y}")


def absolute(w: Writer, s: Shape) -> None:
    """|a| by a select."""
    a = w.pick(s)
    negative = w.emit(s, f"sub {s} zeroinitializer, {a}")
    mask = w.emit(s.masks(), f"icmp {w.rng.choice(('slt', 'sle'))} {s} {a}, zeroinitializer")
    w.emit(s, f"select {s.masks()} {mask}, {s} {negative}, {s} {a}")


def stencil(w: Writer, s: Shape) -> None:
    """A weighted sum of three in double width, rounded and narrowed."""
    wide = s.widened()
    terms = [_extended(w, s, "zext") for _ in range(3)]
    doubled = w.emit(
        wide,
        f"{w.rng.choice(('shl', 'mul'))} {wide} {terms[1]}, splat (i{wide.width} {w.rng.choice((1, 2))})",
    )
    total = w.emit(wide, f"add {wide} {terms[0]}, {doubled}")
    total = w.emit(wide, f"add {wide} {total}, {terms[2]}")
    total = w.emit(wide, f"add {wide} {total}, splat (i{wide.width} {w.rng.choice((0, 2))})")
    total = w.emit(wide, f"lshr {wide} {total}, splat (i{wide.width} 2)")
    w.emit(s, f"trunc {wide} {total} to {s}")


# Idioms that need lanes of double width.
WIDENING: Final[tuple[tuple[Production, int], ...]] = (
    (average, 4),
    (high_product, 4),
    (clamp, 3),
    (widened_saturation, 3),
    (stencil, 2),
)
PLAIN: Final[tuple[tuple[Production, int], ...]] = (
    (dot_product, 3),
    (difference, 3),
    (bit_select, 2),
    (absolute, 1),
)
