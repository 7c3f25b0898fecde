"""Lanes as what they are: the cheapest of all terms that rules show to be equal, which the search
starts from, and other terms of the same value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations
from typing import TypeAlias

import numpy as np

from isel.egraph.extract import Extraction
from isel.egraph.graph import LEAF, Contradiction, Graph, Spent
from isel.egraph.limits import MOST_NODES, MOST_STEPS, NEST_LEAVES, NEVER
from isel.egraph.saturate import saturate, start
from isel.egraph.tables import rules
from isel.egraph.words import FORMAL, WIDTHS, facts_of, in_plain
from isel.ir.build import make
from isel.ir.canon import canonical, formal, rename
from isel.ir.domain import Range
from isel.ir.expr import Expr, const, leaves, nodes, postorder, substitute
from isel.ir.ops import OPS, Attr
from isel.ir.ranges import Ranges
from isel.model.window import Root
from isel.rules.books import books_of
from isel.rules.spans import operation
from isel.synth import limits
from isel.synth.instructions.library import Library
from isel.synth.values.abstract import Instance, instances
from isel.synth.values.constants import SHIFTS
from isel.synth.values.lanefn import LaneFn, is_wide, lane_fn, probe

Widths: TypeAlias = tuple[int, ...]
Values: TypeAlias = tuple[int | None, ...]  # of operands, of which literals are known


@dataclass(frozen=True, slots=True)
class Lifted:
    """A lane as the cheapest term that is equal, its price and that of the lane as it was; with
    other terms of the same value as it and as its parts; in words; and why the graph ended early.
    """

    term: Expr
    price: int
    before: int
    members: tuple[tuple[Expr, tuple[Expr, ...]], ...]
    said: str = ""
    why: str = ""
    lacks: bool = False  # an operation that it is has no instruction

    @property
    def helps(self) -> bool:
        """Tell whether the term is cheaper than the lane as it was, by more than a literal."""
        return self.price + limits.LEAST_GAIN <= self.before


class Lifter:
    """Lifts lanes for the instructions of one library, by learned books as well."""

    def __init__(self, library: Library, learned: tuple[str, ...] = ()) -> None:
        self._library = library
        # what the others cost at most, of a byte, by which an operation is written out
        self.dear = library.cheapest_operation * limits.DEAR_EXPANSION
        self.tables = rules(learned)
        self._prices: dict[tuple[str, Attr, int, Widths, Values], int] = {}
        self._by_shape: dict[frozenset[int], dict[tuple[int, tuple[int, ...]], list[LaneFn]]] = {}

    def price(self, op: str, attr: Attr, width: int, widths: Widths, values: Values) -> int:
        """Return what an operation costs in a register of bytes' worth of lanes, in hundredths of
        a cycle; more than any other where no lane has these widths.
        """
        if width not in WIDTHS or any(w not in WIDTHS for w in widths):
            return NEVER
        key = (op, attr, width, widths, values if op in SHIFTS else ())
        if key not in self._prices:
            self._prices[key] = self._new_price(*key)
        return self._prices[key]

    def _new_price(self, op: str, attr: Attr, width: int, widths: Widths, values: Values) -> int:
        size = max(width, *widths) if width > 1 or max(widths) > 1 else limits.BYTE
        fn = lane_fn(canonical(_term(op, attr, widths, values))[0])
        fn = self._same_function(fn, frozenset(a for a in attr if isinstance(a, int)))
        if prices := list(self._forms(fn)) or list(self._forms(_as_mask(fn))):
            return min(prices)[2] * size // limits.BYTE
        cheapest = self._library.cheapest_operation * size // limits.BYTE
        if op not in OPS:
            return self._slice_price(fn.term, cheapest)
        return cheapest * _dear(op, widths)

    def _slice_price(self, e: Expr, move: int) -> int:
        """Return what a slice of an instruction's result costs: that, and a move."""
        if e.op == "concat":
            return self._lanes_price(e)
        if e.op != "extract" or is_wide(e.args[0]):
            return NEVER
        whole = e.args[0]
        prices = list(self._forms(lane_fn(canonical(whole)[0])))
        return min(prices)[2] * whole.width // limits.BYTE + move if prices else NEVER

    def _lanes_price(self, e: Expr) -> int:
        """Return what lanes in one word cost, all of them like the first."""
        first = e
        while first.op == "concat":
            first = first.args[1]
        read = [x for x in nodes(first) if x.op == "extract" and x.args[0].is_leaf]
        lanes = {x: formal(k, x.width) for k, x in enumerate(read)}
        fn = lane_fn(canonical(substitute(first, lanes, make))[0])
        prices = list(self._forms(self._same_function(fn, frozenset())))
        return min(prices)[2] * e.width // limits.BYTE if prices else NEVER

    def _forms(self, fn: LaneFn) -> Iterator[tuple[bool, int, int]]:
        """Yield for each size of registers whether it is another, the size, and the price."""
        for bits in self._library.sizes:
            for form in self._library.forms(fn, bits)[:1]:
                whole = max(bits, *(o.bits for o in form.instruction.operands))
                yield whole != limits.REGISTER, whole, form.cost * limits.REGISTER // whole

    def in_registers(self, price: int, widest: int) -> int:
        """Return what operations cost that have a price in registers of the size in which they are
        compared, if registers may have so many bits.
        """
        plus = lane_fn(make("add", (formal(0, limits.BYTE), formal(1, limits.BYTE)), ()))
        by_size = {size: cost for _, size, cost in self._forms(plus) if size <= widest}
        own = by_size.get(limits.REGISTER)
        return price if not own else price * min(by_size.values()) // own

    def _same_function(self, fn: LaneFn, amounts: frozenset[int]) -> LaneFn:
        """Return the function of some instruction that gives the same on samples, of operands in
        any order; itself where there is none.
        """
        if self._library.offers(fn.term) or is_wide(fn.term):
            return fn
        rows = [probe(i, w) for i, w in enumerate(fn.widths)]
        wanted = fn.run(*rows)
        for order in permutations(range(fn.arity)):
            for other in self._of_shape(amounts, fn.width, tuple(fn.widths[k] for k in order)):
                found = other.run(*(rows[k] for k in order))
                if np.array_equal(np.broadcast_to(found, wanted.shape), wanted):
                    return other
        return fn

    def _of_shape(
        self, amounts: frozenset[int], width: int, widths: tuple[int, ...]
    ) -> Sequence[LaneFn]:
        """Return functions of instructions; of immediates those of these ``amounts``."""
        found = self._by_shape.get(amounts)
        if found is None:
            found = self._by_shape[amounts] = {}
            for fn in self._library.functions(amounts):
                if not is_wide(fn.term):
                    found.setdefault((fn.width, fn.widths), []).append(fn)
        return found.get((width, widths), ())

    def lift(self, e: Expr, known: Ranges, holes: Sequence[Expr] = ()) -> Lifted | None:
        """Return a lane as what it is, with ``holes`` in place of its leaves if there are any; None
        for one of many operations, or of none.
        """
        few = len(leaves(e)) <= limits.MOST_LIFTED_LEAVES
        if not e.args or not few or sum(1 for _ in nodes(e)) > limits.MOST_LIFTED_NODES:
            return None
        form, own = canonical(e)
        holes = holes or own
        found = _lift(self, form, facts_of(holes, known))
        back = {formal(i, x.width): x for i, x in enumerate(holes)}
        said = FORMAL.sub(lambda m: holes[int(m[1])].source, found.said)
        return replace(found, term=rename(found.term, back), said=said)


