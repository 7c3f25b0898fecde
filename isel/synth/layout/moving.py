"""Moving what exists already: input registers, swizzles of them, and permutes by a constant
index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from isel.ir.build import zext
from isel.ir.canon import formal
from isel.model.program import Step
from isel.model.window import Leaf
from isel.synth.instructions.form import Form
from isel.synth.instructions.library import Library
from isel.synth.lanes.graph import LaneGraph
from isel.synth.layout.bounds import Prices
from isel.synth.layout.elements import ANY, Elements, Goal
from isel.synth.layout.free import FreeRegisters, Spans
from isel.synth.layout.permutes import INDEX
from isel.synth.layout.plans import Plans, cheapest
from isel.synth.layout.reach import Places, Reach, Rows, Source, giving
from isel.synth.limits import FROM_MEMORY
from isel.synth.values.lanefn import lane_fn

_LEAST_BITS: Final = 64
_MOST_KEPT: Final = 64
Solve: TypeAlias = Callable[[int, Goal], tuple[int, int] | None]
_Reader: TypeAlias = tuple[Form, list[tuple[Rows, Places]]]


@dataclass(frozen=True, slots=True)
class Shape:
    """Where a source is read, in pieces of ``width`` bits: for each of its leaves the first
    bit, lanes, width and period.
    """

    width: int
    places: tuple[tuple[int, int, int, int], ...]

    def leaves(self, k: int) -> list[Leaf]:
        """Return the leaves of the ``k``-th of several sources."""
        return [
            Leaf(leaf_name(k, j), width, lanes, source_name(k), first, period)
            for j, (first, lanes, width, period) in enumerate(self.places)
        ]


def source_name(k: int) -> str:
    """Return what the ``k``-th source of a move is called."""
    return f"r{k}"


def leaf_name(k: int, j: int) -> str:
    """Return what the ``j``-th leaf of the ``k``-th source of a move is called."""
    return f"r{k}.{j}"


@lru_cache(maxsize=_MOST_KEPT)
def moves_of(library: Library, shapes: tuple[Shape, ...], prices: Prices) -> Moves:
    """Return the moves of sources of some shapes, which remember what was found."""
    return Moves(library, shapes, prices)


class Moves:
    """Leaves as registers: whole, in pieces, and padded; and goals made of them alone.

    What is found depends on the shapes of the leaves, not on whose they are: :func:`moves_of`
    shares it between goals and windows.
    """

    def __init__(self, library: Library, shapes: Sequence[Shape], prices: Prices) -> None:
        self._library = library
        self.elements = Elements(LaneGraph(library))
        self.plans = Plans()
        self._high, self._join = prices.high_half, prices.join // FROM_MEMORY
        self._constant = prices.constant
        self._inputs: Spans = {}
        spans: Spans = {}
        self._registers = FreeRegisters(library, self.elements, self.plans, self._inputs, spans)
        self._moved: dict[tuple[int, bytes], tuple[int, int] | None] = {}
        self._simples: dict[tuple[int, tuple[int, ...]], tuple[int, int] | None] = {}
        self._reaches: dict[tuple[int, int, tuple[int, ...]], Reach] = {}
        self._reading: dict[tuple[int, int, tuple[int, ...]], list[_Reader]] = {}
        for k, shape in enumerate(shapes):
            for leaf in shape.leaves(k):
                ids = [
                    self.elements.leaf(leaf.element(at, shape.width))
                    for at in range(0, leaf.lanes * leaf.width, shape.width)
                ]
                self._add_leaf(leaf, shape.width, np.array(ids, dtype=np.int64))
            self._add_span(shape.leaves(k), shape.width, spans)

    def _add_leaf(self, leaf: Leaf, width: int, ids: Goal) -> None:
        own = self.plans.add(Step("leaf", leaf.width, leaf.lanes, name=leaf.name))
        whole = self.plans.view(own, width)
        if width == 1 and leaf.period:  # of a scalar in all lanes it is a mask by itself
            one = self.plans.part(leaf.width, own, 0, leaf.period // leaf.width)
            self._add_piece(1, ids[: leaf.period], self.plans.view(one, 1), 0)
        limit = self._library.machine.vector_bits
        if width * len(ids) <= limit:
            self._add_piece(width, ids, whole, 0)
            self._pad(width, ids, whole, self._inputs)
            return
        step = limit // width
        for first in range(0, len(ids), step):
            part = ids[first : first + step]
            plan = self.plans.part(width, whole, first, len(part))
            self._add_piece(width, part, plan, 0)
            self._pad(width, part, plan, self._inputs)

    def _add_span(self, leaves: Sequence[Leaf], width: int, spans: Spans) -> None:
        """Add the register of the first and the last leaf of a source where these overlap, so that
        it holds all others.
        """
        if len(leaves) < 2:
            return
        first, last = (f(leaves, key=lambda x: x.first) for f in (min, max))
        bits = first.lanes * first.width
        alike = (first.lanes, first.width, 0) == (last.lanes, last.width, last.period)
        if not alike or last.first > first.first + bits:
            return
        at = [x.element(k, width) for x in (first, last) for k in range(0, bits, width)]
        ids = np.array([self.elements.leaf(e) for e in at], dtype=np.int64)
        parts = [
            self.plans.view(self.plans.add(Step("leaf", x.width, x.lanes, name=x.name)), width)
            for x in (first, last)
        ]
        plan = self.plans.join(width, parts, self._join)
        spans.setdefault((width, len(ids)), []).append((plan, ids, self._join))
        self._pad(width, ids, plan, spans, self._join)

    def _add_piece(self, width: int, ids: Goal, plan: int, cost: int) -> None:
        self._inputs.setdefault((width, len(ids)), []).append((plan, ids, cost))
        half = len(ids) // 2
        if len(ids) % 2 == 0 and width * half >= _LEAST_BITS:
            low = self.plans.part(width, plan, 0, half)
            high = self.plans.part(width, plan, half, half, self._high)
            self._add_piece(width, ids[:half], low, cost)
            self._add_piece(width, ids[half:], high, cost + self._high)

    def _pad(self, width: int, ids: Goal, plan: int, into: Spans, cost: int = 0) -> None:
        for bits in self._library.sizes:
            n = bits // width
            if bits % width == 0 and n > len(ids) and width > 1:
                rest = self.plans.add(Step("undef", width, n - len(ids)))
                padded = self.plans.join(width, (plan, rest))
                wide = np.concatenate([ids, np.full(n - len(ids), ANY - 1, dtype=np.int64)])
                into.setdefault((width, n), []).append((padded, wide, cost))

    def quick_bound(self, width: int, goal: Goal) -> int:
        """Return a lower bound on what :meth:`move` finds, without searching two levels;
        whatever was found before.
        """
        asked = goal.tolist()
        hit = self._reach_for(width, asked).find(asked)
        if hit is not None and hit.cost == 0:
            return 0
        bits = width * len(goal)
        permutes = self._library.permutes_of(bits)
        extension = self._extension(width, goal)
        prices = [2 * self._library.cheapest_move(bits)]
        prices += [price + INDEX for _, price in permutes[:1]]
        prices += [extension.cost] if extension else []
        return min(prices if hit is None else [*prices, hit.cost])

    def move(self, width: int, goal: Goal) -> tuple[int, int] | None:
        """Return the cheapest plan for a goal of elements and literals."""
        key = (width, goal.tobytes())
        if key not in self._moved:
            self._moved[key] = self._search(width, goal)
        return self._moved[key]

    def at_once(self, width: int, goal: Goal) -> tuple[int, int] | None:
        """Return the cheapest plan that is one instruction, or a register that is there."""
        asked = goal.tolist()
        found = self._simple(width, asked)
        least = self._library.cheapest_move(width * len(goal))
        done = found is not None and found[0] <= least
        if done or not any(self.elements.kind[i] == "leaf" for i in asked if i != ANY):
            return found
        return cheapest((found, self._registers.permuted(width, goal)))

    def _search(self, width: int, goal: Goal) -> tuple[int, int] | None:
        asked = goal.tolist()
        best = self._reached(width, asked)
        if (best is not None and best[0] == 0) or not any(
            self.elements.kind[i] == "leaf" for i in asked if i != ANY
        ):
            return best
        least = self._library.cheapest_move(width * len(goal))
        for way, price in (
            (self._extended, least),
            (self._registers.permuted, least),
            (self._halves, 2 * least),
            (self._twice, 2 * least),
            (self._gathered, 3 * least),
        ):
            found = way(width, goal) if best is None or best[0] > price else None
            if found is not None and (best is None or found[0] < best[0]):
                best = found
        return best or self._registers.join_halves(width, goal, self._join)

    def _reached(self, width: int, goal: Sequence[int]) -> tuple[int, int] | None:
        """Use a register that exists, or one swizzle of such."""
        hit = self._reach_for(width, goal).find(goal)
        if hit is None:
            return None
        if hit.form is None:
            return hit.cost, hit.sources[0].plan
        plan = self.plans.apply(hit.form, [s.plan for s in hit.sources])
        return hit.cost, self.plans.view(plan, width)

    def _extended(self, width: int, goal: Goal) -> tuple[int, int] | None:
        """Put zeros after elements by extending a register, or the low half of one."""
        form = self._extension(width, goal)
        if form is None:
            return None
        rest = [ANY] * (form.instruction.operands[0].lanes - len(goal) // 2)
        found = self._simple(width, [*goal[::2].tolist(), *rest])
        if found is None:
            return None
        plan = self.plans.apply(form, found[1:])
        return found[0] + form.cost, self.plans.view(plan, width)

    def _extension(self, width: int, goal: Goal) -> Form | None:
        """Return what puts a zero after each element, if every other element of the goal is one."""
        if len(goal) % 2 or any(
            x != ANY and not self.elements.is_zero(x) for x in goal[1::2].tolist()
        ):
            return None
        forms = self._library.forms(lane_fn(zext(formal(0, width), 2 * width)), width * len(goal))
        order = np.arange(len(goal) // 2)
        return next((f for f in forms if np.array_equal(f.index[0], order)), None)

    def _reach_for(self, width: int, goal: Sequence[int]) -> Reach:
        literal = next((x for x in goal if x != ANY and self.elements.kind[x] == "const"), None)
        return self._reach(width, len(goal), () if literal is None else (literal,))

    def _reach(self, width: int, lanes: int, literals: tuple[int, ...]) -> Reach:
        """Return what swizzles make of the registers of a shape, and of registers full of one
        of ``literals``.
        """
        key = (width, lanes, literals)
        found = self._reaches.get(key)
        if found is None:
            sources = [
                Source(plan, ids, cost) for plan, ids, cost in self._inputs.get((width, lanes), ())
            ]
            for x in literals:
                splat = np.full(lanes, x, dtype=np.int64)
                cost, plan = literal(self.elements, self.plans, width, splat, self._constant)
                sources.append(Source(plan, splat, cost))
            forms = self._library.swizzles(width * lanes, width)
            found = self._reaches[key] = Reach(forms, sources, width, lanes)
        return found

    def _simple(self, width: int, goal: Sequence[int]) -> tuple[int, int] | None:
        """Return the plan of an operand of a swizzle: an input, a literal, nothing, or one more
        swizzle.
        """
        key = (width, tuple(goal))
        if key not in self._simples:
            self._simples[key] = self._found_simple(width, goal)
        return self._simples[key]

    def _found_simple(self, width: int, goal: Sequence[int]) -> tuple[int, int] | None:
        ids = [x for x in goal if x != ANY]
        if not ids:
            return 0, self.plans.add(Step("undef", width, len(goal)))
        if all(self.elements.kind[i] == "const" for i in ids):
            return literal(
                self.elements, self.plans, width, np.array(goal, dtype=np.int64), self._constant
            )
        return self._reached(width, goal)

    def _twice(self, width: int, goal: Goal) -> tuple[int, int] | None:
        """Use a swizzle of swizzles."""
        best: tuple[int, int] | None = None
        asked = goal.tolist()
        literals = tuple(
            dict.fromkeys(x for x in asked if x != ANY and self.elements.kind[x] == "const")
        )
        for form in self._giving(width, asked, literals):
            if best is not None and form.cost >= best[0]:
                break
            operands, total, plans = form.instruction.operands, form.cost, list[int]()
            for o, wanted in zip(operands, form.invert(width, asked, ANY) or (), strict=False):
                found = self._simple(width, wanted)
                if found is None:
                    break
                total += found[0]
                plans.append(self.plans.view(found[1], o.width))
            if len(plans) != len(operands) or (best is not None and total >= best[0]):
                continue
            best = total, self.plans.view(self.plans.apply(form, plans), width)
        return best

    def _giving(self, width: int, goal: Sequence[int], literals: tuple[int, ...]) -> Iterator[Form]:
        """Yield the swizzles, cheapest first, that give a goal if they read what exists, or
        swizzles of that; all if the goal has several literals.
        """
        if len(literals) > 1:
            return (form for form, _ in self._readers(width, len(goal), ()))
        return giving(self._readers(width, len(goal), literals), goal)

    def _readers(self, width: int, lanes: int, literals: tuple[int, ...]) -> list[_Reader]:
        """Return the swizzles of a size, with what exists for each operand, swizzles of that,
        and which places it reads.
        """
        key = (width, lanes, literals)
        found = self._reading.get(key)
        if found is None:
            found = self._reading[key] = [
                (
                    form,
                    [
                        (self._reach(width, o.bits // width, literals).rows, r)
                        for o, r in zip(form.instruction.operands, form.reads(width), strict=True)
                    ],
                )
                for form in self._library.swizzles(width * lanes, width)
            ]
        return found

    def split(self, width: int, goal: Goal) -> tuple[int, int] | None:
        """Return a plan for a whole root of elements and literals, halved as often as needed."""
        return self.move(width, goal) or self._halves(width, goal, self.split)

    def _halves(self, width: int, goal: Goal, solve: Solve | None = None) -> tuple[int, int] | None:
        """Put two registers of half the size together, which are simple moves unless ``solve``
        finds them.
        """
        if (
            len(goal) % 2
            or width * len(goal) <= 128
            or width * len(goal) // 2 not in self._library.sizes
        ):
            return None
        half = len(goal) // 2
        find = solve or (lambda w, g: self._simple(w, g.tolist()))
        low = find(width, goal[:half])
        high = None if low is None else find(width, goal[half:])
        if low is None or high is None:
            return None
        plan = self.plans.join(width, (low[1], high[1]), self._high)
        return low[0] + high[0] + self._high, plan

    def _gathered(self, width: int, goal: Goal) -> tuple[int, int] | None:
        """Bring more than two registers together: halves moved apart, or permutes of what
        permutes put together of each two.
        """
        sources = self._registers.holding(width, goal)
        if len(sources) <= 2:
            return None
        halves = self._halves(width, goal, self.split)
        return cheapest((halves, self._registers.together(width, goal, sources)))


def literal(
    elements: Elements, plans: Plans, width: int, goal: Goal, price: int
) -> tuple[int, int]:
    """Return the price and plan of a goal of literals; one that all lanes may have, they have: so
    it is the same register whoever asks for a part of it.
    """
    literals = [None if x == ANY else elements.expr[x] for x in goal.tolist()]
    values = tuple(None if e is None else e.value for e in literals)
    each = {v for v in values if v is not None}
    if len(each) == 1:
        values = (*each,) * len(goal)
    return price, plans.add(Step("const", width, len(goal), values=values), price)
