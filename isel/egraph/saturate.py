"""Rounds of rules over a graph, until nothing is new or the budget is spent.

Beside the rules of the books there is what holds of every class: what fits in fewer bits is an
extension of them, the low part of a sum is a sum of low parts, and a sum with a common factor is
one that is shifted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Final, TypeAlias

from isel.egraph.graph import SUM, Contradiction, Graph, Spent, commutes
from isel.egraph.limits import DEPTH, KEPT_TABLES, ROUNDS, SPELLING_ROUNDS, SUMS_OF_A_CLASS
from isel.egraph.match import Make, Match, maker, matcher, terms_of_bounds
from isel.egraph.parts import parts_of, root_of
from isel.ir.domain import Range
from isel.ir.expr import Expr, postorder
from isel.ir.ops import OPS, natural
from isel.rules.books import RULED, book, by_name, holds
from isel.rules.proofs import proofs
from isel.rules.syntax import Apply, Fold, Pattern, Rule, children, patterns

_SPELLINGS: Final = "spellings"
_ANY_WIDTH: Final = ("umin", "umax", "smin", "smax", "abs", "sat_s", "sat_su", "sat_u")
_EXACT: Final = frozenset((SUM, "lshr", "ashr", "ite"))
LOW: Final = "low"
FITS: Final = ("fits.u", "fits.s")


def _below(p: Pattern) -> str:
    """Return the operation of the first operand of a pattern, where that is looked for there."""
    if not isinstance(p, Apply) or not p.args or root_of(p) == SUM:
        return ""
    inner = p.args[0]
    if not isinstance(inner, Apply) or (len(p.args) == 2 and commutes(p.op)):
        return ""
    return root_of(inner)


def _needs(p: Pattern) -> Iterator[str]:
    """Yield the operations of the nodes without which a pattern is nowhere in a graph."""
    if isinstance(p, Apply):
        yield root_of(p)
        for a in p.args if root_of(p) != SUM else [x.pattern for x in parts_of(p) or ()]:
            yield from _needs(a)


def _depth(p: Pattern) -> int:
    """Return how far below a class what a pattern looks at may be."""
    if not isinstance(p, Apply):
        return 0
    below = p.args if root_of(p) != SUM else [x.pattern for x in parts_of(p) or ()]
    return 1 + max(map(_depth, below))


class Ready:
    """A rule in one direction, compiled when it is first of use."""

    def __init__(self, rule: Rule, left: Pattern, right: Pattern) -> None:
        self.rule = rule
        self.op = root_of(left)
        self._left, self._right = left, right
        self.asks = terms_of_bounds(rule)
        self.below = _below(left)
        self.needs = frozenset(_needs(left))
        self.depth = _depth(left)
        self.natural = (
            isinstance(right, Apply) and right.op not in OPS and right.op not in _ANY_WIDTH
        )

    @cached_property
    def match(self) -> Match:
        """What looks for one side at a node."""
        return matcher(self.rule, self._left)

    @cached_property
    def make(self) -> Make:
        """What makes the other side."""
        return maker(self.rule, self._right)

    @cached_property
    def again(self) -> Make:
        """What makes the side that was matched."""
        return maker(self.rule, self._left)


def _only_spells(rule: Rule) -> bool:
    return rule.file.endswith(f"{_SPELLINGS}.rules")


def _rank(p: Pattern) -> int:
    """Tell how much an operation says of what a term is: derived ones, then casts and slices."""
    op = p.op if isinstance(p, Apply) else ""
    return 1 if op in ("zext", "sext", "extract") else 2 * (op not in OPS)


def _extends(p: Pattern) -> bool:
    return any(isinstance(x, Apply) and x.op in ("zext", "sext") for x in patterns(p))


# A node by operation, how far it is from what changed, whether a register may hold it, and by the
# operations that its first operand is.
_Kind: TypeAlias = tuple[str, int, bool, frozenset[str]]
_Found: TypeAlias = tuple[Ready, int, tuple[int, ...], tuple[int, ...]]
_NOTHING: Final = frozenset[str]()


class Table:
    """Rules in order, and those all of whose operations a graph has."""

    def __init__(self, some: Iterable[Ready]) -> None:
        self.rules = tuple(some)
        self._fitting: dict[frozenset[str], _Fitting] = {}

    def fitting(self, seen: frozenset[str]) -> _Fitting:
        """Return the rules for graphs that have some operations."""
        found = self._fitting.get(seen)
        if found is None:
            found = self._fitting[seen] = _Fitting(r for r in self.rules if r.needs <= seen)
        return found


class _Fitting(dict[_Kind, tuple[Ready, ...]]):
    """Rules by the kind of nodes that they may apply to, found when these are first met."""

    def __init__(self, some: Iterable[Ready]) -> None:
        self._rules = tuple(some)

    def __missing__(self, kind: _Kind) -> tuple[Ready, ...]:
        op, far, plain, below = kind
        found = self[kind] = tuple(
            r
            for r in self._rules
            if (r.op, r.depth >= far, plain or not r.natural) == (op, True, True)
            and (not r.below or r.below in below)
        )
        return found


@lru_cache(KEPT_TABLES)
def rules(learned: tuple[str, ...] = ()) -> tuple[Table, Table]:
    """Return the rules that say what a term is, and those that spell it in other ways, of learned
    books as well.

    Definitions and rules that go both ways say what their right and what their left side is.
    """
    found = [way for b in RULED for rule in book(b, whole=True).rules for way in _ways(rule)]
    found += [_one_way(rule) for b in learned for rule in book(b, whole=True).rules]
    return Table(r for spells, r in found if not spells), Table(r for spells, r in found if spells)


def _ways(rule: Rule) -> Iterator[tuple[bool, Ready]]:
    """Yield the directions of a rule, each with whether it spells what is known."""
    if rule.name in FITS or any(isinstance(p, Fold) for p in patterns(rule.right)):
        return
    sides = ((rule.left, rule.right), (rule.right, rule.left))
    for k, (left, right) in enumerate(sides[: 1 + rule.turns]):
        spells = (_rank(right), k) <= (_rank(left), 0) if rule.turns else _only_spells(rule)
        if isinstance(left, Apply) and not (spells and rule.defines and _extends(right)):
            yield spells, Ready(rule, left, right)


def _one_way(rule: Rule) -> tuple[bool, Ready]:
    """Return a learned rule, which says what a term is if its right side is a derived operation of
    leaves.
    """
    spells = _rank(rule.right) < 2 or any(map(children, children(rule.right)))
    return spells, Ready(rule, rule.left, rule.right)


def add(g: Graph, root: Expr, done: dict[Expr, int]) -> int:
    """Return the node of a term; what was asked for stays among what the graph was given."""
    g.trace = g.given
    for e in postorder([root]):
        if e in done:
            continue
        if e.is_const:
            done[e] = g.literal(e.value, e.width)
        elif not e.args:
            done[e] = g.leaf(repr(e), e.width)
        else:
            done[e] = g.node(e.op, e.attr, tuple([done[a] for a in e.args]))
    g.trace = None
    return done[root]


def start(g: Graph, terms: Iterable[Expr], facts: Iterable[tuple[Expr, Range]]) -> list[int]:
    """Return the nodes of terms, after facts are taken as true of what these have; raises
    :class:`Spent` and :class:`Contradiction`.
    """
    done: dict[Expr, int] = {}
    found = [add(g, e, done) for e in terms]
    for x, r in facts:
        if x in done:
            g.assume(done[x], r)
    return found


@dataclass
class Saturation:
    """What became of a graph: how many rounds, and why it ended."""

    rounds: int
    why: str = ""


def saturate(
    g: Graph, goal: tuple[int, int] | None = None, learned: tuple[str, ...] = ()
) -> Saturation:
    """Apply rules, of learned books as well, until nothing is new, look for other spellings of
    every class, and for what these are, once where there is no goal; end early where the two of a
    goal are equal.
    """
    found = Saturation(0)
    seen: dict[tuple[object, ...], None] = {}
    try:
        g.rebuild()
        for spells, most in (
            (False, ROUNDS),
            (True, SPELLING_ROUNDS),
            (False, 1 if goal is None else ROUNDS),
        ):
            _settle(g, found, seen, goal, rules(learned)[spells], spells=spells, most=most)
    except Spent:
        few = g.steps <= g.most_steps
        found.why = f"more than {g.most} nodes" if few else f"more than {g.most_steps} steps"
    except Contradiction:
        found.why = "facts that contradict each other"
    return found


def _settle(
    g: Graph,
    found: Saturation,
    seen: dict[tuple[object, ...], None],
    goal: tuple[int, int] | None,
    table: Table,
    *,
    spells: bool,
    most: int,
) -> None:
    """Apply the rules of one kind until nothing is new, or for as many rounds as there may be."""
    g.touched = dict.fromkeys(sorted(g.classes()))
    for _ in range(most):
        if found.why or (goal is not None and g.find(goal[0]) == g.find(goal[1])):
            return
        found.rounds += 1
        if not _round(g, seen, table, spells=spells):
            return
    if most == ROUNDS:
        found.why = f"not settled after {ROUNDS} rounds"


def _round(g: Graph, seen: dict[tuple[object, ...], None], table: Table, *, spells: bool) -> bool:
    """Apply what matches now; tell whether anything did."""
    before = g.clock
    todo = _near(g)
    fitting = table.fitting(frozenset(g.seen))
    found = [m for c, far in sorted(todo.items()) for m in _matches(g, c, far, fitting, spells)]
    for c in () if spells else sorted(todo):
        _built_in(g, c)
    g.rebuild()
    for ready, n, sizes, terms in found:
        key = (ready.rule.name, ready.op, sizes, tuple([g.find(t) for t in terms]))
        if key not in seen:
            seen[key] = None
            if holds(ready.rule, sizes):
                proofs().used[ready.rule.name] += 1
                _unite(g, ready, n, sizes, terms)
    g.rebuild()
    return g.clock != before


def _matches(g: Graph, c: int, far: int, fitting: _Fitting, spells: bool) -> Iterator[_Found]:
    """Yield where rules that look so ``far`` apply to the nodes of a class; other spellings only
    where a register may hold it.
    """
    plain = natural(g.width[c]) == g.width[c]
    if g.content[c] is None or g.value(c) is not None or plain < spells:
        return
    for op in tuple(g.operations(c)):
        for n in tuple(g.nodes(c, op)):
            kids = g.kids[n]
            kind = (op, far, plain, frozenset(g.operations(kids[0])) if kids else _NOTHING)
            some = fitting[kind]
            g.steps += len(some)
            for ready in some:
                for sizes, terms in ready.match(g, n):
                    yield ready, n, sizes, terms


def _near(g: Graph) -> dict[int, int]:
    """Return the classes that changed, and those above them as far as patterns reach, each with
    how far it is from what changed.
    """
    near = dict.fromkeys((g.find(c) for c in g.touched), 0)
    g.touched = {}
    layer = list(near)
    for far in range(1, DEPTH + 1):
        above = (g.find(u) for x in layer for u in g.users[x])
        layer = [c for c in dict.fromkeys(above) if c not in near]
        near.update(dict.fromkeys(layer, far))
    return near


def _unite(g: Graph, ready: Ready, n: int, sizes: tuple[int, ...], terms: tuple[int, ...]) -> None:
    """Make the sides of a rule and say that they are equal."""
    order = (*ready.rule.terms, *ready.rule.literals)
    asked = [terms[order.index(name)] for name in ready.asks]
    bounds = tuple((t, g.bound[g.find(t)]) for t in asked)
    g.trace = []
    made = ready.make(g, sizes, terms)
    if g.find(made) != g.find(n):
        mine = ready.again(g, sizes, terms)
        nodes, name = tuple(g.trace), ready.rule.name
        g.trace = None
        g.unite(mine, made, name, sizes=sizes, terms=terms, nodes=nodes, bounds=bounds)
    g.trace = None


def _built_in(g: Graph, c: int) -> None:
    """Say what holds of every class."""
    if g.content[c] is None or g.value(c) is not None:
        return
    for n, sign in _narrower(g, c):
        _fits(g, c, n, sign)
    for n in tuple(g.nodes(c, "extract")):
        low, width = g.attr[n]
        for s in tuple(g.nodes(g.kids[n][0], SUM))[:SUMS_OF_A_CLASS]:
            if low == 0:
                _low(g, n, s, int(width))
            else:
                _factor(g, s, int(low))


def _narrower(g: Graph, c: int) -> Iterator[tuple[int, bool]]:
    """Yield the fewer bits in which a class fits, and whether with a sign: those of elements; just
    as many as it needs only where that may say more.
    """
    r, w = g.range(c), g.width[c]
    sign = r.signed[0] < 0
    least = r.signed_bits if sign else r.unsigned_bits
    exact = not _EXACT.isdisjoint(g.operations(c))
    for n in dict.fromkeys((least, natural(least)) if exact else (natural(least),)):
        if least <= n < w:
            yield n, sign


def _fits(g: Graph, c: int, n: int, sign: bool) -> None:
    """Say that what fits in n bits is an extension of its low part."""
    op = "sext" if sign else "zext"
    ready, sizes = _fit_rules()[sign], (g.width[c], n)
    if any(g.width[g.kids[x][0]] == n for x in g.nodes(c, op)) or not holds(ready.rule, sizes):
        return
    bounds = ((c, g.bound[g.find(c)]),)
    g.trace = []
    made = ready.again(g, sizes, (c,))
    nodes, g.trace = tuple(g.trace), None
    g.unite(made, c, ready.rule.name, sizes=sizes, terms=(c,), nodes=nodes, bounds=bounds)


@cache
def _fit_rules() -> tuple[Ready, ...]:
    return tuple(Ready(r, r.left, r.right) for r in map(by_name().__getitem__, FITS))


def _low(g: Graph, n: int, s: int, width: int) -> None:
    """Say that the low part of a sum is the sum of low parts."""
    constant, parts = g.parts(s)
    made = g.sum(width, constant, tuple((g.node("extract", (0, width), (k,)), f) for k, f in parts))
    g.unite(n, made, LOW, terms=(s,))


def _factor(g: Graph, s: int, low: int) -> None:
    """Make a sum with a common factor as one that is shifted: it flattens to what it was."""
    constant, parts = g.parts(s)
    every = constant
    for _, f in parts:
        every |= f
    twos = min((every & -every).bit_length() - 1, low)
    if twos > 0:
        inner = g.sum(g.width[s], constant >> twos, tuple((k, f >> twos) for k, f in parts))
        g.sum(g.width[s], 0, ((inner, 1 << twos),))
