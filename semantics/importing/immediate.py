"""Gathers by an immediate: lanes that are an element or zero for every immediate, as conditions
and indices in lane and immediate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from isel.ir.expr import Expr
from isel.spec.sem_syntax import Binary, Element, Name, Node, Number, show_node
from semantics.importing.fit import fitted
from semantics.importing.lanes import LaneForm, fixed
from semantics.importing.shapes import tidy
from semantics.importing.simplify import instantiate

Entry = tuple[str, int]  # source and element, or nothing and 0 for zero


def gathered(form: LaneForm, lanes: Sequence[Expr]) -> tuple[tuple[str, str], ...] | None:
    """Return conditions and formulas of lanes that shift elements by an immediate; None where
    they do something else.
    """
    if len(form.immediates) != 1 or len(lanes) < 2:
        return None
    (m,) = form.immediates
    table: list[list[Entry]] = []
    grid = {o.name: o.width for o in form.operands}
    for e in lanes:
        row: list[Entry] = []
        for v in m.values:
            found = _entry(instantiate(e, fixed(e, {m.name: v})), grid, form.width)
            if found is None:
                return None
            row.append(found)
        table.append(row)
    if m.values != tuple(range(len(m.values))):
        return None
    return _thresholds(table, m.name)


def _entry(e: Expr, grid: Mapping[str, int], width: int) -> Entry | None:
    if e.op == "const" and e.value == 0:
        return "", 0
    if e.op == "elem" and e.width == width == grid.get(e.source) and e.offset % width == 0:
        return e.source, e.offset // width
    return None


def _thresholds(table: Sequence[Sequence[Entry]], name: str) -> tuple[tuple[str, str], ...] | None:
    """Fit rows that go through the same runs one after the other: elements of one source from an
    index that moves with the immediate.
    """
    steps = _steps(table)
    order = max((_runs(row, steps) for row in table), key=len)
    count = len(table[0])
    found: list[tuple[str, str]] = []
    start = [0] * len(table)
    for k, source in enumerate(order):
        ends = [_end(row, at, source, steps) for row, at in zip(table, start, strict=True)]
        formula = _moving(table, start, ends, source, name)
        if formula is None:
            return None
        if k == len(order) - 1:
            if any(end != count for end in ends):
                return None
            found.append(("", formula))
        else:
            test = Binary("<", Name(name), fitted(range(len(table)), ends, len(table)))
            found.append((show_node(test), formula))
        start = ends
    return tuple(found)


def _steps(table: Sequence[Sequence[Entry]]) -> Mapping[str, int]:
    """Return by how much the index moves from one immediate to the next, most of the time."""
    seen: dict[str, Counter[int]] = {}
    for row in table:
        for (source, index), (other, following) in pairwise(row):
            if source == other:
                seen.setdefault(source, Counter())[following - index] += 1
    return {source: counts.most_common(1)[0][0] for source, counts in seen.items()}


def _runs(row: Sequence[Entry], steps: Mapping[str, int]) -> list[str]:
    """Return the sources of a row's runs."""
    found: list[str] = []
    at = 0
    while at < len(row):
        found.append(row[at][0])
        at = _end(row, at, row[at][0], steps)
    return found


def _end(row: Sequence[Entry], at: int, source: str, steps: Mapping[str, int]) -> int:
    """Return where the run of a source ends that starts at a place: there, if it is another's."""
    end = at
    while end < len(row) and row[end][0] == source:
        if end > at and row[end][1] - row[end - 1][1] != steps[source]:
            break
        end += 1
    return end


def _moving(
    table: Sequence[Sequence[Entry]],
    start: Sequence[int],
    ends: Sequence[int],
    source: str,
    name: str,
) -> str | None:
    if not source:
        return "0"
    lanes = [i for i in range(len(table)) if ends[i] > start[i]]
    steps = {
        table[i][v + 1][1] - table[i][v][1] for i in lanes for v in range(start[i], ends[i] - 1)
    }
    if len(steps) > 1 or not lanes:
        return None
    step = steps.pop() if steps else 0
    bases = [table[i][start[i]][1] - step * start[i] for i in lanes]
    base = fitted(lanes, bases, len(table)) if len(lanes) > 1 else Number(bases[0])
    moved: Node = Name(name) if abs(step) == 1 else Binary("*", Name(name), Number(abs(step)))
    index = base if step == 0 else tidy(Binary("+" if step > 0 else "-", base, moved))
    return show_node(Element(source, index))
