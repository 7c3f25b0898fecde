"""The analysis of one lane class: every instruction that produces its value, and from what (DESIGN
section 5, item 1).

Edges are found by evaluating lane functions on samples; a wrong edge cannot survive the proof of
the finished program, and its counterexample becomes a sample.  The analysis depends on its question
alone, so its answers are shared by all windows of a process.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import chain, islice

import numpy as np

from isel.interp.evaluate import evaluate_onto
from isel.ir.canon import canonical, formal, free, rename
from isel.ir.expr import Expr, const, leaves, nodes
from isel.ir.ops import Lanes
from isel.model.mechanisms import enabled
from isel.synth import limits
from isel.synth.edges.chains import Chain, chains_of, computes
from isel.synth.edges.choices import Orders, all_leaves, by_mask, by_sign, of_operands
from isel.synth.edges.found import Found, sum_of_two
from isel.synth.edges.highs import high_edges
from isel.synth.edges.parted import shifts
from isel.synth.edges.relevant import is_polynomial
from isel.synth.edges.shapes import shape_edges
from isel.synth.edges.sums import dot_edges, group_edges, halved_edges, shifted_edges, sign_edges
from isel.synth.edges.variants import with_variants
from isel.synth.instructions.library import Library
from isel.synth.lanes.given import functions_for, near_terms, values_of
from isel.synth.values.bank import (
    Application,
    Level,
    Pool,
    Rows,
    applications,
    first_level,
    matches_of_one,
    matches_of_terms,
    matches_of_two,
    matches_with_term,
    row_hash,
)
from isel.synth.values.lanefn import LaneFn, probe
from isel.synth.values.linear import monomials
from isel.synth.values.questions import Answer, Edge, Question
from isel.synth.values.samples import ALGEBRA


@lru_cache(maxsize=limits.MAX_KEPT)
def analyse(library: Library, question: Question) -> Answer:
    """Return the ways to produce a class."""
    return with_variants(question, lambda q: _Analysis(library, q).run())


@lru_cache(maxsize=limits.FEW_KEPT)
def _apply_to_terms(library: Library, question: Question) -> _Analysis:
    """Return an analysis with what does not depend on where anything lies in memory."""
    found = _Analysis(library, question)
    found.applications()
    return found


class _Analysis:
    """The search for the edges of one class."""

    def __init__(self, library: Library, question: Question) -> None:
        self.library = library
        self.question = question
        self.term = question.term
        self.width = question.term.width
        self.steps = 0
        self.values = values_of(question)
        self.size = self.values[leaves(self.term)[0]].shape[-1]
        self.target = self._row(self.term)
        self.hash = int(row_hash(self.target))
        self.found: dict[Edge, None] = {}
        self.consts, self.uppers, self.fns = functions_for(library, self.term)
        self.parts: dict[Expr, None] = dict.fromkeys(self.uppers)
        self.made: dict[Expr, tuple[Edge, ...]] = {}
        self._terms: dict[tuple[int, int], Expr] = {}

    def _row(self, e: Expr) -> Lanes:
        known = probe(limits.FREE_SAMPLES, e.width) if e is free(e.width) else self.values.get(e)
        if known is None:
            known = evaluate_onto(e, self.values, ALGEBRA)
        if known.shape[-1:] != (self.size,):
            known = np.broadcast_to(known, (self.size,))
        return np.ascontiguousarray(known)

    def _has(self, name: str) -> bool:
        return enabled(self.question.disabled, name)

    def run(self) -> Answer:
        """Look for edges, the plain ones first; for a long choice by a lookup, for nothing else."""
        if self._of_bytes(limits.LONG_CHOICE):
            return Answer(tuple(self.found), tuple(self.parts), (*self.made.items(),), 1)
        places = {
            formal(i, x.width): p
            for i, (x, p) in enumerate(zip(leaves(self.term), self.question.places, strict=True))
        }
        settled = self._has("chains") and self._chain(places)
        if not settled:
            placeless = replace(self.question, places=(), others=())
            self._begin_with(_apply_to_terms(self.library, placeless))
            self._sums(places)
            self._whole()
        elif self._has("dot-products") and len(monomials(self.term)) <= limits.MOST_HALVED:
            for found in halved_edges(self.library.pairwise, self.term, places):
                self._beside(found)
        made = tuple((e, w) for e, w in self.made.items() if w)
        return Answer(tuple(self.found), tuple(self.parts), made, self.steps, settled)

    def _begin_with(self, other: _Analysis) -> None:
        """Take what another one of the same term found."""
        self.found |= {e: None for e in other.found if e not in self.found}
        self.parts |= other.parts
        self.made |= other.made
        self.steps += other.steps
        self.fns = other.fns

    def applications(self) -> None:
        """Look for functions of terms, and of what functions make of terms."""
        terminals = self._terminals()
        rows = self._rows(
            terminals
            if len(nodes(self.term)) < limits.MOST_ANALYSED_NODES
            else terminals[: limits.NEAR_TERMINALS]
        )
        self.steps += applications(self.fns, rows)
        own = [f for f in self.fns if f.width == self.width]
        for fn, args in matches_of_terms(own, rows, self.target):
            self._add(fn, args)
        for fn, args in shape_edges(own, self.term):
            self._add(fn, args)
            self.parts.update(dict.fromkeys(a for a in args if a.args))
        if (
            self.question.deep
            and self._has("second-level")
            and not is_polynomial(self.term)
            and self.width > 1
            and len(nodes(self.term)) < limits.MOST_ANALYSED_NODES
        ):
            self.fns = self.library.simple(self.fns, {x.width for x in leaves(self.term)})
            self._second(self._rows(terminals[: limits.NEAR_TERMINALS]))
        self._of_bytes()

    def _of_bytes(self, least: int = 0) -> bool:
        """Look for a byte by lookups, for ``least`` of choices of as many terms; tell of edges."""
        if self.width not in (1, limits.BYTE):
            return False
        from isel.synth.lanes.of_bytes import byte_ways

        for *inner, (fn, args) in byte_ways(self.library, self.question, least):
            if self._check(fn, args):
                made = [g.apply(*given) for g, given in inner]
                for e, way in zip(made, inner, strict=True):
                    self._remember(e, (way,))
                every = chain(args, *(given for _, given in inner))
                self.parts.update((a, None) for a in every if a.args and a not in made)
        return bool(self.found)

    def _sums(self, places: dict[Expr, tuple[int, int]]) -> None:
        """Look for products, sums and moved operands, if no instruction adds up all there is."""
        join, library, on = sum_of_two(self.width), self.library, self._has("dot-products")
        groups = group_edges(library.groups, self.term, places, self._row) if on else ()
        full = [self._beside(found) for found in groups]
        if any(full):
            return
        products = (
            *dot_edges(library.dots, self.term, places, library.narrow),
            *self._wider(places),
            *sign_edges(library.dots, self.term),
        )
        neighbours = (
            *halved_edges(library.pairwise, self.term, places),
            *shifted_edges(library.functions, self.term, places),
        )
        high = (Found(*x, join) for x in high_edges(self.fns, self.term))
        parts = (Found(join, x, join) for x in shifts(self.term))
        every = (high, products, parts, neighbours) if on else (high, parts)
        for found in chain(*every):
            self._beside(found)

    def _beside(self, found: Found) -> bool:
        """Add what a function gives, joined with the rest of the term; tell whether it is full."""
        *inner, (fn, args) = found.applications(self.width)
        for way in inner:
            self._remember(way[0].apply(*way[1]), (way,))
        if found.rest is None:
            fits = self._check(fn, args)
        elif fits := self._check(found.join, (part := fn.apply(*args), found.rest)):
            self._remember(part, ((fn, args),))
            self.parts[found.rest] = None
        if fits:
            self.parts.update(dict.fromkeys(a for a in found.args if a.args))
        return found.full

    def _chain(self, places: dict[Expr, tuple[int, int]]) -> bool:
        """Take a long sum apart link by link; tell whether it is one.  Of computed values, such as
        distances, it is none where an instruction of their own adds them up.
        """
        chains = list(chains_of(self.library.dots, self.term, places))
        groups = self.library.groups if self._has("dot-products") and computes(self.term) else ()
        if chains and any(group_edges(groups, self.term, places, self._row)):
            return False
        found = [self._add_chain(c) for c in chains]
        for half in () if chains else self._halves(places):
            self._beside(half)
        return found[0] if found else bool(self.found)

    def _halves(self, places: dict[Expr, tuple[int, int]]) -> Iterable[Found]:
        if sum(len(m.atoms) > 1 for m in monomials(self.term)) < limits.LEAST_PRODUCTS:
            return ()
        from isel.synth.edges.wider import half_edges  # of sums of products

        return half_edges(self.library.dots, self.term, places)

    def _wider(self, places: dict[Expr, tuple[int, int]]) -> Iterable[Found]:
        if len(leaves(self.term)) < limits.LEAST_WIDER:
            return ()
        from isel.synth.edges.wider import wider_edges  # of sums of products

        return wider_edges(self.library.dots, self.term, places)

    def _add_chain(self, chain: Chain) -> bool:
        """Add the links of a chain; tell whether they give the term."""
        *inner, last = chain.links
        for link in inner:
            self._remember(link.value, ((link.fn, args) for args in link.ways))
        self.parts[chain.rest] = None
        self.parts.update(
            (a, None) for x in chain.links for args in x.ways for a in args if a not in self.made
        )
        found = [self._check(last.fn, args) for args in last.ways]
        return all(found)

    def _terminals(self) -> list[Expr]:
        """Return near sub-terms first: casts are free steps, odd widths are extended to native
        ones.
        """
        root, found = self.term, near_terms(self.term)
        different = (
            t for t in found if t.width != root.width or int(row_hash(self._row(t))) != self.hash
        )
        near = list(islice(different, limits.MAX_TERMINALS))
        all_leaves = [t for t in found if t.is_leaf]
        if len(all_leaves) <= limits.FEW_LEAVES:
            near += [t for t in all_leaves if t not in near]
        return near + [t for t in self.uppers if t not in near and t is not root]

    def _rows(self, terminals: list[Expr]) -> dict[int, Rows]:
        by_width: dict[int, dict[int, Expr]] = {}
        widths = {t.width for t in terminals} | {self.width}
        for t in terminals:
            by_width.setdefault(t.width, {}).setdefault(int(row_hash(self._row(t))), t)
        for w in sorted(w for w in widths if w > 1):
            top = 1 << (w - 1)
            inside = {v & (2 * top - 1) for v in (*self.consts, top) if -top <= v < 2 * top}
            for k in (const(value, w) for value in sorted(inside)):
                by_width.setdefault(w, {}).setdefault(int(row_hash(self._row(k))), k)
        return {
            w: Rows(tuple(t.values()), np.stack([self._row(x) for x in t.values()]))
            for w, t in by_width.items()
        }

    def _second(self, rows: dict[int, Rows]) -> None:
        level, w = first_level(self.fns, rows), self.width
        pools = {k: self._pool(k, v, rows.get(k)) for k, v in level.items()}
        for fn in self.fns:
            if fn.width != w:
                continue
            wi = fn.widths[0]
            pool = pools.get(wi)
            if fn.arity == 1 and pool is not None and len(pool):
                self.steps += len(pool)
                for i in islice(matches_of_one(fn, pool, self.target), limits.MAX_PER_FUNCTION):
                    self._add(fn, (self._make(level[wi], pool, i),))
            elif fn.arity == 2 and fn.widths == (wi, wi) and pool is not None and len(pool):
                self._pairs(fn, level[wi], pool, rows.get(wi))

    def _pairs(self, fn: LaneFn, level: Level, pool: Pool, rows: Rows | None) -> None:
        if rows is not None:
            self.steps += len(pool) * len(rows.terms)
            for swap in (False,) if fn.commutes else (False, True):
                every = matches_with_term(fn, pool, rows, self.target, swap=swap)
                for i, j in islice(every, limits.MAX_PER_FUNCTION):
                    made, t = self._make(level, pool, i), rows.terms[j]
                    self._add(fn, (t, made) if swap else (made, t))
        if fn.width == fn.widths[0]:
            self.steps += len(pool)
            for i, j in islice(matches_of_two(fn, pool, self.target), limits.MAX_PER_FUNCTION):
                self._add(fn, (self._make(level, pool, i), self._make(level, pool, j)))

    def _pool(self, width: int, level: Level, rows: Rows | None) -> Pool:
        """Return distinct first-level values that are neither the target nor known terms."""
        known = {self.hash} if width == self.width else set()
        if rows is not None:
            known |= set(row_hash(rows.values).tolist())
        _, first = np.unique(level.hashes, return_index=True)
        keep = [i for i in sorted(first.tolist()) if int(level.hashes[i]) not in known]
        constant = (
            (level.values[keep] == level.values[keep][:, :1]).all(-1) if keep else np.zeros(0, bool)
        )
        keep = [i for i, c in zip(keep, constant.tolist(), strict=True) if not c][: limits.MAX_POOL]
        return Pool(width, level.values[keep], level.hashes[keep], level.made, keep)

    def _make(self, level: Level, pool: Pool, i: int) -> Expr:
        """Return a first-level value as a term, and remember every way to produce it."""
        key = (pool.width, i)
        found = self._terms.get(key)
        if found is None:
            found = self._terms[key] = self._made(level, pool, i)
        return found

    def _made(self, level: Level, pool: Pool, i: int) -> Expr:
        fn, args = pool.application(i)
        e = fn.apply(*args)
        if e.is_leaf or e.is_const:
            return e
        same = np.nonzero(level.hashes == pool.hashes[i])[0].tolist()
        self._remember(e, (level.made[j] for j in same))
        return e

    def _remember(self, e: Expr, ways: Iterable[Application]) -> None:
        """Remember ways to produce a term that is no sub-term, as edges over its own formals."""
        _, holes = canonical(e)
        mapping = {x: formal(k, x.width) for k, x in enumerate(holes)}
        self.made[e] = tuple(
            Edge(fn, tuple(rename(a, mapping) for a in operands))
            for fn, given in ways
            for operands in self._orders(fn, given)
            if all(x in mapping or x is free(x.width) for a in operands for x in leaves(a))
        )

    def _check(self, fn: LaneFn, args: tuple[Expr, ...]) -> bool:
        self.steps += 1
        result = fn.run(*(self._row(a) for a in args))
        fits = bool((np.broadcast_to(result, (self.size,)) == self.target).all())
        if fits:
            self._add(fn, args)
        return fits

    def _whole(self) -> None:
        """Try functions of operands and of all leaves, and of masks where none is of what a choice
        is between.
        """
        tries = *of_operands(self.fns, self.term), *all_leaves(self.fns, self.term)
        self._first_that_fit(tries)
        known = any(set(e.args) <= set(self.term.args) for e in self.found)
        if not known:
            ways = chain(by_mask(self.fns, self.term), by_sign(self.fns, self.term))
            fits = self._first_that_fit(ways)
            self.parts.update((x, None) for o in fits for x in o if x.args)

    def _first_that_fit(self, tries: Iterable[Orders]) -> list[tuple[Expr, ...]]:
        """Add functions with the first operands of which they give the term; return these."""
        found = (next((o for o in orders if self._check(fn, o)), None) for fn, orders in tries)
        return [o for o in found if o is not None]

    def _add(self, fn: LaneFn, args: tuple[Expr, ...]) -> None:
        if all(a is not self.term for a in args):
            self.found.update((Edge(fn, a), None) for a in self._orders(fn, args))

    def _orders(self, fn: LaneFn, args: tuple[Expr, ...]) -> tuple[tuple[Expr, ...], ...]:
        """Return operands in both orders where an instruction finds two in one register."""
        holes = self.library.pairwise.get(fn)
        if holes is None or args[holes[0]] is args[holes[1]]:
            return (args,)
        swapped = list(args)
        swapped[holes[0]], swapped[holes[1]] = args[holes[1]], args[holes[0]]
        return args, tuple(swapped)
