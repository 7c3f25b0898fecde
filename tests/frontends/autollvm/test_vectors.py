"""Vectors in the text of lowered calls."""

from __future__ import annotations

from itertools import count

from frontends.autollvm.joined import Vector
from frontends.autollvm.vectors import join, part, times_over
from frontends.llvm.text.ast import IntType, Local, VectorType
from frontends.llvm.text.rewording import spell
from isel.ir.expr import elem
from isel.ir.text import parse

V = Vector(Local("v", VectorType(4, IntType(8))), 4, 8)


def test_lanes_repeat_over_the_next_elements_of_every_source() -> None:
    lanes = times_over([elem("v", 24, 8), parse("(neg v[8]:8)")], {"v": V}, 2)
    assert lanes == (
        elem("v", 24, 8),
        parse("(neg v[8]:8)"),
        elem("v", 56, 8),
        parse("(neg v[40]:8)"),
    )


def test_a_part_names_its_elements() -> None:
    assert part(V, 2, 2).text == (
        "shufflevector <4 x i8> %v, <4 x i8> poison, <2 x i32> <i32 2, i32 3>"
    )


def test_what_is_shorter_is_joined_behind_what_is_longer() -> None:
    names = (f"n{k}" for k in count())
    values = [Local(x, VectorType(n, IntType(8))) for x, n in (("a", 4), ("b", 2))]
    lines, last = join(values, lambda: next(names))
    assert len(lines) == 2 and lines[-1].startswith(
        f"{spell(last)} = shufflevector <4 x i8> %a, <4 x i8> "
    )
    assert lines[-1].endswith("<6 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5>")
