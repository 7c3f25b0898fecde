"""Which of many names a result needs: small sets without which it is worse, by few tries.

They are looked for by halves, and by QuickXplain (Junker, AAAI 2004) where it takes names of both;
a result is taken to be no better without more names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

Names: TypeAlias = tuple[str, ...]
Worse: TypeAlias = Callable[[Names], bool]
Often: TypeAlias = Callable[[str], int]


def needed(names: Names, worse: Worse, often: Often) -> tuple[Names, ...]:
    """Return small sets of names that the result is ``worse`` without: every name that it is worse
    without alone, and where a half of the names has none, a least set of several.

    Halves are of names that are needed as ``often``, by which they are in order.
    """
    if not names or not worse(names):
        return ()
    if len(names) == 1:
        return (names,)
    half = _half([often(name) for name in names])
    found = (*needed(names[:half], worse, often), *needed(names[half:], worse, often))
    return found or (_least((), names, worse, asks=False),)


def _half(weights: Sequence[int]) -> int:
    """Return how many of two weights and more weigh half of all, or a little less; one at least."""
    return max(1, max(k for k in range(len(weights)) if 2 * sum(weights[:k]) <= sum(weights)))


def _least(base: Names, names: Names, worse: Worse, *, asks: bool) -> Names:
    """Return a least set of the names without which, and without the base, it is worse; none where
    it is without the base alone, if that ``asks`` for a try.
    """
    if asks and worse(base):
        return ()
    if len(names) == 1:
        return names
    half = len(names) // 2
    right = _least((*base, *names[:half]), names[half:], worse, asks=True)
    left = _least((*base, *right), names[:half], worse, asks=bool(right))
    return (*left, *right)
