"""Shuffle masks and long constants of IR lines as words, for people who read reports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from frontends.llvm.text.limits import MASKS_SHOWN

Mask: TypeAlias = Sequence[int | None]

_SHUFFLE: Final = re.compile(
    r"(shufflevector <(\d+) x [^>]+> .*, )<\d+ x i32> (<[^>]*>|zeroinitializer|poison)"
)
_CONSTANT: Final = re.compile(r"<(i\d+ [^<>]*)>")
_LANE: Final = re.compile(r"i32 (-?\w+)")


def words(mask: Mask, lanes: int) -> str:
    """Say which lanes a mask takes of two vectors of ``lanes`` lanes: a pattern that has a
    name, else its first lanes.
    """
    at = next((i for i, m in enumerate(mask) if m is not None), None)
    if at is None:
        return "any lanes"
    if len(mask) > lanes and all(m is None for m in mask[lanes:]):
        return f"{words(mask[:lanes], lanes)}, then any"
    for name, pattern in _patterns(len(mask), lanes, mask[at] or 0, at):
        if all(m is None or m == p for m, p in zip(mask, pattern, strict=True)):
            return name
    return _blend(mask, lanes) or _blockwise(mask, lanes) or _shorten(mask)


def _patterns(count: int, n: int, lane: int, at: int) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield names and the masks of ``count`` lanes that have them; ``lane`` is taken first,
    ``at`` that place of the result.
    """
    every, first = range(count), lane - at
    names = {n: "low half", 2 * n: "all lanes", 4 * n: "concatenate"}
    yield names.get(2 * count, f"lanes 0 to {count - 1}"), every
    if 2 * count == n:
        yield "high half", range(count, n)
    yield f"broadcast lane {lane}", [lane] * count
    yield "reverse", every[::-1]
    yield "even lanes", range(0, 2 * count, 2)
    yield "odd lanes", range(1, 1 + 2 * count, 2)
    for step in (4, 8):
        for start in range(step):
            yield f"every {step}th lane from {start}", range(start, start + step * count, step)
    yield from _interleave(count, n)
    if count == n:
        yield f"rotate by {first % n} lanes", [(i + first) % n for i in every]
    for times in (times for times in (2, 4, 8) if count % times == 0):
        yield f"each lane {times} times", [i // times for i in every]
        part = count // times
        what = "all lanes" if part == n else f"lanes 0 to {part - 1}"
        yield f"{what}, {times} times", [i % part for i in every]
    both = " of both" if first + count > n else ""
    yield f"lanes {first} to {first + count - 1}{both}", range(first, first + count)


def _interleave(count: int, n: int) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield names and masks of ``count`` lanes that come of either vector in turns."""
    every = range(count)
    pairs = [i // 2 + i % 2 * n for i in every]
    if count == 2 * n:
        yield "interleave", pairs
    if count == n:
        yield "interleave low halves", pairs
        yield "interleave high halves", [n // 2 + p for p in pairs]
        yield "interleave even lanes", [i // 2 * 2 + i % 2 * n for i in every]
        yield "interleave odd lanes", [i // 2 * 2 + 1 + i % 2 * n for i in every]


def _blend(mask: Mask, n: int) -> str:
    """Name a mask of which each lane stays where it is, in either vector."""
    if len(mask) != n or any(m is not None and m % n != i for i, m in enumerate(mask)):
        return ""
    second = [i for i, m in enumerate(mask) if m is not None and m >= n]
    if second in (list(range(1, n, 2)), list(range(0, n, 2))):
        return f"blend, {'odd' if second[0] else 'even'} lanes of the second"
    if any(b != a + 1 for a, b in pairwise(second)):
        return ""
    which = f"lanes {second[0]} to {second[-1]}" if len(second) > 1 else f"lane {second[0]}"
    return f"blend, {which} of the second"


def _blockwise(mask: Mask, n: int) -> str:
    """Name a mask that does the same in each block of lanes."""
    if len(mask) != n:
        return ""
    for size in (size for size in (2, 4, 8, 16, 32) if size < n and n % size == 0):
        merged = _merge(mask, n, size)
        if merged is not None:
            return f"{words(merged, size)} in blocks of {size}"
    return ""


def _merge(mask: Mask, n: int, size: int) -> list[int | None] | None:
    """Return what a mask does in each block of so many lanes, None if that is not the same."""
    blocks = [[_within(m, at, n, size) for m in mask[at : at + size]] for at in range(0, n, size)]
    columns = [[m for m in column if m is not None] for column in zip(*blocks, strict=True)]
    if any(-1 in c or len(set(c)) > 1 for c in columns):
        return None
    return [next(iter(c), None) for c in columns]


def _within(m: int | None, at: int, n: int, size: int) -> int | None:
    """Return a lane as one of two blocks; -1 where it lies in no block at the same place."""
    if m is None:
        return None
    offset = m % n - at
    return offset + (m >= n) * size if 0 <= offset < size else -1


def _shorten(mask: Mask) -> str:
    shown = ", ".join("any" if m is None else str(m) for m in mask[:MASKS_SHOWN])
    return f"lanes {shown}" + (f", … ({len(mask)})" if len(mask) > MASKS_SHOWN else "")


def readable(line: str) -> str:
    """Return a line of IR with its shuffle mask in words and its long constants shortened; it
    is no IR any more.
    """
    return _CONSTANT.sub(_constant, _SHUFFLE.sub(_shuffle, line))


def _shuffle(m: re.Match[str]) -> str:
    head, lanes, text = m.groups()
    if text == "poison":
        return f"{head}[any lanes]"
    if text == "zeroinitializer":
        return f"{head}[broadcast lane 0]"
    mask = [int(t) if t.isdigit() else None for t in _LANE.findall(text)]
    return f"{head}[{words(mask, int(lanes))}]"


def _constant(m: re.Match[str]) -> str:
    lanes = m[1].split(", ")
    if len(lanes) > 1 and len(set(lanes)) == 1:
        return f"splat ({lanes[0]})"
    return (
        f"<{', '.join(lanes[:MASKS_SHOWN])}, … ({len(lanes)})>"
        if len(lanes) > 2 * MASKS_SHOWN
        else m[0]
    )
