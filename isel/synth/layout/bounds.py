"""Lower bounds: the least price of a register full of one class, by relaxation over all edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, compress
from typing import Final, TypeAlias

from isel.ir.expr import Expr, leaves
from isel.model.machine import Machine
from isel.synth.instructions.library import Library
from isel.synth.lanes.graph import LaneClass, LaneGraph
from isel.synth.layout.elements import is_field, is_part, parts_of, whole_of, wider_of
from isel.synth.limits import BYTE
from isel.synth.values.lanefn import LaneFn
from isel.synth.values.questions import Edge

NEVER: Final = 1 << 40
_LEAST_BITS: Final = 32
Held: TypeAlias = tuple[tuple[LaneClass, ...], ...]  # the dearest of a row counts, of the least row
Choices: TypeAlias = list[tuple[int, list[tuple[Held, int]], int]]  # price, operands, users


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of what no instruction does, in hundredths of a cycle."""

    constant: int = 2
    join: int = 100
    high_half: int = 100

    @property
    def pairs(self) -> bool:
        """Whether a register is half of one twice as large for nothing, whichever half: what is
        computed there is had twice.
        """
        return self.high_half <= 1


def prices_of(machine: Machine) -> Prices:
    """Return the prices of a machine."""
    join, high_half = machine.halves_cost
    return Prices(join=join, high_half=high_half)


PRICES: Final = Prices()


