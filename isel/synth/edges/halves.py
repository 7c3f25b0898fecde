"""Edges to instructions that join pairs in one register: what meets in one operation is joined by
halves in the order in which it lies in memory, in less than its width where that holds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final, Protocol, TypeAlias

from isel.ir import spans
from isel.ir.canon import canonical, formal, rename
from isel.ir.expr import Expr, leaves
from isel.ir.joins import JOINS
from isel.rules.derived import expanded
from isel.rules.recognise import recognised
from isel.synth.edges.groups import sum_of_two
from isel.synth.values.lanefn import LaneFn, lane_fn
from isel.synth.values.linear import Monomial, monomials, rebuild, summed

Order: TypeAlias = Mapping[Expr, tuple[int, int]]
Pairwise: TypeAlias = Mapping[LaneFn, tuple[int, int]]
_Places: TypeAlias = tuple[tuple[int, int, int], ...]
_EXTREMES: Final = tuple(name for name in JOINS if name.endswith(("min", "max")))


@dataclass(frozen=True, slots=True)
class Halved:
    """``fn(args)``, joined with ``rest`` by ``join`` if there is one, may be a term."""

    fn: LaneFn
    args: tuple[Expr, ...]
    join: LaneFn
    rest: Expr | None


class _Meeting(Protocol):
    """Values that one operation joins, in any order."""

    @property
    def items(self) -> Sequence[Expr]:
        """What may lie side by side."""
        ...

    @property
    def join(self) -> LaneFn:
        """The operation on two values."""
        ...

    def of(self, items: Sequence[Expr], width: int) -> Expr | None:
        """Return what some items are joined, in a width; None where that does not hold it."""
        ...

    def without(self, items: Sequence[Expr]) -> Expr | None:
        """Return what all but some items are joined."""
        ...


def halved_edges(pairwise: Pairwise, term: Expr, order: Order) -> Iterator[Halved]:
    """Yield applications of ``pairwise`` functions to halves of what lies side by side in memory.

    ``pairwise`` names the two holes that are filled out of one register; ``order`` places the
    term's leaves: (source, offset).  The caller checks them on samples.
    """
    meeting = _meeting(term) if pairwise else None
    if meeting is None:
        return
    for run in _runs(meeting.items, order):
        middle, rest = len(run) // 2, meeting.without(run)
        # Lanes are of one class, with their leaves in one order, if one half is the other's image.
        further = {
            x: y
            for a, b in zip(run[:middle], run[middle:], strict=True)
            for x, y in zip(leaves(a), leaves(b), strict=True)
        }
        for fn, holes in pairwise.items():
            half = meeting.of(run[:middle], fn.widths[holes[0]])
            if fn.width != term.width or half is None:
                continue
            args = {holes[0]: half, holes[1]: rename(half, further)}
            added = [k for k in range(fn.arity) if k not in holes]
            if rest is not None:
                args |= dict.fromkeys(added, rest)
            if len(args) == fn.arity:
                every = tuple(args[k] for k in range(fn.arity))
                yield Halved(fn, every, meeting.join, None if added else rest)


def _meeting(term: Expr) -> _Meeting | None:
    if term.op in ("add", "sub", "zext", "sext"):
        ms = monomials(term)
        return _Sum(term.width, ms) if len(ms) > 2 else None
    use = next(recognised(term, _EXTREMES), None)
    items = () if use is None else tuple(dict.fromkeys(_met(use.op, term)))
    return _Extreme(use.op, items) if use is not None and len(items) > 2 else None


def _met(op: str, e: Expr) -> Iterator[Expr]:
    use = next(recognised(e, (op,)), None)
    if use is None:
        yield e
    else:
        for a in use.args:
            yield from _met(op, a)


class _Sum:
    def __init__(self, width: int, ms: Sequence[Monomial]) -> None:
        self._width, self._ms = width, ms
        plain = (m for m in ms if m.coefficient == 1 and len(m.atoms) == 1)
        self._of = {m.atoms[0].term: m for m in plain}
        self.items = tuple(self._of)
        self.join = sum_of_two(width)

    def of(self, items: Sequence[Expr], width: int) -> Expr | None:
        """Return the sum of some items as a number, or modulo the width of all."""
        if width > self._width:
            return None
        taken = [self._of[x] for x in items]
        bounds = summed(taken, self._width).bounds()
        holds = (spans.within(bounds, spans.whole(width, signed=s)) for s in (False, True))
        return rebuild(taken, width) if width == self._width or any(holds) else None

    def without(self, items: Sequence[Expr]) -> Expr | None:
        taken = {self._of[x] for x in items}
        rest = [m for m in self._ms if m not in taken]
        return rebuild(rest, self._width) if rest else None


class _Extreme:
    def __init__(self, op: str, items: Sequence[Expr]) -> None:
        self._op, self.items = op, items
        pair = tuple(formal(i, items[0].width) for i in range(2))
        self.join = lane_fn(canonical(self._joined(pair))[0])

    def of(self, items: Sequence[Expr], width: int) -> Expr | None:
        return self._joined(items) if width == items[0].width else None

    def without(self, items: Sequence[Expr]) -> Expr | None:
        rest = [x for x in self.items if x not in items]
        return self._joined(rest) if rest else None

    def _joined(self, items: Sequence[Expr]) -> Expr:
        return reduce(lambda a, b: expanded(self._op, (a, b)), items)


def _runs(items: Sequence[Expr], order: Order) -> Iterator[tuple[Expr, ...]]:
    """Yield what lies side by side, as far as it can be halved again and again."""
    placed = {x: at for x in items if (at := _places(x, order)) is not None}
    runs: list[list[Expr]] = []
    for x in sorted(placed, key=lambda x: placed[x]):
        if runs and _behind(placed[runs[-1][-1]]) == placed[x]:
            runs[-1].append(x)
        else:
            runs.append([x])
    return (tuple(r) for r in runs if len(r) > 1 and not len(r) & (len(r) - 1))


def _places(e: Expr, order: Order) -> _Places | None:
    """Return (source, offset, width) of what a value is computed from."""
    found = leaves(e)
    return tuple((*order[x], x.width) for x in found) if all(x in order for x in found) else None


def _behind(places: _Places) -> _Places:
    return tuple((source, at + width, width) for source, at, width in places)
