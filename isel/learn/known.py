"""What rules make of a term: a rule that brings nothing is not kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from isel.egraph.extract import Extraction
from isel.egraph.graph import Contradiction, Graph, Spent
from isel.egraph.limits import NEVER
from isel.egraph.outline import row_of_learned
from isel.egraph.saturate import add, saturate
from isel.egraph.tables import Ready, Table, Tables
from isel.ir.canon import instantiate
from isel.ir.domain import full
from isel.ir.expr import Expr, const
from isel.ir.ranges import ranges_where
from isel.learn.limits import LEAST_GAIN
from isel.learn.samples import WIDTHS, Given
from isel.learn.term import Builder, Term, integer
from isel.rules.number import evaluate, read
from isel.rules.proofs import proofs
from isel.rules.syntax import Rule, Sizes
from isel.synth.instructions.library import Library
from isel.synth.lift import lifter_of

_VALUES: Final = (37, 5, 91, 1, 2)  # of literals, the first for which the conditions hold


@cache
class _Setting:
    """Leaves and facts at one width; literals have values."""

    def __init__(self, given: Given, w: int) -> None:
        self.leaves = given.at(w)
        self.builder = Builder(w, self.leaves)
        self.literals: dict[Expr, Expr] = {
            x: const(_value(given, n, w), w) for n, x in self.leaves.items() if n.isupper()
        }
        facts = [self.builder.condition(c) for c in given.conditions]
        self.known = ranges_where(tuple(instantiate(f, self.literals) for f in facts))

    def build(self, t: Term) -> Expr:
        """Return a term with values for literals."""
        return instantiate(self.builder.build(t), self.literals)


def _value(given: Given, name: str, w: int) -> int:
    """Return a value of a literal that the conditions allow."""
    asked = [read(c) for c in given.conditions if f"({name})" in c]
    for value in (s for v in _VALUES for s in (v, -v)):
        if all(evaluate(c, {name: value % (1 << w), f"s({name})": value}) for c in asked):
            return value
    return _VALUES[0]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A term, and at each width the cheapest term that has the same values on samples, itself
    where there is none.
    """

    left: Term
    rights: tuple[Term, ...]


class _Graph:
    """A graph of the leaves of a setting, with what is known of them."""

    def __init__(self, given: Given, w: int) -> None:
        self._setting, self._w = _Setting(given, w), w
        self.g = Graph()
        self._done: dict[Expr, int] = {}
        leaves = [x for x in self._setting.leaves.values() if x not in self._setting.literals]
        for x in leaves:
            c = self._done[x] = self.g.leaf(repr(x), x.width)
            if (r := self._setting.known.of(x)) != full(x.width):
                self.g.assume(c, r)
        self.given = {repr(x): x for x in leaves}

    def add(self, t: Term) -> int:
        """Return the class of a term as a window has it: of primitives, simplified."""
        return add(self.g, self._setting.build(t), self._done)

    def spell(self, t: Term) -> int:
        """Return the class of a term of the operations that it is written in."""
        if not t.op:
            return add(self.g, self._setting.build(t), self._done)
        attr = tuple(integer(n, self._w) for n in t.attributes)
        return self.g.node(t.op, attr, tuple(self.spell(a) for a in t.args))


class Known:
    """A target's prices of terms after saturation with some rules."""

    def __init__(self, library: Library, tables: Tables) -> None:
        self.library = library
        self.tables = tables

    def price(self, t: Term, given: Given, w: int, *, source: bool, saturated: bool = True) -> int:
        """Return what a term costs at a width, as the cheapest that rules show to be equal where it
        is ``saturated``; that of a ``source`` has the operations of a window, others have those
        that they are written in.
        """
        graph = _Graph(given, w)
        try:
            root = graph.add(t) if source else graph.spell(t)
            if not saturated:
                graph.g.rebuild()
        except (Spent, Contradiction):
            return 0
        if saturated:
            saturate(graph.g, tables=self.tables)
        found = Extraction(graph.g, lifter_of(self.library).price, graph.given).choose(root)
        return 0 if found >= NEVER else found

    def equal(self, left: Term, right: Term, given: Given, w: int) -> bool:
        """Tell whether rules show two terms to be equal."""
        graph = _Graph(given, w)
        try:
            a, b = graph.add(left), graph.spell(right)
        except (Spent, Contradiction):
            return True
        saturate(graph.g, (a, b), tables=self.tables)
        return graph.g.find(a) == graph.g.find(b)

    def lacks(self, c: Candidate, given: Given) -> tuple[Term, ...]:
        """Return those of the right sides, one for each width, that are cheaper there than what
        rules make of the left side, and that these do not show to be equal to it.
        """
        found: dict[Term, None] = {}
        known: dict[Term, None] = {c.left: None}
        for w, right in zip(WIDTHS, c.rights, strict=True):
            if right in known or right in found:
                continue
            if self.equal(c.left, right, given, w):
                known[right] = None
                continue
            before = self.price(c.left, given, w, source=True)
            after = self.price(right, given, w, source=False)
            if before - after > before * LEAST_GAIN // 100:
                found[right] = None
        return tuple(found)

    def fires(self, c: Candidate, right: Term, given: Given) -> bool:
        """Tell whether rules show both sides to be equal at some width."""
        return any(self.equal(c.left, right, given, w) for w in WIDTHS)

    def with_rule(self, rule: Rule, sizes: Iterable[Sizes]) -> Known:
        """Return it with a rule more, which holds at widths where it was proved."""
        known = proofs().known(rule)
        known.clear()
        known.update(sizes)
        ready = Ready("", row_of_learned(rule))
        ready.rule = rule
        table = list(self.tables)
        table[ready.spells] = Table((*table[ready.spells].rules, ready))
        return Known(self.library, (table[0], table[1]))
