"""What the generator may write: single operations and idioms, none of which has undefined
behaviour or makes poison.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

from tests.fuzz.writer import Shape, Writer

Production = Callable[[Writer, Shape], None]
MAX_BITS: Final = 1024


def binary(w: Writer, s: Shape) -> None:
    """Wrapping arithmetic and logic."""
    w.emit(
        s,
        f"{w.rng.choice(('add', 'sub', 'mul', 'and', 'or', 'xor', 'add', 'sub'))} {s} {w.pick(s)}, {w.pick(s)}",
    )


def shift(w: Writer, s: Shape) -> None:
    """A shift by a constant, or by amounts made small enough."""
    op = w.rng.choice(("shl", "lshr", "ashr"))
    if w.rng.random() < 0.6 or s.width & (s.width - 1):
        if w.rng.random() < 0.7:
            amount = f"splat (i{s.width} {w.rng.randrange(s.width)})"
        else:
            amount = w.vector(s, [w.rng.randrange(s.width) for _ in range(s.lanes)])
    else:
        amount = w.emit(s, f"and {s} {w.pick(s)}, splat (i{s.width} {s.width - 1})")
    w.emit(s, f"{op} {s} {w.pick(s)}, {amount}")


def divide(w: Writer, s: Shape) -> None:
    """A division by something that is neither zero nor minus one."""
    divisor = w.emit(s, f"or {s} {w.pick(s)}, splat (i{s.width} 1)")
    op = w.rng.choice(("udiv", "urem", "sdiv", "srem") if s.width > 1 else ("udiv", "urem"))
    if op[0] == "s":
        divisor = w.emit(s, f"and {s} {divisor}, splat (i{s.width} {(1 << (s.width - 1)) - 1})")
    w.emit(s, f"{op} {s} {w.pick(s)}, {divisor}")


def pairwise(w: Writer, s: Shape) -> None:
    """Minimum, maximum and saturating arithmetic by intrinsics."""
    name = w.rng.choice(
        ("umin", "umax", "smin", "smax", "uadd.sat", "usub.sat", "sadd.sat", "ssub.sat")
    )
    w.call(s, f"llvm.{name}.v{s.lanes}i{s.width}", [f"{s} {w.pick(s)}", f"{s} {w.pick(s)}"])


def unary(w: Writer, s: Shape) -> None:
    """Absolute value and bit counting."""
    name = w.rng.choice(("abs", "ctlz", "cttz", "ctpop", "bitreverse", "bswap"))
    if name == "bswap" and s.width % 16:
        name = "ctpop"
    extra = ["i1 false"] if name in ("abs", "ctlz", "cttz") else []
    w.call(s, f"llvm.{name}.v{s.lanes}i{s.width}", [f"{s} {w.pick(s)}", *extra])


def funnel(w: Writer, s: Shape) -> None:
    """Funnel shifts, rotates, saturating shifts and fixed-point products."""
    kind = w.rng.random()
    suffix = f"v{s.lanes}i{s.width}"
    if kind < 0.6:
        a = w.pick(s)
        b = a if w.rng.random() < 0.4 else w.pick(s)
        w.call(
            s,
            f"llvm.{w.rng.choice(('fshl', 'fshr'))}.{suffix}",
            [f"{s} {a}", f"{s} {b}", f"{s} {w.pick(s)}"],
        )
    elif kind < 0.8:
        amount = f"splat (i{s.width} {w.rng.randrange(s.width)})"
        w.call(
            s,
            f"llvm.{w.rng.choice(('sshl', 'ushl'))}.sat.{suffix}",
            [f"{s} {w.pick(s)}", f"{s} {amount}"],
        )
    else:
        scale = w.rng.randrange(s.width)
        w.call(
            s,
            f"llvm.{w.rng.choice(('smul', 'umul'))}.fix.sat.{suffix}",
            [f"{s} {w.pick(s)}", f"{s} {w.pick(s)}", f"i32 {scale}"],
        )


def choose(w: Writer, s: Shape) -> None:
    """A comparison and a select by it, or the mask as numbers."""
    predicate = w.rng.choice(("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"))
    a, b = w.pick(s), w.pick(s)
    mask = w.emit(s.masks(), f"icmp {predicate} {s} {a}, {b}")
    if w.rng.random() < 0.2:
        mask = w.emit(
            s.masks(),
            f"{w.rng.choice(('and', 'or', 'xor'))} {s.masks()} {mask}, {w.pick(s.masks())}",
        )
    if s.width > 1 and w.rng.random() < 0.2:
        w.emit(s, f"{w.rng.choice(('zext', 'sext'))} {s.masks()} {mask} to {s}")
        return
    x, y = (a, b) if w.rng.random() < 0.5 else (w.pick(s), w.pick(s))
    w.emit(s, f"select {s.masks()} {mask}, {s} {x}, {s} {y}")


def convert(w: Writer, s: Shape) -> None:
    """A cast to another width, or a bitcast."""
    wide = s.widened()
    kind = w.rng.random()
    if kind < 0.45 and wide.bits <= MAX_BITS and wide.width <= 64:
        w.emit(wide, f"{w.rng.choice(('zext', 'sext'))} {s} {w.pick(s)} to {wide}")
    elif kind < 0.55 and wide.bits <= MAX_BITS and wide.width <= 64:
        small = w.emit(s, f"lshr {s} {w.pick(s)}, splat (i{s.width} 1)")
        w.emit(wide, f"zext nneg {s} {small} to {wide}")
    elif kind < 0.85 and s.width % 2 == 0 and s.width > 8:
        narrow = Shape(s.lanes, s.width // 2)
        w.emit(narrow, f"trunc {s} {w.pick(s)} to {narrow}")
    else:
        width = w.rng.choice((8, 16, 32, 64))
        if s.bits % width == 0 and s.bits > width:
            other = Shape(s.bits // width, width)
            w.emit(other, f"bitcast {s} {w.pick(s)} to {other}")


def _mask_text(indices: Sequence[int | None]) -> str:
    return "<" + ", ".join("i32 poison" if i is None else f"i32 {i}" for i in indices) + ">"


# The masks of shuffles of n lanes, by a random generator.
_MASKS: Final[tuple[Callable[[random.Random, int], list[int]], ...]] = (
    lambda rng, n: [rng.randrange(n) for _ in range(n)],
    lambda rng, n: [rng.randrange(2 * n) for _ in range(n)],
    lambda rng, n: [rng.randrange(2 * n)] * n,
    lambda rng, n: list(range(n))[::-1],
    lambda rng, n: [i + k for k in [rng.randrange(n)] for i in range(n)],
    lambda rng, n: [2 * i + k for k in [rng.randrange(2)] for i in range(n)],
    lambda rng, n: [
        i // 2 + k + (n if i % 2 else 0) for k in [rng.choice((0, n // 2))] for i in range(n)
    ],
    lambda rng, n: [i + k for k in [rng.choice((0, n // 2))] for i in range(n // 2)],
    lambda rng, n: list(range(2 * n)),
)


def shuffled(w: Writer, s: Shape) -> None:
    """A movement of lanes."""
    mask = w.rng.choice(_MASKS)(w.rng, s.lanes)
    result = Shape(len(mask), s.width)
    if len(mask) < 2 or result.bits > MAX_BITS:
        return
    w.emit(
        result,
        f"shufflevector {s} {w.pick(s)}, {s} {w.pick(s)}, <{len(mask)} x i32> {_mask_text(mask)}",
    )


def padded(w: Writer, s: Shape) -> None:
    """Lanes that are poison for one instruction and dropped by the next."""
    half = s.lanes // 2
    mask = [i if i < half else None for i in range(s.lanes)]
    part = w.scalar(
        f"shufflevector {s} {w.pick(s)}, {s} {w.pick(s)}, <{s.lanes} x i32> {_mask_text(mask)}"
    )
    again = [i % half for i in range(s.lanes)]
    w.emit(s, f"shufflevector {s} {part}, {s} poison, <{s.lanes} x i32> {_mask_text(again)}")


def element(w: Writer, s: Shape) -> None:
    """An element out, changed, and back in, or spread over all lanes."""
    x = w.scalar(f"extractelement {s} {w.pick(s)}, i64 {w.rng.randrange(s.lanes)}")
    y = w.scalar(
        f"{w.rng.choice(('add', 'xor', 'mul'))} i{s.width} {x}, {w.number(s.width) if s.width > 1 else 'true'}"
    )
    if w.rng.random() < 0.5:
        w.emit(s, f"insertelement {s} {w.pick(s)}, i{s.width} {y}, i64 {w.rng.randrange(s.lanes)}")
        return
    head = w.scalar(f"insertelement {s} poison, i{s.width} {y}, i64 0")
    w.emit(s, f"shufflevector {s} {head}, {s} poison, <{s.lanes} x i32> zeroinitializer")


def freeze(w: Writer, s: Shape) -> None:
    """A freeze."""
    w.emit(s, f"freeze {s} {w.pick(s)}")


def reduction(w: Writer, s: Shape) -> None:
    """A reduction, inserted into a vector."""
    name = w.rng.choice(("add", "mul", "and", "or", "xor", "umin", "umax", "smin", "smax"))
    callee = f"llvm.vector.reduce.{name}.v{s.lanes}i{s.width}"
    w.declare(callee, f"i{s.width}", [str(s)])
    x = w.scalar(f"call i{s.width} @{callee}({s} {w.pick(s)})")
    w.emit(s, f"insertelement {s} {w.pick(s)}, i{s.width} {x}, i64 {w.rng.randrange(s.lanes)}")


SINGLE: Final[tuple[tuple[Production, int], ...]] = (
    (binary, 20),
    (shift, 8),
    (divide, 1),
    (pairwise, 10),
    (unary, 4),
    (funnel, 4),
    (choose, 10),
    (convert, 10),
    (shuffled, 9),
    (padded, 1),
    (element, 3),
    (freeze, 1),
    (reduction, 1),
)
