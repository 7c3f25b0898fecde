"""Folds: one operator over like terms, whose numbers take equal steps from one term to the next.

``a[0] + a[8] + a[16]`` is ``fold(+, j < 3, a[8*j])``, so the number of terms is a number as any
other: sums, minima and maxima over any number of elements are one formula.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

from isel.ir.expr import Expr

_FOLD: Final = re.compile(r"\(fold \w+ \{(\d+)\}")
_STEP: Final = re.compile(r"j\*\{(\d+)\}")
JOINING: Final = ("add", "and", "or", "xor", "mul")


@dataclass(frozen=True, slots=True)
class Like:
    """Terms of one skeleton: its text, the numbers of the first one and what each of them grows by,
    which of the numbers are offsets of holes, and the holes' operands.
    """

    count: int
    key: str
    numbers: tuple[int, ...]
    steps: tuple[int, ...]
    holes: tuple[tuple[int, tuple[str, ...]], ...]


class Read(Protocol):
    """A term's skeleton, as :class:`equiv_classes.skeleton.Raw` has it."""

    @property
    def key(self) -> str:
        """Its text, numbers and operands left out."""
        ...

    @property
    def numbers(self) -> tuple[int, ...]:
        """Its numbers, in order."""
        ...

    @property
    def holes(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """For each hole the number that is its offset, and its operands."""
        ...


@lru_cache(maxsize=4096)
def steps_of(skeleton: str) -> Mapping[int, int]:
    """Return which numbers of a skeleton are steps of a fold, each with the number that is the
    fold's count: of a fold of one they may be anything.
    """
    found: dict[int, int] = {}
    for m in _FOLD.finditer(skeleton):
        depth, at = 1, m.end()
        while depth and at < len(skeleton):
            depth += {"(": 1, ")": -1}.get(skeleton[at], 0)
            at += 1
        found.update(dict.fromkeys(map(int, _STEP.findall(skeleton[m.end() : at])), int(m[1])))
    return found


def joined_by(e: Expr) -> str:
    """Return the operator that a term joins others by, empty where it joins none."""
    if e.op in JOINING:
        return e.op
    if e.op == "ite" and e.args[0].op in ("slt", "ult"):
        a, b = e.args[0].args
        sign = e.args[0].op[0]
        if (e.args[1], e.args[2]) == (a, b):
            return f"{sign}min"
        if (e.args[1], e.args[2]) == (b, a):
            return f"{sign}max"
    return ""


def operands_of(e: Expr, op: str) -> list[Expr]:
    """Return what a nest of one operator joins, left to right."""
    found: list[Expr] = []
    stack = [e]
    while stack:
        x = stack.pop()
        if joined_by(x) == op:
            stack.extend(reversed(x.args if op in JOINING else x.args[0].args))
        else:
            found.append(x)
    return found


def like_terms(terms: Sequence[Expr], read: Callable[[Expr], Read]) -> Like | None:
    """Return terms as a fold, None where they are not alike or their steps are not equal."""
    raws = sorted((read(e) for e in terms), key=lambda r: r.numbers)
    first, second = raws[0], raws[1]
    if any(r.key != first.key or r.holes != first.holes for r in raws) or not first.holes:
        return None
    steps = tuple(b - a for a, b in zip(first.numbers, second.numbers, strict=True))
    offsets = {at for at, _ in first.holes}
    if any(s and k not in offsets for k, s in enumerate(steps)) or not any(steps):
        return None
    for k, r in enumerate(raws):
        if r.numbers != tuple(n + k * s for n, s in zip(first.numbers, steps, strict=True)):
            return None
    return Like(len(raws), first.key, first.numbers, steps, first.holes)


def one(raw: Read) -> Like:
    """Return a term as a fold of one; its steps may be anything."""
    return Like(1, raw.key, raw.numbers, (0,) * len(raw.numbers), raw.holes)


def split_like(
    terms: Sequence[Expr], read: Callable[[Expr], Read]
) -> tuple[list[Expr], list[Like]]:
    """Split what is joined into single terms and folds of at least two."""
    groups: dict[tuple[object, ...], list[Expr]] = {}
    for e in terms:
        raw = read(e) if not e.is_const else None
        key = (id(e),) if raw is None else (raw.key, raw.holes)
        groups.setdefault(key, []).append(e)
    single: list[Expr] = []
    folds: list[Like] = []
    for group in groups.values():
        like = like_terms(group, read) if len(group) > 1 else None
        if like is None:
            single += group
        else:
            folds.append(like)
    return single, folds
