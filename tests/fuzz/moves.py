"""Moves: chains of shuffles, transposes and narrowings, several registers stored over the same loads,
and fields of bits that are gathered from bytes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tests.fuzz.generate import Generated
from tests.fuzz.several import Registers
from tests.fuzz.writer import Shape, Writer

Step: TypeAlias = "Callable[[Moved], None]"
_WIDTHS: Final = (8, 8, 8, 16, 16, 32, 32, 64)


def shuffled(w: Writer, s: Shape, a: str, b: str, order: Sequence[int]) -> str:
    """Return a register of lanes of two."""
    where = ", ".join(f"i32 {k}" for k in order)
    to = Shape(len(order), s.width)
    return w.emit(to, f"shufflevector {s} {a}, {s} {b}, <{len(order)} x i32> <{where}>")


def permuted_bits(rng: random.Random, lanes: int) -> list[int]:
    """Return an order of lanes, a power of two of them, in which the bits of their numbers are
    exchanged, and now and then inverted.
    """
    bits = (lanes - 1).bit_length()
    places, flip = list(range(bits)), rng.choice((0, 0, 0, rng.randrange(lanes)))
    rng.shuffle(places)
    return [sum((k >> i & 1) << p for i, p in enumerate(places)) ^ flip for k in range(lanes)]


@dataclass(slots=True)
class Moved:
    """Registers of one shape, in a row, that each step replaces by as many bytes or fewer."""

    r: Registers
    s: Shape
    row: list[str]

    @property
    def w(self) -> Writer:
        """The lines."""
        return self.r.w

    @property
    def rng(self) -> random.Random:
        """The choices."""
        return self.r.w.rng

    def pairs(self, low: Sequence[int], high: Sequence[int]) -> None:
        """Put two registers in place of each two, by orders of the lanes of both."""
        if len(self.row) % 2:
            self.row.append(self.row[0])
        row, half = [], len(self.row) // 2
        apart = self.rng.random() < 0.5  # the two are neighbours, or a half of all is between them
        for k in range(half):
            a, b = self.row[k if apart else 2 * k], self.row[k + half if apart else 2 * k + 1]
            row += [shuffled(self.w, self.s, a, b, o) for o in (low, high)]
        self.row = row


def _interleaved(m: Moved) -> None:
    n = m.s.lanes
    order = [k // 2 + n * (k % 2) for k in range(2 * n)]
    m.pairs(order[:n], order[n:])


def _apart(m: Moved) -> None:
    n = m.s.lanes
    m.pairs([2 * k for k in range(n)], [2 * k + 1 for k in range(n)])


def _halves(m: Moved) -> None:
    """Halves of two registers exchanged, or every other lane, or quarter."""
    n = m.s.lanes
    bit = 1 << m.rng.randrange((n - 1).bit_length())
    low = [k if not k & bit else n + (k ^ bit) for k in range(n)]
    m.pairs(low, [k ^ bit if not k & bit else n + k for k in range(n)])


def _each(m: Moved, order: Sequence[int]) -> None:
    m.row = [shuffled(m.w, m.s, x, "poison", order) for x in m.row]


def _permuted(m: Moved) -> None:
    """Bits of lanes' numbers exchanged: a transpose, bits reversed."""
    _each(m, permuted_bits(m.rng, m.s.lanes))


def _turned(m: Moved) -> None:
    n, far = m.s.lanes, m.rng.randrange(1, m.s.lanes)
    m.pairs([k + far for k in range(n)], [(k + far + n) % (2 * n) for k in range(n)])


def _any_order(m: Moved) -> None:
    """Any lanes, some twice."""
    n = m.s.lanes
    low, high = ([m.rng.randrange(2 * n) for _ in range(n)] for _ in range(2))
    m.pairs(low, high)


