"""Rounds of rules over a graph, until nothing is new or the budget is spent.

Beside the rules of the books there is what holds of every class: what fits in fewer bits is an
extension of them, the low part of a sum is a sum of low parts, and a sum with a common factor is
one that is shifted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from isel.egraph.graph import LEAF, SUM, Contradiction, Graph, Spent, commutes
from isel.egraph.making import Make, maker
from isel.egraph.match import Match, bounded, matcher, root_of
from isel.ir.expr import Expr, postorder
from isel.ir.ops import OPS, natural
from isel.rules.books import RULED, book, whole_book
from isel.rules.proofs import proofs
from isel.rules.syntax import Apply, Fold, Pattern, Rule, patterns

ROUNDS: Final = 24
_DEPTH: Final = 5  # of patterns
_SPELLINGS: Final = "variants"
_SPELLING_ROUNDS: Final = 2
_ANY_WIDTH: Final = ("umin", "umax", "smin", "smax", "abs", "sat_s", "sat_su", "sat_u")
LOW: Final = "low"
VALUE: Final = "value"
FITS: Final = ("fits.u", "fits.s")


def _below(p: Pattern) -> str:
    """Return the operation of the first operand of a pattern, where that is looked for there."""
    if not isinstance(p, Apply) or not p.args or root_of(p) == SUM:
        return ""
    inner = p.args[0]
    if not isinstance(inner, Apply) or (len(p.args) == 2 and commutes(p.op)):
        return ""
    return root_of(inner)


class Ready:
    """A rule in one direction, compiled when it is first of use."""

    def __init__(self, rule: Rule, left: Pattern, right: Pattern) -> None:
        self.rule = rule
        self.op = root_of(left)
        self._left, self._right = left, right
        self.asks = bounded(rule)
        self.below = _below(left)
        self.natural = (
            isinstance(right, Apply) and right.op not in OPS and right.op not in _ANY_WIDTH
        )

    @cached_property
    def match(self) -> Match:
        return matcher(self.rule, self._left)

    @cached_property
    def make(self) -> Make:
        return maker(self.rule, self._right)

    @cached_property
    def again(self) -> Make:
        """What makes the side that was matched."""
        return maker(self.rule, self._left)


def _rank(p: Pattern) -> int:
    """Tell how much an operation says of what a term is: derived ones, then casts and slices."""
    op = p.op if isinstance(p, Apply) else ""
    return 1 if op in ("zext", "sext", "extract") else 2 * (op not in OPS)


def _extends(p: Pattern) -> bool:
    return any(isinstance(x, Apply) and x.op in ("zext", "sext") for x in patterns(p))


@cache
def rules() -> tuple[dict[str, tuple[Ready, ...]], dict[str, tuple[Ready, ...]]]:
    """Return the rules that say what a term is, and those that spell it in other ways, each by the
    operation at the root of what they look for.

    Definitions and rules that go both ways say what their right and what their left side is.
    """
    found: tuple[dict[str, list[Ready]], dict[str, list[Ready]]] = ({}, {})
    for name in RULED:
        for rule in whole_book(name).rules:
            sides = (rule.left, rule.right)
            if rule.name in FITS or any(isinstance(p, Fold) for x in sides for p in patterns(x)):
                continue
            spells = name == _SPELLINGS and not rule.turns
            for k, (left, right) in enumerate((sides, sides[::-1])):
                if not isinstance(left, Apply) or (k and not rule.turns):
                    continue
                ready = Ready(rule, left, right)
                way = spells or (rule.turns and (_rank(right), k) <= (_rank(left), 0))
                if not (way and rule.defines and _extends(right)):
                    found[way].setdefault(ready.op, []).append(ready)
    first, second = ({op: tuple(some) for op, some in d.items()} for d in found)
    return first, second


@cache
def named() -> dict[str, Rule]:
    """Return the rules by name."""
    return {r.name: r for name in RULED for r in whole_book(name).rules}


def added(g: Graph, root: Expr, done: dict[Expr, int]) -> int:
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


@cache
def _unfolded() -> dict[str, Rule]:
    return {r.name: r for name in RULED for r in book(name).rules}


def holds(rule: Rule, sizes: tuple[int, ...]) -> bool:
    """Tell whether a rule was proved at given widths, or is now."""
    return proofs().holds(_unfolded()[rule.name], sizes)


@dataclass
class Saturation:
    """What became of a graph: how many rounds, and why it ended."""

    rounds: int
    why: str = ""


def saturate(g: Graph, goal: tuple[int, int] | None = None) -> Saturation:
    """Apply rules until nothing is new, then look for other spellings of every class; end early
    where the two of a goal are equal.
    """
    said, spelled = rules()
    seen: dict[tuple[object, ...], None] = {}
    rounds = 0
    try:
        g.rebuild()
        for spelling in (False, True) if goal is None else (False, True, False):
            for _ in range(_SPELLING_ROUNDS if spelling else ROUNDS):
                if goal is not None and g.find(goal[0]) == g.find(goal[1]):
                    return Saturation(rounds)
                rounds += 1
                todo = sorted(g.classes()) if spelling else _near(g)
                if not _round(g, spelled if spelling else said, todo, seen, spells=spelling):
                    break
            else:
                if not spelling:
                    return Saturation(rounds, f"not settled after {ROUNDS} rounds")
        return Saturation(rounds)
    except Spent:
        return Saturation(rounds, f"more than {g.most} nodes")
    except Contradiction:
        return Saturation(rounds, "facts that contradict each other")


def _round(
    g: Graph,
    table: dict[str, tuple[Ready, ...]],
    todo: list[int],
    seen: dict[tuple[object, ...], None],
    *,
    spells: bool,
) -> bool:
    """Apply what matches now; tell whether anything did."""
    before = g.clock
    found: list[tuple[Ready, int, tuple[int, ...], tuple[int, ...]]] = []
    for c in todo:
        content = g.content[c]
        plain = natural(g.width[c]) == g.width[c]
        if content is None or g.value(c) is not None or (spells and not plain):
            continue
        for op, some in tuple((op, tuple(some)) for op, some in content.items()):
            ready_here = [r for r in table.get(op, ()) if plain or not r.natural]
            for n in some if ready_here else ():
                kids = g.kids[n]
                inner = g.content[g.find(kids[0])] if kids else None
                for ready in ready_here:
                    if not ready.below or (inner is not None and ready.below in inner):
                        g.steps += 1
                        found += [(ready, n, *m) for m in ready.match(g, n)]
    for c in () if spells else todo:
        _built_in(g, c)
    g.rebuild()
    for ready, n, sizes, terms in found:
        key = (ready.rule.name, ready.op, sizes, tuple([g.find(t) for t in terms]))
        if key not in seen:
            seen[key] = None
            _apply(g, ready, n, sizes, terms)
    g.rebuild()
    return g.clock != before


def _near(g: Graph) -> list[int]:
    """Return the classes that changed, and those above them as far as patterns reach."""
    near = dict.fromkeys(g.find(c) for c in g.touched)
    g.touched = {}
    layer = list(near)
    for _ in range(_DEPTH):
        layer = [
            c for c in dict.fromkeys(g.find(u) for x in layer for u in g.users[x]) if c not in near
        ]
        near.update(dict.fromkeys(layer))
    return sorted(near)


def _apply(g: Graph, ready: Ready, n: int, sizes: tuple[int, ...], terms: tuple[int, ...]) -> None:
    if not holds(ready.rule, sizes):
        return
    proofs().used[ready.rule.name] += 1
    _say(g, ready.rule, sizes, terms, ready.again, ready.make, n, ready.asks)


def _say(
    g: Graph,
    rule: Rule,
    sizes: tuple[int, ...],
    terms: tuple[int, ...],
    left: Make,
    right: Make,
    n: int,
    asks: tuple[str, ...],
) -> None:
    """Make the sides of a rule and say that they are equal."""
    order = (*rule.terms, *rule.literals)
    bounds = tuple(
        (terms[order.index(name)], g.bound[g.find(terms[order.index(name)])]) for name in asks
    )
    g.trace = []
    made = right(g, sizes, terms)
    if g.find(made) != g.find(n):
        mine = left(g, sizes, terms)
        nodes = tuple(g.trace)
        g.trace = None
        g.said(mine, made, rule.name, sizes=sizes, terms=terms, nodes=nodes, bounds=bounds)
    g.trace = None


def _built_in(g: Graph, c: int) -> None:
    """Say what holds of every class."""
    if g.content[c] is None or g.value(c) is not None:
        return
    for n, sign in _narrower(g, c):
        _fits(g, c, n, sign)
    content = g.content[g.find(c)]
    assert content is not None
    for n in tuple(content.get("extract", ())):
        low, width = g.attr[n]
        inner = g.kids[n][0]
        for s in tuple(g.nodes(inner, SUM))[:4]:
            if low == 0:
                _low(g, n, s, int(width))
            else:
                _factored(g, s, int(low))


def _narrower(g: Graph, c: int) -> Iterator[tuple[int, bool]]:
    """Yield the fewer bits in which a class fits, and whether with a sign."""
    r, w = g.range(c), g.width[c]
    sign = r.signed[0] < 0
    least = r.signed_bits if sign else r.unsigned_bits
    for n in dict.fromkeys((least, natural(least))):
        if least <= n < w:
            yield n, sign


def _fits(g: Graph, c: int, n: int, sign: bool) -> None:
    op = "sext" if sign else "zext"
    if any(g.width[g.kids[x][0]] == n for x in g.nodes(c, op)):
        return
    rule = _ready(FITS[sign])
    sizes = (g.width[c], n)
    if holds(rule.rule, sizes):
        bounds = ((c, g.bound[g.find(c)]),)
        g.trace = []
        made = rule.again(g, sizes, (c,))
        nodes, g.trace = tuple(g.trace), None
        g.said(made, c, rule.rule.name, sizes=sizes, terms=(c,), nodes=nodes, bounds=bounds)


@cache
def _ready(name: str) -> Ready:
    rule = named()[name]
    return Ready(rule, rule.left, rule.right)


def _low(g: Graph, n: int, s: int, width: int) -> None:
    """Say that the low part of a sum is the sum of low parts."""
    constant, parts = g.parts(s)
    made = g.sum(width, constant, tuple((g.node("extract", (0, width), (k,)), f) for k, f in parts))
    g.said(n, made, LOW, terms=(s,))


def _factored(g: Graph, s: int, low: int) -> None:
    """Make a sum with a common factor as one that is shifted: it flattens to what it was."""
    constant, parts = g.parts(s)
    every = constant
    for _, f in parts:
        every |= f
    twos = min((every & -every).bit_length() - 1, low)
    if twos > 0:
        inner = g.sum(g.width[s], constant >> twos, tuple((k, f >> twos) for k, f in parts))
        g.sum(g.width[s], 0, ((inner, 1 << twos),))


__all__ = ["LEAF", "Saturation", "added", "named", "rules", "saturate"]
