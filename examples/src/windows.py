"""Two windows by hand, for registers of any size."""

from __future__ import annotations

from collections.abc import Sequence

_HEAD = """\
; {about}
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-\
n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

"""
_TAIL = """
attributes #0 = {{ nounwind "min-legal-vector-width"="{bits}" "prefer-vector-width"="{bits}" }}
"""


def multiply_round(bits: int) -> str:
    """Return the rounded high product of 16-bit fixed-point numbers, spelled in 32 bits."""
    n = bits // 16
    return (
        _HEAD.format(about="(a * b + 2^14) >> 15 of 16-bit lanes, in 32 bits")
        + f"""\
define void @multiply_round(ptr noalias %out, ptr noalias %a, ptr noalias %b) #0 {{
  %x = load <{n} x i16>, ptr %a, align {bits // 8}
  %y = load <{n} x i16>, ptr %b, align {bits // 8}
  %wide.x = sext <{n} x i16> %x to <{n} x i32>
  %wide.y = sext <{n} x i16> %y to <{n} x i32>
  %product = mul nsw <{n} x i32> %wide.x, %wide.y
  %rounded = add nsw <{n} x i32> %product, splat (i32 16384)
  %high = ashr <{n} x i32> %rounded, splat (i32 15)
  %r = trunc <{n} x i32> %high to <{n} x i16>
  store <{n} x i16> %r, ptr %out, align {bits // 8}
  ret void
}}
"""
        + _TAIL.format(bits=bits)
    )


def _mask(indices: Sequence[int]) -> str:
    return f"<{len(indices)} x i32> <" + ", ".join(f"i32 {i}" for i in indices) + ">"


def dot4(bits: int) -> str:
    """Return four products of an unsigned and a signed byte added to each 32-bit lane."""
    n, lanes = bits // 8, bits // 32
    parts = [
        f"  %p{k} = shufflevector <{n} x i32> %product, <{n} x i32> poison, "
        f"{_mask(range(k, n, 4))}\n"
        for k in range(4)
    ]
    sums = [
        f"  %s{k} = add <{lanes} x i32> %{'acc' if k == 0 else f's{k - 1}'}, %p{k}\n"
        for k in range(4)
    ]
    return (
        _HEAD.format(
            about="acc + the sum of four products of unsigned and signed bytes, in 32 bits"
        )
        + f"""\
define void @dot4(ptr noalias %out, ptr noalias %sums, ptr noalias %a, ptr noalias %b) #0 {{
  %acc = load <{lanes} x i32>, ptr %sums, align {bits // 8}
  %x = load <{n} x i8>, ptr %a, align {bits // 8}
  %y = load <{n} x i8>, ptr %b, align {bits // 8}
  %wide.x = zext <{n} x i8> %x to <{n} x i32>
  %wide.y = sext <{n} x i8> %y to <{n} x i32>
  %product = mul nsw <{n} x i32> %wide.x, %wide.y
"""
        + "".join(parts)
        + "".join(sums)
        + f"""\
  store <{lanes} x i32> %s3, ptr %out, align {bits // 8}
  ret void
}}
"""
        + _TAIL.format(bits=bits)
    )


WINDOWS = {"multiply_round": multiply_round, "dot4": dot4}
