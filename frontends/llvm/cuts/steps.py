"""Two functions walked in step, to where one of them has other blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from frontends.llvm.text.view import View, labels

# What follows on each side, in the same order.
Ways: TypeAlias = tuple[Sequence[str], Sequence[str]]


def ways_of(view: View, label: str) -> list[str]:
    """Return what may follow a block, in the order of its end's text."""
    return labels(view.end(view.numbers[label]))


def find_others(
    source: View, target: View, differ: Callable[[str, str], Ways | None]
) -> Iterator[str]:
    """Yield the blocks of the source in whose place the target has others; ``differ`` says where
    both sides go on behind these, None of a block that is one.
    """
    waiting, seen = [(source.blocks[0].label, target.blocks[0].label)], set[str]()
    while waiting:
        a, b = waiting.pop()
        if b in seen:
            continue
        seen.add(b)
        others = differ(a, b)
        if others is not None:
            yield a
        mine, theirs = others or (ways_of(source, a), ways_of(target, b))
        waiting += zip(mine, theirs, strict=False)
