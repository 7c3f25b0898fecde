"""Rows of tiles and filters as LLVM IR: long sums of products, their terms in any order."""

from __future__ import annotations

import random
from collections.abc import Sequence

_HEAD = "define void @row(ptr noalias %a, ptr noalias %b, ptr noalias %c, ptr noalias %o) #0 {"


def tile_row(k: int, *, width: int, bits: int = 512, repeated: bool, seed: int = 0) -> str:
    """Return ``k`` registers of ``b`` times as many of ``a``, or times repeated scalars, added
    up by lanes of 32 bits and to ``c``: unsigned and signed bytes, or signed words.
    """
    per, n = 32 // width, bits // 32
    lines, terms = [f"  %s = load <{n} x i32>, ptr %c, align 4"], ["%s"]
    whole, lane = f"<{per * n} x i{width}>", f"<{n} x i{width}>"
    for j in range(k):
        lines += _load(f"b{j}", "b", whole, j * bits // 8)
        lines += [] if repeated else _load(f"a{j}", "a", whole, j * bits // 8)
        for q in range(per):
            x = f"{j}.{q}"
            if repeated:
                lines += _load(f"e{x}", "a", f"i{width}", (j * per + q) * width // 8)
                lines += [
                    f"  %i{x} = insertelement {lane} poison, i{width} %e{x}, i64 0",
                    f"  %a{x} = shufflevector {lane} %i{x}, {lane} poison, <{n} x i32> zeroinitializer",
                ]
            else:
                lines.append(_every(f"a{x}", f"a{j}", whole, q, per, n))
            lines.append(_every(f"b{x}", f"b{j}", whole, q, per, n))
            extend = "zext" if width == 8 else "sext"
            lines += [
                f"  %y{x} = {extend} {lane} %a{x} to <{n} x i32>",
                f"  %z{x} = sext {lane} %b{x} to <{n} x i32>",
                f"  %p{x} = mul <{n} x i32> %y{x}, %z{x}",
            ]
            terms.append(f"%p{x}")
    return _function([*lines, *_summed(terms, n, seed)], n, bits)


def filter_row(side: int, *, constant: bool, first: bool, n: int = 16) -> str:
    """Return ``side * side`` bytes around each of ``n`` places, each by a factor, added up in 32
    bits, and 128 before or after them.
    """
    rng = random.Random(side)
    lines, terms = [], []
    for r in range(side):
        lines.append(f"  %r{r} = getelementptr i8, ptr %a, i64 {r * 512}")
        for s in range(side):
            x = f"{r}.{s}"
            lines += _load(f"v{x}", f"r{r}", f"<{n} x i8>", s)
            lines.append(f"  %y{x} = zext <{n} x i8> %v{x} to <{n} x i32>")
            by = rng.choice([-1, 1]) * rng.randrange(3, 60)
            lines.append(f"  %p{x} = mul <{n} x i32> %y{x}, splat (i32 {by})")
            terms.append(f"%p{x}")
    half = ["splat (i32 128)"] if constant else []
    terms = [*half, *terms] if first else [*terms, *half]
    return _function([*lines, *_summed(terms, n, 0)], n, 512)


def _load(name: str, pointer: str, kind: str, offset: int) -> list[str]:
    return [
        f"  %{name}.p = getelementptr i8, ptr %{pointer}, i64 {offset}",
        f"  %{name} = load {kind}, ptr %{name}.p, align 1",
    ]


def _every(name: str, source: str, kind: str, first: int, step: int, n: int) -> str:
    mask = ", ".join(f"i32 {first + step * i}" for i in range(n))
    return f"  %{name} = shufflevector {kind} %{source}, {kind} poison, <{n} x i32> <{mask}>"


def _summed(terms: Sequence[str], n: int, seed: int) -> list[str]:
    """Add terms up one after the other, or for another ``seed`` than 0 in a random tree; the
    last line defines ``%sum``.
    """
    rng, left, lines = random.Random(seed), list(terms), []
    if seed:
        rng.shuffle(left)
    while len(left) > 1:
        k = rng.randrange(len(left) - 1) if seed else 0
        name = f"%t{len(left)}" if len(left) > 2 else "%sum"
        lines.append(f"  {name} = add <{n} x i32> {left[k]}, {left[k + 1]}")
        left[k : k + 2] = [name]
    return lines


def _function(lines: Sequence[str], n: int, bits: int) -> str:
    width = f'"prefer-vector-width"="{bits}" "min-legal-vector-width"="{bits}"'
    tail = [f"  store <{n} x i32> %sum, ptr %o, align 4", "  ret void", "}", ""]
    head = ['target triple = "x86_64-unknown-linux-gnu"', "", _HEAD]
    return "\n".join([*head, *lines, *tail, f"attributes #0 = {{ nounwind {width} }}", ""])