def _term(op: str, attr: Attr, widths: Widths, values: Values) -> Expr:
    """Return an operation of formals; of a shift by a literal, that literal."""
    if op not in OPS:
        return operation(op, attr, widths)
    by_literal = op in SHIFTS and values[1] is not None
    args = [formal(k, w) for k, w in enumerate(widths)]
    if by_literal:
        args[1] = const(values[1] or 0, widths[1])
    return make(op, tuple(args), attr)


@lru_cache(maxsize=limits.KEPT_LIFTS)
def lifter_of(library: Library) -> Lifter:
    """Return the lifter of a library, one a process; it only remembers what is a function of it."""
    return Lifter(library, books_of(library.machine.target.name))


class Lifts:
    """The lanes of a window as what they are: ``roots`` of these, ``members`` with other terms of
    the same value, by canonical term and over its formals, ``said`` what was lifted in words.

    ``price`` is what the operations of all lanes cost, ``before`` as they were spelled, without
    what moves them, in hundredths of a cycle; ``helps`` tells whether any lane is cheaper than how
    the window spells it, ``lacks`` whether one is an operation that no instruction does.
    """

    def __init__(self, library: Library, ranges: Ranges, roots: Sequence[Root]) -> None:
        self._library = library
        self._lifter = lifter_of(library)
        self._ranges = ranges
        self._done: dict[Expr, tuple[Expr, int, int]] = {}
        self.members: dict[Expr, tuple[Expr, ...]] = {}
        self.said: dict[str, None] = {}
        self.helps = self.lacks = False
        self.roots: list[Root] = []
        prices = [(0, 0)]
        for r in roots:
            found = self._lift_all([e and ranges.decide(e) for e in r.lanes])
            self.roots.append(replace(r, lanes=tuple(x and x[0] for x in found)))
            prices += [x[1:] for x in found if x]
        widest = max((_widest(r) for r in self.roots), default=limits.REGISTER)
        total, before = map(sum, zip(*prices, strict=True))
        self.price = self._lifter.in_registers(total * limits.BYTE // limits.REGISTER, widest)
        self.before = self._lifter.in_registers(before * limits.BYTE // limits.REGISTER, widest)

    def promise(self, least: int, *, apart: bool) -> bool:
        """Tell whether the lanes cost less than ``least``, or than as they were spelled by as much
        of that; what no instruction does is left to smaller windows if these are searched
        ``apart``, where little more will do.
        """
        if apart:
            little = self.price <= least + least // limits.PRICE_SLACK and not self.lacks
            return little or self.saves_much(least)
        saved = least * (self.before - self.price) // max(self.before, 1)
        return max(least - self.price, saved) > limits.LEAST_GAIN

    def saves_much(self, least: int) -> bool:
        """Tell whether the lanes cost less than ``least`` by half of their price."""
        return self.price + self.price // limits.LACK_SHARE <= least

    def _lift_all(self, lanes: Sequence[Expr | None]) -> list[tuple[Expr, int, int] | None]:
        others = instances(lanes)
        return [None if e is None else self._lane(e, others.get(e, (e, ()))) for e in lanes]

    def _lane(self, e: Expr, of: Instance) -> tuple[Expr, int, int]:
        """Return a lane, an instance ``of`` one, as what it is, where that is cheaper than the lane
        as it was; and what the cheaper one costs in a register of so many bytes, and what it did.
        """
        if e not in self._done:
            self._done[e] = self._new(e, of)
        return self._done[e]

    def _new(self, e: Expr, of: Instance) -> tuple[Expr, int, int]:
        found = self._lifter.lift(of[0], self._ranges, of[1])
        if found is None:
            return self._library.narrow(e), 0, 0
        for term, others in found.members:
            self.members[term] = tuple(dict.fromkeys((*self.members.get(term, ()), *others)))
        if found.said and len(self.said) < limits.MOST_SAID:
            self.said[f"{found.said}{found.why and f' ({found.why})'}"] = None
        self.helps |= found.helps
        self.lacks |= found.lacks
        if not found.helps:
            return self._library.narrow(e), found.before, found.before
        return found.term, found.price, found.before


def _as_mask(fn: LaneFn) -> LaneFn:
    """Return a function of one bit as one that fills lanes as wide as its first operand."""
    if fn.width != 1 or not fn.widths:
        return fn
    return lane_fn(canonical(make("sext", (fn.term,), fn.widths[:1]))[0])


def _dear(op: str, widths: tuple[int, ...]) -> int:
    """Return how many times the cheapest operation one costs that no instruction is; a mask is had
    with what is compared.
    """
    mask = op == "sext" and widths == (1,)
    return 0 if mask else 1 if op == "ite" else limits.DEAR_OPERATION


def _widest(root: Root) -> int:
    """Return the bits of all lanes of the widest value that a root's lanes are made of: what is
    sliced or only extended is part of an operation.
    """
    every = list(postorder([e for e in root.lanes if e is not None]))
    parts = {e.args[0] for e in every if e.op == "extract"}
    made = (e.width for e in every if e not in parts and e.op not in ("zext", "sext", "const"))
    return len(root.lanes) * max(made, default=root.width)


def least_lifted(library: Library, roots: Sequence[Root]) -> int:
    """Return what lanes cost at least as operations of two values: each leaf is used."""
    bits = sum(
        r.width * (len(leaves(e)) - 1) for r in roots for e in r.lanes if e is not None and e.args
    )
    return library.cheapest_operation * bits // library.machine.vector_bits


@lru_cache(maxsize=limits.KEPT_LIFTS)
def _lift(lifter: Lifter, e: Expr, facts: tuple[tuple[Expr, Range], ...]) -> Lifted:
    """Lift a canonical term whose formals have ranges."""
    given = {repr(x): x for x in leaves(e)}
    nested = len(given) <= NEST_LEAVES
    g = Graph(MOST_NODES << nested, MOST_STEPS << nested)
    try:
        (root,) = start(g, (e,), facts)
        g.rebuild()
        before = Extraction(g, lifter.price, given).choose(root)
    except (Spent, Contradiction):
        return Lifted(e, 0, 0, ())
    why = saturate(g, tables=lifter.tables).why
    found = Extraction(g, lifter.price, given)
    price = found.choose(root)
    if price >= NEVER:
        return Lifted(e, before, before, (), "", why)
    plain = in_plain(g, root, given)
    members: dict[Expr, tuple[Expr, ...]] = {}
    for c in (g.find(root), *sorted(found.below(root))):
        if g.width[c] in WIDTHS[1:] and g.op[found.best[c]] not in (LEAF, "const"):
            members.setdefault(
                found.term(c), found.others(c, limits.MOST_MEMBERS, limits.MEMBER_SHARE, e)
            )
    return Lifted(
        found.term(root),
        price,
        before,
        tuple((canonical(x)[0], _over(x, some)) for x, some in members.items() if some),
        plain.words(root),
        why,
        plain.lacks(root, found, lifter.dear),
    )


def _over(x: Expr, some: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Return terms over the formals of the canonical form of another."""
    order = {h: formal(i, h.width) for i, h in enumerate(leaves(x))}
    return tuple(rename(m, order) for m in some if all(h in order for h in leaves(m)))
