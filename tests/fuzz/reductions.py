"""Random loops that reduce: vectors accumulated in one phi or several, or scalars that reductions
are added to, with starts, guards, and now and then a use that keeps the lanes as they are.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tests.fuzz.case import MISALIGNED, REDUCTION, Call, Case, Pointer, contents

FUNCTIONS: Final = 4
_CALLS: Final = 4
_TRIPS: Final = (0, 1, 2, 3, 5)
_JOINS: Final = ("add", "add", "add", "xor", "and", "or", "umin", "umax", "smin", "smax")
_OPCODES: Final = ("add", "and", "or", "xor")
_SPACE: Final = 64  # bytes of the result, and of what is stored beside it


@dataclass(frozen=True, slots=True)
class _Loop:
    """What a loop reduces: ``lanes`` of ``narrow`` bits a load, joined in ``wide`` bits in
    ``count`` accumulators.
    """

    lanes: int
    narrow: int
    wide: int
    count: int
    join: str

    @property
    def step(self) -> int:
        return self.lanes * self.count

    def vector(self, width: int) -> str:
        return f"<{self.lanes} x i{width}>"


class _Writer:
    """One function; ``declared`` collects what it calls."""

    def __init__(self, rng: random.Random, declared: dict[str, str]) -> None:
        self.rng = rng
        self.declared = declared
        self.lines: list[str] = []
        self.number = 0

    def new(self, body: str) -> str:
        self.number += 1
        self.lines.append(f"  %v{self.number} = {body}")
        return f"%v{self.number}"

    def call(self, name: str, result: str, kinds: Sequence[str], args: Sequence[str]) -> str:
        suffix = kinds[0].replace("<", "v").replace(" x ", "").replace(">", "")
        callee = f"@llvm.{name}.{suffix}"
        self.declared[callee] = f"declare {result} {callee}({', '.join(kinds)})"
        given = ", ".join(f"{k} {a}" for k, a in zip(kinds, args, strict=True))
        return self.new(f"call {result} {callee}({given})")

    def join(self, loop: _Loop, kind: str, a: str, b: str) -> str:
        if loop.join in _OPCODES:
            return self.new(f"{loop.join} {kind} {a}, {b}")
        return self.call(loop.join, kind, (kind, kind), (a, b))

    def reduced(self, loop: _Loop, value: str) -> str:
        kind = loop.vector(loop.wide)
        return self.call(f"vector.reduce.{loop.join}", f"i{loop.wide}", (kind,), (value,))

    def load(self, loop: _Loop, pointer: str, k: int) -> str:
        at = self.new(f"getelementptr i{loop.narrow}, ptr {pointer}, i64 %i")
        at = self.new(f"getelementptr i{loop.narrow}, ptr {at}, i64 {k * loop.lanes}")
        return self.new(f"load {loop.vector(loop.narrow)}, ptr {at}, align 1")

    def extended(self, loop: _Loop, how: str, value: str) -> str:
        if loop.narrow == loop.wide:
            return value
        narrow, wide = loop.vector(loop.narrow), loop.vector(loop.wide)
        return self.new(f"{how} {narrow} {value} to {wide}")

    def term(self, loop: _Loop, k: int, idiom: int, signs: tuple[str, str]) -> str:
        """Return what one load contributes."""
        wide = loop.vector(loop.wide)
        x = self.extended(loop, signs[0], self.load(loop, "%p", k))
        if idiom == 0:
            return x
        y = self.extended(loop, signs[1], self.load(loop, "%q", k))
        if idiom == 1:
            return self.new(f"mul {wide} {x}, {y}")
        d = self.new(f"sub {wide} {x}, {y}")
        if idiom == 2:
            return self.new(f"mul {wide} {d}, {d}")
        callee = f"@llvm.abs.v{loop.lanes}i{loop.wide}"
        self.declared[callee] = f"declare {wide} {callee}({wide}, i1 immarg)"
        return self.new(f"call {wide} {callee}({wide} {d}, i1 false)")


def _start(rng: random.Random, loop: _Loop) -> str:
    values = [rng.choice((0, 0, 0, 1, 5, -1)) for _ in range(loop.lanes)]
    if rng.random() < 0.6:
        return "zeroinitializer"
    return "<" + ", ".join(f"i{loop.wide} {v}" for v in values) + ">"


def _function(name: str, rng: random.Random, declared: dict[str, str]) -> tuple[str, _Loop]:
    narrow = rng.choice((8, 8, 8, 16, 16, 32))
    wide = rng.choice([x for x in (8, 16, 32, 32, 64) if x >= narrow])
    loop = _Loop(
        rng.choice((4, 8, 16, 32)), narrow, wide, rng.choice((1, 1, 2, 4)), rng.choice(_JOINS)
    )
    w = _Writer(rng, declared)
    idiom, signs = rng.randrange(4), (rng.choice(("zext", "sext")), rng.choice(("zext", "sext")))
    signs = (signs[0], signs[0] if rng.random() < 0.7 else signs[1])
    scalar, guarded = rng.random() < 0.35, rng.random() < 0.4
    kind = f"i{wide}" if scalar else loop.vector(wide)
    starts = [
        ("%s" if rng.random() < 0.4 else str(rng.choice((0, 7)))) if scalar else _start(rng, loop)
        for _ in range(1 if scalar else loop.count)
    ]
    accs = [f"%a{k}" for k in range(len(starts))]
    terms = [w.term(loop, k, idiom, signs) for k in range(loop.count)]
    news: list[str] = []
    if scalar:
        total = accs[0]
        for x in terms:
            total = w.join(loop, kind, total, w.reduced(loop, x))
        news = [total]
    else:
        for acc, x in zip(accs, terms, strict=True):
            used = w.new(f"freeze {kind} {acc}") if rng.random() < 0.05 else acc
            news.append(w.join(loop, kind, used, x))
    if rng.random() < 0.1:
        w.lines.append(f"  store {kind} {rng.choice((*accs, *news))}, ptr %beside, align 1")
    body, w.lines = w.lines, []
    lasts = [f"%l{k}" for k in range(len(news))] if guarded else news
    total = lasts[0]
    for x in lasts[1:]:
        total = w.join(loop, kind, total, x)
    total = total if scalar else w.reduced(loop, total)
    ends = w.lines
    entry = f"""  %s.at = getelementptr i8, ptr %o, i64 8
  %s = load i{wide}, ptr %s.at, align 1
  %beside = getelementptr i8, ptr %o, i64 16
