"""What one swizzle makes of the input registers: every result, looked up by content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

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


class Reach:
    """All swizzles of one or two registers of one shape, cheapest first."""

    def __init__(self, forms: Sequence[Form], sources: Sequence[Source], width: int) -> None:
        self._hits: list[tuple[Form, tuple[int, ...]]] = []
        self._sources = list(sources)[:_MAX_REGISTERS]
        rows: list[Goal] = []
        lanes = len(self._sources[0].ids) if self._sources else 0
        for form in forms:
            i = form.instruction
            if i.width < width or i.width % width or any(o.bits != i.bits for o in i.operands) or len(i.operands) > 2:
                continue
            operand, index = form.table(width)
            for chosen in self._choices(len(i.operands)):
                together = np.concatenate([self._sources[k].ids for k in chosen])
                rows.append(together[operand * lanes + index])
                self._hits.append((form, chosen))
        costs = [form.cost + sum(self._sources[k].cost for k in chosen) for form, chosen in self._hits]
        order = sorted(range(len(costs)), key=lambda k: (costs[k], k))
        self._hits = [self._hits[k] for k in order]
        self._costs = [costs[k] for k in order]
        self._rows = np.stack([rows[k] for k in order]) if rows else np.zeros((0, lanes), dtype=np.int64)
        self._columns = np.ascontiguousarray(self._rows.T)
        self._exact: dict[bytes, int] = {}
        for k, row in enumerate(self._rows):
            self._exact.setdefault(row.tobytes(), k)

    def _choices(self, arity: int) -> list[tuple[int, ...]]:
        n = range(len(self._sources))
        return [(a,) for a in n] if arity == 1 else [(a, b) for a in n for b in n]

    def find(self, goal: Goal) -> Hit | None:
        """Return the cheapest swizzle that gives ``goal``."""
        asked = goal != ANY
        if not bool(asked.any()) or not self._hits:
            return None
        if bool(asked.all()):
            k = self._exact.get(goal.tobytes())
        else:
            places = np.nonzero(asked)[0]
            near = np.nonzero(self._columns[places[0]] == goal[places[0]])[0]
            fits = near[(self._rows[near][:, places] == goal[places]).all(-1)] if len(near) else near
            k = int(fits[0]) if len(fits) else None
        if k is None:
            return None
        form, chosen = self._hits[k]
        return Hit(form, tuple(self._sources[c] for c in chosen), self._costs[k])
