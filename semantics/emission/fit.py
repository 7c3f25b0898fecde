"""Closed forms for what varies in an emission: integers and shuffle masks as expressions of the
immediate and the element.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

Grid = npt.NDArray[np.int64]
_I: Final = "i"


def scalar(values: Sequence[int], results: Sequence[int], m: str) -> str | None:
    """Return an expression of ``m`` that has these results at these values, or None."""
    v, x = np.array(values, dtype=np.int64), np.array(results, dtype=np.int64)
    if (x == x[0]).all():
        return str(x[0])
    if (v == x).all():
        return m
    for k in range(1, 8):
        if (v & ((1 << k) - 1) == x).all():
            return f"{m} & {(1 << k) - 1}"
    rise, rest = divmod(int(x[1] - x[0]), int(v[1] - v[0]))
    start = int(x[0]) - rise * int(v[0])
    if rest == 0 and (rise * v + start == x).all():
        return f"{start} - {m}" if rise == -1 else _sum([_times(m, rise)], start)
    most = int(x.max())
    if (np.minimum(v, most) == x).all():
        return f"{m} < {most} ? {m} : {most}"
    for top in (8, 16, 32, 64):
        if ((top - v) % top == x).all():
            return f"({top} - {m}) % {top}"
    return None


def _times(term: str, factor: int) -> str:
    return term if factor == 1 else f"{term} * {factor}"


def _sum(terms: Sequence[str], constant: int) -> str:
    text = " + ".join(t for t in terms if t != "0")
    if not text:
        return str(constant)
    return text if not constant else f"{text} {'+' if constant > 0 else '-'} {abs(constant)}"


def digits(sequence: Sequence[int], variable: str = _I) -> str | None:
    """Return the sequence as a sum of multiples of digits of its index,
    ``i / 4 % 2 * 8 + i % 4``, or None.
    """
    n = len(sequence)
    bits = max(0, (n - 1).bit_length())
    start = int(sequence[0])
    rise = [int(sequence[1 << b]) - start for b in range(bits) if 1 << b < n]
    if any(
        int(x) != start + sum(r for b, r in enumerate(rise) if k >> b & 1)
        for k, x in enumerate(sequence)
    ):
        return None
    terms: list[str] = []
    b = 0
    while b < len(rise):
        if rise[b] == 0:
            b += 1
            continue
        end = b + 1
        while end < len(rise) and rise[end] == rise[b] << (end - b):
            end += 1
        digit = variable if b == 0 else f"{variable} / {1 << b}"
        if 1 << end < n:
            digit += f" % {1 << (end - b)}"
        terms.append(_times(digit, rise[b]))
        b = end
    return _sum(terms, start)


def mask(values: Sequence[int], masks: Sequence[Sequence[int]], m: str) -> str | None:
    """Return an expression of ``i`` and ``m`` for masks given at each value (negative elements
    are poison), or None.
    """
    v = np.array(values, dtype=np.int64)
    table = np.array(masks, dtype=np.int64)
    for found in _forms(v, table, m):
        return found
    return _split(v, table, m)


def _forms(v: Grid, table: Grid, m: str) -> Iterator[str]:
    if (table == table[0]).all():
        yield from filter(None, [_constant(table[0])])
        return
    for form in (_moved, _picked, _inserted, _wrapped):
        found = form(v, table, m)
        if found is not None:
            yield found


def _constant(row: Grid) -> str | None:
    found = digits(row.tolist())
    if found is not None:
        return found
    poison = row < 0
    if poison.any() and not poison.all():
        first = int(np.argmax(poison))
        head = digits(row[:first].tolist()) if first and poison[first:].all() else None
        return f"i < {first} ? {head} : -1" if head is not None else None
    return None


def _moved(v: Grid, table: Grid, m: str) -> str | None:
    """``c(i) + m * step``."""
    if len(v) < 2:
        return None
    step, rest = divmod(int(table[1, 0] - table[0, 0]), int(v[1] - v[0]))
    start = table - step * v[:, None]
    if rest or (start != start[0]).any():
        return None
    base = digits(start[0].tolist())
    return (
        None if base is None else f"{base} + {_times(m, step)}" if base != "0" else _times(m, step)
    )


def _picked(v: Grid, table: Grid, m: str) -> str | None:
    """``c(i) + (m >> s(i) & K) * g``, with s and c sums of digits of i."""
    for size in (1, 2, 3, 4):
        field = (1 << size) - 1
        for step in (1, 2, 4, 8, 16, 32, 64):
            shifts: list[int] = []
            starts: list[int] = []
            for i in range(table.shape[1]):
                at = _field(v, table[:, i], size, step)
                if at is None:
                    break
                shifts.append(at)
                starts.append(int(table[0, i] - (int(v[0]) >> at & field) * step))
            else:
                base, shift = digits(starts), digits(shifts)
                if base is not None and shift is not None:
                    moved = f"{m} >> {shift}" if shift != "0" else m
                    return _add(base, _times(f"({moved} & {field})", step))
    return None


def _add(base: str, term: str) -> str:
    return term if base == "0" else f"{base} + {term}"


def _field(v: Grid, column: Grid, size: int, step: int) -> int | None:
    field = (1 << size) - 1
    for at in range(8):
        rest = column - (v >> at & field) * step
        if (rest == rest[0]).all():
            return at
    return None


def _inserted(v: Grid, table: Grid, m: str) -> str | None:
    """``i / B == m ? x(i) : y(i)``."""
    n = table.shape[1]
    for size in (1 << k for k in range(n.bit_length())):
        inside = np.arange(n)[None, :] // size == v[:, None]
        if not inside.any() or inside.all():
            continue
        outer = np.where(inside, -9, table)
        y = outer.max(axis=0)
        if ((outer != y) & ~inside).any():
            continue
        x = np.array([table[r, c] for r in range(len(v)) for c in range(n) if inside[r, c]])
        offsets = np.array([c % size for r in range(len(v)) for c in range(n) if inside[r, c]])
        y = np.where(y == -9, np.arange(n), y)
        if (x - offsets == x[0] - offsets[0]).all():
            start = int(x[0] - offsets[0])
            other = digits(y.tolist())
            if other is not None:
                inner = "0" if size == 1 else f"i % {size}" if size < n else "i"
                index = "i" if size == 1 else f"i / {size}"
                return f"{index} == {m} ? {_sum([inner], start)} : {other}"
    return None


def _wrapped(v: Grid, table: Grid, m: str) -> str | None:
    """``i % B + m < B ? x(i) + m : y(i) + m``, and the same with ``- m``."""
    n = table.shape[1]
    i = np.arange(n)[None, :]
    for sign, size, shift in (
        (s, 1 << k, d) for s in (1, -1) for k in range(1, n.bit_length()) for d in (0, 1 << k)
    ):
        here = i % size + sign * (v[:, None] - shift)
        low = here < size if sign > 0 else here >= 0
        if low.all() or not low.any():
            continue
        rest = table - sign * v[:, None]
        x, y = _rows(rest, low), _rows(rest, ~low)
        if x is None or y is None:
            continue
        first, second = _completed(x), _completed(y)
        if first is not None and second is not None:
            op = "+" if sign > 0 else "-"
            moved = m if not shift else f"({m} - {shift})"
            inside = (
                f"i % {size} {op} {moved} {'<' if sign > 0 else '>='} {size if sign > 0 else 0}"
            )
            return f"{inside} ? {first} {op} {m} : {second} {op} {m}"
    return None


def _rows(rest: Grid, chosen: npt.NDArray[np.bool_]) -> list[int | None] | None:
    row: list[int | None] = []
    for c in range(rest.shape[1]):
        seen = set(rest[chosen[:, c], c].tolist())
        if len(seen) > 1:
            return None
        row.append(seen.pop() if seen else None)
    return row


def _completed(row: Sequence[int | None]) -> str | None:
    """Return digits of a row in which some elements do not matter: those are taken from blocks
    where they do, else by steps of one.
    """
    known = {k: x for k, x in enumerate(row) if x is not None}
    n = len(row)
    for size in (n, 32, 16, 8, 4, 2):
        if size > n:
            continue
        bases: list[int] = []
        for block in range(0, n, size):
            seen = {x - k % size for k, x in known.items() if block <= k < block + size}
            if len(seen) != 1:
                break
            bases.append(seen.pop())
        else:
            return digits([bases[k // size] + k % size for k in range(n)])
    return None


def _split(v: Grid, table: Grid, m: str) -> str | None:
    """Return one form for one half of the elements and another for the other, told apart by a
    digit of i.
    """
    n = table.shape[1]
    for b in range((n - 1).bit_length()):
        high = np.arange(n) >> b & 1 == 1
        parts = [_part(v, table, side, 1 << b, m) for side in (~high, high)]
        if parts[0] is not None and parts[1] is not None:
            chosen = f"i / {1 << b} % 2 == 0" if b else "i % 2 == 0"
            return f"{chosen} ? {parts[0]} : {parts[1]}"
    return None


def _part(v: Grid, table: Grid, side: npt.NDArray[np.bool_], block: int, m: str) -> str | None:
    """Fit the chosen elements, as if the others repeated them."""
    columns = np.arange(table.shape[1])
    filled = table[:, np.where(side, columns, columns ^ block)]
    return next(_forms(v, filled, m), None)
