"""Loops whose vectors are spliced with those of the iteration before, right neighbours mostly, and
otherwise anything near: other offsets, strides, starts, stores in between, buffers that overlap.

Each call gets exactly the bytes that its function touches, at the edge of a page that cannot be.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import Final

from tests.fuzz.case import (
    IN_PLACE,
    LOOP,
    MISALIGNED,
    OVERLAP,
    STRIDED,
    Call,
    Case,
    Pointer,
    contents,
)

MASKED: Final = "llvm.masked.store."
_CALLS: Final = 4
_OTHERWISE: Final = 0.12  # of each part of a loop


@dataclass(slots=True)
class _Loop:
    """A function ``@NAME(ptr %p, ptr %q)`` while it is written; bytes that it touches behind each
    pointer.
    """

    name: str
    rng: random.Random
    lanes: int
    width: int
    lines: list[str] = field(default_factory=list)
    touched: dict[str, tuple[int, int]] = field(default_factory=dict)
    count: int = 0

    @property
    def kind(self) -> str:
        return f"<{self.lanes} x i{8 * self.width}>"

    @property
    def suffix(self) -> str:
        return f"v{self.lanes}i{8 * self.width}"

    def odd(self) -> bool:
        """Tell whether the next part is to be unusual."""
        return self.rng.random() < _OTHERWISE

    def touch(self, pointer: str, first: int, count: int) -> None:
        """Note elements that are read or written."""
        low, high = first * self.width, (first + count) * self.width
        old = self.touched.get(pointer, (low, high))
        self.touched[pointer] = min(old[0], low), max(old[1], high)

    def fresh(self, text: str) -> str:
        """Write an instruction; return its name."""
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def at(self, pointer: str, index: str, more: int) -> str:
        """Return the address of an element, said in one of several ways."""
        way = self.rng.randrange(4)
        unit = f"i{8 * self.width}"
        if not index:
            return self.fresh(f"getelementptr {unit}, ptr {pointer}, i64 {more}")
        if way == 0:
            near = self.fresh(f"getelementptr {unit}, ptr {pointer}, i64 {index}")
            return self.fresh(f"getelementptr inbounds i8, ptr {near}, i64 {more * self.width}")
        if way == 1 and self.width > 1:
            scaled = self.fresh(f"shl i64 {index}, {self.width.bit_length() - 1}")
            near = self.fresh(f"getelementptr i8, ptr {pointer}, i64 {scaled}")
            return self.fresh(f"getelementptr {unit}, ptr {near}, i64 {more}")
        both = self.fresh(f"add i64 {index}, {more}")
        return self.fresh(f"getelementptr {unit}, ptr {pointer}, i64 {both}")

    def splice(self, before: str, now: str, by: int) -> str:
        """Splice the last ``by`` lanes of one vector with another."""
        mask = ", ".join(f"i32 {self.lanes - by + k}" for k in range(self.lanes))
        kind = self.kind
        return self.fresh(
            f"shufflevector {kind} {before}, {kind} {now}, <{self.lanes} x i32> <{mask}>"
        )

    def store(self, value: str, to: str, at: str, more: int) -> None:
        """Write a vector."""
        address = self.at(to, at, more)
        if not self.odd():
            self.lines.append(f"  store {self.kind} {value}, ptr {address}, align 1")
            return
        lanes = ", ".join(f"i1 {self.rng.randrange(2)}" for _ in range(self.lanes))
        self.lines.append(
            f"  call void @{MASKED}{self.suffix}.p0({self.kind} {value}, ptr align 1 {address}, "
            f"<{self.lanes} x i1> <{lanes}>)"
        )


def function(name: str, seed: int) -> tuple[str, Case]:
    """Return the function of a seed, and its calls."""
    rng = random.Random(f"carried {seed}")
    width = rng.choice((1, 1, 1, 2, 2, 4))
    w = _Loop(name, rng, max(2, rng.choice((64, 128, 128, 256)) // (8 * width)), width)
    n, kinds = w.lanes, {LOOP, MISALIGNED}
    halves = rng.choice((1, 1, 2))
    step = rng.choice((n // 2, n + 1, 2 * n, 3 * n)) if w.odd() else n * halves
    kinds |= {STRIDED} if step != n * halves else set()
    rounds, by = rng.randrange(1, 6), rng.choice((1, 1, 2, min(3, n)))
    twice = by == 2 and rng.random() < 0.6
    offset = rng.randrange(by, by + 3)
    to, shift = ("%p", rng.randrange(-n - 2, 2 * n)) if rng.random() < 0.25 else ("%q", 0)
    kinds |= {IN_PLACE} if to == "%p" else set()
    w.lines += ["entry:"]
    starts = [_start(w, offset, by if not twice else 1)]
    if twice:
        starts.append(_start(w, offset - 1, 1))
    if w.odd():
        w.lines.append(f"  store i8 {rng.randrange(256)}, ptr {rng.choice(('%p', '%q'))}, align 1")
        for pointer in ("%p", "%q"):
            w.touch(pointer, 0, 1)
    _body(w, starts, step=step, rounds=rounds, by=by, offset=offset, to=to, shift=shift, n=halves)
    apart = rng.random() < 0.6
    words = ["ptr noalias %p, ptr noalias %q", "ptr noalias %p, ptr %q", "ptr %p, ptr noalias %q"]
    head = f"define void @{name}({rng.choice(words) if apart else 'ptr %p, ptr %q'}) {{"
    calls = tuple(_call(w, rng, k, apart=apart) for k in range(_CALLS))
    kinds |= set() if apart else {OVERLAP}
    return "\n".join([head, *w.lines, "}", ""]), Case(name, calls, frozenset(kinds))


def declared(text: str) -> list[str]:
    """Return the declarations that functions need."""
    kinds = sorted(set(re.findall(rf"@{MASKED}v(\d+)i(\d+)\.p0", text)))
    return [
        f"declare void @{MASKED}v{n}i{bits}.p0(<{n} x i{bits}>, ptr, <{n} x i1>)"
        for n, bits in kinds
    ]


def _start(w: _Loop, first: int, lanes: int) -> str:
    """Return what a phi begins with: the elements before ``first``, as a vector or one by one."""
    if w.odd():
        first += w.rng.choice((-1, 1))
    if w.rng.random() < 0.25:
        w.touch("%p", first - w.lanes, w.lanes)
        return w.fresh(f"load {w.kind}, ptr {w.at('%p', '', first - w.lanes)}, align 1")
    value = "zeroinitializer" if w.odd() else "poison"
    for k in range(lanes):
        source = "%q" if w.odd() and w.odd() else "%p"
        w.touch(source, first - lanes + k, 1)
        element = f"i{8 * w.width}"
        one = w.fresh(f"load {element}, ptr {w.at(source, '', first - lanes + k)}, align 1")
        value = w.fresh(
            f"insertelement {w.kind} {value}, {element} {one}, i64 {w.lanes - lanes + k}"
        )
    return value


def _body(
    w: _Loop,
    starts: list[str],
    *,
    step: int,
    rounds: int,
    by: int,
    offset: int,
    to: str,
    shift: int,
    n: int,
) -> None:
    """Write the loop: ``n`` vectors a round, each spliced with the one before it."""
    head = len(w.lines)
    carried, last = [f"%c{k}" for k in range(len(starts))], ""
    w.lines += ["  br label %loop", "loop:", "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]", ""]
    for half in range(n):
        here = offset + half * w.lanes
        now = w.fresh(f"load {w.kind}, ptr {w.at('%p', '%i', here)}, align 1")
        early = w.odd()
        if early:
            w.store(now, to, "%i", shift + half * w.lanes)
        near = w.splice(carried[0], now, 1 if len(carried) > 1 else by)
        value = w.fresh(f"{w.rng.choice(('add', 'sub', 'xor'))} {w.kind} {now}, {near}")
        if len(carried) > 1:
            far = w.splice(carried[1], near, 1)
            value = w.fresh(f"xor {w.kind} {value}, {far}")
            carried = [now, near]
        else:
            carried = [now]
        if w.odd() and w.odd():
            last = w.fresh(f"freeze {w.kind} {now}")
            carried[0] = last
        w.store(value, to, "%i", shift + half * w.lanes)
        for k in range(rounds):
            w.touch("%p", k * step + here, w.lanes)
            w.touch(to, k * step + shift + half * w.lanes, w.lanes)
    phis = "\n".join(
        f"  %c{k} = phi {w.kind} [ {start}, %entry ], [ {carried[k]}, %loop ]"
        for k, start in enumerate(starts)
    )
    w.lines[head + 3] = phis
    w.lines += [
        f"  %next = add nuw i64 %i, {step}",
        f"  %done = icmp eq i64 %next, {step * rounds}",
        "  br i1 %done, label %exit, label %loop",
        "exit:",
        "  ret void",
    ]


def _call(w: _Loop, rng: random.Random, k: int, *, apart: bool) -> Call:
    """Return a call on exactly the bytes that are touched, in one region where they may overlap."""
    p, q = w.touched.get("%p", (0, 1)), w.touched.get("%q", (0, 1))
    if apart or k == 0:
        regions = tuple(contents(rng, high - low) for low, high in (p, q))
        return Call(regions, (Pointer(0, -p[0]), Pointer(1, -q[0])), k % 2 == 0)
    between = rng.randrange(-2 * w.lanes * w.width, 2 * w.lanes * w.width)
    low, high = min(p[0], q[0] + between), max(p[1], q[1] + between)
    arguments = Pointer(0, -low), Pointer(0, between - low)
    return Call((contents(rng, high - low),), arguments, k % 2 == 0)
