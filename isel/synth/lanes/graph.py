"""The lane graph: for a lane value, every instruction that produces it, and from what (DESIGN
section 5, item 1).

Nodes are *classes*: lane terms up to the names of their leaves, with what is known of the leaves.
:mod:`isel.synth.lanes.analysis` finds the edges of a class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from isel.ir.canon import canonical, formal, rename
from isel.ir.expr import Expr, leaves
from isel.model.mechanisms import Disabled
from isel.synth.instructions.library import Library
from isel.synth.lanes.analysis import analyse
from isel.synth.limits import DEFAULT_STEPS, MAX_ANALYSED
from isel.synth.values.questions import Edge, Places, Question, Row

Members: TypeAlias = Mapping[Expr, tuple[Expr, ...]]


@dataclass(eq=False)
class LaneClass:
    """A lane value up to renaming: its term over ``x0, x1, …`` and the facts about them."""

    term: Expr
    facts: tuple[Expr, ...]
    order: dict[Expr, tuple[str, int]]
    wanted: bool
    settled: bool = False
    edges: tuple[Edge, ...] | None = None
    seeds: list[Edge] = field(default_factory=list)
    parts: set[Expr] = field(default_factory=set)

    @property
    def width(self) -> int:
        """Bits of the lane."""
        return self.term.width


class LaneGraph:
    """Classes and their edges, made on demand; the work done is counted in ``steps``.

    Beyond ``limit`` steps only one-level edges and dot products are looked for; beyond a hundred
    classes nothing new is.  ``members`` are other terms of the same value, by class, whose edges
    are there as well; those that are ``disabled`` are not.
    """

    def __init__(
        self,
        library: Library,
        *,
        limit: int = DEFAULT_STEPS,
        members: Members | None = None,
        disabled: Disabled = (),
    ) -> None:
        self.library = library
        self.members = members or {}
        self.disabled = disabled
        self.steps = 0
        self._analysed = 0
        self.limit = limit
        self._classes: dict[tuple[Expr, tuple[Expr, ...]], LaneClass] = {}
        self._known: dict[tuple[tuple[Expr, ...], tuple[Expr, ...]], tuple[Expr, ...]] = {}
        self._samples: dict[Expr, list[Row]] = {}
        self._counterexamples: dict[Expr, list[Row]] = {}

    @property
    def is_spent(self) -> bool:
        """Whether edges were not looked for in depth, beyond the limit."""
        return 0 < self.limit <= self.steps

    @property
    def looks_up(self) -> bool:
        """Whether some class that was looked at is made by a lookup."""
        forms = self.library.lookup_forms
        every = (e for c in self._classes.values() for e in (*(c.edges or ()), *c.seeds))
        return bool(forms) and any(e.fn in forms for e in every)

    def classify(
        self,
        e: Expr,
        facts: Sequence[Expr],
        order: Mapping[Expr, tuple[str, int]],
        *,
        wanted: bool,
        rows: Sequence[Row] = (),
    ) -> tuple[LaneClass, tuple[Expr, ...]]:
        """Return the class of a term and the leaves that its formals stand for.

        ``wanted`` marks terms of the program itself, which are analysed in depth; others keep only
        the edges by which they were found.  ``rows`` are counterexamples of the term it is part of.
        """
        term, holes = canonical(e)
        known = self._inside(tuple(facts), holes) if facts else ()
        key = (term, known)
        found = self._classes.get(key)
        if found is None:
            mapping = {x: formal(i, x.width) for i, x in enumerate(holes)}
            places = {
                mapping[x]: order.get(x, (x.source, x.offset if x.op == "elem" else 0))
                for x in holes
            }
            found = self._classes[key] = LaneClass(term, known, places, wanted)
            if rows and term not in self._samples:
                self._samples[term] = [{mapping[x]: row.get(x, 0) for x in holes} for row in rows]
        elif wanted and not found.wanted:
            found.wanted, found.edges = True, None
        return found, holes

    def _inside(self, facts: tuple[Expr, ...], holes: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Return those of the facts that are about ``holes`` alone, over the formals that stand
        for these.
        """
        found = self._known.get((facts, holes))
        if found is None:
            inside = {x: formal(i, x.width) for i, x in enumerate(holes)}
            found = self._known[facts, holes] = tuple(
                rename(f, inside) for f in facts if all(x in inside for x in leaves(f))
            )
        return found

    def part(self, c: LaneClass, e: Expr, *, wanted: bool) -> tuple[LaneClass, tuple[Expr, ...]]:
        """Classify a term over the formals of ``c``, with what is known there."""
        return self.classify(e, c.facts, c.order, wanted=wanted, rows=self._samples.get(c.term, ()))

    def restarted(
        self, rows: Mapping[Expr, Sequence[Row]], limit: int, members: Members
    ) -> LaneGraph:
        """Return an empty graph that keeps the counterexamples so far and adds ``rows`` (values
        of formals, by class term).
        """
        fresh = LaneGraph(self.library, limit=limit, members=members, disabled=self.disabled)
        fresh.steps = self.steps
        fresh._samples = {t: list(r) for t, r in self._counterexamples.items()}
        for term, more in rows.items():
            fresh._samples.setdefault(term, []).extend(more)
        fresh._counterexamples = {t: list(r) for t, r in fresh._samples.items()}
        return fresh

    def add_edge(self, c: LaneClass, edge: Edge) -> bool:
        """Add a way to produce a class that was found elsewhere; tell whether it is new."""
        if edge in (self.edges(c) if c.wanted else c.seeds):
            return False
        if c.wanted:
            c.edges = tuple(dict.fromkeys([*self.edges(c), edge]))
        else:
            c.seeds.append(edge)
            c.edges = None
        return True

    def edges(self, c: LaneClass) -> tuple[Edge, ...]:
        """Return the ways to produce a class; found once."""
        if c.edges is None:
            if c.term.is_leaf or c.term.is_const:
                c.edges = ()
            elif c.wanted and not c.settled and self._analysed < MAX_ANALYSED:
                self._analysed += 1
                c.edges = self._analyse(c)
            else:
                c.edges = tuple(dict.fromkeys(c.seeds))
        return c.edges

    def _analyse(self, c: LaneClass) -> tuple[Edge, ...]:
        rows = tuple(
            tuple(row.get(x, 0) for x in leaves(c.term)) for row in self._samples.get(c.term, ())
        )
        deep, others = self.steps < self.limit, self.members.get(c.term, ())
        question = Question(c.term, c.facts, _places(c), rows, deep, others, self.disabled)
        answer = analyse(self.library, question)
        self.steps += answer.steps
        c.parts.update(answer.parts)
        for e, ways in answer.made:
            inner, _ = self.part(c, e, wanted=False)
            if not inner.wanted and inner.edges is None:
                inner.seeds.extend(ways)
                inner.settled = answer.settled
        return tuple(dict.fromkeys([*answer.edges, *c.seeds]))


def _places(c: LaneClass) -> Places:
    """Return where the representatives of the formals lie relative to each other: the rank of
    the source and the offset in it.
    """
    found = [c.order[x] for x in leaves(c.term)]
    rank = {source: k for k, source in enumerate(sorted({s for s, _ in found}))}
    first = {source: min(o for s, o in found if s == source) for source in rank}
    return tuple((rank[s], o - first[s]) for s, o in found)