class Bounds:
    """Admissible prices by (class, register bits); 0 for leaves and literals.

    Layout is ignored, an instruction's price is counted once, and of an operand that holds several
    classes only the dearest counts.
    """

    def __init__(self, library: Library, graph: LaneGraph, prices: Prices) -> None:
        self._library = library
        self._graph = graph
        self.prices = prices
        self._sizes = library.sizes
        self._least: dict[tuple[LaneClass, int], int] = {}
        self._read: dict[tuple[LaneClass, Expr], frozenset[str]] = {}
        self._of_term: dict[tuple[LaneClass, Expr], LaneClass | None] = {}
        self._forms: dict[LaneFn, bool] = {}

    def argument(self, c: LaneClass, arg: Expr) -> LaneClass | None:
        """Return the class of an edge's operand; None for a leaf or literal."""
        if not arg.args:
            return None
        key = (c, arg)
        if key not in self._of_term:
            self._of_term[key] = self._graph.part(c, arg, wanted=is_part(arg, c, self._library))[0]
        return self._of_term[key]

    def cheapest(self, bits: int) -> int:
        """Return the least price of moving anything into a register of ``bits`` bits."""
        return min(self._library.cheapest_move(bits), self.prices.high_half)

    def reach(self, roots: list[LaneClass]) -> None:
        """Expand what ``roots`` may be made of and relax prices to a fixpoint; stop once some
        root is known to have no program.
        """
        if all((r, self._sizes[-1]) in self._least for r in roots):
            return
        live = _Live(self, roots)
        if live.expand():
            rows = ((c, self._choices(c)) for c in reversed(live.options))
            self._relax({(c, bits): found for c, by in rows for bits, found in by.items()})
        for r in roots:
            self._least.setdefault((r, self._sizes[-1]), NEVER)

    def ways(self, c: LaneClass) -> list[tuple[LaneClass, ...]]:
        """Return for each way to produce a class the classes it needs; only edges that some
        instruction has.
        """
        every = [e.args for e in self._graph.edges(c) if self._has_form(e.fn)]
        every += [
            terms
            for terms in (_parts(c), _whole(c), wider_of(c.term, self._library.wide_products))
            if terms is not None
        ]
        every += [()] if is_field(c.term) else []
        return list(dict.fromkeys(self._needs(c, terms) for terms in every))

    def _needs(self, c: LaneClass, terms: Iterable[Expr]) -> tuple[LaneClass, ...]:
        """Return the classes of terms over the formals of a class, none for leaves and literals."""
        return tuple(dict.fromkeys(h for e in terms if (h := self.argument(c, e)) is not None))

    def _fits(self, c: LaneClass, bits: int) -> bool:
        """Tell whether registers of this size hold such lanes: masks have a bit a lane, other
        registers at least 32 bits.
        """
        return bits >= _LEAST_BITS if c.width > 1 else bits in self._library.mask_sizes

    def _has_form(self, fn: LaneFn) -> bool:
        found = self._forms.get(fn)
        if found is None:
            found = self._forms[fn] = any(self._library.forms(fn, bits) for bits in self._sizes)
        return found

    def _relax(self, choices: dict[tuple[LaneClass, int], Choices]) -> None:
        """Lower prices until none changes; a price is looked at again when one that it uses was
        lowered.
        """
        least = self._least
        users: dict[tuple[LaneClass, int], list[tuple[LaneClass, int]]] = {}
        for key, options in choices.items():
            least.setdefault(key, NEVER)
            for used in dict.fromkeys(
                (h, bits)
                for _, operands, _ in options
                for held, bits in operands
                for row in held
                for h in row
            ):
                users.setdefault(used, []).append(key)
        waiting = dict.fromkeys(choices)
        while waiting:
            key = next(iter(waiting))
            del waiting[key]
            best = _cheapest(choices[key], least, least[key])
            if best < least[key]:
                least[key] = best
                waiting.update(dict.fromkeys(users.get(key, ())))

    def _choices(self, c: LaneClass) -> dict[int, Choices]:
        """Return by register size the ways to have a register full of a class: a price, and the
        classes that its operands hold.
        """
        edges = [(e, [self.argument(c, a) for a in e.args]) for e in self._graph.edges(c)]
        views = [*self._views(c)]
        return {
            bits: [
                *(x for e, holes in edges for x in self._applications(c, e, holes, bits)),
                *((move(bits), [(h, bits) for h in held], 1) for move, held in views),
                *self._of_sizes(c, bits),
            ]
            for bits in self._sizes
            if self._fits(c, bits)
        }

    def _applications(
        self, c: LaneClass, edge: Edge, holes: list[LaneClass | None], bits: int
    ) -> Choices:
        found: Choices = []
        for form in self._library.forms(edge.fn, bits):
            operands: list[tuple[Held, int]] = []
            price = form.cost
            for o, ks in zip(form.instruction.operands, form.holes_of_operand, strict=True):
                if len(ks) > 1:
                    price += self._mixing(c, [edge.args[k] for k in ks], o.bits)
                inner = [h for k in ks if (h := holes[k]) is not None]
                if inner:
                    operands.append((self._held(inner), o.bits))
            found.append((price, operands, 1))
        return found

    def _views(self, c: LaneClass) -> Iterator[tuple[Callable[[int], int], list[Held]]]:
        """Yield what moving costs, and the rows that registers hold, where lanes are bits of
        others, or others put together.
        """
        if is_field(c.term):
            yield lambda bits: self._library.cheapest_instruction, []
        parts, whole = _parts(c), _whole(c)
        if parts is not None:
            halves = self._needs(c, parts)
            free = bool(halves) or self._neighbours(c, *parts)
            yield (
                (lambda bits: 0) if free else self.cheapest,
                [self._held(halves)] if halves else [],
            )
        if whole is not None:
            # a piece alone is brought together of several registers of wider values
            needs, count = self._needs(c, whole), c.term.args[0].width // c.width
            yield self.cheapest, [(needs,)] * count if needs else []
        twice = wider_of(c.term, self._library.wide_products)
        if twice is not None:
            yield self.cheapest, [((x,),) for x in self._needs(c, twice)]

    def _of_sizes(
        self, c: LaneClass, bits: int
    ) -> Iterator[tuple[int, list[tuple[Held, int]], int]]:
        """Yield how a register is had of two half as large, and of larger ones."""
        own: Held = ((c,),)
        if bits // 2 in self._sizes:
            yield self.prices.join, [(own, bits // 2), (own, bits // 2)], 1
        for wider in self._sizes:
            if wider > bits:
                yield 0, [(own, wider)], 2 if self.prices.pairs and wider == 2 * bits else 1

    def _held(self, classes: Iterable[LaneClass]) -> Held:
        """Return the rows of classes of which one bounds a register that holds some classes: these,
        and, where several are pieces of one wider value, that value for its pieces.
        """
        every = tuple(dict.fromkeys(classes))
        if len(every) < 2:
            return (every,)
        wholes = [self._whole(c) for c in every]
        several = {w for w in wholes if w is not None and wholes.count(w) > 1}
        pairs = zip(every, wholes, strict=True)
        row = dict.fromkeys(w if w in several and w is not None else c for c, w in pairs)
        return (every, tuple(row)) if several else (every,)

    def _whole(self, c: LaneClass) -> LaneClass | None:
        found = _whole(c)
        return None if found is None else self.argument(c, found[0])

    def _neighbours(self, c: LaneClass, low: Expr, high: Expr) -> bool:
        """Tell whether two leaves follow each other in memory, in the representative lane."""
        if low not in c.order or high not in c.order:
            return False
        (source, at), behind = c.order[low], c.order[high]
        return behind == (source, at + low.width)

    def _mixing(self, c: LaneClass, args: list[Expr], bits: int) -> int:
        """Return what it takes at least to bring values of different sources together in one
        register.
        """
        sources = {s for a in args if (s := self._sources(c, a))}
        return self.cheapest(bits) if len(sources) > 1 else 0

    def _sources(self, c: LaneClass, arg: Expr) -> frozenset[str]:
        """Return the operands of the window that an edge's operand reads, in the class's
        representative lane.
        """
        key = (c, arg)
        found = self._read.get(key)
        if found is None:
            found = self._read[key] = frozenset(c.order[x][0] for x in leaves(arg) if x in c.order)
        return found

    def least(self, c: LaneClass, bits: int) -> int:
        """Return the bound for a register of ``bits`` bits that a class fills."""
        return self._least.get((c, bits), NEVER)

    def least_of(self, classes: Iterable[LaneClass], bits: int) -> int:
        """Return the bound for a register of ``bits`` bits that holds these classes, 0 for none."""
        return _dearest(self._held(classes), bits, self._least)


def _parts(c: LaneClass) -> tuple[Expr, ...] | None:
    return parts_of(c.term) if c.width >= 2 * BYTE else None


def _whole(c: LaneClass) -> tuple[Expr, ...] | None:
    found = whole_of(c.term) if c.wanted else None
    return None if found is None else found[:1]


class _Live:
    """The expansion of classes from the roots: a way dies with any class that it needs, a class
    with its last way.
    """

    def __init__(self, bounds: Bounds, roots: list[LaneClass]) -> None:
        self._bounds = bounds
        self._roots = roots
        self.options: dict[LaneClass, list[bool]] = {}
        self._users: dict[LaneClass, list[tuple[LaneClass, int]]] = {r: [] for r in roots}

    def expand(self) -> bool:
        """Expand depth first; return False as soon as a root is dead."""
        todo = list(self._roots)
        while todo:
            c = todo.pop()
            if c in self.options or not self._needed(c):
                continue
            ways = self._bounds.ways(c)
            for k, needs in enumerate(ways):
                for inner in needs:
                    self._users.setdefault(inner, []).append((c, k))
            self.options[c] = [not any(map(self._is_dead, needs)) for needs in ways]
            if self._is_dead(c) and not self._bury(c):
                return False
            more = chain.from_iterable(compress(ways[::-1], self.options[c][::-1]))
            todo.extend(inner for inner in more if inner not in self.options)
        return True

    def _is_dead(self, c: LaneClass) -> bool:
        return c in self.options and not any(self.options[c])

    def _needed(self, c: LaneClass) -> bool:
        users = self._users[c]
        return not users or any(self.options[u][k] for u, k in users)

    def _bury(self, c: LaneClass) -> bool:
        """Let everything die that needs ``c``; tell whether all roots live."""
        dead = [c]
        while dead:
            c = dead.pop()
            if c in self._roots:
                return False
            for user, k in self._users[c]:
                if self.options[user][k]:
                    self.options[user][k] = False
                    dead += [user] if self._is_dead(user) else []
        return True


def _cheapest(options: Choices, least: Mapping[tuple[LaneClass, int], int], best: int) -> int:
    for price, operands, users in options:
        total = price
        for held, bits in operands:
            total += _dearest(held, bits, least) // users
            if total >= best:
                break
        best = min(best, total)
    return best


def _dearest(held: Held, bits: int, least: Mapping[tuple[LaneClass, int], int]) -> int:
    if len(held) == 1 and len(held[0]) == 1:
        return least.get((held[0][0], bits), NEVER)
    return min(max([least.get((c, bits), NEVER) for c in row], default=0) for row in held)
