"""What one swizzle makes of the input registers: every result, looked up by content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias

import numpy as np

from isel.synth.instructions.form import Form
from isel.synth.layout.elements import ANY, Goal

Places: TypeAlias = list[tuple[int, int]]
_MAX_SWIZZLED: Final = 20


@dataclass(frozen=True, slots=True)
class Source:
    """A register that exists: its plan, its elements and what it costs to have it."""

    plan: int
    ids: Goal
    cost: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A swizzle of existing registers; such a register itself where there is no form."""

    form: Form | None
    sources: tuple[Source, ...]
    cost: int


class Rows:
    """Registers by what they hold, the cheapest first.

    Which of them hold an element in a lane is one integer, made when first asked for.
    """

    def __init__(self, rows: Goal) -> None:
        """``rows`` has a row for each register and a column for each lane."""
        self._columns = np.ascontiguousarray(rows.T)
        self._holding: list[dict[int, int]] = [{} for _ in self._columns]

    def fitting(self, places: Iterable[tuple[int, int]], goal: Sequence[int]) -> int:
        """Return those that have in a lane, for each of ``places`` (lane, at), what is asked at
        ``goal[at]``: a bit for each; -1 where nothing is asked.
        """
        fits = -1
        holding = self._holding
        for lane, at in places:
            element = goal[at]
            if element == ANY:
                continue
            bits = holding[lane].get(element)
            fits &= self._hold(lane, element) if bits is None else bits
            if not fits:
                break
        return fits

    def _hold(self, lane: int, element: int) -> int:
        found = int.from_bytes(
            np.packbits(self._columns[lane] == element, bitorder="little").tobytes(), "little"
        )
        self._holding[lane][element] = found
        return found


@dataclass(frozen=True, eq=False)
class _Table:
    """Registers of one shape and every swizzle of them, cheapest first: the form and which
    registers it reads, its price, and what it gives.
    """

    hits: list[tuple[Form | None, tuple[int, ...]]]
    costs: list[int]
    rows: Rows


class Reach:
    """Registers of one shape and all swizzles of one or two of the first of them, cheapest
    first.
    """

    def __init__(
        self, forms: tuple[Form, ...], sources: Sequence[Source], width: int, lanes: int
    ) -> None:
        self._sources = list(sources)
        self._table = (
            _table(forms, self._sources, width)
            if self._sources
            else _Table([], [], Rows(np.empty((0, lanes), dtype=np.int64)))
        )

    @property
    def rows(self) -> Rows:
        """What each of them holds."""
        return self._table.rows

    def find(self, goal: Sequence[int]) -> Hit | None:
        """Return the cheapest that gives ``goal``."""
        fits = self._table.rows.fitting(((i, i) for i in range(len(goal))), goal)
        if fits in (0, -1):
            return None
        first = lowest(fits)
        form, chosen = self._table.hits[first]
        return Hit(form, tuple(self._sources[c] for c in chosen), self._table.costs[first])


def lowest(bits: int) -> int:
    """Return the number of the lowest bit that is set; there must be one."""
    return (bits & -bits).bit_length() - 1


def giving(
    candidates: Iterable[tuple[Form, list[tuple[Rows, Places]]]], goal: Sequence[int]
) -> Iterator[Form]:
    """Yield the swizzles that give a goal: for each operand, with the places that it reads,
    there is a register that has what is asked there.
    """
    for form, operands in candidates:
        if all(rows.fitting(read, goal) for rows, read in operands):
            yield form


def _table(forms: tuple[Form, ...], sources: Sequence[Source], width: int) -> _Table:
    """Return what ``forms`` make of registers."""
    ids, costs = np.stack([s.ids for s in sources]), [s.cost for s in sources]
    single: list[tuple[tuple[int, ...], int]] = [((a,), c) for a, c in enumerate(costs)]
    hits: list[tuple[Form | None, tuple[int, ...]]] = [(None, a) for a, _ in single]
    prices, parts = [*costs], [ids]
    single = single[:_MAX_SWIZZLED]
    pairs = [(a + b, c + d) for (a, c), (b, d) in product(single, single)]
    for form in forms:
        i = form.instruction
        if len(i.operands) > 2 or any(o.bits != i.bits for o in i.operands):
            continue
        operand, index = form.table(width)
        read, given = ids[: len(single), index], single
        if len(i.operands) == 2:
            both = np.where(operand == 0, read[:, None, :], read[None, :, :])
            read, given = both.reshape(len(pairs), -1), pairs
        parts.append(read)
        hits += [(form, places) for places, _ in given]
        prices += [form.cost + c for _, c in given]
    order = np.argsort(np.array(prices, dtype=np.int64), kind="stable")
    return _Table(
        [hits[k] for k in order.tolist()],
        [prices[k] for k in order.tolist()],
        Rows(np.concatenate(parts)[order]),
    )
