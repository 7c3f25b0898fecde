"""Bytes that are looked up: loops in C over tables, and vector functions of bytes that may be."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from tests.fuzz.case import IN_PLACE, LOOP, OVERLAP, Argument, Call, Case, Pointer, contents
from tests.fuzz.generate import INPUT_BYTES, OUTPUT_BYTES, Generated
from tests.fuzz.small import function, load
from tests.fuzz.writer import Shape, Writer

_SIZES: Final = (5, 8, 16, 16, 16, 16, 17, 24, 32, 32, 48, 64, 64, 100, 128, 256)
_LENGTHS: Final = (0, 1, 7, 15, 16, 31, 33, 64, 65, 127, 128, 131, 200)
_CALLS: Final = 6
# What a loop does with the table that it reads, beside reading.
_WRITES: Final = ("", "", "", "", "", "", "{t}[s[i] & 3] = i;", "{t}[0] ^= d[i];")
_AFTER: Final = (
    "{}", "{}", "{}", "({0} >> 4)", "({0} & 7)", "(uint8_t)({0} << 1)", "({0} != 0)",
    "({0} & 32 ? 255 : 0)", "({0} == 9 ? 255 : 0)", "(uint8_t)({0} * 3 + 1)", "({0} >> (i & 3))",
)  # fmt: skip


@dataclass(slots=True)
class Tables:
    """Tables of a loop: lines in front of its function, parameters, and sizes of their memory."""

    rng: random.Random
    name: str
    before: list[str] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    count: int = 0

    def lookup(self, byte: str) -> str:
        """Return an element of a new table at what an expression of a byte is; now and then more is
        there than a parameter says, and the index reaches it.
        """
        rng, size, self.count = self.rng, self.rng.choice(_SIZES), self.count + 1
        half, whole = size.bit_length() - 1, 1 << (size.bit_length() - 1)
        mask = rng.choice((whole - 1, whole - 1, whole - 1, size - 1, rng.randrange(size)))
        by_shift = f"{byte} >> {8 - half}" if half < 8 else byte
        index = rng.choice((f"{byte} & {mask}", f"{byte} & {mask}", by_shift))
        called = f"t{self.count - 1}" if rng.random() < 0.4 else f"{self.name}_{self.count - 1}"
        kind = rng.choice(("uint8_t",) * 9 + ("int8_t",))
        if called[0] == "t":
            said = rng.choice((size, size, size, max(1, size // 2)))
            const, alone = rng.choice(("const ", "")), rng.choice(("restrict ", "restrict ", ""))
            self.given.append(f"{const}{kind} {called}[{alone}static {said}]")
            self.sizes.append(size)
        else:
            entries = ", ".join(str(rng.choice((rng.randrange(128), k % 128))) for k in range(size))
            const = rng.choice(("const ", "const ", ""))
            self.before.append(f"static {const}{kind} {called}[{size}] = {{{entries}}};")
        return f"{called}[{index}]"


def _byte(rng: random.Random) -> str:
    return rng.choice(("s[i]",) * 5 + ("s[i + 1]", "(uint8_t)(s[i] + 3)", "(uint8_t)(s[i] ^ d[i])"))


def _of_one_byte(rng: random.Random) -> str:
    """Return a function of a byte without a table: a set, pieces, or a product in GF(2^8)."""
    x, kind = rng.choice(("s[i]", "(s[i] & 15)", "(s[i] >> 4)")), rng.randrange(3)
    if kind == 0:
        top = 256 if x == "s[i]" else 16
        members = " || ".join(f"{x} == {rng.randrange(top)}" for _ in range(rng.randrange(2, 9)))
        return f"({members} ? {rng.choice((255, 1, 64))} : 0)"
    if kind == 1:
        at = sorted(rng.randrange(16) for _ in range(rng.randrange(1, 4)))
        parts = "".join(f"{x} < {k} ? (uint8_t)({x} + {rng.randrange(99)}) : " for k in at)
        return f"({parts}{rng.randrange(256)})"
    double = "((uint8_t)(s[i] << 1) ^ (s[i] >> 7) * 0x1d)"
    return f"({double} ^ {rng.choice(('s[i]', 's[i] >> 3', '0x63', 'd[i]'))})"


def lookup_loop(rng: random.Random, name: str) -> tuple[str, Case]:
    """Return a C function and the calls of it."""
    tables, parts = Tables(rng, name), list[str]()
    for _ in range(rng.choice((1, 1, 2, 2, 3))):
        found = tables.lookup(_byte(rng)) if rng.random() < 0.75 else _of_one_byte(rng)
        parts.append(rng.choice(_AFTER).format(found))
    joined = parts[0]
    for part in parts[1:]:
        joined = f"({joined} {rng.choice('&^|+')} {part})"
    free = [g.partition("[")[0].split()[-1] for g in tables.given if not g.startswith("const")]
    written = rng.choice(_WRITES).format(t=free[0]) if free else ""
    alone = rng.choice(("restrict ", "restrict ", "restrict ", ""))
    to = rng.choice(("d[i] =", "d[i] =", "d[i] =", "d[i] ^="))
    kind, bits = rng.choice(("int", "long")), rng.choice((8, 8, 8, 8, 16))
    lines = [
        *tables.before,
        f"void {name}(uint{bits}_t *{alone}d, const uint8_t *{alone}s, "
        + "".join(f"{g}, " for g in tables.given)
        + f"{kind} n) {{",
        f"  for ({kind} i = 0; i < n; i++) {{ {to} {joined}; {written} }}",
        "}\n",
    ]
    also = 2 if tables.given and "restrict" not in tables.given[0] else 1
    within = 0 if alone else rng.choice((1, also, 0))
    sizes = tables.sizes
    kinds = {LOOP} | ({OVERLAP, IN_PLACE} if within else set())
    made = [_call(rng, n, bits // 8, sizes, within) for n in rng.sample(_LENGTHS, _CALLS)]
    return "\n".join(lines), Case(name, tuple(made), frozenset(kinds))


def _call(rng: random.Random, n: int, width: int, sizes: Sequence[int], within: int) -> Call:
    """Return a call; the output lies in the memory of argument ``within``, if that is not 0."""
    regions = [contents(rng, n * width), contents(rng, n + 1), *(contents(rng, k) for k in sizes)]
    given: list[Argument] = [Pointer(k) for k in range(len(regions))]
    if within:
        shift = rng.choice((0, 0, 1, 8, 16)) * width
        size = max(len(regions[within]), shift + n * width)
        regions[within] = contents(rng, size + size % width)
        given[0] = Pointer(within, shift)
    return Call(tuple(regions), (*given, n), rng.random() < 0.5)


def _splat(value: int) -> str:
    return f"splat (i8 {value})"


def _selects(w: Writer, s: Shape, x: str) -> str:
    """A byte for each of some values of a half, another for all others."""
    rng, result = w.rng, _splat(w.rng.randrange(256))
    low = rng.choice((f"and {s} {x}, {_splat(15)}", f"lshr {s} {x}, {_splat(4)}"))
    half = w.emit(s, low) if rng.random() < 0.8 else x
    for _ in range(rng.randrange(1, 6)):
        test = rng.choice(("eq", "eq", "ult", "sgt", "ne"))
        c = w.emit(
            s.masks(), f"icmp {test} {s} {half}, {_splat(rng.choice((10, rng.randrange(16))))}"
        )
        other = rng.choice((half, _splat(rng.randrange(256))))
        result = w.emit(s, f"select {s.masks()} {c}, {s} {other}, {s} {result}")
    return result


def _linear(w: Writer, s: Shape, x: str) -> str:
    """A sum of shifted bytes and of bits times literals in GF(2^8), of one byte or of two."""
    rng, total = w.rng, w.rng.choice((x, _splat(w.rng.randrange(256)), w.pick(s)))
    for _ in range(rng.randrange(1, 5)):
        of = rng.choice((x, x, x, w.pick(s)))
        k, how = rng.randrange(1, 8), rng.choice(("shl", "lshr", "ashr"))
        part = w.emit(s, f"{how} {s} {of}, {_splat(k if how != 'ashr' else 7)}")
        if rng.random() < 0.6:
            part = w.emit(s, f"and {s} {part}, {_splat(rng.randrange(256))}")
        total = w.emit(s, f"xor {s} {total}, {part}")
    return total


def _elements(w: Writer, s: Shape, x: str) -> str:
    """Elements of a table at each lane, within it."""
    rng, n = w.rng, w.rng.choice((16, 16, 16, 32, 64))
    table = w.vector(Shape(n, 8), [rng.randrange(256) for _ in range(n)])
    if rng.random() < 0.4:
        table = load(w, Shape(n, 8), "%a1", "")
    index, last = w.emit(s, f"and {s} {x}, {_splat(n - 1)}"), "poison"
    for k in range(s.lanes):
        at = w.scalar(f"extractelement {s} {index}, i64 {k}")
        lane = w.scalar(f"extractelement <{n} x i8> {table}, i8 {at}")
        last = w.scalar(f"insertelement {s} {last}, i8 {lane}, i64 {k}")
    w.values[s].append(last)
    return last


_X86: Final = {
    16: "llvm.x86.ssse3.pshuf.b.128",
    32: "llvm.x86.avx2.pshuf.b",
    64: "llvm.x86.avx512.pshuf.b.512",
}


def _instruction(w: Writer, s: Shape, x: str) -> str:
    """An instruction's lookup, in a table of literals or not, of which any index may be outside."""
    literal = w.vector(s, [w.rng.randrange(256) for _ in range(s.lanes)])
    operands = [f"{s} {w.rng.choice((literal, literal, w.pick(s)))}", f"{s} {x}"]
    return w.call(s, _X86[s.lanes], operands)


