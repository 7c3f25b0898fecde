"""Pruned grammars for one lane; every heuristic is a switch, so that each can be measured by
itself.

HYDRIDE section 4.2 and Table 5: bit-vector screening, score-based selection, width-specific
sub-grammars.  Components come in equivalence classes, of which selection keeps the best members.
A grammar only limits what is looked for; what is found is proved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from isel.ir.expr import Expr, const, leaves, postorder
from isel.ir.ops import natural, signed
from isel.ir.transfer import ORDERS
from isel.model.answer import GrammarOptions
from isel.synth.cegis.types import Component, Grammar
from isel.synth.limits import BIT_PICKS
from isel.synth.values.constants import SHIFTS, is_shift

_DIVISIONS: Final = ("udiv", "urem", "sdiv", "srem")
_KINDS: Final = {"mul": "multiply", **dict.fromkeys(_DIVISIONS, "divide")}


@dataclass(frozen=True)
class Features:
    """What screening and scoring look at in a term."""

    ops: frozenset[str]
    widths: frozenset[int]
    kinds: frozenset[str]
    numbers: frozenset[int]
    shape: str
    size: int


def _kind(e: Expr) -> str:
    """Return the operator group of a node that a program cannot do without, if it is of one: only
    these decide screening.
    """
    if e.op in SHIFTS and not e.args[1].is_const:
        return "variable shift"
    if e.op == "extract" and e.width == 1:
        return "bit picks"
    if e.op == "sext" and e.args[0].width == 1:
        return "spread bits"
    return "masks" if e.is_leaf and e.width == 1 else _KINDS.get(e.op, "")


@cache
def features(term: Expr) -> Features:
    """Return the features of a term; its ``shape`` ignores widths and constants."""
    nodes = tuple(postorder([term]))
    numbers = frozenset(signed(e.value, e.width) for e in nodes if e.is_const and e.width > 1)
    shape, ops = " ".join(e.op for e in nodes), frozenset(e.op for e in nodes if e.args)
    used = frozenset(e.width for e in (*leaves(term), term))
    kinds = Counter({"masks": int(term.width == 1)}) + Counter(filter(None, map(_kind, nodes)))
    known = frozenset(k for k in kinds if k != "bit picks" or kinds[k] >= BIT_PICKS)
    return Features(ops, used, known, numbers, shape, len(nodes))


def _allowed_kinds(lane: Expr) -> frozenset[str]:
    nodes = tuple(postorder([lane]))
    kinds = set(features(lane).kinds)
    if any(e.op in _DIVISIONS or (e.op == "shl" and e.args[1].is_const) for e in nodes):
        kinds.add("multiply")
    if any(e.op in ORDERS for e in nodes):
        kinds.add("masks")
    if any(e.op == "ite" and not _is_clamp(e) for e in nodes):
        kinds.add("spread bits")
    return frozenset(kinds)


def _is_clamp(e: Expr) -> bool:
    """Tell whether a choice is the lesser or the greater of two, of which one may be a literal."""
    test, a, b = e.args
    return test.op in ORDERS and {*test.args} == {a, b}


def _allowed_widths(lane: Expr) -> frozenset[int]:
    every = {natural(e.width) for e in postorder([lane]) if 1 < e.width <= 64}
    between = {w for w in (8, 16, 32, 64) if min(every, default=8) <= w <= max(every, default=8)}
    return frozenset({1} | every | between | features(lane).widths)


def class_of(c: Component) -> str:
    """Return the name of a component's class; one that the target knows in none is in a class
    by its shape.
    """
    return c.class_name or f"({features(c.first).shape})"


def screened(lane: Expr, components: Sequence[Component]) -> tuple[Component, ...]:
    """Drop components whose operators, widths or operand counts the lane has no use for."""
    kinds, widths = _allowed_kinds(lane), _allowed_widths(lane)
    most = max(2, 2 * len(leaves(lane)))

    def useful(c: Component) -> bool:
        f = features(c.first)
        return f.kinds <= kinds and f.widths <= widths and len(c.widths) <= most

    return tuple(filter(useful, components))


def score(lane: Expr, c: Component) -> int:
    """Return how much of a component's operators, widths and constants the lane has, less what
    it has not.
    """
    f, g = features(c.first), features(lane)
    points = 4 * len(f.ops & g.ops) - 2 * len(f.ops - g.ops)
    points += 3 * len(f.widths & g.widths) - 3 * len(f.widths - g.widths)
    points += 2 * len(f.numbers & g.numbers)
    return points - (len(c.widths) > len(leaves(lane)))


def _ranked(lane: Expr, components: Sequence[Component]) -> list[Component]:
    return sorted(components, key=lambda c: (-score(lane, c), c.cost, c.name))


def scored(
    lane: Expr, components: Sequence[Component], options: GrammarOptions
) -> tuple[Component, ...]:
    """Keep the best ``per_class`` components of each class and the best ``multipliers``, then
    the best ``limit`` of those.
    """
    count: dict[str, int] = {}
    kept = []
    multipliers = 0
    for c in _ranked(lane, components):
        name = class_of(c)
        count[name] = count.get(name, 0) + 1
        if count[name] > options.per_class:
            continue
        if "multiply" in features(c.first).kinds:
            multipliers += 1
            if multipliers > options.multipliers:
                continue
        kept.append(c)
    return tuple(kept[: options.limit])


def constants_of(lane: Expr, components: Sequence[Component], most: int) -> tuple[Expr, ...]:
    """Return literals worth trying at each operand width: the lane's own that fit (not its
    shift amounts), then 1 and 0.
    """
    used = (a for e in postorder([lane]) for a in (e.args[:1] if is_shift(e) else e.args))
    own = [signed(a.value, a.width) for a in used if a.is_const and a.width > 1]
    values = dict.fromkeys([*own, 1, 0])
    found: list[Expr] = []
    for w in sorted({w for c in components for w in c.widths if w > 1}):
        fitting = (const(v, w) for v in values if -(1 << (w - 1)) <= v < 1 << w)
        found += list(dict.fromkeys(fitting))[:most]
    return tuple(found)


def grammars_for(
    lane: Expr, components: Sequence[Component], options: GrammarOptions | None = None
) -> tuple[Grammar, ...]:
    """Return the grammars to search for a lane, the quicker ones first; no two are the same."""
    o = options or GrammarOptions()
    rest = screened(lane, components) if o.screening else components
    chosen = {"scored": scored(lane, rest, o)} if o.scored else {}
    if o.screened or not chosen:
        chosen["screened"] = tuple(_ranked(lane, rest)[: o.most])
    grammars: dict[frozenset[str], Grammar] = {}
    for name, some in chosen.items():
        parts = tuple(sorted(some, key=lambda c: c.name))
        g = Grammar(name, parts, constants_of(lane, parts, o.constants), o.depth)
        grammars.setdefault(frozenset(c.name for c in parts), g)
    return tuple(g for g in grammars.values() if g.components)
