"""Other names in lines, and constants of fewer bits."""

from __future__ import annotations

import pytest

from frontends.llvm.text.rewording import literal_text, narrow_kind, narrow_literal, rename
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


def test_constants_lose_their_upper_bits() -> None:
    row = Literal(VectorType(3, IntType(16)), (0x1234, "undef", "poison"))
    assert literal_text(narrow_literal(row, 8)) == "<i8 52, i8 undef, i8 poison>"
    assert literal_text(narrow_literal(Literal(IntType(32), (258,)), 8)) == "2"
    assert str(narrow_kind(row.type, 4)) == "<3 x i4>"
