"""Rounds of rules over a graph, until nothing is new or the budget is spent.

Beside the rules of the books there is what holds of every class: what fits in fewer bits is an
extension of them, the low part of a sum is a sum of low parts, and a sum with a common factor is
one that is shifted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from isel.egraph.graph import SUM, Contradiction, Graph, Spent
from isel.egraph.limits import DEPTH, ROUNDS, SPELLING_ROUNDS, SUMS_OF_A_CLASS
from isel.egraph.match import Make, maker
from isel.egraph.tables import Fitting, Ready, Table, Tables, rules
from isel.ir.domain import Range
from isel.ir.expr import Expr, postorder
from isel.ir.ops import natural
from isel.rules.books import FITS, holds, rule_named
from isel.rules.proofs import proofs
from isel.rules.syntax import Rule

_EXACT: Final = frozenset((SUM, "lshr", "ashr", "ite"))
LOW: Final = "low"
_Found: TypeAlias = tuple[Ready, int, tuple[int, ...], tuple[int, ...]]
_NOTHING: Final = frozenset[str]()


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
    g: Graph, goal: tuple[int, int] | None = None, tables: Tables | None = None
) -> Saturation:
    """Apply rules, no learned ones where nobody says which, until nothing is new, look for other
    spellings of every class, and for what these are; end early where the two of a goal are equal.
    """
    found = Saturation(0)
    seen: dict[tuple[object, ...], None] = {}
    try:
        g.rebuild()
        last = 1 if goal is None else ROUNDS
        for spells, most in ((False, ROUNDS), (True, SPELLING_ROUNDS), (False, last)):
            table = (tables or rules())[spells]
            _settle(g, found, seen, goal, table, spells=spells, most=most)
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


def _matches(g: Graph, c: int, far: int, fitting: Fitting, spells: bool) -> Iterator[_Found]:
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
    """Yield the fewer bits in which a class fits, and whether with a sign: those of elements, and
    twice as many, as products want them; just as many as it needs only where that may say more.
    """
    r, w = g.range(c), g.width[c]
    sign = r.signed[0] < 0
    least = r.signed_bits if sign else r.unsigned_bits
    exact = not _EXACT.isdisjoint(g.operations(c))
    sizes = natural(least), 2 * natural(least)
    for n in dict.fromkeys((least, *sizes) if exact else sizes):
        if least <= n < w:
            yield n, sign


def _fits(g: Graph, c: int, n: int, sign: bool) -> None:
    """Say that what fits in n bits is an extension of its low part."""
    op = "sext" if sign else "zext"
    (rule, whole), sizes = _fit_rules()[sign], (g.width[c], n)
    if any(g.width[g.kids[x][0]] == n for x in g.nodes(c, op)) or not holds(rule, sizes):
        return
    bounds = ((c, g.bound[g.find(c)]),)
    g.trace = []
    made = whole(g, sizes, (c,))
    nodes, g.trace = tuple(g.trace), None
    g.unite(made, c, rule.name, sizes=sizes, terms=(c,), nodes=nodes, bounds=bounds)


@cache
def _fit_rules() -> tuple[tuple[Rule, Make], ...]:
    return tuple((r, maker(r, r.left)) for r in map(rule_named, FITS))


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
