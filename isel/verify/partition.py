"""Long sums, minima, maxima and bit operations compared part by part.

What is added up on both sides, or joined by another associative and commutative operation, falls
into parts that have no leaf in common, or only such as many parts have.  Where each part is the
same on both sides, so is the whole; the converse is not claimed: a part that differs shows nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Final, TypeAlias

from isel.ir.build import add, all_of, band, bor, bxor, ite, make, slt, ult
from isel.ir.expr import Expr, const, leaves
from isel.ir.linear import Linear, linear

_LEAST: Final = 6  # leaves of a comparison that is worth taking apart
_MOST: Final = 1 << 14  # terms that are joined on one side
_SUMS: Final = frozenset({"add", "sub", "neg"})
_LOGIC: Final = frozenset({"and", "or", "xor"})
_CHOICES: Final = ("umin", "umax", "smin", "smax")
_TERMS: Final[Mapping[str, Callable[[Expr, Expr], Expr]]] = {
    "add": add,
    "and": band,
    "or": bor,
    "xor": bxor,
    "umin": lambda a, b: ite(ult(a, b), a, b),
    "umax": lambda a, b: ite(ult(a, b), b, a),
    "smin": lambda a, b: ite(slt(a, b), a, b),
    "smax": lambda a, b: ite(slt(a, b), b, a),
}
# what a choice is under an extension, for the same choice of what is extended
_UNDER: Final = {("zext", k): f"u{k[1:]}" for k in _CHOICES} | {
    ("sext", k): k for k in ("smin", "smax")
}
Part: TypeAlias = tuple[frozenset[Expr], Expr]
"""The leaves of a term, and the term."""


def parts_of(premise: Expr, left: Expr, right: Expr) -> tuple[tuple[Expr, Expr, Expr], ...]:
    """Return premises and pairs of terms that are equal under them only if ``left`` and ``right``
    are equal where ``premise`` is 1; none where nothing can be taken apart.
    """
    if left.width == 1 or len(leaves(left)) < _LEAST:
        return ()
    kind = _kind(left) or _kind(right)
    if not kind:
        return ()
    mine, theirs = _parts(left, kind), _parts(right, kind)
    if mine is None or theirs is None:
        return ()
    empty = const(0, left.width) if kind in ("add", "xor") else None
    shared = frozenset[Expr]()
    groups = _groups([*mine, *theirs])
    if len(groups) == 1:
        shared = _common_leaves([*mine, *theirs])
        mine, theirs = ([(xs - shared, e) for xs, e in side] for side in (mine, theirs))
        groups = _groups([*mine, *theirs])
    found: list[tuple[Expr, Expr, Expr]] = []
    for group in groups if len(groups) > 1 else ():
        sides = [_within(side, group, kind, empty) for side in (mine, theirs)]
        if sides[0] is None or sides[1] is None:
            return ()
        found.append((_about(premise, group | shared), sides[0], sides[1]))
    return tuple(found)


def _common_leaves(parts: Sequence[Part]) -> frozenset[Expr]:
    """Return the leaves that stand in at least half of the parts, as the bound of a count does:
    where the parts agree for each of their values, so does the whole.
    """
    count = Counter(x for xs, _ in parts for x in xs)
    return frozenset(x for x, n in count.items() if 2 * n >= len(parts))


def joined(join: str, terms: Sequence[Expr]) -> Expr:
    """Return terms of one width, joined."""
    while len(terms) > 1:
        terms = [reduce(_TERMS[join], terms[k : k + 2]) for k in range(0, len(terms), 2)]
    return terms[0]


def replaced(root: Expr, join: str, lanes: frozenset[Expr], by: Expr) -> Expr | None:
    """Return a term that joins some leaves and others with ``by`` in place of these leaves; None
    if it is not a function of what they are together.
    """
    parts = _parts(root, join)
    if parts is None or not lanes <= {e for _, e in parts}:
        return None
    others = [(xs, e) for xs, e in parts if e not in lanes]
    if any(not lanes.isdisjoint(xs) for xs, _ in others):
        return None
    return joined(join, [by, *(e for _, e in others)])


def _parts(e: Expr, kind: str) -> list[Part] | None:
    return _summed(e) if kind == "add" else _joined(e, kind)


def _within(
    side: Sequence[Part], group: frozenset[Expr], kind: str, empty: Expr | None
) -> Expr | None:
    """Return what the parts over some leaves are together; None where there are none and nothing
    stands for that.
    """
    terms = [e for xs, e in side if (xs <= group if xs else not group)]
    return joined(kind, terms) if terms else empty


def _kind(e: Expr) -> str:
    """Return the operation that a term joins others by, extensions of it looked through."""
    if e.op in _SUMS:
        return "add"
    if e.op in _LOGIC:
        return e.op
    if e.op == "extract" and e.int_attr(0) == 0:
        inner = _kind(e.args[0])
        return inner if inner == "add" or inner in _LOGIC else ""
    if e.op in ("zext", "sext"):
        return _kind(e.args[0])
    chosen = _choice(e)
    return chosen[0] if chosen else ""


def _choice(e: Expr) -> tuple[str, Expr, Expr] | None:
    """Return which of two terms a term chooses: the lesser or the greater."""
    if e.op != "ite" or e.args[0].op not in ("ult", "slt", "ule", "sle"):
        return None
    test, a, b = e.args
    if test.args not in ((a, b), (b, a)):
        return None
    return f"{test.op[0]}{'min' if test.args == (a, b) else 'max'}", a, b


def _summed(root: Expr) -> list[Part] | None:
    """Return the terms that add up to one modulo two to its width, by products."""
    total: dict[Expr, int] = {}
    waiting = [(root, 1)]
    while waiting:
        e, factor = waiting.pop()
        if e.op == "add":
            waiting += ((a, factor) for a in e.args)
        elif e.op == "sub":
            waiting += ((e.args[0], factor), (e.args[1], -factor))
        elif e.op == "neg" or (e.op == "extract" and e.int_attr(0) == 0):
            waiting.append((e.args[0], -factor if e.op == "neg" else factor))
        else:
            total[e] = total.get(e, 0) + factor
        if len(waiting) + len(total) > _MOST:
            return None
    parts: dict[Expr, int] = {}
    for e, factor in total.items():
        for product, c in linear(e, width=root.width).parts.items():
            term = Linear({product: 1}).term(root.width)
            parts[term] = parts.get(term, 0) + c * factor
    mask = (1 << root.width) - 1
    return [
        (frozenset(leaves(t)), make("mul", (t, const(c & mask, root.width))))
        for t, c in parts.items()
        if c & mask
    ]


def _joined(root: Expr, kind: str) -> list[Part] | None:
    """Return the terms of which one is made by an operation other than addition."""
    found: dict[Expr, None] = {}
    waiting: list[tuple[Expr, str, tuple[tuple[str, int, int], ...]]] = [(root, kind, ())]
    while waiting:
        e, k, casts = waiting.pop()
        chosen = _choice(e)
        if e.op == k:
            waiting += ((a, k, casts) for a in e.args)
        elif chosen is not None and chosen[0] == k:
            waiting += ((a, k, casts) for a in chosen[1:])
        elif (e.op, k) in _UNDER or (e.op in ("zext", "sext") and k in _LOGIC):
            waiting.append((e.args[0], _UNDER.get((e.op, k), k), ((e.op, e.width, 0), *casts)))
        elif e.op == "extract" and e.int_attr(0) == 0 and k in _LOGIC:
            waiting.append((e.args[0], k, ((e.op, e.width, 1), *casts)))
        else:
            for op, width, cut in casts:
                e = make(op, (e,), (0, width) if cut else (width,))
            if kind == "xor" and e in found:
                del found[e]  # twice the same is nothing
            else:
                found[e] = None
        if len(waiting) + len(found) > _MOST:
            return None
    return [(frozenset(leaves(e)), e) for e in found]


def _groups(parts: Sequence[Part]) -> list[frozenset[Expr]]:
    """Return the leaves in groups such that no part has leaves of two groups; the empty group for
    parts without leaves.
    """
    parent: dict[Expr, Expr] = {}

    def root(x: Expr) -> Expr:
        while parent.setdefault(x, x) is not x:
            parent[x] = x = parent[parent[x]]
        return x

    for xs, _ in parts:
        first = next(iter(xs), None)
        for x in xs:
            assert first is not None
            parent[root(x)] = root(first)
    groups: dict[Expr, set[Expr]] = {}
    for x in parent:
        groups.setdefault(root(x), set()).add(x)
    made = [frozenset(g) for g in groups.values()]
    return [*made, frozenset()] if any(not xs for xs, _ in parts) else made


def _about(premise: Expr, group: frozenset[Expr]) -> Expr:
    """Return the conditions of a conjunction that are over some leaves only."""
    return all_of(*(p for p in _conditions(premise) if group.issuperset(leaves(p))))


def _conditions(premise: Expr) -> Iterator[Expr]:
    waiting = [premise]
    while waiting:
        p = waiting.pop()
        if p.op == "and":
            waiting += p.args[::-1]
        elif p.op == "not" and p.args[0].op == "or":
            waiting += (make("not", (a,)) for a in p.args[0].args)
        else:
            yield p
