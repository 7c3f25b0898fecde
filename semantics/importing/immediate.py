"""Gathers by an immediate: lanes that are an element or zero for every immediate, as conditions
and indices in lane and immediate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    """Fit rows that go through the same sources one after the other, each from an index that
    moves with the immediate.
    """
    order = max((list(dict.fromkeys(s for s, _ in row)) for row in table), key=len)
    count = len(table[0])
    found: list[tuple[str, str]] = []
    start = [0] * len(table)
    for k, source in enumerate(order):
        ends: list[int] = []
        for i, row in enumerate(table):
            end = start[i]
            while end < count and row[end][0] == source:
                end += 1
            ends.append(end)
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
