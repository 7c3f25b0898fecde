"""Bounds of values around loops: what they are, and where nothing is known."""

from __future__ import annotations

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.meaning.bounds import bounds_of
from frontends.llvm.text.parse import parse_module


def bound(*lines: str) -> int:
    """Return the bound of ``%r``, computed from bytes ``%x``, 32-bit numbers ``%w`` and what a
    loop carries.
    """
    body = "\n".join(f"  {x}" for x in lines)
    text = f"""
define void @f(<4 x i8> %x, <4 x i32> %w, i1 %c, i32 %n) {{
entry:
  %z = zext <4 x i8> %x to <4 x i32>
  br label %loop
loop:
{body}
  br i1 %c, label %loop, label %out
out:
  ret void
}}
"""
    (function,) = parse_module(normalise(text)).functions
    return bounds_of(function.view)["r"]


ANY = (1 << 32) - 1


@pytest.mark.parametrize(
    ("said", "most"),
    [
        ("add <4 x i32> %z, splat (i32 3)", 258),
        ("add <4 x i32> %z, %w", ANY),
        ("add <4 x i32> %z, <i32 0, i32 -1, i32 0, i32 0>", ANY),
        ("sub <4 x i32> %z, %z", ANY),
        ("mul <4 x i32> %z, %z", 255 * 255),
        ("mul <4 x i32> %z, splat (i32 16843010)", ANY),
        ("and <4 x i32> %w, %z", 255),
        ("or <4 x i32> %z, splat (i32 256)", 511),
        ("xor <4 x i32> %z, %z", 255),
        ("shl <4 x i32> %z, <i32 1, i32 2, i32 3, i32 4>", 255 << 4),
        ("shl <4 x i32> %z, splat (i32 25)", ANY),
        ("shl <4 x i32> %z, <i32 1, i32 32, i32 3, i32 4>", ANY),
        ("shl <4 x i32> %z, %z", ANY),
        ("lshr <4 x i32> %z, <i32 1, i32 2, i32 3, i32 4>", 127),
        ("lshr <4 x i32> %w, splat (i32 24)", 255),
        ("lshr <4 x i32> %z, <i32 1, i32 undef, i32 3, i32 4>", 255),
        ("ashr <4 x i32> %w, splat (i32 24)", ANY),
        ("trunc <4 x i32> %w to <4 x i16>", 65535),
        ("trunc <4 x i32> %z to <4 x i16>", 255),
        ("sext <4 x i8> %x to <4 x i32>", ANY),
        ("udiv <4 x i32> %z, %w", 255),
        ("select i1 %c, <4 x i32> %z, <4 x i32> splat (i32 300)", 300),
        ("select i1 %c, <4 x i32> %z, <4 x i32> <i32 poison, i32 1, i32 1, i32 1>", 255),
        ("select i1 %c, <4 x i32> %z, <4 x i32> <i32 undef, i32 1, i32 1, i32 1>", ANY),
        ("shufflevector <4 x i32> %z, <4 x i32> %w, <2 x i32> <i32 1, i32 poison>", 255),
        ("shufflevector <4 x i32> %z, <4 x i32> %w, <2 x i32> <i32 1, i32 4>", ANY),
        ("insertelement <4 x i32> %z, i32 999, i64 1", 999),
        ("insertelement <4 x i32> %z, i32 %n, i64 1", ANY),
        ("extractelement <4 x i32> %z, i32 %n", 255),
        ("freeze <4 x i32> %z", ANY),
        ("call <4 x i32> @llvm.umin.v4i32(<4 x i32> %w, <4 x i32> %z)", 255),
        ("call <4 x i32> @llvm.umax.v4i32(<4 x i32> %z, <4 x i32> splat (i32 7))", 255),
        ("call <4 x i32> @llvm.abs.v4i32(<4 x i32> %z, i1 false)", ANY),
    ],
)
def test_what_a_value_may_be_at_most(said: str, most: int) -> None:
    assert bound(f"%r = {said}") == most


@pytest.mark.parametrize(
    ("first", "then", "most"),
    [
        ("zeroinitializer", "%n1 = add <4 x i32> %z, %z", 510),
        ("splat (i32 9)", "%n1 = lshr <4 x i32> %r, splat (i32 1)", 9),
        ("splat (i32 9)", "%n1 = add <4 x i32> %r, %z", ANY),
        ("splat (i32 9)", "%n1 = mul <4 x i32> %r, splat (i32 2)", ANY),
        ("undef", "%n1 = and <4 x i32> %z, %z", ANY),
        ("poison", "%n1 = and <4 x i32> %z, %z", 255),
        ("%w", "%n1 = and <4 x i32> %z, %z", ANY),
        (
            "zeroinitializer",
            "%s = add <4 x i32> %r, %z\n  %n1 = and <4 x i32> %s, splat (i32 1000)",
            1000,
        ),
    ],
)
def test_what_a_loop_carries(first: str, then: str, most: int) -> None:
    phi = f"%r = phi <4 x i32> [ {first}, %entry ], [ %n1, %loop ]"
    assert bound(phi, then) == most


def test_phis_that_pass_a_value_on() -> None:
    names = [*"rabdefg"]
    phis = (
        f"%{x} = phi <4 x i32> [ zeroinitializer, %entry ], [ %{y}, %loop ]"
        for x, y in zip(names, [*names[1:], "z"], strict=True)
    )
    assert bound(*phis) == 255
