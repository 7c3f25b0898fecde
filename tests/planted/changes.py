"""Rewritten loops ``@f(ptr %p, ptr %q, ptr %o)`` and changes of one place in what was written."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Final

HEAD: Final = 'target triple = "x86_64-pc-linux-gnu"\n'


def _loop(kind: str, body: str, *, step: int, phis: str = "", after: str = "") -> str:
    """A loop over the first 128 bytes of each buffer; ``body`` makes ``%r`` of ``%x`` and
    ``%y``.
    """
    return (
        f"{HEAD}define void @f(ptr %p, ptr %q, ptr %o) {{\nentry:\n  br label %loop\n\nloop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n{phis}"
        f"  %px = getelementptr i8, ptr %p, i64 %i\n  %x = load {kind}, ptr %px, align 1\n"
        f"  %py = getelementptr i8, ptr %q, i64 %i\n  %y = load {kind}, ptr %py, align 1\n{body}"
        f"  %next = add nuw nsw i64 %i, {step}\n  %more = icmp ult i64 %next, 128\n  br i1 %more, label %loop, label %done\n\ndone:\n{after}  ret void\n}}\n"
    )


_W, _I = "<16 x i16>", "<16 x i32>"
_B, _BW = "<32 x i8>", "<32 x i16>"
_STORE: Final = "  %to = getelementptr i8, ptr %o, i64 %i\n  store KIND %r, ptr %to, align 1\n"
_ROUNDED: Final = (
    f"  %xw = sext {_W} %x to {_I}\n  %yw = sext {_W} %y to {_I}\n  %m = mul nsw {_I} %xw, %yw\n  %h = add nsw {_I} %m, splat (i32 16384)\n"
    f"  %s = lshr {_I} %h, splat (i32 15)\n  %r = trunc {_I} %s to {_W}\n"
    + _STORE.replace("KIND", _W)
)
_AVERAGED: Final = (
    f"  %xw = zext {_B} %x to {_BW}\n  %yw = zext {_B} %y to {_BW}\n  %a = add nuw nsw {_BW} %xw, %yw\n  %b = add nuw nsw {_BW} %a, splat (i16 1)\n"
    f"  %s = lshr {_BW} %b, splat (i16 1)\n  %r = trunc nuw {_BW} %s to {_B}\n"
    + _STORE.replace("KIND", _B)
)
_CLAMPED: Final = (
    f"  %xw = zext {_B} %x to {_BW}\n  %yw = zext {_B} %y to {_BW}\n  %a = sub nsw {_BW} %xw, %yw\n  %c = icmp sgt {_BW} %a, zeroinitializer\n"
    f"  %s = select <32 x i1> %c, {_BW} %a, {_BW} zeroinitializer\n  %t = trunc {_BW} %s to {_B}\n  %r = add {_B} %t, splat (i8 3)\n"
    + _STORE.replace("KIND", _B)
)
_HIGH: Final = (
    f"  %xw = sext {_W} %x to {_I}\n  %yw = sext {_W} %y to {_I}\n  %m = mul nsw {_I} %xw, %yw\n  %s = lshr {_I} %m, splat (i32 16)\n"
    f"  %t = trunc {_I} %s to {_W}\n  %u = xor {_W} %t, %x\n  %r = sub {_W} %u, %y\n"
    + _STORE.replace("KIND", _W)
)
_WORDS: Final = (
    f"  %xw = zext {_W} %x to {_I}\n  %yw = zext {_W} %y to {_I}\n  %a = add nuw nsw {_I} %xw, %yw\n  %b = add nuw nsw {_I} %a, splat (i32 1)\n"
    f"  %s = lshr {_I} %b, splat (i32 1)\n  %t = trunc nuw {_I} %s to {_W}\n  %r = sub {_W} %t, %y\n"
    + _STORE.replace("KIND", _W)
)
_SATURATED: Final = (
    f"  %xw = sext {_W} %x to {_I}\n  %yw = sext {_W} %y to {_I}\n  %a = add nsw {_I} %xw, %yw\n"
    f"  %c = icmp slt {_I} %a, splat (i32 32767)\n  %s = select <16 x i1> %c, {_I} %a, {_I} splat (i32 32767)\n"
    f"  %d = icmp sgt {_I} %s, splat (i32 -32768)\n  %t = select <16 x i1> %d, {_I} %s, {_I} splat (i32 -32768)\n"
    f"  %u = trunc {_I} %t to {_W}\n  %r = sub {_W} %u, %x\n" + _STORE.replace("KIND", _W)
)
_TENTHS: Final = (
    f"  %n = udiv {_W} %x, splat (i16 10)\n  %d = xor {_W} %n, %y\n  %r = add {_W} %d, %x\n"
    + _STORE.replace("KIND", _W)
)
_LEFT: Final = (
    f"  %m = call {_B} @llvm.umax.v32i8({_B} %x, {_B} %y)\n  %d = sub {_B} %m, %y\n"
    f"  %e = xor {_B} %d, splat (i8 90)\n  %r = sub {_B} %e, %x\n" + _STORE.replace("KIND", _B)
)
_WEIGHTS: Final = (
    f"  %xw = zext {_B} %x to {_BW}\n  %yw = zext {_B} %y to {_BW}\n"
    f"  %a = mul nuw nsw {_BW} %xw, splat (i16 3)\n  %b = mul nuw nsw {_BW} %yw, splat (i16 5)\n"
    f"  %c = add nuw nsw {_BW} %a, %b\n  %d = add nuw nsw {_BW} %c, splat (i16 4)\n"
    f"  %s = lshr {_BW} %d, splat (i16 3)\n  %r = trunc nuw {_BW} %s to {_B}\n"
    + _STORE.replace("KIND", _B)
)
_DOT: Final = "".join(
    f"  %{v}{k} = shufflevector {_W} %{v}, {_W} poison, <8 x i32> <{', '.join(f'i32 {2 * n + k}' for n in range(8))}>\n"
    f"  %{v}w{k} = sext <8 x i16> %{v}{k} to <8 x i32>\n"
    for v in "xy"
    for k in (0, 1)
) + (
    "  %m0 = mul nsw <8 x i32> %xw0, %yw0\n  %m1 = mul nsw <8 x i32> %xw1, %yw1\n  %t = add <8 x i32> %m0, %m1\n  %sum1 = add <8 x i32> %t, %sum\n"
)
LOOPS: Final = {
    "rounded products": _loop(_W, _ROUNDED, step=32),
    "averages": _loop(_B, _AVERAGED, step=32),
    "clamped differences": _loop(_B, _CLAMPED, step=32),
    "high products": _loop(_W, _HIGH, step=32),
    "averages of words": _loop(_W, _WORDS, step=32),
    "saturated sums": _loop(_W, _SATURATED, step=32),
    "tenths": _loop(_W, _TENTHS, step=32),
    "what is left": _loop(_B, _LEFT, step=32),
    "weighted sums": _loop(_B, _WEIGHTS, step=32),
    "dot products": _loop(
        _W,
        _DOT,
        step=32,
        phis="  %sum = phi <8 x i32> [ zeroinitializer, %entry ], [ %sum1, %loop ]\n",
        after="  store <8 x i32> %sum1, ptr %o, align 1\n",
    ),
}
_SWAPS: Final = (
    *(
        ("add", "sub"),
        ("sub", "add"),
        ("mul", "add"),
        ("and", "or"),
        ("or", "and"),
        ("xor", "and"),
        ("lshr", "ashr"),
        ("ashr", "lshr"),
        ("shl", "lshr"),
    ),
    *(
        ("zext", "sext"),
        ("sext", "zext"),
        ("icmp ult", "icmp ule"),
        ("icmp ult", "icmp slt"),
        ("icmp sgt", "icmp ugt"),
        ("icmp eq", "icmp ne"),
    ),
)
_NUMBER: Final = re.compile(r"(\bi(?:8|16|32|64) )(-?\d+)\b")
_OPERANDS: Final = re.compile(
    r"^(.* = (?:call .*\(|[a-z ]*)<[^>]*> )(%[\w.]+)(, (?:<[^>]*> )?)(%[\w.]+)(.*)$"
)
_DEFINED: Final = re.compile(r"\s+(%[\w.]+) = ")
_USED: Final = re.compile(r"%[\w.]+")
_INPUTS: Final = re.compile(r"^(.* = phi \S.* )\[ (\S+), (\S+) \], \[ (\S+), (\S+) \]$")


def changes(text: str) -> Iterator[str]:
    """Yield a module with one place changed, in the order of its lines."""
    lines = text.split("\n")
    first = next(k for k, line in enumerate(lines) if line.startswith("define "))
    last = next(k for k in range(first, len(lines)) if lines[k] == "}")
    body = lines[first + 1 : last]
    for k in range(first + 1, last):
        for line in _instead(lines[k], body):
            yield "\n".join((*lines[:k], line, *lines[k + 1 :]))


def drawn(text: str, before: str, name: str, rng: random.Random) -> Iterator[str]:
    """Yield a module with one place of function ``name`` changed without end, in lines that
    ``before`` lacks.
    """
    lines = text.split("\n")
    head = re.compile(rf"define .*@{re.escape(name)}\(")
    first = next(k for k, line in enumerate(lines) if head.match(line))
    last = next(k for k in range(first, len(lines)) if lines[k] == "}")
    known, body = frozenset(before.split("\n")), lines[first + 1 : last]
    places = [k for k in range(first + 1, last) if lines[k] not in known]
    while True:
        k = rng.choice(places)
        found = _instead(lines[k], body)
        if found:
            yield "\n".join((*lines[:k], rng.choice(found), *lines[k + 1 :]))


def _instead(line: str, body: list[str]) -> list[str]:
    """Return what may be planted in place of a line."""
    return [x for x in dict.fromkeys((*_changed(line), *_others(line, body))) if x != line]


def _others(line: str, body: list[str]) -> Iterator[str]:
    """Yield a line with one of its operands another value: LLVM tells which of these make sense."""
    defined = [m[1] for m in map(_DEFINED.match, body) if m is not None]
    for m in _USED.finditer(line, line.find("=") + 1):
        yield from (
            f"{line[: m.start()]}{name}{line[m.end() :]}" for name in defined if name != m[0]
        )


def _changed(line: str) -> Iterator[str]:
    for m in _NUMBER.finditer(line):
        for by in (1, -1):
            yield f"{line[: m.start(2)]}{int(m[2]) + by}{line[m.end(2) :]}"
    for old, new in _SWAPS:
        if f" = {old} " in line:
            yield re.sub(
                r" (?:nuw|nsw|exact|nneg|disjoint|samesign)\b",
                "",
                line.replace(f" = {old} ", f" = {new} "),
            )
    operands = _OPERANDS.match(line)
    if operands:
        a, x, between, y, b = operands.groups()
        yield from (f"{a}{p}{between}{q}{b}" for p, q in ((y, x), (x, x), (y, y)))
    inputs = _INPUTS.match(line)
    if inputs:
        yield f"{inputs[1]}[ {inputs[4]}, {inputs[3]} ], [ {inputs[2]}, {inputs[5]} ]"
    if line.lstrip().startswith("store "):
        yield ""