"""
    entry += (
        "  %some = icmp sgt i64 %n, 0\n  br i1 %some, label %loop, label %done\n"
        if guarded
        else "  br label %loop\n"
    )
    phis = [
        f"  {a} = phi {kind} [ {s}, %entry ], [ {n}, %loop ]"
        for a, s, n in zip(accs, starts, news, strict=True)
    ]
    outs = [
        f"  {x} = phi {kind} [ {s}, %entry ], [ {n}, %loop ]"
        for x, s, n in zip(lasts, starts, news, strict=True)
        if guarded
    ]
    lines = [
        f"define void @{name}(ptr noalias %p, ptr noalias %q, ptr noalias %o, i64 %n) {{",
        "entry:",
        entry,
        "loop:",
        "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
        *phis,
        *body,
        f"  %next = add i64 %i, {loop.step}",
        "  %more = icmp slt i64 %next, %n",
        "  br i1 %more, label %loop, label %done",
        "",
        "done:",
        *outs,
        *ends,
        f"  store i{wide} {total}, ptr %o, align 1",
        "  ret void",
        "}",
    ]
    return "\n".join(lines) + "\n", loop


def functions(seed: int) -> tuple[str, tuple[Case, ...]]:
    """Return a module of random reductions and the calls of each."""
    rng = random.Random(f"reductions {seed}")
    declared: dict[str, str] = {}
    texts: list[str] = []
    cases: list[Case] = []
    for k in range(FUNCTIONS):
        text, loop = _function(f"f{k}", rng, declared)
        calls = []
        for n in range(_CALLS):
            trips = rng.choice(_TRIPS) if "%some" in text else max(rng.choice(_TRIPS), 1)
            size = max(trips, 1) * loop.step * loop.narrow // 8
            regions = (contents(rng, size), contents(rng, size), contents(rng, _beside(loop)))
            arguments = (Pointer(0), Pointer(1), Pointer(2), trips * loop.step)
            calls.append(Call(regions, arguments, n % 2 == 0))
        texts.append(text)
        cases.append(Case(f"f{k}", tuple(calls), frozenset({REDUCTION, MISALIGNED})))
    head = 'target triple = "x86_64-pc-linux-gnu"\n\n'
    return head + "\n".join((*declared.values(), "", *texts)), tuple(cases)


def _beside(loop: _Loop) -> int:
    return 16 + max(_SPACE, loop.lanes * loop.wide // 8)
