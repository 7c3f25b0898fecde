"""Loops of stencils for tests: sums of vectors that are loaded at places of a grid."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.fuzz.case import Call, Pointer

EXTREMES = ("umax", "umin", "smax", "smin")


@dataclass(frozen=True, slots=True)
class Grid:
    """A loop of ``passes`` that moves by ``step`` bytes, loads vectors at ``rows`` (bytes) and
    ``places`` (lanes), and stores what ``op`` joins, after each load was extended by ``cast`` and
    taken ``weights`` times (by row and place); ``order`` is that of the terms.
    """

    rows: Sequence[int] = (0, 64, 128)
    places: Sequence[int] = (0, 1, 2)
    op: str = "umax"
    cast: str = ""
    weights: Sequence[Sequence[int]] = ()
    bits: int = 8
    lanes: int = 16
    step: int = 16
    passes: int = 3
    noalias: str = "noalias"
    order: Sequence[int] = field(default=())
    more: str = ""

    @property
    def width(self) -> int:
        """Bits of a lane that is joined."""
        return 2 * self.bits if self.cast else self.bits

    @property
    def kind(self) -> str:
        """The type of what is joined."""
        return f"<{self.lanes} x i{self.width}>"

    @property
    def read(self) -> int:
        """Bytes that are read."""
        last = max(self.rows) + max(self.places) * self.bits // 8
        return (self.passes - 1) * self.step + last + self.lanes * self.bits // 8

    @property
    def written(self) -> int:
        """Bytes that are written."""
        return self.passes * self.lanes * self.width // 8

    def text(self) -> str:
        """Return the loop as a function ``f`` of what it reads and what it writes."""
        callee, two = f"@llvm.{self.op}.v{self.lanes}i{self.width}", f"{self.kind}, {self.kind}"
        declared = f"declare {self.kind} {callee}({two})" if self.op != "add" else ""
        body = [x for n in self._terms() for x in self._term(*n)]
        found, *others = (f"%t{n}.{k}" for n, k in self._terms())
        for n, x in enumerate(others):
            body.append(f"%s{n} = {self._join(found, x)}")
            found = f"%s{n}"
        body += [self.more.replace("%last", found)] if self.more else []
        size, lines = self.lanes * self.width // 8, "\n".join(f"  {x}" for x in body)
        return f"""{declared}
define void @f(ptr {self.noalias} noundef %a, ptr {self.noalias} noundef %b) {{
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %kn, %loop ]
  %here = mul i64 %k, {self.step}
  %p = getelementptr i8, ptr %a, i64 %here
{lines}
  %there = mul i64 %k, {size}
  %q = getelementptr i8, ptr %b, i64 %there
  store {self.kind} {found}, ptr %q, align 1
  %kn = add i64 %k, 1
  %done = icmp eq i64 %kn, {self.passes}
  br i1 %done, label %end, label %loop
end:
  ret void
}}
"""

    def _terms(self) -> list[tuple[int, int]]:
        every = [(n, k) for n in range(len(self.rows)) for k in range(len(self.places))]
        return [every[x] for x in self.order] if self.order else every

    def _term(self, n: int, k: int) -> list[str]:
        name, at = f"{n}.{k}", self.rows[n] + self.places[k] * self.bits // 8
        own = f"<{self.lanes} x i{self.bits}>"
        lines = [f"%p{name} = getelementptr i8, ptr %p, i64 {at}"]
        lines += [f"%x{name} = load {own}, ptr %p{name}, align 1"]
        value = f"%x{name}"
        if self.cast:
            lines.append(f"%y{name} = {self.cast} {own} {value} to {self.kind}")
            value = f"%y{name}"
        weight = self.weights[n][k] % (1 << self.width) if self.weights else 1
        if self.op != "add":
            return [x.replace(f"{value} =", f"%t{name} =") for x in lines]
        return [*lines, f"%t{name} = mul {self.kind} {value}, splat (i{self.width} {weight})"]

    def _join(self, a: str, b: str) -> str:
        if self.op == "add":
            return f"add {self.kind} {a}, {b}"
        callee = f"@llvm.{self.op}.v{self.lanes}i{self.width}"
        return f"call {self.kind} {callee}({self.kind} {a}, {self.kind} {b})"

    def calls(self, seed: int = 0) -> list[Call]:
        """Return calls with as much memory as is accessed, which ends or begins at a page that is
        not to be touched.
        """
        rng = random.Random(seed)
        return [
            Call(
                (rng.randbytes(self.read), bytes(self.written)), (Pointer(0), Pointer(1)), high=high
            )
            for high in (True, False)
        ]


def random_grid(seed: int) -> Grid:
    """Return a stencil of any rows, places and weights, whose passes go along, down or elsewhere."""
    rng = random.Random(seed)
    bits, lanes = rng.choice((8, 8, 16)), rng.choice((8, 16))
    size, pitch = bits * lanes // 8, rng.choice((48, 64, 80))
    count = rng.choice((2, 3, 3, 4))
    step = rng.choice((size, size, pitch, pitch, 2 * pitch, size // 2, 24))
    rows = [pitch * n for n in range(count)]
    if rng.random() < 0.1:
        rows[-1] += rng.choice((1, bits // 8, -pitch))
    places = sorted(rng.sample(range(rng.choice((3, 5))), rng.choice((2, 3))))
    op, cast = rng.choice((*EXTREMES, "add", "add", "add")), rng.choice(("", "zext", "sext"))
    weights: list[list[int]] = []
    if op == "add" and rng.random() < 0.7:
        down, along = ([rng.choice((1, 1, 2, 3, -1)) for _ in x] for x in (rows, places))
        weights = [[a * b for b in along] for a in down]
        if rng.random() < 0.2:
            weights[0][0] += 1
    order = rng.sample(range(len(rows) * len(places)), len(rows) * len(places))
    return Grid(
        rows, places, op, cast, weights, bits, lanes, step, rng.randrange(1, 6), order=order
    )
