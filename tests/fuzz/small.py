"""Small vector functions: one or two idioms between loads and a store, in a loop or not.

Most of the time something can be done better.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from tests.fuzz.generate import INPUT_BYTES, NAME, OUTPUT_BYTES, Generated
from tests.fuzz.idioms import (
    average,
    bit_select,
    clamp,
    difference,
    dot_product,
    high_product,
    stencil,
    widened_saturation,
)
from tests.fuzz.operations import MAX_BITS, Production, binary, choose, pairwise
from tests.fuzz.writer import Shape, Writer

_WIDENING: Final = (
    (high_product, 6),
    (widened_saturation, 3),
    (stencil, 4),
    (average, 1),
    (clamp, 1),
)
_PLAIN: Final = ((dot_product, 8), (difference, 1), (bit_select, 1))
_OTHER: Final = ((binary, 1), (pairwise, 1), (choose, 1))


def small(seed: int, *, bits: int = 256) -> Generated:
    """Return the function of a seed, in vectors of at most ``bits`` bits before they are
    widened.
    """
    rng = random.Random(f"small {seed}")
    w = Writer(rng)
    width = rng.choice((8, 8, 8, 8, 16, 16, 16, 16, 32))
    shape = Shape(rng.choice((bits, bits, bits, bits, bits, 128, 64)) // width, width)
    pointers = [f"%a{i}" for i in range(rng.choice((1, 2, 2, 2, 3)))]
    loop = rng.random() < 0.45
    size = shape.bits // 8
    offset = w.scalar(f"mul i64 %i, {size}") if loop else ""
    for pointer in pointers:
        load(w, shape, pointer, offset)
        if rng.random() < 0.2:
            load(w, shape, pointer, offset, rng.choice((1, 2, 16, size)))
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
        _idiom(w, shape)
    result, kind = _newest(w)
    return Generated(
        seed,
        function(w, pointers, result, kind, INPUT_BYTES // size - 2 if loop else 0),
        (INPUT_BYTES,) * len(pointers) + (OUTPUT_BYTES,),
    )


def _newest(w: Writer) -> tuple[str, Shape]:
    return max(
        ((name, s) for s, names in w.values.items() if s.width > 1 for name in names),
        key=lambda found: int(found[0][2:]),
    )


def _idiom(w: Writer, s: Shape) -> None:
    kind = w.rng.random()
    if kind < 0.6 and s.width <= 32 and s.bits * 2 <= MAX_BITS:
        _weighted(w.rng, _WIDENING)(w, s)
    else:
        _weighted(w.rng, _PLAIN if kind < 0.95 else _OTHER)(w, s)


def _weighted(rng: random.Random, table: Sequence[tuple[Production, int]]) -> Production:
    return rng.choices([p for p, _ in table], [n for _, n in table])[0]


def load(w: Writer, shape: Shape, pointer: str, offset: str, more: int = 0) -> str:
    """Load from a pointer and ``more`` bytes, from ``offset`` on in a loop."""
    address = (
        w.scalar(f"getelementptr inbounds i8, ptr {pointer}, i64 {offset}") if offset else pointer
    )
    if more and more + shape.bits // 8 <= INPUT_BYTES // 2:
        address = w.scalar(f"getelementptr inbounds i8, ptr {address}, i64 {more}")
    return w.emit(shape, f"load {shape}, ptr {address}, align 1")


def function(w: Writer, pointers: list[str], result: str, kind: Shape, rounds: int) -> str:
    """Return the module of a body whose result is stored, in each of ``rounds`` of a loop or once."""
    if not rounds:
        return module(w, pointers, [f"  store {kind} {result}, ptr %out, align 1"], 0)
    rounds = max(1, min(rounds, OUTPUT_BYTES // ((kind.bits + 7) // 8)))
    stores = [
        f"  %at = getelementptr inbounds {kind}, ptr %out, i64 %i",
        f"  store {kind} {result}, ptr %at, align 1",
    ]
    return module(w, pointers, stores, rounds)


def module(w: Writer, pointers: Sequence[str], stores: Sequence[str], rounds: int) -> str:
    """Return the module of a body and the lines that store, in each of ``rounds`` of a loop or
    once.
    """
    parameters = ", ".join(f"ptr noalias {p}" for p in (*pointers, "%out"))
    head = [
        'target triple = "x86_64-pc-linux-gnu"',
        "",
        f"define void @{NAME}({parameters}) #0 {{",
        "entry:",
    ]
    body = [*w.lines, *stores, "  ret void"]
    if rounds:
        body = [
            "  br label %loop",
            "loop:",
            "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
            *w.lines,
            *stores,
            "  %next = add nuw i64 %i, 1",
            f"  %more = icmp ult i64 %next, {rounds}",
            "  br i1 %more, label %loop, label %exit",
            "exit:",
            "  ret void",
        ]
    return "\n".join(
        [*head, *body, "}", "", *w.declared.values(), "", "attributes #0 = { nounwind }", ""]
    )
