"""Masks: comparisons of vectors, what is made of their bits, integers that are masks, selects."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tests.fuzz.generate import Generated
from tests.fuzz.several import Registers
from tests.fuzz.writer import Shape, Writer

_TESTS: Final = ("eq", "eq", "ne", "ult", "ugt", "uge", "slt", "slt", "sgt", "sle")
_JOINS: Final = ("and", "and", "or", "xor")
_WIDTHS: Final = (8, 8, 8, 16, 32, 32, 64)
_FEW: Final = 8  # lanes that are put together one by one


@dataclass(frozen=True, slots=True)
class Masked:
    """A function that is written: its memory, and vectors of as many lanes as its masks have."""

    r: Registers
    s: Shape

    @property
    def w(self) -> Writer:
        """The lines."""
        return self.r.w

    @property
    def rng(self) -> random.Random:
        """The choices."""
        return self.r.w.rng

    @property
    def lanes(self) -> int:
        """The bits of a mask."""
        return self.s.lanes

    @property
    def bits(self) -> str:
        """The integer of a mask's bits."""
        return f"i{self.lanes}"


Root: TypeAlias = Callable[[Masked, str], None]


def _compared(m: Masked) -> str:
    """A comparison of vectors, of lanes as wide as others' or not; a test of bits; a sign."""
    w, rng = m.w, m.rng
    s = rng.choice([x for x in w.values if x.lanes == m.lanes and x.width > 1])
    x = w.pick(s)
    kind = rng.randrange(7)
    if kind == 0:
        return w.emit(s.masks(), f"icmp slt {s} {x}, zeroinitializer")
    if kind == 1:
        return w.emit(s.masks(), f"trunc {s} {x} to {s.masks()}")
    if kind in (2, 3):
        with_bits = w.pick(s) if kind == 2 else f"splat (i{s.width} {rng.choice((1, 3, 6, 64))})"
        x = w.emit(s, f"and {s} {x}, {with_bits}")
        test = rng.choice(("eq", "ne", "ne"))
        return w.emit(s.masks(), f"icmp {test} {s} {x}, zeroinitializer")
    y = w.pick(s) if rng.random() < 0.5 else w.constant(s)
    return w.emit(s.masks(), f"icmp {rng.choice(_TESTS)} {s} {x}, {y}")


