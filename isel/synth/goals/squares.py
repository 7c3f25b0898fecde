"""Squares: registers that hold the elements of leaves in another order, all made together.

Looked for from the end: the round that would give some registers says which registers it reads,
until each of these is had at once. Transposes and interleaves of 2**n registers are n rounds away,
as many as bits of an element's number change their places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from isel.synth.goals.search import GoalSearch
from isel.synth.layout.bounds import NEVER
from isel.synth.layout.elements import ANY, Goal
from isel.synth.layout.rounds import Round, rounds_of
from isel.synth.limits import AT_ONCE, MOST_ROWS_SQUARE, MOST_SQUARES

Rows: TypeAlias = npt.NDArray[np.int64]  # a register each
Pairs: TypeAlias = tuple[tuple[int, ...], ...]  # of rows


def together(
    search: GoalSearch, widths: Sequence[int], goals: Sequence[Goal]
) -> Iterator[list[int]]:
    """Yield plans of roots in which leaves are only moved, all made in registers of one size: for
    each size at most one way.
    """
    alike = len(set(widths)) == 1 and widths[0] > 1
    firsts = np.cumsum([0, *map(len, goals)]).tolist()[:-1]
    for lanes in [bits // widths[0] for bits in search.library.sizes if alike]:
        if _is_even(goals, firsts, lanes):
            rows: Rows = np.concatenate(goals).reshape(-1, lanes)
            asked = bool((rows != ANY).any(axis=1).all())  # of each something
            plans = Square(search, widths[0], rows).solve() if asked else []
            parts = zip(firsts, map(len, goals), strict=True)
            made = [_root(search, widths[0], lanes, plans, f, n) for f, n in parts if plans]
            yield from [made] if made else ()


def _is_even(goals: Sequence[Goal], firsts: Sequence[int], lanes: int) -> bool:
    """Tell whether each goal is several registers, or a part of one that others share."""
    total = sum(map(len, goals))
    ends = [(f, *sorted((len(g), lanes))) for f, g in zip(firsts, goals, strict=True)]
    even = all(n and not f % n and not m % n for f, n, m in ends)
    return even and not total % lanes and total <= lanes * MOST_ROWS_SQUARE


def _root(
    search: GoalSearch, width: int, lanes: int, plans: Sequence[int], first: int, size: int
) -> int:
    """Return the plan of ``size`` neighbouring lanes of registers."""
    own = tuple(plans[first // lanes : -(-(first + size) // lanes)])
    if size > lanes:
        return search.plans.join(width, own)
    if size == lanes:
        return own[0]
    at = first % lanes
    return search.plans.part(width, own[0], at, size, bool(at) * search.prices.high_half)


@dataclass(frozen=True, slots=True)
class _State:
    """Registers that are asked for, and the round that makes of some the registers ``behind``."""

    rows: Rows
    price: int = 0
    behind: tuple[_State, Round, Pairs] | None = None


class Square:
    """The search for the registers of ``rows``, in elements of ``width`` bits."""

    def __init__(self, search: GoalSearch, width: int, rows: Rows) -> None:
        bits = width * rows.shape[1]
        self._search, self._width, self._rows = search, width, rows
        self._rounds = rounds_of(search.library, bits, width, search.prices)
        self._least = search.library.cheapest_move(bits)
        numbers: dict[tuple[str, int], int] = {}
        self._number: Goal = np.full(int(rows.max()) + 2, ANY, dtype=np.int64)
        for x in np.unique(rows[rows != ANY]).tolist():
            place = search.registers.place(x, bits)
            self._number[x] = numbers.setdefault(place, len(numbers))
        self._looked: dict[bytes, tuple[tuple[int, int] | None, int]] = {}

    def solve(self) -> list[int]:
        """Return the plans of the registers, none where rounds do not give them."""
        firsts = [max(row.tolist(), key=lambda x: x != ANY) for row in self._rows]
        order = sorted(range(len(firsts)), key=lambda k: self._search.registers.place(firsts[k], 1))
        start, best, most = _State(self._rows[order]), None, self._search.price
        seen: set[bytes] = set()
        waiting, number = [(self._bound(start), 0, start)], count(1)
        while waiting and waiting[0][0] <= most and len(seen) < MOST_SQUARES:
            state = heappop(waiting)[2]
            if state.rows.tobytes() in seen:
                continue
            seen.add(state.rows.tobytes())
            total = self._total(state)
            if total <= most:
                best, most = state, total - 1
            for new in self._before(state):
                heappush(waiting, (self._bound(new), next(number), new))
        plans = [] if best is None else self._plans(best)
        return [plans[order.index(k)] for k in range(len(plans))]

    def _bound(self, state: _State) -> int:
        """Return a lower bound on the price: two registers of leaves are joined at a time."""
        return state.price + self._least * sum(self._look(row)[1] for row in state.rows)

    def _look(self, row: Goal) -> tuple[tuple[int, int] | None, int]:
        """Return how a register is had at once, and how many instructions it takes at least."""
        key = row.tobytes()
        found = self._looked.get(key)
        if found is None:
            read = len(set(self._number[row].tolist()) - {ANY})
            few = read <= AT_ONCE
            had = self._search.registers.at_once(self._width, row) if few else None
            least = max(2, (read - 1).bit_length()) if had is None else int(had[0] > 0)
            found = self._looked[key] = had, least
        return found

    def _total(self, state: _State) -> int:
        """Return the price where each register is had at once."""
        had = [self._look(row)[0] for row in state.rows]
        prices = [h[0] for h in had if h is not None]
        return state.price + sum(prices) if len(prices) == len(had) else NEVER

    def _before(self, state: _State) -> Iterator[_State]:
        """Yield the states that a round makes this one of; what is there already is left alone."""
        open_ = [k for k, row in enumerate(state.rows) if self._look(row)[1]]
        single = [((k,),) for k in open_] if len(open_) == 2 else []  # of more they are too many
        alone: list[Pairs] = [tuple((k,) for k in open_), *single] if open_ else []
        pairs = list(filter(None, _pairs(open_, len(state.rows))))
        for r in self._rounds:
            for held in alone if len(r.forms) == 1 else pairs:
                rows, at = state.rows.copy(), np.array(held)
                rows[at] = rows[at].reshape(len(held), -1)[:, r.back].reshape(*at.shape, -1)
                yield _State(rows, state.price + r.cost * len(held), (state, r, held))

    def _plans(self, state: _State) -> list[int]:
        found = [had[1] for row in state.rows if (had := self._look(row)[0]) is not None]
        plans = self._search.plans
        while state.behind is not None:
            state, round_, pairs = state.behind
            for pair in pairs:
                given = tuple(plans.view(found[k], self._width) for k in pair)
                for k, plan in zip(pair, round_.apply(plans, self._width, given), strict=True):
                    found[k] = plan
        return found


def _pairs(among: Sequence[int], size: int) -> Iterator[Pairs]:
    """Yield for each bit of a row's number the rows that differ in it alone."""
    for s in (1 << k for k in range((size - 1).bit_length())):
        yield tuple((k, k + s) for k in among if not k & s and k + s in among)
