"""What nodes of metadata say."""

from __future__ import annotations

import pytest

from frontends.llvm.text.metadata import ranges_of


@pytest.mark.parametrize(
    ("node", "ranges"),
    [
        ("!{i8 0, i8 5}", ((0, 5),)),
        ("distinct !{i8 -3, i8 0, i8 7, i8 9}", ((-3, 0), (7, 9))),
        ("!{i8 0, i8 5, i8 7}", ()),
        ("!{i16 0, i16 5}", ()),
        ("!{i8 0, !1}", ()),
    ],
)
def test_ranges_of_a_node(node: str, ranges: tuple[tuple[int, int], ...]) -> None:
    assert ranges_of(node, 8) == ranges
