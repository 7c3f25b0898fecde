"""What is known of values before a window: definedness and ranges, and what must not be
believed.
"""

from __future__ import annotations

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.ast import Local
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.knowledge import Knowledge
from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.expr import elem

MODULE = parse_module(
    normalise(
        """
define void @f(<2 x i8> noundef %sure, <2 x i8> %open, i8 noundef range(i8 -3, 5) %small, i8 range(i8 0, 5) %unsure, ptr %p, ptr %q) {
  %frozen = freeze <2 x i8> %open
  %sum = add <2 x i8> %sure, %frozen
  %flagged = add nsw <2 x i8> %sure, %frozen
  %mixed = add <2 x i8> %sure, %open
  %wide = zext <2 x i8> %sum to <2 x i16>
  %nneg = zext nneg <2 x i8> %sum to <2 x i16>
  %shifted = lshr <2 x i16> %wide, splat (i16 15)
  %gone = lshr <2 x i16> %wide, splat (i16 16)
  %unknown = lshr <2 x i16> %wide, %wide
  %swap = shufflevector <2 x i8> %sure, <2 x i8> %sum, <2 x i32> <i32 1, i32 2>
  %hole = shufflevector <2 x i8> %sure, <2 x i8> %sum, <2 x i32> <i32 1, i32 poison>
  %lane = extractelement <2 x i8> %sure, i64 1
  %outside = extractelement <2 x i8> %sure, i64 2
  %loaded = load <2 x i8>, ptr %p, align 1, !noundef !0
  %raw = load <2 x i8>, ptr %p, align 1
  %digit = load i8, ptr %q, align 1, !range !1, !noundef !0
  %maybe = load i8, ptr %q, align 1, !range !1
  %undefined = add <2 x i8> %sure, undef
  ret void
}
!0 = !{}
!1 = !{i8 -2, i8 -1, i8 1, i8 3}
"""
    )
)
FUNCTION = MODULE.functions[0]
TYPES = {a.name: a.type for a in FUNCTION.arguments} | {
    i.name: i.type for b in FUNCTION.blocks for i in b.instrs if i.name
}
DEFINED = {"sure", "frozen", "sum", "wide", "shifted", "swap", "lane", "loaded", "digit", "small"}


@pytest.mark.parametrize("name", sorted(TYPES))
def test_defined(name: str) -> None:
    assert Knowledge(MODULE, FUNCTION).defined(Local(name, TYPES[name])) == (name in DEFINED)


def test_the_users_word_is_taken() -> None:
    assert Knowledge(MODULE, FUNCTION, assume_defined=True).defined(Local("open", TYPES["open"]))


EVERY = frozenset(range(256))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("digit", {254, 1, 2}),
        ("small", {253, 254, 255, 0, 1, 2, 3, 4}),
        ("maybe", EVERY),
        ("unsure", EVERY),
        ("sum", EVERY),
    ],
)
def test_facts_hold_of_the_frozen_value_too(name: str, values: set[int]) -> None:
    facts = Knowledge(MODULE, FUNCTION).facts(Local(name, TYPES[name]), "a")
    x = elem("a", 0, 8)
    assert {v for v in range(256) if all(evaluate(f, {x: v}, Integer()) for f in facts)} == values
