"""Emissions in sections of immediates."""

from __future__ import annotations

import pytest

from semantics.emission.sections import Learned, Section

_WORDS = Learned(
    (("a", "<4 x i32>"),),
    "<4 x i32>",
    "n",
    8,
    4,
    (Section((0, 1), ("%r = first $n",)), Section((2, 3), ("%r = second $n",))),
)


@pytest.mark.parametrize(
    ("value", "line"), [(1, "%r = first 1"), (3, "%r = second 3"), (6, "%r = second 6")]
)
def test_the_section_of_the_immediate_modulo_the_period_is_written(value: int, line: str) -> None:
    body = _WORDS.at(value)
    assert list(body.lines) == [line]
    assert body.operands == _WORDS.operands and body.result == _WORDS.result
