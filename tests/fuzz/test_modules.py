"""Modules as lines of functions."""

from __future__ import annotations

from tests.fuzz.modules import changed

_TWO = """define void @f(ptr %p) {{
  br label %l, !llvm.loop {}
}}

define i32 @g() {{
  ret i32 {}
}}
"""


def test_numbers_of_metadata_are_no_change() -> None:
    assert changed(_TWO.format("!45", 1), _TWO.format("!44", 1)) == frozenset()


def test_what_a_function_does_is_a_change() -> None:
    assert changed(_TWO.format("!45", 1), _TWO.format("!45", 2)) == {"g"}
    assert changed(_TWO.format("!45", 1), _TWO.format("", 1)) == {"f"}


def test_numbers_of_groups_of_attributes_are_no_change() -> None:
    text = "define void @f(ptr %p) {{\n  call void @g(ptr %p) #{}\n  ret void\n}}\n"
    assert changed(text.format(4), text.format(5)) == frozenset()
    assert changed(text.format(4), text.format(5).replace("@g", "@h")) == {"f"}
