"""Vectors in the text of lowered calls: parts, casts, vectors one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from frontends.autollvm.joined import Vector
from frontends.llvm.splicing.emit import operand_text, type_text
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, elem, leaves


def times_over(lanes: Sequence[Expr], given: Mapping[str, Vector], times: int) -> tuple[Expr, ...]:
    """Return lanes so many times, each time over the next elements of every source."""
    sizes = {name: v.count * v.width for name, v in given.items()}

    def shift(e: Expr, c: int) -> Expr:
        at = {x: x.offset + c * sizes[x.source] for x in leaves(e)}
        return instantiate(e, {x: elem(x.source, k, x.width) for x, k in at.items()})

    return tuple(shift(e, c) for c in range(times) for e in lanes)


def part(v: Vector, first: int, count: int) -> str:
    """Write some elements of a vector."""
    text = operand_text(v.operand)
    mask = ", ".join(f"i32 {first + k}" for k in range(count))
    kind = v.operand.type
    return f"shufflevector {kind} {text}, {kind} poison, <{count} x i32> <{mask}>"


def join(
    values: Sequence[str], counts: Sequence[int], width: int, fresh: Callable[[], str]
) -> tuple[list[str], str]:
    """Return lines that put vectors of some counts of elements one after the other, none of which
    is longer than one before it, and the last value.
    """
    lines: list[str] = []
    row = list(zip(values, counts, strict=True))
    while len(row) > 1:
        joined = []
        for (a, first), (b, second) in zip(row[::2], row[1::2], strict=False):
            kind, count = f"<{first} x i{width}>", first + second
            wide = [widen(x, n, first, width, fresh) for x, n in ((a, first), (b, second))]
            lines += [line for line, _ in wide if line]
            name = f"%{fresh()}"
            mask = ", ".join(f"i32 {k}" for k in range(count))
            (_, x), (_, y) = wide
            lines.append(f"{name} = shufflevector {kind} {x}, {kind} {y}, <{count} x i32> <{mask}>")
            joined.append((name, count))
        row = joined + row[len(row) & ~1 :]
    return lines, row[0][0]


def widen(
    value: str, count: int, wanted: int, width: int, fresh: Callable[[], str]
) -> tuple[str, str]:
    """Return a line, empty where none is needed, and a vector of ``wanted`` elements that starts
    with those of a value.
    """
    kind, name = type_text(count, width), f"%{fresh()}"
    if count == 1:
        return f"{name} = insertelement <{wanted} x i{width}> poison, {kind} {value}, i64 0", name
    if count == wanted:
        return "", value
    mask = ", ".join(f"i32 {k}" if k < count else "i32 poison" for k in range(wanted))
    return f"{name} = shufflevector {kind} {value}, {kind} poison, <{wanted} x i32> <{mask}>", name


def cast(value: str, old: tuple[int, int], new: tuple[int, int], fresh: Callable[[], str]) -> str:
    """Write a cast of a value from one shape to another, elements and their width."""
    return f"%{fresh()} = bitcast {type_text(*old)} {value} to {type_text(*new)}"
