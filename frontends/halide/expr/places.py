"""Where loads read: indices as a symbolic base and the place of each lane, and the input vectors
that follow from them.

Loads at different constant offsets are different inputs: what holds for independent vectors holds
for overlapping ones.  Loads whose stride leaves gaps share one input with those that fill the gaps
(``f(2*x)`` and ``f(2*x + 1)``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import gcd
from typing import Final, TypeAlias

from frontends.halide.expr.meaning import apply
from frontends.halide.expr.tree import Node, nodes
from frontends.halide.expr.types import Type
from isel.errors import IselError

Terms: TypeAlias = tuple[tuple[str, int], ...]
Known: TypeAlias = Mapping[str, tuple[int, ...]]
_FOLLOWED: Final = frozenset(("add", "sub", "mul", "ramp", "broadcast", "cast"))


class NotLowered(IselError):
    """An expression that reads well but is no window: why."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    def message(self) -> str:
        """Return the line to print."""
        return f"not selected: {self.why}"


@dataclass(frozen=True, slots=True)
class Places:
    """An index: coefficients of what is not known (by its text), and the rest of each lane (one
    where all are equal).
    """

    terms: Terms
    lanes: tuple[int, ...]


def places(index: Node, known: Known, bound: Mapping[str, Node]) -> Places:
    """Return what ``index`` is; ``known`` has the lanes of variables, ``bound`` the values of
    ``let``.

    Raises :class:`NotLowered` for an index that depends on data and differs between lanes.
    """
    n = index
    args = [places(a, known, bound) for a in n.args if n.op in _FOLLOWED]
    if n.op == "const":
        return Places((), n.numbers)
    if n.op == "var":
        if n.name in known:
            return Places((), known[n.name])
        return places(bound[n.name], known, bound) if n.name in bound else _unknown(n.name)
    if n.op == "cast" and not args[0].terms:
        types = (n.args[0].type,)
        return Places((), tuple(apply("cast", n.type.of(1), types, (v,)) for v in args[0].lanes))
    if n.op == "cast" and n.type.bits >= n.args[0].type.bits:
        return args[0]
    if n.op in ("add", "sub"):
        return _sum(args[0], args[1], 1 if n.op == "add" else -1)
    for factor, other in ((0, 1), (1, 0)) if n.op == "mul" else ():
        if not args[factor].terms and len(set(args[factor].lanes)) == 1:
            k, terms = args[factor].lanes[0], args[other].terms
            by = tuple((t, c * k) for t, c in terms if k)
            return Places(by, tuple(v * k for v in args[other].lanes))
    if n.op == "ramp":
        base, stride = args
        if stride.terms:
            raise NotLowered("a stride that is not known")
        inner = Places((), repeated(base.lanes, n.args[0].type.lanes))
        steps = [Places((), tuple(v * i for v in stride.lanes)) for i in range(n.numbers[0])]
        return Places(base.terms, tuple(v for s in steps for v in _sum(inner, s, 1).lanes))
    if n.op == "broadcast":
        (one,) = args
        return Places(one.terms, one.lanes * n.numbers[0] if len(one.lanes) > 1 else one.lanes)
    return _other(n, known, bound)


def repeated(lanes: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Return as many lanes, a single one in all of them."""
    return lanes * count if len(lanes) == 1 else lanes


def _unknown(name: str) -> Places:
    return Places(((name, 1),), (0,))


def _sum(a: Places, b: Places, sign: int) -> Places:
    terms = dict(a.terms)
    for t, c in b.terms:
        terms[t] = terms.get(t, 0) + sign * c
    n = max(len(a.lanes), len(b.lanes))
    x, y = (repeated(p.lanes, n) for p in (a, b))
    return Places(
        tuple(sorted((t, c) for t, c in terms.items() if c)),
        tuple(p + sign * q for p, q in zip(x, y, strict=True)),
    )


def _other(n: Node, known: Known, bound: Mapping[str, Node]) -> Places:
    """Compute what depends on known lanes only; anything else must be one value for all lanes."""
    found = list(nodes(n))
    if not any(x.op == "load" or (x.op == "var" and x.name not in known) for x in found):
        return Places((), _computed(n, known))
    if any(x.type.lanes > 1 or (x.op == "var" and len(known.get(x.name, ())) > 1) for x in found):
        raise NotLowered("a gather: the index depends on data or is not linear")
    return _unknown(repr(n))


def _computed(n: Node, known: Known) -> tuple[int, ...]:
    if n.op == "const":
        return n.numbers
    if n.op == "var":
        return known[n.name]
    args = [_computed(a, known) for a in n.args]
    lanes = max(map(len, args))
    rows = zip(*(repeated(a, lanes) for a in args), strict=True)
    try:
        return tuple(apply(n.op, n.type.of(1), [a.type for a in n.args], row) for row in rows)
    except KeyError:
        raise NotLowered(f"'{n.op}' in an index") from None


@dataclass(slots=True)
class Input:
    """A vector that the expression reads: ``size`` elements of ``type`` in ``buffer``, from
    ``terms`` plus ``base`` on.

    A variable is an input of one element in a buffer of its name.
    """

    name: str
    type: Type
    buffer: str
    terms: Terms
    base: int
    size: int = 1


@dataclass(slots=True)
class Inputs:
    """The inputs found so far, by what tells them apart."""

    found: dict[tuple[str, Type, Terms, int], Input] = field(default_factory=dict)

    def of(
        self, name: str, type_: Type, at: Places, others: Terms = ()
    ) -> tuple[Input, tuple[int, ...]]:
        """Return the input that a load reads and the element of each lane."""
        low = min(at.lanes)
        stride = gcd(*(v - at.lanes[0] for v in at.lanes))
        base = low - low % stride if stride > 1 else low
        key = (name, type_.of(1), at.terms + others, base)
        made = self.found.get(key)
        if made is None:
            label = f"{name}.{len(self.found)}"
            made = self.found[key] = Input(label, type_.of(1), name, key[2], base)
        lanes = tuple(v - base for v in at.lanes)
        made.size = max(made.size, max(lanes) + 1)
        return made, lanes
