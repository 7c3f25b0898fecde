"""What one swizzle makes of the input registers: every result, looked up by content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from isel.synth.elements import ANY, Goal
from isel.synth.library import Form

_MAX_REGISTERS: Final = 20


@dataclass(frozen=True, slots=True)
class Source:
    """A register that exists: its plan, its elements and what it costs to have it."""

    plan: int
    ids: Goal
    cost: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A swizzle of existing registers."""

    form: Form
    sources: tuple[Source, ...]
    cost: int


@dataclass(frozen=True, eq=False)
class _Table:
    """Every swizzle of registers of one shape, cheapest first: the form and which registers it reads, its price, and by lane what it gives."""

    hits: list[tuple[Form, tuple[int, ...]]]
    costs: list[int]
    columns: Goal
    hashes: npt.NDArray[np.uint64]


class Reach:
    """All swizzles of one or two registers of one shape, cheapest first."""

    def __init__(self, forms: tuple[Form, ...], sources: Sequence[Source], width: int) -> None:
        self._sources = list(sources)[:_MAX_REGISTERS]
        ids = np.stack([s.ids for s in self._sources]) if self._sources else np.zeros((0, 0), dtype=np.int64)
        self._table = _table(forms, ids.shape[1], ids.tobytes(), tuple(s.cost for s in self._sources), width)

    def find(self, goal: Goal) -> Hit | None:
        """Return the cheapest swizzle that gives ``goal``."""
        table = self._table
        places = np.nonzero(goal != ANY)[0]
        if not len(places) or not table.hits:
            return None
        if len(places) == len(goal):
            near = np.nonzero(table.hashes == _hashes(goal[:, None]))[0]
        else:
            near = np.nonzero(table.columns[places[0]] == goal[places[0]])[0]
        fits = near[(table.columns[np.ix_(places, near)] == goal[places][:, None]).all(0)] if len(near) else near
        if not len(fits):
            return None
        form, chosen = table.hits[int(fits[0])]
        return Hit(form, tuple(self._sources[c] for c in chosen), table.costs[int(fits[0])])


@lru_cache(maxsize=8)
def _table(forms: tuple[Form, ...], lanes: int, content: bytes, costs: tuple[int, ...], width: int) -> _Table:
    """Return what ``forms`` make of registers whose elements are ``content``; searches of one window ask for the same tables."""
    ids = np.frombuffer(content, dtype=np.int64).reshape(len(costs), lanes)
    n = len(costs)
    pairs = [(a, b) for a in range(n) for b in range(n)]
    hits: list[tuple[Form, tuple[int, ...]]] = []
    prices: list[int] = []
    parts: list[Goal] = []
    for form in forms:
        i = form.instruction
        if not n or i.width < width or i.width % width or any(o.bits != i.bits for o in i.operands) or len(i.operands) > 2:
            continue
        operand, index = form.table(width)
        read = ids[:, index]
        if len(i.operands) == 1:
            parts.append(read)
            hits += [(form, (a,)) for a in range(n)]
            prices += [form.cost + c for c in costs]
        else:
            parts.append(np.where(operand == 0, read[:, None, :], read[None, :, :]).reshape(n * n, lanes))
            hits += [(form, pair) for pair in pairs]
            prices += [form.cost + costs[a] + costs[b] for a, b in pairs]
    order = np.argsort(np.array(prices, dtype=np.int64), kind="stable")
    rows = np.concatenate(parts)[order] if parts else np.zeros((0, lanes), dtype=np.int64)
    columns = np.ascontiguousarray(rows.T)
    return _Table([hits[k] for k in order.tolist()], [prices[k] for k in order.tolist()], columns, _hashes(columns))


def _hashes(columns: Goal) -> npt.NDArray[np.uint64]:
    """Return a hash of each column, equal for equal ones."""
    weights = np.arange(1, 2 * len(columns), 2, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = columns.view(np.uint64) * weights[:, None]
    found: npt.NDArray[np.uint64] = (mixed ^ (mixed >> np.uint64(29))).sum(0, dtype=np.uint64)
    return found
