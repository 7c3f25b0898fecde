"""Shuffle masks and long constants of IR lines as words, for people who read reports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from frontends.llvm.limits import MASKS_SHOWN

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
    yield (
        "all lanes"
        if count == n
        else "concatenate"
        if count == 2 * n
        else "low half"
        if 2 * count == n
        else f"lanes 0 to {count - 1}",
        every,
    )
    if 2 * count == n:
        yield "high half", range(count, n)
    yield f"broadcast lane {lane}", [lane] * count
    yield "reverse", every[::-1]
    for step in (2, 4, 8):
        for start in range(step):
            yield (
                ("even lanes", "odd lanes")[start]
                if step == 2
                else f"every {step}th lane from {start}",
                range(start, start + step * count, step),
            )
    pairs = [i // 2 + i % 2 * n for i in every]
    if count == 2 * n:
        yield "interleave", pairs
    if count == n:
        yield "interleave low halves", pairs
        yield "interleave high halves", [n // 2 + p for p in pairs]
        yield "interleave even lanes", [i // 2 * 2 + i % 2 * n for i in every]
        yield "interleave odd lanes", [i // 2 * 2 + 1 + i % 2 * n for i in every]
        yield f"rotate by {first % n} lanes", [(i + first) % n for i in every]
    for times in (2, 4, 8):
        if count % times == 0:
            yield f"each lane {times} times", [i // times for i in every]
            part = count // times
            yield (
                f"all lanes, {times} times"
                if part == n
                else f"lanes 0 to {part - 1}, {times} times",
                [i % part for i in every],
            )
    yield (
        f"lanes {first} to {first + count - 1}" + (" of both" if first + count > n else ""),
        range(first, first + count),
    )


def _blend(mask: Mask, n: int) -> str:
    """Name a mask of which each lane stays where it is, in either vector."""
    if len(mask) != n or any(m is not None and m % n != i for i, m in enumerate(mask)):
        return ""
    second = [i for i, m in enumerate(mask) if m is not None and m >= n]
    if second == list(range(1, n, 2)) or second == list(range(0, n, 2)):
        return f"blend, {'odd' if second[0] else 'even'} lanes of the second"
    if all(b == a + 1 for a, b in pairwise(second)):
        return (
            f"blend, lanes {second[0]} to {second[-1]} of the second"
            if len(second) > 1
            else f"blend, lane {second[0]} of the second"
        )
    return ""


def _blockwise(mask: Mask, n: int) -> str:
    """Name a mask that does the same in each block of lanes."""
    if len(mask) != n:
        return ""
    for size in (2, 4, 8, 16, 32):
        if size >= n or n % size:
            continue
        blocks = [
            [_within(m, at, n, size) for m in mask[at : at + size]] for at in range(0, n, size)
        ]
        merged: list[int | None] = [
            next((b[k] for b in blocks if b[k] is not None), None) for k in range(size)
        ]
        if -1 not in merged and all(
            x is None or x == y for b in blocks for x, y in zip(b, merged, strict=True)
        ):
            return f"{words(merged, size)} in blocks of {size}"
    return ""


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
