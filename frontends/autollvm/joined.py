"""Neighbouring calls together: the lanes of a call over what the calls that make its operands
read.  What a machine lacks for one of them it may have for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from equiv_classes.calls import Shape, in_width
from frontends.autollvm.cuts import narrow
from frontends.autollvm.limits import JOINED_TERMS
from frontends.autollvm.read import Call, whole_elements
from frontends.llvm.text.ast import Local, Operand
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, elem, leaves, postorder
from isel.ir.ranges import decide


@dataclass(frozen=True, slots=True)
class Vector:
    """A value of ``count`` elements of ``width`` bits that lanes read."""

    operand: Operand
    count: int
    width: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """Lanes over elements of vectors by name, and count and width of the value that they are."""

    lanes: tuple[Expr, ...]
    known: Mapping[str, Vector]
    result: Shape


def read_lanes(call: Call) -> Wanted:
    """Return what a call by itself computes."""
    shapes = dict(zip(call.found.of.letters, call.found.operands, strict=True))
    known = {x: Vector(call.operands[x], *shapes[x]) for x in call.variable}
    lanes = tuple(narrow(decide(e)) for e in whole_elements(call))
    return Wanted(lanes, known, call.found.result)


def joinings(call: Call, calls: Mapping[str, Call]) -> Iterator[tuple[frozenset[str], Wanted]]:
    """Yield the calls, by the names of their values, that a call may be joined with, and what is
    computed then: with all that make its operands, then with each of them.
    """
    operands = (call.operands[x] for x in call.variable)
    makers = [o.name for o in operands if isinstance(o, Local) and o.name in calls]
    for names in dict.fromkeys([frozenset(makers), *(frozenset([n]) for n in makers)]):
        found = _join(call, {n: calls[n] for n in names}) if names else None
        if found is not None:
            yield names, found


class _Vectors:
    """Vectors that lanes read, one name for each however often it is read."""

    def __init__(self) -> None:
        self.known: dict[str, Vector] = {}

    def move(self, lanes: Sequence[Expr], known: Mapping[str, Vector]) -> dict[Expr, Expr]:
        """Return the elements that lanes read of some vectors, by those of the vectors here."""
        found: dict[Expr, Expr] = {}
        for x in leaves(*lanes):
            if x.source in known:
                found[x] = elem(self._name(known[x.source]), x.offset, x.width)
        return found

    def _name(self, v: Vector) -> str:
        name = next((n for n, x in self.known.items() if x == v), f"v{len(self.known)}.")
        self.known[name] = v
        return name


def _join(call: Call, makers: Mapping[str, Call]) -> Wanted | None:
    """Return what a call computes over the operands of some that make its own; None where that is
    too large, or elements do not fit.
    """
    whole, vectors = read_lanes(call), _Vectors()
    own = {x: v for x, v in whole.known.items() if _name_of(v) not in makers}
    moved = vectors.move(whole.lanes, own)
    for letter, v in whole.known.items():
        if letter not in own:
            inner = read_lanes(makers[_name_of(v)])
            lanes = in_width(inner.lanes, v.width)
            renamed = vectors.move(lanes, inner.known)
            for k, e in enumerate(lanes):
                moved[elem(letter, k * v.width, v.width)] = instantiate(e, renamed)
    if any(x not in moved for x in leaves(*whole.lanes)):
        return None
    found = tuple(instantiate(e, moved) for e in whole.lanes)
    return Wanted(found, vectors.known, whole.result) if _is_small(found) else None


def _name_of(v: Vector) -> str:
    return v.operand.name if isinstance(v.operand, Local) else ""


def _is_small(lanes: Sequence[Expr]) -> bool:
    return all(
        sum(1 for _ in islice(postorder([e]), JOINED_TERMS + 1)) <= JOINED_TERMS for e in lanes
    )