def _after(w: Writer, s: Shape, x: str) -> str:
    """What is often done to a looked-up byte."""
    how = w.rng.choice(("lshr", "and", "xor", "add", "or", "shl"))
    limit = 8 if how in ("lshr", "shl") else 256
    other = _splat(w.rng.randrange(limit))
    return w.emit(s, f"{how} {s} {x}, {other if limit == 8 or w.rng.random() < 0.6 else w.pick(s)}")


def tables(seed: int, lanes: Sequence[int] = (16, 32), *, x86: bool = True) -> Generated:
    """Return the function of a seed on vectors of so many bytes, with x86's instructions or without
    any target's.
    """
    rng = random.Random(f"tables {seed}")
    w, s = Writer(rng), Shape(rng.choice(lanes), 8)
    x = load(w, s, "%a0", "")
    load(w, s, "%a1", "", rng.choice((0, 1)))
    kinds: list[Callable[[Writer, Shape, str], str]] = [_selects, _linear, _elements]
    kinds += [_instruction] * (2 * x86)
    result = rng.choice(kinds)(w, s, x)
    if rng.random() < 0.4:
        other = rng.choice(kinds)(w, s, x if rng.random() < 0.6 else w.pick(s))
        result = w.emit(s, f"{rng.choice(('and', 'or', 'xor', 'add'))} {s} {result}, {other}")
    for _ in range(rng.choice((0, 0, 1, 2))):
        result = _after(w, s, result)
    text = function(w, ["%a0", "%a1"], result, s, 0)
    return Generated(seed, text, (INPUT_BYTES, INPUT_BYTES, OUTPUT_BYTES))
