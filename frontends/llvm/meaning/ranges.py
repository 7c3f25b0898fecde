"""Ranges of integers as LLVM's text says them, and as terms."""

from __future__ import annotations

import re
from typing import Final

from isel.ir.build import all_of, any_of, eq, ule, ult
from isel.ir.expr import Expr, const

_PAIR: Final = re.compile(r"i(\d+) (-?\d+)")


def ranges_of(node: str, width: int) -> tuple[tuple[int, int], ...]:
    """Return the half-open ranges that a node ``!{iN low, iN high, …}`` says; nothing where it
    is not understood.
    """
    found = _PAIR.findall(node)
    if (
        not re.fullmatch(r"(?:distinct )?!\{(?:i\d+ -?\d+(?:, )?)+\}", node.strip())
        or len(found) % 2
        or any(int(w) != width for w, _ in found)
    ):
        return ()
    values = [int(v) for _, v in found]
    return tuple(zip(values[::2], values[1::2], strict=True))


def within(x: Expr, ranges: tuple[tuple[int, int], ...]) -> Expr:
    """Return whether a term is in one of the ranges."""
    return any_of(*(_half_open(x, low, high) for low, high in ranges))


def _half_open(x: Expr, low: int, high: int) -> Expr:
    a, b = const(low, x.width), const(high, x.width)
    if a.value == b.value:
        return eq(x, x)
    if a.value < b.value:
        return all_of(ule(a, x), ult(x, b))
    return any_of(ule(a, x), ult(x, b))