def _from_memory(m: Masked) -> str:
    """A mask whose bits lie in memory."""
    n = max(8, m.lanes)
    bits = m.r.load(f"i{n}", n // 8, "%bits")
    if n != m.lanes:
        bits = m.w.scalar(f"trunc i{n} {bits} to {m.bits}")
    return m.w.emit(m.s.masks(), f"bitcast {m.bits} {bits} to {m.s.masks()}")


def _rearranged(m: Masked, mask: str) -> str:
    """A mask's bits in another place: reversed, shifted by lanes, or even and odd exchanged."""
    n, far = m.lanes, m.rng.randrange(1, m.lanes)
    order = m.rng.choice(
        ([n - 1 - k for k in range(n)], [k + far for k in range(n)], [k ^ 1 for k in range(n)])
    )
    kind, where = m.s.masks(), ", ".join(f"i32 {k}" for k in order)
    return m.w.emit(
        kind, f"shufflevector {kind} {mask}, {kind} zeroinitializer, <{n} x i32> <{where}>"
    )


def _mask(m: Masked) -> str:
    """One to four comparisons or integers, joined."""
    w, rng, kind = m.w, m.rng, m.s.masks()
    result = ""
    for _ in range(rng.choice((1, 1, 2, 2, 3, 4))):
        part = _from_memory(m) if rng.random() < 0.15 else _compared(m)
        if rng.random() < 0.15:
            part = w.emit(kind, f"xor {kind} {part}, splat (i1 true)")
        if rng.random() < 0.08:
            part = _rearranged(m, part)
        if not result:
            result = part
        elif rng.random() < 0.15:
            result = w.emit(kind, f"select {kind} {result}, {kind} {part}, {kind} zeroinitializer")
        else:
            result = w.emit(kind, f"{rng.choice(_JOINS)} {kind} {result}, {part}")
    return result


def _as_integer(m: Masked, mask: str) -> str:
    return m.w.scalar(f"bitcast {m.s.masks()} {mask} to {m.bits}")


def _store_integer(m: Masked, value: str, width: int) -> None:
    """Store an integer, as wide as it is or wider."""
    fits = [n for n in (8, 16, 32, 64) if n >= width]
    to = m.rng.choice(fits[:2]) if fits else width
    if to > width:
        how = m.rng.choice(("zext", "zext", "zext", "sext"))
        value = m.w.scalar(f"{how} i{width} {value} to i{to}")
    m.r.store(value, f"i{to}", to // 8)


def _bitmap(m: Masked, mask: str) -> None:
    """The bits as an integer, as they are, moved, or with others."""
    rng, bits, n = m.rng, _as_integer(m, mask), m.lanes
    kind = rng.randrange(6)
    if kind == 0:
        how = rng.choice(("lshr", "shl", "ashr"))
        bits = m.w.scalar(f"{how} {m.bits} {bits}, {rng.randrange(n)}")
    elif kind == 1:
        other = _as_integer(m, _mask(m))
        bits = m.w.scalar(f"{rng.choice(_JOINS)} {m.bits} {bits}, {other}")
    elif kind == 2:
        bits = m.w.scalar(f"xor {m.bits} {bits}, -1")
    elif kind == 3:
        name = f"llvm.{rng.choice(('bitreverse', 'bitreverse', 'ctpop'))}.{m.bits}"
        bits = _called(m, f"call {m.bits} @{name}({m.bits} {bits})")
    _store_integer(m, bits, n)


def _called(m: Masked, call: str) -> str:
    m.w.declare_for(call)
    return m.w.scalar(call)


def _count(m: Masked, mask: str) -> None:
    """How many there are; now and then what is not, or less than nothing."""
    w, rng, kind = m.w, m.rng, m.s.masks()
    if rng.random() < 0.5:
        bits = _as_integer(m, mask)
        count = _called(m, f"call {m.bits} @llvm.ctpop.{m.bits}({m.bits} {bits})")
        width = m.lanes
    else:
        width = rng.choice((8, 16, 32))
        wide = Shape(m.lanes, width)
        lanes = w.scalar(f"{rng.choice(('zext', 'zext', 'sext'))} {kind} {mask} to {wide}")
        name = f"llvm.vector.reduce.add.v{m.lanes}i{width}"
        count = _called(m, f"call i{width} @{name}({wide} {lanes})")
    if width < 32:
        count, width = w.scalar(f"zext i{width} {count} to i32"), 32
    if rng.random() < 0.3:
        first = rng.choice(("0", str(m.lanes), count))
        count = w.scalar(f"sub i{width} {first}, {count}")
    _store_integer(m, count, width)


def _any(m: Masked, mask: str) -> None:
    """Whether any or all lanes are, as a byte or as a choice between registers."""
    w, rng, kind = m.w, m.rng, m.s.masks()
    if rng.random() < 0.5:
        bits = _as_integer(m, mask)
        than = rng.choice(("0", "0", "-1", "1"))
        found = w.scalar(f"icmp {rng.choice(('eq', 'ne', 'ne'))} {m.bits} {bits}, {than}")
    else:
        name = f"llvm.vector.reduce.{rng.choice(('or', 'and', 'xor'))}.v{m.lanes}i1"
        found = _called(m, f"call i1 @{name}({kind} {mask})")
    if rng.random() < 0.6:
        m.r.store(w.scalar(f"zext i1 {found} to i8"), "i8", 1)
        return
    s = m.s
    m.r.store(w.emit(s, f"select i1 {found}, {s} {w.pick(s)}, {s} {w.pick(s)}"), s, s.bits // 8)


def _joined(m: Masked, mask: str) -> None:
    """The bits of two masks beside each other in one integer, or as one vector's."""
    w, n, other = m.w, m.lanes, _mask(m)
    if m.rng.random() < 0.5:
        kind, where = m.s.masks(), ", ".join(f"i32 {k}" for k in range(2 * n))
        both = w.scalar(f"shufflevector {kind} {mask}, {kind} {other}, <{2 * n} x i32> <{where}>")
        result = w.scalar(f"bitcast <{2 * n} x i1> {both} to i{2 * n}")
    else:
        low, high = (
            w.scalar(f"zext {m.bits} {_as_integer(m, x)} to i{2 * n}") for x in (mask, other)
        )
        high = w.scalar(f"shl i{2 * n} {high}, {n}")
        result = w.scalar(f"or {m.rng.choice(('', 'disjoint '))}i{2 * n} {low}, {high}")
    _store_integer(m, result, 2 * n)


def _one_by_one(m: Masked, mask: str) -> None:
    """Bits taken from lanes and shifted to places, mostly each to its own."""
    w, rng, n = m.w, m.rng, m.lanes
    if n > _FEW:
        _bitmap(m, mask)
        return
    places, total = list(range(n)), "0"
    if rng.random() < 0.4:
        rng.shuffle(places)
    for k, place in enumerate(places):
        bit = w.scalar(f"extractelement {m.s.masks()} {mask}, i64 {k}")
        bit = w.scalar(f"zext i1 {bit} to i8")
        bit = w.scalar(f"shl i8 {bit}, {place}") if place else bit
        total = w.scalar(f"or i8 {total}, {bit}")
    m.r.store(total, "i8", 1)


def _first(m: Masked, mask: str) -> None:
    """The place of the first or last one; the number of lanes where there is none."""
    bits, name = _as_integer(m, mask), m.rng.choice(("cttz", "ctlz"))
    at = _called(m, f"call {m.bits} @llvm.{name}.{m.bits}({m.bits} {bits}, i1 false)")
    _store_integer(m, at, m.lanes)


def _lanes(m: Masked, mask: str) -> None:
    """The bits as lanes: of all ones, of one, or of a choice."""
    w, rng, kind = m.w, m.rng, m.s.masks()
    s = rng.choice((m.s, m.s, Shape(m.lanes, 8)))
    how = rng.randrange(4)
    if how < 2:
        result = w.emit(s, f"{('zext', 'sext')[how]} {kind} {mask} to {s}")
    else:
        result = w.emit(s, f"select {kind} {mask}, {s} {w.pick(s)}, {s} {w.pick(s)}")
    m.r.store(result, s, s.bits // 8)


def _inserted(m: Masked, mask: str) -> None:
    """The bits as an element of a vector."""
    w, s = m.w, Shape(128 // max(8, m.lanes), max(8, m.lanes))
    bits = _as_integer(m, mask)
    if s.width != m.lanes:
        bits = w.scalar(f"zext {m.bits} {bits} to i{s.width}")
    rest, at = m.rng.choice(("zeroinitializer", "zeroinitializer", w.pick(s))), s.lanes - 1
    m.r.store(w.emit(s, f"insertelement {s} {rest}, i{s.width} {bits}, i64 {at}"), s, 16)


def _masked_store(m: Masked, mask: str) -> None:
    """Elements that are stored where a lane is."""
    s, value = m.s, m.w.pick(m.s)
    at = m.r.address(s.bits // 8)
    name = f"llvm.masked.store.v{s.lanes}i{s.width}.p0"
    call = f"call void @{name}({s} {value}, ptr align 1 {at}, {s.masks()} {mask})"
    m.r.stores.append(f"  {call}")
    m.w.declare(name, "void", [str(s), "ptr", str(s.masks())])


_ROOTS: Final[tuple[tuple[Root, int], ...]] = (
    (_bitmap, 6),
    (_count, 5),
    (_any, 4),
    (_joined, 3),
    (_one_by_one, 2),
    (_first, 1),
    (_lanes, 4),
    (_inserted, 2),
    (_masked_store, 1),
)


def masks(
    seed: int, registers: Sequence[int] = (16, 16, 16, 32), widths: Sequence[int] = _WIDTHS
) -> Generated:
    """Return the function of a seed on registers of so many bytes, of lanes of such widths."""
    rng = random.Random(f"masks {seed}")
    size, width = rng.choice(registers), rng.choice(widths)
    s = Shape(max(2, size * 8 // width), width)
    m = Masked(Registers(Writer(rng), rng.random() < 0.3, size), s)
    for pointer in rng.choice((("%a0",), ("%a0", "%a1"), ("%a0", "%a1", "%a2"))):
        m.r.load(s, size, pointer)
    if rng.random() < 0.2:  # predicates of another width
        other = Shape(s.lanes, rng.choice([n for n in (8, 16, 32) if n != width]))
        if other.bits % 8 == 0 and other.bits <= 2 * 8 * size:
            m.r.load(other, other.bits // 8, "%b0")
    roots = [f for f, n in _ROOTS for _ in range(n)]
    mask = _mask(m)
    for _ in range(rng.choice((1, 1, 1, 2))):
        rng.choice(roots)(m, mask)
    return m.r.made(seed)
