"""A seeded generator of vector functions without undefined behaviour or poison, on byte buffers."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from isel.spec.instruction import Instruction, Operand, Role
from tests.fuzz.case import contents
from tests.fuzz.idioms import PLAIN, WIDENING
from tests.fuzz.operations import MAX_BITS, SINGLE, Production
from tests.fuzz.writer import Shape, Writer

INPUT_BYTES: Final = 384
OUTPUT_BYTES: Final = 1024
NAME: Final = "f"
_WIDTHS: Final = (8, 8, 8, 16, 16, 16, 32, 32, 64)
_ODD_WIDTHS: Final = (1, 4, 5, 12, 24, 40, 48)
_ROWS: Final = 0.15  # of functions with rows times scalars
_ODD_LANES: Final = (2, 3, 5, 6, 7, 12, 20, 24)
_PLACEHOLDER: Final = re.compile(r"([%$])([A-Za-z_][\w.]*)")


@dataclass(frozen=True, slots=True)
class Generated:
    """A module with one function ``@f`` of pointers, and the sizes of the buffers it is to be
    called with.
    """

    seed: int
    text: str
    sizes: tuple[int, ...]

    def buffers(self, count: int) -> list[list[bytes]]:
        """Return argument lists: random, corner and mixed contents."""
        rng = random.Random(f"buffers {self.seed}")
        return [[contents(rng, size) for size in self.sizes] for _ in range(count)]


def _shape(rng: random.Random) -> Shape:
    if rng.random() < 0.12:
        return Shape(rng.choice(_ODD_LANES), rng.choice(_WIDTHS))
    if rng.random() < 0.04:
        return Shape(rng.choice((4, 8, 16)), rng.choice(_ODD_WIDTHS))
    width = rng.choice(_WIDTHS)
    return Shape(max(2, rng.choice((128, 256, 256, 512, 512)) // width), width)


def _load(w: Writer, shape: Shape, pointer: str) -> None:
    size = (shape.bits + 7) // 8
    room = INPUT_BYTES - size
    step = w.rng.choice((1, 16, size if size <= room else 1))
    offset = w.rng.randrange(room // step + 1) * step if w.rng.random() < 0.6 else 0
    align = 128 if offset == 0 else offset & -offset
    address = (
        w.scalar(f"getelementptr inbounds i8, ptr {pointer}, i64 {offset}") if offset else pointer
    )
    w.emit(shape, f"load {shape}, ptr {address}, align {w.rng.choice((1, min(align, 128)))}")


def _weighted(rng: random.Random, table: Sequence[tuple[Production, int]]) -> Production:
    return rng.choices([p for p, _ in table], [n for _, n in table])[0]


def _step(w: Writer, shape: Shape, instructions: Sequence[Instruction]) -> None:
    live = [s for s, names in w.values.items() if names and s.width > 1 and s.lanes > 1]
    s = shape if w.rng.random() < 0.5 or not live else w.rng.choice(live)
    if instructions and w.rng.random() < 0.25:
        _target_instruction(w, w.rng.choice(instructions))
        return
    kind = w.rng.random()
    if kind < 0.25 and s.width * 2 <= 64 and s.bits * 2 <= MAX_BITS and s.width >= 4:
        _weighted(w.rng, WIDENING)(w, s)
    elif kind < 0.4 and s.width >= 4:
        _weighted(w.rng, PLAIN)(w, s)
    else:
        _weighted(w.rng, SINGLE)(w, s)


def _target_instruction(w: Writer, instruction: Instruction) -> None:
    given = {o.name: _operand(w, o) for o in instruction.operands}
    immediates = {i.name: w.rng.choice(i.values) for i in instruction.immediates}
    fresh: dict[str, str] = {}

    def name(found: re.Match[str]) -> str:
        if found[1] == "$":
            return str(immediates[found[2]])
        if found[2] in given:
            return given[found[2]]
        return fresh.setdefault(found[2], w.fresh())

    lines = [_PLACEHOLDER.sub(name, row) for row in instruction.emission]
    w.lines += [f"  {row}" for row in lines]
    for row in lines:
        if " call " in f" {row}":
            w.declare_for(row)
    if instruction.lanes > 1:
        w.values.setdefault(Shape(instruction.lanes, instruction.width), []).append(fresh["r"])
        return
    around = Shape(128 // instruction.width, instruction.width)
    w.emit(
        around,
        f"insertelement {around} {w.pick(around)}, i{around.width} {fresh['r']}, i64 {w.rng.randrange(around.lanes)}",
    )


def _operand(w: Writer, operand: Operand) -> str:
    if operand.role is not Role.SCALAR:
        return _as_bits(w, Shape(operand.lanes, operand.width))
    sources = [s for s in w.values if s.width == operand.width and w.values[s]]
    if not sources or w.rng.random() < 0.5:
        return str(w.number(operand.width))
    source = w.rng.choice(sources)
    return w.scalar(
        f"extractelement {source} {w.pick(source)}, i64 {w.rng.randrange(source.lanes)}"
    )


def _as_bits(w: Writer, shape: Shape) -> str:
    if w.values.get(shape):
        return w.pick(shape)
    like = [s for s in w.values if s.bits == shape.bits and w.values[s]]
    if not like:
        return w.constant(shape)
    source = w.rng.choice(like)
    return w.emit(shape, f"bitcast {source} {w.pick(source)} to {shape}")


def _stores(w: Writer) -> list[str]:
    """Store what nothing has used, the newest first, as far as the output has room."""
    lines: list[str] = []
    offset = 0
    order = [
        (name, shape) for shape, names in w.values.items() for name in names if shape.width % 8 == 0
    ]
    newest = sorted(order, key=lambda pair: -int(pair[0][2:]))
    wanted = [pair for pair in newest if pair[0] not in w.used][:4] or newest[:1]
    for name, shape in wanted:
        size = (shape.bits + 7) // 8
        if offset + size > OUTPUT_BYTES:
            break
        address = "%out" if offset == 0 else w.fresh()
        if offset:
            lines.append(f"  {address} = getelementptr inbounds i8, ptr %out, i64 {offset}")
        lines.append(
            f"  store {shape} {name}, ptr {address}, align {1 if offset else w.rng.choice((1, 16, 128))}"
        )
        offset += (size + 63) // 64 * 64
    return lines


def _weighted_rows(w: Writer, shape: Shape, pointers: Sequence[str], rng: random.Random) -> None:
    """Rows of memory times scalars beside each other in memory, added up in wider lanes: a product
    of matrices, a filter.

    ``rng`` is apart from that of the function, which stays what it is where this is not used.
    """
    pointer = rng.choice(pointers)
    ways = rng.choice((2, 2, 3, 4))
    narrow = Shape(shape.lanes, rng.choice((8, 16)))
    wide = Shape(shape.lanes, narrow.width * rng.choice((2, 4)))
    size, step = narrow.bits // 8, rng.choice((narrow.width // 8, narrow.bits // 8))
    if (
        narrow.bits % 8
        or wide.bits > 1024
        or wide.width > 32
        or 2 * ways * max(size, step) > INPUT_BYTES
    ):
        return
    rows, spots = (
        rng.randrange(0, INPUT_BYTES // 2 - ways * max(size, step) + 1),
        INPUT_BYTES // 2 + rng.randrange(64),
    )
    signs = rng.choices(("sext", "zext"), k=2)
    total = ""
    for k in rng.sample(range(ways), ways):
        row = w.scalar(f"getelementptr inbounds i8, ptr {pointer}, i64 {rows + k * step}")
        spot = w.scalar(
            f"getelementptr inbounds i8, ptr {pointer}, i64 {spots + k * narrow.width // 8}"
        )
        values = w.emit(narrow, f"load {narrow}, ptr {row}, align 1")
        scalar = w.scalar(f"load i{narrow.width}, ptr {spot}, align 1")
        first = w.scalar(f"insertelement {narrow} poison, i{narrow.width} {scalar}, i64 0")
        splat = w.emit(
            narrow,
            f"shufflevector {narrow} {first}, {narrow} poison, <{narrow.lanes} x i32> zeroinitializer",
        )
        x, y = (
            w.emit(wide, f"{sign} {narrow} {v} to {wide}")
            for sign, v in zip(signs, (values, splat), strict=True)
        )
        product = w.emit(wide, f"mul {wide} {x}, {y}")
        total = w.emit(wide, f"add {wide} {total}, {product}") if total else product


def _straight(
    w: Writer,
    shape: Shape,
    pointers: Sequence[str],
    instructions: Sequence[Instruction],
    rows: random.Random | None,
) -> list[str]:
    for pointer in pointers:
        _load(w, shape, pointer)
    if rows is not None:
        _weighted_rows(w, shape, pointers, rows)
    for _ in range(w.rng.choice((2, 4, 6, 8, 12))):
        _step(w, shape, instructions)
    stores = _stores(w)
    return ["entry:", *w.lines, *stores, "  ret void"]


def _looped(
    w: Writer,
    shape: Shape,
    pointers: Sequence[str],
    instructions: Sequence[Instruction],
    rows: random.Random | None,
) -> list[str]:
    """A loop over consecutive vectors with an accumulator, stored at the end and in each round."""
    size = (shape.bits + 7) // 8
    rounds = max(1, min(INPUT_BYTES, OUTPUT_BYTES // 2) // size)
    w.values.setdefault(shape, []).append("%acc")
    w.scalar(f"mul i64 %i, {size}")
    offset = f"%v{w.names}"
    for pointer in pointers:
        address = w.scalar(f"getelementptr inbounds i8, ptr {pointer}, i64 {offset}")
        w.emit(shape, f"load {shape}, ptr {address}, align 1")
    if rows is not None:
        _weighted_rows(w, shape, pointers, rows)
    for _ in range(w.rng.choice((2, 3, 5))):
        _step(w, shape, instructions)
    following = w.values[shape][-1]
    spot = w.scalar(f"getelementptr inbounds i8, ptr %out, i64 {offset}")
    last = w.fresh()
    return [
        "entry:",
        "  br label %loop",
        "loop:",
        "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
        f"  %acc = phi {shape} [ {w.constant(shape)}, %entry ], [ {following}, %loop ]",
        *w.lines,
        f"  store {shape} {following}, ptr {spot}, align 1",
        "  %next = add nuw nsw i64 %i, 1",
        f"  %more = icmp ult i64 %next, {rounds}",
        "  br i1 %more, label %loop, label %exit",
        "exit:",
        f"  {last} = getelementptr inbounds i8, ptr %out, i64 {OUTPUT_BYTES // 2}",
        f"  store {shape} {following}, ptr {last}, align 1",
        "  ret void",
    ]


def generate(
    seed: int, instructions: Sequence[Instruction] = (), *, rows: float = _ROWS
) -> Generated:
    """Return the function of a seed; ``instructions`` of a target are mixed in as intrinsics (their
    features must be the host's).

    ``rows`` is the part of functions that have rows of memory times scalars.
    """
    rng = random.Random(seed)
    w = Writer(rng)
    shape = _shape(rng)
    pointers = [f"%a{i}" for i in range(rng.choice((1, 2, 2, 3, 4)))]
    loop = rng.random() < 0.15 and shape.width % 8 == 0
    drawn = random.Random(f"rows {seed}")
    body = (_looped if loop else _straight)(
        w, shape, pointers, instructions, drawn if drawn.random() < rows else None
    )
    parameters = ", ".join([*(f"ptr noalias {p}" for p in pointers), "ptr noalias %out"])
    declared = list(w.declared.values())
    text = "\n".join(
        [
            'target triple = "x86_64-pc-linux-gnu"',
            "",
            f"define void @{NAME}({parameters}) #0 {{",
            *body,
            "}",
            "",
            *declared,
            "",
            f"attributes #0 = {{ nounwind{rng.choice(('', _WIDE, _WIDE))} }}",
            "",
        ]
    )
    return Generated(seed, text, (INPUT_BYTES,) * len(pointers) + (OUTPUT_BYTES,))


_WIDE: Final = ' "min-legal-vector-width"="512" "prefer-vector-width"="512"'
