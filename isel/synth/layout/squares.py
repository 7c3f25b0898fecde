"""Squares: registers that hold the elements of leaves in another order, all made together.

Looked for from the end: the round that would give some registers says which registers it reads,
until each of these is had at once. Transposes and interleaves of 2**n registers are n rounds away,
as few as bits of an element's number change their places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from isel.synth.instructions.library import Library
from isel.synth.layout.bounds import Prices
from isel.synth.layout.elements import ANY, Goal
from isel.synth.layout.plans import Plans
from isel.synth.layout.rounds import Round, rounds_of
from isel.synth.limits import MOST_SQUARES

Rows: TypeAlias = npt.NDArray[np.int64]  # a register each
Pairs: TypeAlias = tuple[tuple[int, ...], ...]  # the rows that a round reads, and gives


_AT_ONCE: Final = 2  # registers that one instruction reads


class Held(Protocol):
    """What registers a window has (:class:`isel.synth.goals.registers.Registers`)."""

    plans: Plans

    def at_once(self, width: int, goal: Goal) -> tuple[int, int] | None:
        """Return the price and plan of a goal that one instruction makes of leaves."""
        ...

    def place(self, element: int, bits: int) -> tuple[str, int]:
        """Return the source of an element, and the number of its register of so many bits there."""
        ...


@dataclass(frozen=True, slots=True)
class _State:
    """Registers that are asked for, and the rounds that make of them what was asked first."""

    rows: Rows
    price: int
    behind: _State | None = None
    round_: Round | None = None
    pairs: Pairs = ()


class Square:
    """The search for the registers of ``rows``, in elements of ``width`` bits."""

    def __init__(
        self, library: Library, held: Held, width: int, rows: Rows, prices: Prices
    ) -> None:
        bits = width * rows.shape[1]
        self._rounds = rounds_of(library, bits, width, prices)
        self._least = library.cheapest_move(bits)
        self._held, self._width, self._first = held, width, rows
        self._number = self._numbered(rows, bits)
        self._looked: dict[bytes, tuple[tuple[int, int] | None, int]] = {}

    def _numbered(self, rows: Rows, bits: int) -> Rows:
        """Return for each element the number of the register of leaves that it lies in."""
        numbers: dict[tuple[str, int], int] = {}
        found = np.full(int(rows.max()) + 2, ANY, dtype=np.int64)
        for x in np.unique(rows[rows != ANY]).tolist():
            found[x] = numbers.setdefault(self._held.place(x, bits), len(numbers))
        return found

    def solve(self, most: int) -> tuple[int, list[int]] | None:
        """Return the price, at most ``most``, and the plans of the registers, None where rounds do
        not give them.
        """
        rows = self._first
        best: tuple[int, _State] | None = None
        seen: set[bytes] = set()
        waiting = [(self._bound(rows), 0, _State(rows, 0))]
        count = 0
        while waiting and len(seen) < MOST_SQUARES:
            bound, _, state = heappop(waiting)
            if bound > most:
                break
            if state.rows.tobytes() in seen:
                continue
            seen.add(state.rows.tobytes())
            total = self._total(state, most)
            if total is not None:
                best, most = (total, state), total - 1
            for new in self._before(state):
                bound = new.price + self._bound(new.rows)
                if bound <= most and new.rows.tobytes() not in seen:
                    count += 1
                    heappush(waiting, (bound, count, new))
        return None if best is None else (best[0], self._plans(best[1]))

    def _had_at(self, row: Goal) -> tuple[int, int] | None:
        return self._look(row)[0]

    def _free(self, rows: Rows) -> list[bool]:
        return [not self._look(row)[1] for row in rows]

    def _bound(self, rows: Rows) -> int:
        """Return a lower bound on the price: two registers of leaves are joined at a time."""
        return self._least * sum(self._look(row)[1] for row in rows)

    def _look(self, row: Goal) -> tuple[tuple[int, int] | None, int]:
        """Return how a register is had at once, and how many times something is joined for it."""
        key = row.tobytes()
        found = self._looked.get(key)
        if found is None:
            count = len(set(self._number[row].tolist()) - {ANY})
            few = count <= _AT_ONCE
            had = self._held.at_once(self._width, row) if few else None
            joins = 0 if had is not None and not had[0] else max(1, (count - 1).bit_length())
            found = self._looked[key] = had, joins
        return found

    def _total(self, state: _State, most: int) -> int | None:
        """Return the price where each register is had at once."""
        total = state.price
        for row in state.rows:
            had = self._had_at(row)
            if had is None or total + had[0] > most:
                return None
            total += had[0]
        return total

    def _before(self, state: _State) -> Iterator[_State]:
        """Yield the states that a round makes this one of; what is there already is left alone."""
        open_ = [k for k, free in enumerate(self._free(state.rows)) if not free]
        strides = [1 << k for k in range((len(state.rows) - 1).bit_length())]
        pairs = [tuple((k, k + s) for k in open_ if not k & s and k + s in open_) for s in strides]
        for r in self._rounds:
            alone = len(r.forms) == 1
            for held in filter(None, [tuple((k,) for k in open_)] if alone else pairs):
                rows, at = state.rows.copy(), np.array(held)
                flat = rows[at].reshape(len(held), -1)[:, r.back]
                rows[at] = flat.reshape(*at.shape, -1)
                yield _State(rows, state.price + r.cost * len(held), state, r, held)

    def _plans(self, state: _State) -> list[int]:
        found = [had[1] for row in state.rows if (had := self._had_at(row)) is not None]
        plans, at = self._held.plans, state
        while at.behind is not None and at.round_ is not None:
            for pair in at.pairs:
                given = tuple(plans.view(found[k], self._width) for k in pair)
                made = at.round_.apply(plans, self._width, given)
                for k, plan in zip(pair, made, strict=True):
                    found[k] = plan
            at = at.behind
        return found
