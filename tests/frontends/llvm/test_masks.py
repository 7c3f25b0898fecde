"""Shuffle masks in words, and what is no pattern shortened."""

from __future__ import annotations

import pytest

from frontends.llvm.text.masks import Mask, readable, words

ANY = None


@pytest.mark.parametrize(
    ("mask", "lanes", "said"),
    [
        (range(8), 8, "all lanes"),
        ([0, ANY, 2, ANY], 4, "all lanes"),
        (range(16), 8, "concatenate"),
        (range(4), 8, "low half"),
        (range(4, 8), 8, "high half"),
        (range(2), 8, "lanes 0 to 1"),
        (range(2, 5), 8, "lanes 2 to 4"),
        (range(6, 14), 8, "lanes 6 to 13 of both"),
        ([3] * 8, 8, "broadcast lane 3"),
        ([ANY, 11, 11], 8, "broadcast lane 11"),
        ([7, 6, 5, 4, 3, 2, 1, 0], 8, "reverse"),
        (range(0, 16, 2), 8, "even lanes"),
        (range(1, 8, 2), 8, "odd lanes"),
        (range(2, 32, 4), 16, "every 4th lane from 2"),
        ([0, 8, 1, 9, 2, 10, 3, 11], 8, "interleave low halves"),
        ([4, 12, 5, 13, 6, 14, 7, 15], 8, "interleave high halves"),
        ([0, 4, 1, 5, 2, 6, 3, 7], 4, "interleave"),
        ([0, 4, 2, 6], 4, "interleave even lanes"),
        ([1, 5, 3, 7], 4, "interleave odd lanes"),
        ([3, 4, 5, 6, 7, 0, 1, 2], 8, "rotate by 3 lanes"),
        ([0, 0, 1, 1, 2, 2, 3, 3], 8, "each lane 2 times"),
        ([0, 1, 0, 1, 0, 1, 0, 1], 2, "all lanes, 4 times"),
        ([0, 1, 2, 3, 0, 1, 2, 3], 8, "lanes 0 to 3, 2 times"),
        ([0, 9, 2, 11, 4, 13, 6, 15], 8, "blend, odd lanes of the second"),
        ([0, 1, 10, 11, 4, 5, 6, 7], 8, "blend, lanes 2 to 3 of the second"),
        ([0, 9, 2, 3, 4, 5, 6, 7], 8, "blend, lane 1 of the second"),
        ([0, 8, 1, 9, 4, 12, 5, 13], 8, "interleave low halves in blocks of 4"),
        ([1, 0, 3, 2, 5, 4, 7, 6], 8, "reverse in blocks of 2"),
        ([3, ANY, 1, 0, ANY, 6, 5, 4], 8, "reverse in blocks of 4"),
        ([5, 1, 7, 2, 3, 3, 0, 1], 8, "lanes 5, 1, 7, 2, … (8)"),
        ([5, ANY, 7], 8, "lanes 5 to 7"),
        ([5, ANY, 6], 8, "lanes 5, any, 6"),
        ([ANY] * 4, 8, "any lanes"),
        ([0, 1, 2, ANY, ANY, ANY, ANY], 3, "all lanes, then any"),
        ([3, 2, 1, 0, ANY, ANY, ANY, ANY], 4, "reverse, then any"),
    ],
)
def test_words(mask: Mask, lanes: int, said: str) -> None:
    assert words(list(mask), lanes) == said


@pytest.mark.parametrize("lanes", [2, 4, 8, 16])
def test_equal_words_are_equal_masks(lanes: int) -> None:
    """No name is given to two masks without lanes that may be anything."""
    seen: dict[tuple[str, int], list[int]] = {}
    masks = [
        [(a * i + b + c * (i % 2)) % (2 * lanes) for i in range(n)]
        for n in (lanes, 2 * lanes)
        for a in range(5)
        for b in range(lanes)
        for c in (0, 1, lanes)
    ]
    for mask in masks:
        said = words(mask, lanes)
        if "…" not in said:
            assert seen.setdefault((said, len(mask)), mask) == mask, said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "%r = shufflevector <4 x i8> %a, <4 x i8> zeroinitializer, <4 x i32> <i32 0, i32 4, i32 1, i32 5>, !dbg !8",
            "%r = shufflevector <4 x i8> %a, <4 x i8> zeroinitializer, [interleave low halves], !dbg !8",
        ),
        (
            "%r = shufflevector <4 x i8> %a, <4 x i8> poison, <8 x i32> zeroinitializer",
            "%r = shufflevector <4 x i8> %a, <4 x i8> poison, [broadcast lane 0]",
        ),
        (
            "%r = shufflevector <2 x i8> %a, <2 x i8> <i8 1, i8 2>, <2 x i32> <i32 poison, i32 2>",
            "%r = shufflevector <2 x i8> %a, <2 x i8> <i8 1, i8 2>, [broadcast lane 2]",
        ),
        ("%r = add <2 x i8> %a, <i8 7, i8 7>", "%r = add <2 x i8> %a, splat (i8 7)"),
        (
            "%r = add <10 x i8> %a, <" + ", ".join(f"i8 {k}" for k in range(10)) + ">",
            "%r = add <10 x i8> %a, <i8 0, i8 1, i8 2, i8 3, … (10)>",
        ),
        ("%r = call <4 x i8> @f(<4 x i8> %a)", "%r = call <4 x i8> @f(<4 x i8> %a)"),
    ],
)
def test_lines(line: str, said: str) -> None:
    assert readable(line) == said
