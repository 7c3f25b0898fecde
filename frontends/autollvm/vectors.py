"""Vectors in the text of lowered calls: parts, casts, vectors one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from frontends.autollvm.joined import Vector
from frontends.llvm.text import build
from frontends.llvm.text.ast import Operand
from frontends.llvm.text.lines import Lines, tree
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, elem, leaves


def times_over(lanes: Sequence[Expr], given: Mapping[str, Vector], times: int) -> tuple[Expr, ...]:
    """Return lanes so many times, each time over the next elements of every source."""
    sizes = {name: v.count * v.width for name, v in given.items()}

    def shift(e: Expr, c: int) -> Expr:
        at = {x: x.offset + c * sizes[x.source] for x in leaves(e)}
        return instantiate(e, {x: elem(x.source, k, x.width) for x, k in at.items()})

    return tuple(shift(e, c) for c in range(times) for e in lanes)


def part(v: Vector, first: int, count: int) -> build.Body:
    """Write some elements of a vector."""
    return build.shuffle(v.operand, range(first, first + count))


def join(values: Sequence[Operand], fresh: Callable[[], str]) -> tuple[list[str], Operand]:
    """Return lines that put vectors one after the other, and the last value."""
    lines = Lines(iter(fresh, ""))
    last = tree(values, lines.pair)
    return lines.lines, last
