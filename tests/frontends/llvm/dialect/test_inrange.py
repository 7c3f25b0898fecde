"""A word of LLVM before 19 on addresses of tables of virtual functions."""

from __future__ import annotations

import pytest

from frontends.llvm.dialect.inrange import without_inrange
from frontends.llvm.linked import binding

TABLE = """
@table = constant { [3 x ptr] } zeroinitializer
@said = constant [14 x i8] c", inrange i32 "
define ptr @f() {
  ret ptr getelementptr inbounds ({ [3 x ptr] }, ptr @table, i64 0, inrange i32 0, i64 2)
}
"""


def test_the_word_is_left_out_where_it_is_one() -> None:
    text = without_inrange(TABLE)
    assert "ptr @table, i64 0, i32 0, i64 2)" in text
    assert 'c", inrange i32 "' in text
    assert binding.normalise(text)


@pytest.mark.parametrize(
    "text",
    [
        "ret ptr getelementptr inbounds inrange(-16, 24) (i8, ptr @table, i64 16)",
        'c", inrange i32 0" ; a word in quotes',
        "call void @inrange(i32 0)",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert without_inrange(text) == text
