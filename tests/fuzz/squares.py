"""Squares: blocks of rows that are transformed along rows and columns, transposed, and stored; and
sums of products whose lanes are free.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from tests.fuzz.generate import Generated
from tests.fuzz.moves import shuffled
from tests.fuzz.several import Registers
from tests.fuzz.writer import Shape, Writer

_BUTTERFLIES: Final = (
    ("add", "sub"),
    ("add", "sub"),
    ("add", "sub"),
    ("smin", "smax"),
    ("xor", "add"),
)
_WHOLE: Final = 64  # lanes of a block that is shuffled at once
_SHORT: Final = 32  # bytes of a register that may be used in part
_REDUCED: Final = ("mul", "mul", "add", "sub")


def _both(w: Writer, s: Shape, how: str, a: str, b: str) -> str:
    if how[0] in "su" and how != "sub":
        return w.call(s, f"llvm.{how}.v{s.lanes}i{s.width}", [f"{s} {a}", f"{s} {b}"])
    return w.emit(s, f"{how} {s} {a}, {b}")


def _along_columns(w: Writer, s: Shape, rows: Sequence[str]) -> list[str]:
    """A butterfly between rows, or sums of neighbours."""
    rng, n = w.rng, len(rows)
    low, high = rng.choice(_BUTTERFLIES)
    far = 1 << rng.randrange((n - 1).bit_length())
    result = list(rows)
    for k in range(n):
        if not k & far:
            a, b = rows[k], rows[k ^ far]
            result[k], result[k ^ far] = _both(w, s, low, a, b), _both(w, s, high, a, b)
    return result


def _along_rows(w: Writer, s: Shape, rows: Sequence[str], side: int) -> list[str]:
    """The same inside of each row, of so many elements, by a shuffle that exchanges them; or by
    the even and the odd ones apart.
    """
    rng, n = w.rng, s.lanes
    if rng.random() < 0.3 and len(rows) % 2 == 0:
        result = list[str]()
        how = rng.choice(_BUTTERFLIES)
        for a, b in zip(rows[::2], rows[1::2], strict=True):
            even, odd = (shuffled(w, s, a, b, [2 * k + i for k in range(n)]) for i in (0, 1))
            result += [_both(w, s, h, even, odd) for h in how]
        return result
    far = 1 << rng.randrange((side - 1).bit_length())
    low, high = rng.choice((("add", "sub"), ("add", "sub"), ("smin", "smax")))
    blend = [k + n * bool(k & far) for k in range(n)]
    result = []
    for x in rows:
        other = shuffled(w, s, x, "poison", [k ^ far for k in range(n)])
        first, second = _both(w, s, low, x, other), _both(w, s, high, other, x)
        result.append(shuffled(w, s, first, second, blend))
    return result


def _transposed(w: Writer, s: Shape, rows: Sequence[str]) -> list[str]:
    """Columns in place of rows, of squares beside each other by rounds of two, or of all of a block
    by one shuffle of it for each.
    """
    n, count = s.lanes, len(rows)
    if count > n or (count * n <= _WHOLE and w.rng.random() < 0.5):
        return _by_one_shuffle(w, s, rows)
    result, bit = list(rows), 1
    while bit < count:
        low = [k if not k & bit else n + (k ^ bit) for k in range(n)]
        high = [k | bit if not k & bit else n + k for k in range(n)]
        for k in range(count):
            if not k & bit:
                both = result[k], result[k | bit]
                result[k], result[k | bit] = (shuffled(w, s, *both, o) for o in (low, high))
        bit *= 2
    return result


def _by_one_shuffle(w: Writer, s: Shape, rows: Sequence[str]) -> list[str]:
    n, count = s.lanes, len(rows)
    joined, kind = list(rows), s
    while len(joined) > 1:
        order = list(range(2 * kind.lanes))
        joined = [
            shuffled(w, kind, a, b, order) for a, b in zip(joined[::2], joined[1::2], strict=True)
        ]
        kind = Shape(2 * kind.lanes, s.width)
    order = [(k % count) * n + k // count for k in range(count * n)]
    return [
        shuffled(w, kind, joined[0], "poison", order[k * n : (k + 1) * n]) for k in range(count)
    ]


def _block(r: Registers, registers: Sequence[int]) -> None:
    """Load rows, transform them, and store them."""
    w, rng = r.w, r.w.rng
    width, side = rng.choice((8, 16, 16, 16, 32, 32)), rng.choice((2, 4, 4, 4, 8))
    size = rng.choice(registers)
    lanes = size * 8 // width
    if size <= _SHORT:  # one square or two; beyond that as many as there is room for
        lanes = max(2, min(lanes, side * rng.choice((1, 2, 2))))
    s = Shape(lanes, width)
    bytes_ = s.bits // 8
    stride = bytes_ + rng.choice((0, 0, 0, bytes_, 5))
    apart = rng.random() < 0.2
    r.step = bytes_ if apart else side * stride
    at = [("%a" + str(k), 0) if apart else ("%a0", k * stride) for k in range(side)]
    rows = [r.load(s, bytes_, pointer, k) for pointer, k in at]
    if rng.random() < 0.25 and not apart:  # differences of two blocks
        rows = [
            w.emit(s, f"sub {s} {x}, {r.load(s, bytes_, '%b0', k)}")
            for x, (_, k) in zip(rows, at, strict=True)
        ]
    if width < 32 and s.bits <= 4 * size <= 4 * _SHORT and rng.random() < 0.4:
        wide, how = s.widened(), rng.choice(("zext", "sext"))
        rows = [w.emit(wide, f"{how} {s} {x} to {wide}") for x in rows]
        s = wide
    for _ in range(rng.choice((1, 2, 2, 3))):
        kind = rng.randrange(3)
        if kind == 0:
            rows = _along_columns(w, s, rows)
        elif kind == 1:
            rows = _along_rows(w, s, rows, min(side, s.lanes))
        else:
            rows = _transposed(w, s, rows)
    if rng.random() < 0.2:
        by = f"splat (i{s.width} {rng.randrange(1, 8)})"
        rows = [w.emit(s, f"ashr {s} {x}, {by}") for x in rows]
    gap = rng.choice((0, 0, 0, 4))
    for k, x in enumerate(rows):
        r.store(x, s, s.bits // 8, gap if k else 0)


def _partial_sums(r: Registers, registers: Sequence[int]) -> None:
    """A sum of partial sums of products: which lanes hold which is open, their sum is not."""
    w, rng = r.w, r.w.rng
    narrow = Shape(0, rng.choice((8, 8, 16)))
    narrow = Shape(rng.choice(registers) * 8 // narrow.width, narrow.width)
    wide = Shape(narrow.lanes, 32)
    short = Shape(narrow.lanes // rng.choice((2, 4)), 32)
    r.step = narrow.bits // 8
    total = w.constant(short) if rng.random() < 0.5 else r.load(short, short.bits // 8, "%c0")
    for k in range(rng.choice((1, 1, 2))):
        factors = [
            w.emit(
                wide,
                f"{rng.choice(('sext', 'zext'))} {narrow} "
                f"{r.load(narrow, r.step, f'%a{2 * k + j}')} to {wide}",
            )
            for j in (0, 1)
        ]
        product = w.emit(wide, f"{rng.choice(_REDUCED)} {wide} {', '.join(factors)}")
        name = f"llvm.vector.partial.reduce.add.v{short.lanes}i32.v{wide.lanes}i32"
        total = w.call(short, name, [f"{short} {total}", f"{wide} {product}"])
    call = f"call i32 @llvm.vector.reduce.add.v{short.lanes}i32({short} {total})"
    w.declare_for(call)
    r.store(w.scalar(call), "i32", 4)


def _carryless(r: Registers, registers: Sequence[int]) -> None:
    """Products over GF(2), of words or of bytes, added to what is there."""
    w, rng = r.w, r.w.rng
    s = Shape(2, 64) if rng.random() < 0.7 else Shape(16, 8)
    r.step = 16
    x, y = (r.load(s, 16, f"%a{k}") for k in (0, 1))
    product = w.call(s, f"llvm.clmul.v{s.lanes}i{s.width}", [f"{s} {x}", f"{s} {y}"])
    if rng.random() < 0.5:
        product = w.emit(s, f"xor {s} {product}, {w.pick(s)}")
    r.store(product, s, 16)


def squares(seed: int, registers: Sequence[int] = (16, 16, 32)) -> Generated:
    """Return the function of a seed on registers of at most so many bytes."""
    rng = random.Random(f"squares {seed}")
    r = Registers(Writer(rng), rng.random() < 0.3, 0)
    kind = rng.random()
    (_block if kind < 0.8 else _partial_sums if kind < 0.93 else _carryless)(r, registers)
    return r.made(seed)
