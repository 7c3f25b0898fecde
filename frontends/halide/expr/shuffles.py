"""Shuffles of Halide's printed expressions: which element each lane takes."""

from __future__ import annotations

from typing import Final

SHUFFLES: Final = (
    "concat_vectors",
    "interleave_vectors",
    "slice_vectors",
    "extract_element",
    "shuffle",
)


def picked(name: str, sizes: list[int], numbers: list[int]) -> tuple[list[int], int]:
    """Return the element that each lane of a shuffle takes, and how many there are."""
    total = sum(sizes)
    if name == "concat_vectors":
        return list(range(total)), total
    if name == "interleave_vectors":
        even = len(set(sizes)) == 1
        return [
            k * sizes[0] + i for i in range(sizes[0]) for k in range(len(sizes))
        ] if even else [], total
    if name == "slice_vectors":
        begin, stride, size = numbers
        return [begin + stride * i for i in range(size)], total
    return numbers, total
