"""Other names in lines, and constants of fewer bits."""

from __future__ import annotations

import pytest

from frontends.llvm.text.parse import parse_instruction
from frontends.llvm.text.rewording import (
    literal_text,
    narrow_kind,
    narrow_literal,
    rename,
    respell,
    spelled_edges,
)
from frontends.llvm.text.syntax import IntType, Literal, VectorType


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%a = add i8 %ab, %a", "%x = add i8 %ab, %x"),
        ('%"a b" = add i8 %a.1, 0', "%y = add i8 %a.1, 0"),
        ("br label %a", "br label %x"),
        ("call void @a(i8 1)", "call void @a(i8 1)"),
    ],
)
def test_whole_names_are_exchanged(text: str, expected: str) -> None:
    assert rename(text, {"a": "x", '"a b"': "y"}) == expected
    assert rename(text, {}) == text


def test_names_in_strings_stay() -> None:
    text = 'call void asm "mov %a, $0", "r"(i8 %a)'
    assert respell(text, {"a": "-1"}) == 'call void asm "mov %a, $0", "r"(i8 -1)'
    assert rename('%"%a" = add i8 %a, 0', {"a": "x"}) == '%"%a" = add i8 %x, 0'


def test_what_a_phi_gets_is_as_it_is_spelled() -> None:
    text = "  %a = phi [2 x i8] [ [i8 1, i8 2], %b ], [ %c, %d ], !x !0"
    assert spelled_edges(parse_instruction(text, 0)) == {"b": "[i8 1, i8 2]", "d": "%c"}


def test_constants_lose_their_upper_bits() -> None:
    row = Literal(VectorType(3, IntType(16)), (0x1234, "undef", "poison"))
    assert literal_text(narrow_literal(row, 8)) == "<i8 52, i8 undef, i8 poison>"
    assert literal_text(narrow_literal(Literal(IntType(32), (258,)), 8)) == "2"
    assert str(narrow_kind(row.type, 4)) == "<3 x i4>"
