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
_LINEAR: Final = frozenset(("add", "sub", "mul", "ramp", "broadcast"))


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
    n, args = (
        index,
        [places(a, known, bound) for a in index.args]
        if index.op in _LINEAR or index.op == "cast"
        else [],
    )
    if n.op == "const":
        return Places((), n.numbers)
    if n.op == "var":
        if n.name in known:
            return Places((), known[n.name])
        return (
            places(bound[n.name], known, bound) if n.name in bound else Places(((n.name, 1),), (0,))
        )
    if n.op == "cast" and (n.type.bits >= n.args[0].type.bits or not args[0].terms):
        return (
            args[0]
            if args[0].terms
            else Places(
                (),
                tuple(apply("cast", n.type.of(1), (n.args[0].type,), (v,)) for v in args[0].lanes),
            )
        )
    if n.op in ("add", "sub"):
        return _sum(args[0], args[1], 1 if n.op == "add" else -1)
    if n.op == "mul" and any(not a.terms and len(set(a.lanes)) == 1 for a in args):
        factor, other = (
            (args[0], args[1])
            if not args[0].terms and len(set(args[0].lanes)) == 1
            else (args[1], args[0])
        )
        k = factor.lanes[0]
        return Places(
            tuple((t, c * k) for t, c in other.terms if k), tuple(v * k for v in other.lanes)
        )
    if n.op == "ramp":
        base, stride = args
        if stride.terms:
            raise NotLowered("a stride that is not known")
        inner = (
            base.lanes
            if len(base.lanes) == n.args[0].type.lanes
            else base.lanes * n.args[0].type.lanes
        )
        steps = [Places((), tuple(v * i for v in stride.lanes)) for i in range(n.numbers[0])]
        return Places(
            base.terms, tuple(v for s in steps for v in _sum(Places((), inner), s, 1).lanes)
        )
    if n.op == "broadcast":
        return Places(
            args[0].terms, args[0].lanes * n.numbers[0] if len(args[0].lanes) > 1 else args[0].lanes
        )
    return _other(n, known, bound)


def _sum(a: Places, b: Places, sign: int) -> Places:
    terms = dict(a.terms)
    for t, c in b.terms:
        terms[t] = terms.get(t, 0) + sign * c
    n = max(len(a.lanes), len(b.lanes))
    x, y = (p.lanes * n if len(p.lanes) == 1 else p.lanes for p in (a, b))
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
    return Places(((repr(n), 1),), (0,))


def _computed(n: Node, known: Known) -> tuple[int, ...]:
    if n.op == "const":
        return n.numbers
    if n.op == "var":
        return known[n.name]
    args = [_computed(a, known) for a in n.args]
    lanes = max(map(len, args))
    rows = zip(*(a * lanes if len(a) == 1 else a for a in args), strict=True)
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
            made = self.found[key] = Input(
                f"{name}.{len(self.found)}", type_.of(1), name, key[2], base
            )
        lanes = tuple(v - base for v in at.lanes)
        made.size = max(made.size, max(lanes) + 1)
        return made, lanes
