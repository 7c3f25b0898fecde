"""What a refinement starts from: arguments and initial memory of a function as leaves that both
sides share, constants, and what is promised of values that are loaded.
"""

from __future__ import annotations

from dataclasses import dataclass

from frontends.llvm.meaning.choice import Chooser
from frontends.llvm.meaning.lanes import NO, Cannot, Value
from frontends.llvm.meaning.lower import out_of_ranges
from frontends.llvm.meaning.ranges import within
from frontends.llvm.text.ast import Argument, Function
from frontends.llvm.text.metadata import ranges_of
from frontends.llvm.text.syntax import integer_shape
from isel.ir.build import all_of, any_of, bnot, bor, ne
from isel.ir.expr import Expr, const, elem


@dataclass(frozen=True, slots=True)
class World:
    """``undefs``: whether inputs may be undef (else they are concrete or poison); ``defined``:
    whether memory is neither.
    """

    undefs: bool
    defined: bool = False


def argument_lane(k: int, i: int, width: int) -> Expr:
    """Return lane ``i`` of argument ``k``."""
    return elem(f"a{k}", i * width, width)


def poison_bit(what: str, i: int) -> Expr:
    """Return the bit that says whether lane ``i`` of an input is poison."""
    return elem(f"poison.{what}", i, 1)


def is_poison_bit(x: Expr) -> bool:
    """Tell whether a leaf is such a bit."""
    return x.source.startswith("poison.")


def undef_mask(what: str, i: int, width: int) -> Expr:
    """Return which of the ``width`` bits of lane ``i`` of an input are undef."""
    return elem(f"undef.{what}", i * width, width)


def argument_value(
    k: int, mine: Argument, agreed: Argument, world: World, chooser: Chooser
) -> tuple[Value, Expr] | None:
    """Return an argument's lanes on one side and when passing it is undefined behaviour there; None
    if it is no integer.

    ``agreed`` is the source's declaration: what it promises holds on both sides.
    """
    shape = integer_shape(agreed.type)
    if shape is None:
        return None
    n, w = shape
    rows, undefined = list[tuple[Expr, Expr]](), NO
    for i in range(n):
        p, u = poison_bit(f"a{k}", i), undef_mask(f"a{k}", i, w)
        x = argument_lane(k, i, w)
        whole = "noundef" in agreed.attributes
        value = x if whole or not world.undefs else chooser.undef(f"a{k}", i * w, w, u, x)
        outside = any_of(*(test(value) for test in out_of_ranges(mine.attributes, w)))
        bad = outside if whole else bor(p, outside)
        if "noundef" in mine.attributes:
            undefined = any_of(
                undefined, bad, ne(u, const(0, w)) if world.undefs and not whole else NO
            )
        rows.append((value, bad))
    return Value.of(w, rows), undefined


def in_range(value: Value, node: str) -> Value:
    """Make lanes poison that are outside of what ``!range`` says with a node."""
    pairs = ranges_of(node, value.width)
    if not pairs:
        raise Cannot("memory: a range that is not understood")
    return value.poison_where(lambda e: bnot(within(e, pairs)))


def agreed_facts(source: Function) -> tuple[Expr, ...]:
    """Return what the source's argument attributes make undefined behaviour to violate."""
    facts: list[Expr] = []
    for k, a in enumerate(source.arguments):
        shape = integer_shape(a.type)
        if shape is None or "noundef" not in a.attributes:
            continue
        lanes = [argument_lane(k, i, shape[1]) for i in range(shape[0])]
        tests = out_of_ranges(a.attributes, shape[1])
        facts.extend(bnot(t(lane)) for t in tests for lane in lanes)
    return tuple(f for f in facts if f is not all_of())