def _in_place(m: Moved) -> None:
    """Lanes of another width: what is done to bytes next is done inside of words, and so on."""
    widths = [k for k in (8, 16, 32, 64) if k != m.s.width and m.s.bits // k >= 2]
    to = Shape(0, m.rng.choice(widths))
    to = Shape(m.s.bits // to.width, to.width)
    m.row = [m.w.emit(to, f"bitcast {m.s} {x} to {to}") for x in m.row]
    m.s = to


def _narrowed(m: Moved) -> None:
    """The low or high halves of wide lanes."""
    if m.s.width == 8 or m.s.bits < 64:
        _in_place(m)
        return
    to, row = Shape(m.s.lanes, m.s.width // 2), list[str]()
    for x in m.row:
        if m.rng.random() < 0.4:
            x = m.w.emit(m.s, f"lshr {m.s} {x}, splat (i{m.s.width} {to.width})")
        row.append(m.w.emit(to, f"trunc {m.s} {x} to {to}"))
    m.s, m.row = to, row


def _whole(m: Moved) -> None:
    """Registers joined and taken apart in another order, a stride of three among them."""
    joined, s, row = m.row[0], m.s, m.row
    while len(row) & (len(row) - 1):
        row = [*row, m.rng.choice(row)]
    while len(row) > 1:
        both = list(range(2 * s.lanes))
        row = [shuffled(m.w, s, a, b, both) for a, b in zip(row[::2], row[1::2], strict=True)]
        s, joined = Shape(2 * s.lanes, s.width), row[0]
    n = m.s.lanes
    ways = m.rng.choice((2, 3, 4))
    kept = min(ways, len(m.row)) if m.rng.random() < 0.8 else 1
    m.row = [
        shuffled(m.w, s, joined, "poison", [(ways * j + k) % s.lanes for j in range(n)])
        for k in range(kept)
    ]


def _blended(m: Moved) -> None:
    if len(m.row) < 2:
        _turned(m)
        return
    n, rng = m.s.lanes, m.rng
    order = [k + n * rng.randrange(2) for k in range(n)]
    m.row = [shuffled(m.w, m.s, a, b, order) for a, b in zip(m.row, m.row[1:], strict=False)]


_STEPS: Final[tuple[tuple[Step, int], ...]] = (
    (_interleaved, 4),
    (_apart, 4),
    (_halves, 3),
    (_permuted, 4),
    (_turned, 1),
    (_any_order, 1),
    (_in_place, 3),
    (_narrowed, 2),
    (_whole, 3),
    (_blended, 1),
)


def _stored(m: Moved) -> None:
    """Store the row, mostly in order and in one piece; now and then with something done to it."""
    rng, row = m.rng, m.row
    if rng.random() < 0.15:
        rng.shuffle(row)
    if rng.random() < 0.2:
        row = [
            m.w.emit(m.s, f"{rng.choice(('xor', 'add'))} {m.s} {x}, {m.w.constant(m.s)}")
            for x in row
        ]
    gap = rng.choice((0, 0, 0, m.s.bits // 8))
    for k, x in enumerate(row):
        m.r.store(x, m.s, m.s.bits // 8, gap if k else 0)


def moves(seed: int, registers: Sequence[int] = (16, 16, 32)) -> Generated:
    """Return the function of a seed on registers of so many bytes."""
    rng = random.Random(f"moves {seed}")
    size, width = rng.choice(registers), rng.choice(_WIDTHS)
    if rng.random() < 0.35:
        return fields(seed, rng, size)
    count = rng.choice((1, 2, 2, 2, 3, 4, 4))
    near = rng.random() < 0.6  # registers are neighbours in memory, or each has a pointer
    s = Shape(max(2, size * 8 // width), width)
    size = s.bits // 8
    m = Moved(Registers(Writer(rng), rng.random() < 0.3, count * size if near else size), s, [])
    for k in range(count):
        m.row.append(m.r.load(s, size, "%a0" if near else f"%a{k}", k * size if near else 0))
    steps = [f for f, n in _STEPS for _ in range(n)]
    for _ in range(rng.choice((1, 1, 2, 2, 3))):
        rng.choice(steps)(m)
    _stored(m)
    return m.r.made(seed)


def fields(seed: int, rng: random.Random, size: int) -> Generated:
    """Return a function of fields: neighbouring bytes of each, shifted by lane, and masked."""
    w = Writer(rng)
    word = Shape(0, rng.choice((8, 16, 16, 32)))
    word = Shape(size * 8 // word.width, word.width)
    bits = rng.choice((4, 5, 6, 10, 12, rng.randrange(1, word.width + 1)))
    bits, first = min(bits, word.width), rng.choice((0, 0, 0, 4, 8))
    read = (first + bits * word.lanes + 7) // 8 + word.width // 8
    r = Registers(w, rng.random() < 0.3, read)
    source = Shape(read, 8)
    x = r.load(source, read, "%a0")
    starts = [first + bits * k for k in range(word.lanes)]
    if rng.random() < 0.15:  # in another order, some twice
        starts = [rng.choice(starts) for _ in starts]
    reverse = rng.random() < 0.3  # the first byte is the high one
    total = _gathered(w, source, x, word, starts, bits, reverse=reverse)
    if rng.random() < 0.3:  # two fields in one lane, or with a literal's bits
        other = _gathered(w, source, x, word, starts[::-1], bits, reverse=reverse)
        k = rng.randrange(word.width)
        other = w.emit(word, f"shl {word} {other}, splat (i{word.width} {k})")
        total = w.emit(word, f"{rng.choice(('or', 'or', 'xor', 'add'))} {word} {total}, {other}")
    if word.width > 8 and bits <= word.width // 2 and rng.random() < 0.4:
        to = Shape(word.lanes, word.width // 2)
        total, word = w.emit(to, f"trunc {word} {total} to {to}"), to
    r.store(total, word, word.bits // 8)
    return r.made(seed)


def _gathered(
    w: Writer,
    source: Shape,
    x: str,
    word: Shape,
    starts: Sequence[int],
    bits: int,
    *,
    reverse: bool,
) -> str:
    """Return the fields that begin at bits of memory, at the low end of each lane."""
    rng, per = w.rng, word.width // 8
    last = source.lanes - 1
    order = [min(at // 8 + i, last) for at in starts for i in range(per)]
    if reverse:
        order = [min(at // 8 + per - 1 - i, last) for at in starts for i in range(per)]
    if per == 1 and rng.random() < 0.5:
        spread = [
            shuffled(w, source, x, "poison", [min(k + i, last) for k in order]) for i in (0, 1)
        ]
        right = w.vector(word, [at % 8 for at in starts])
        left = w.vector(word, [8 - at % 8 if at % 8 else 7 for at in starts])
        low = w.emit(word, f"lshr {word} {spread[0]}, {right}")
        high = w.emit(word, f"shl {word} {spread[1]}, {left}")
        result = w.emit(word, f"or {word} {low}, {high}")
    else:
        piece = shuffled(w, source, x, "poison", order)
        as_words = (
            w.emit(word, f"bitcast <{len(order)} x i8> {piece} to {word}") if per > 1 else piece
        )
        shift = [at % 8 if rng.random() < 0.97 else rng.randrange(word.width) for at in starts]
        right = w.vector(word, shift)
        result = w.emit(
            word, f"{rng.choice(('lshr', 'lshr', 'lshr', 'ashr'))} {word} {as_words}, {right}"
        )
    if rng.random() < 0.9:
        result = w.emit(word, f"and {word} {result}, splat (i{word.width} {(1 << bits) - 1})")
    return result
