"""Lanes as what they are: the cheapest of all terms that rules show to be equal, which the search
starts from, and other terms of the same value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from isel.egraph.extract import NEVER, Extraction
from isel.egraph.graph import LEAF, Contradiction, Graph, Spent
from isel.egraph.saturate import added, saturate
from isel.ir.build import make
from isel.ir.canon import canonical, formal, rename
from isel.ir.domain import Range, full
from isel.ir.expr import Expr, const, leaves, postorder
from isel.ir.ops import OPS, Attr
from isel.ir.ranges import Ranges
from isel.model.window import Root
from isel.rules.derived import expanded
from isel.synth.instructions.library import Library
from isel.synth.values.lanefn import LaneFn, is_wide, lane_fn, probe

_WIDTHS: Final = (1, 8, 16, 32, 64)
_REGISTER: Final = 128
_BYTE: Final = 8
_UNKNOWN: Final = 3  # times the cheapest operation, of a primitive without an instruction
_MOST_NODES: Final = 160  # of a lane
_MOST_MEMBERS: Final = 3
_DEARER: Final = 3  # part of a price by which another term may be dearer
_KEPT: Final = 4096


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

    @property
    def helps(self) -> bool:
        """Tell whether the term is cheaper than the lane as it was."""
        return self.price < self.before


class Lifter:
    """Lifts lanes for the instructions of one library."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._prices: dict[tuple[object, ...], int] = {}
        self._by_shape: dict[tuple[int, tuple[int, ...]], list[LaneFn]] = {}

    def price(
        self,
        op: str,
        attr: Attr,
        width: int,
        widths: tuple[int, ...],
        values: tuple[int | None, ...],
    ) -> int:
        """Return what an operation costs in a register of bytes' worth of lanes, in hundredths of
        a cycle; more than any other where no lane has these widths.
        """
        if width not in _WIDTHS or any(w not in _WIDTHS for w in widths):
            return NEVER
        key = (op, attr, width, widths, values if op in ("shl", "lshr", "ashr") else ())
        found = self._prices.get(key)
        if found is None:
            found = self._prices[key] = self._priced(op, attr, width, widths, values)
        return found

    def _priced(
        self,
        op: str,
        attr: Attr,
        width: int,
        widths: tuple[int, ...],
        values: tuple[int | None, ...],
    ) -> int:
        by_literal = op in ("shl", "lshr", "ashr")
        args = tuple(
            const(v, w) if by_literal and v is not None and k == 1 else formal(k, w)
            for k, (w, v) in enumerate(zip(widths, values, strict=True))
        )
        term = (
            make(op, args, attr)
            if op in OPS
            else expanded(op, args, tuple(a for a in attr if isinstance(a, int)))
        )
        size = max(width, *widths) if width > 1 or max(widths) > 1 else _BYTE
        fn = self._known(lane_fn(canonical(term)[0]))
        found: list[tuple[bool, int, int]] = []
        for bits in self._library.sizes:
            for form in self._library.forms(fn, bits)[:1]:
                whole = max(bits, *(o.bits for o in form.instruction.operands))
                found.append((whole != _REGISTER, whole, form.cost * _REGISTER // whole))
        if found:
            return min(found)[2] * size // _BYTE
        cheapest = self._library.cheapest_operation * size // _BYTE
        return cheapest * (_UNKNOWN if op != "ite" else 1) if op in OPS else NEVER

    def _known(self, fn: LaneFn) -> LaneFn:
        """Return the function of some instruction that gives the same on samples; itself where
        there is none.
        """
        if self._library.offers(fn.term) or is_wide(fn.term):
            return fn
        rows = [probe(i, w) for i, w in enumerate(fn.widths)]
        wanted = fn.run(*rows)
        for other in self._shaped(fn.width, fn.widths):
            if np.array_equal(np.broadcast_to(other.run(*rows), wanted.shape), wanted):
                return other
        return fn

    def _shaped(self, width: int, widths: tuple[int, ...]) -> list[LaneFn]:
        if not self._by_shape:
            for fn in self._library.functions(frozenset()):
                if not is_wide(fn.term):
                    self._by_shape.setdefault((fn.width, fn.widths), []).append(fn)
        return self._by_shape.get((width, widths), [])

    def lift(self, e: Expr, known: Ranges) -> Lifted | None:
        """Return a lane as what it is; None for one of many operations, or of none."""
        if not e.args or sum(1 for _ in postorder([e])) > _MOST_NODES:
            return None
        form, holes = canonical(e)
        facts = tuple(
            (formal(i, x.width), r)
            for i, x in enumerate(holes)
            if (r := known.of(x)) != full(x.width)
        )
        found = _lifted(self, form, facts)
        back = {formal(i, x.width): x for i, x in enumerate(holes)}
        return replace(found, term=rename(found.term, back))


@lru_cache(maxsize=_KEPT)
def lifter_of(library: Library) -> Lifter:
    """Return the lifter of a library, one a process; it only remembers what is a function of it."""
    return Lifter(library)


class Lifts:
    """The lanes of a window as what they are: ``members`` has other terms of the same value, by
    canonical term and over its formals, ``said`` what was lifted in words.
    """

    def __init__(self, library: Library, ranges: Ranges) -> None:
        self._library = library
        self._ranges = ranges
        self.members: dict[Expr, tuple[Expr, ...]] = {}
        self.said: dict[str, None] = {}

    def root(self, r: Root, *, lifted: bool) -> Root:
        """Return a root without comparisons that facts decide, in the widths of instructions."""
        make = self if lifted else self._library.narrow
        return replace(r, lanes=tuple(e and make(self._ranges.decide(e)) for e in r.lanes))

    def __call__(self, e: Expr) -> Expr:
        """Return a lane as what it is, where that is cheaper than the lane as it was; what that was
        is another member of its class.
        """
        plain = self._library.narrow(e)
        found = lifter_of(self._library).lift(e, self._ranges)
        if found is None:
            return plain
        for term, others in found.members:
            self._add(term, others)
        if not found.helps:
            return plain
        self.said[found.said] = None
        form, holes = canonical(found.term)
        if plain is not found.term and set(leaves(plain)) <= set(holes):
            known = {x: formal(i, x.width) for i, x in enumerate(holes)}
            self._add(form, (rename(plain, known),))
        return found.term

    def _add(self, term: Expr, others: tuple[Expr, ...]) -> None:
        self.members[term] = tuple(dict.fromkeys((*self.members.get(term, ()), *others)))


@lru_cache(maxsize=_KEPT)
def _lifted(lifter: Lifter, e: Expr, facts: tuple[tuple[Expr, Range], ...]) -> Lifted:
    """Lift a canonical term whose formals have ranges."""
    g = Graph()
    done: dict[Expr, int] = {}
    given = {repr(x): x for x in leaves(e)}
    try:
        root = added(g, e, done)
        before = Extraction(g, lifter.price, given).choose(root)
        for x, r in facts:
            g.assume(done[x], r)
    except (Spent, Contradiction):
        return Lifted(e, 0, 0, ())
    why = saturate(g).why
    found = Extraction(g, lifter.price, given)
    price = found.choose(root)
    if price >= NEVER:
        return Lifted(e, before, before, (), "", why)
    members: dict[Expr, tuple[Expr, ...]] = {}
    for c in (g.find(root), *sorted(found.used(root))):
        if g.width[c] in _WIDTHS[1:] and g.op[found.best[c]] not in (LEAF, "const"):
            members.setdefault(found.term(c), found.others(c, _MOST_MEMBERS, _DEARER))
    words = Extraction(g, _plain_price, given)
    words.choose(root)
    return Lifted(
        found.term(root),
        price,
        before,
        tuple((canonical(x)[0], _over(x, some)) for x, some in members.items() if some),
        words.said(root),
        why,
    )


def _over(x: Expr, some: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Return terms over the formals of the canonical form of another."""
    order = {h: formal(i, h.width) for i, h in enumerate(leaves(x))}
    return tuple(rename(m, order) for m in some if all(h in order for h in leaves(m)))


def _plain_price(
    op: str, attr: Attr, width: int, widths: tuple[int, ...], values: tuple[int | None, ...]
) -> int:
    """The price of operations in words: each the same, in widths of elements."""
    if width not in _WIDTHS or any(w not in _WIDTHS for w in widths):
        return NEVER
    return 2 + (op in OPS)
