"""Elements: what one lane of a register must hold, as small integers.

An element is a leaf element of the window, a constant, or a class of the lane graph with the leaf
elements that its formals stand for; equal lane values of different lanes are thus one element.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from isel.ir.build import extract, lshr, shl
from isel.ir.canon import formal, free, rename
from isel.ir.expr import Expr, const, leaves, nodes, term
from isel.ir.ops import natural
from isel.ir.slices import bits, fields
from isel.synth.instructions.library import Library
from isel.synth.lanes.graph import LaneClass, LaneGraph
from isel.synth.limits import BYTE, MAX_KEPT, WORD
from isel.synth.values.abstract import abstracted, instances

Exprs: TypeAlias = Sequence[Expr]
Goal: TypeAlias = npt.NDArray[np.int64]
ANY: Final = -1
MAX_KINDS: Final = 4
_MOVES: Final = frozenset({"and", "concat", "extract", "lshr", "or", "shl", "xor", "zext"})
ElementKind: TypeAlias = Literal["leaf", "const", "value"]


class Elements:
    """Interns elements; ids are given in order of first use."""

    def __init__(self, graph: LaneGraph) -> None:
        self.graph = graph
        self._ids: dict[tuple[object, ...], int] = {}
        self.kind: list[ElementKind] = []
        self.expr: list[Expr | None] = []
        self.classes: list[LaneClass | None] = []
        self.binding: list[tuple[int, ...]] = []
        self._arguments: dict[tuple[LaneClass, Expr], tuple[LaneClass, tuple[int, ...]]] = {}
        self._expanded: dict[tuple[int, Expr], int] = {}
        self._classes_of: dict[bytes, tuple[LaneClass, ...]] = {}
        self.asked: dict[object, tuple[list[Goal] | None, Iterator[list[Goal]]]] = {}

    def _new(
        self, kind: ElementKind, e: Expr | None, c: LaneClass | None, binding: tuple[int, ...] = ()
    ) -> int:
        key = (kind, e, c, binding)
        found = self._ids.get(key)
        if found is None:
            found = self._ids[key] = len(self.kind)
            self.kind.append(kind)
            self.expr.append(e)
            self.classes.append(c)
            self.binding.append(binding)
        return found

    def leaf(self, e: Expr) -> int:
        """Return the element of a leaf term."""
        return self._new("leaf", e, None)

    def const(self, e: Expr) -> int:
        """Return the element of a literal."""
        return self._new("const", e, None)

    def atom(self, e: Expr) -> int:
        """Return the element of a literal or leaf term."""
        return self.const(e) if e.is_const else self.leaf(e)

    def value(self, c: LaneClass, binding: tuple[int, ...]) -> int:
        """Return the element of a class whose formals are the elements ``binding``."""
        return self._new("value", None, c, binding)

    def classes_of(self, goal: Goal) -> tuple[LaneClass, ...]:
        """Return the classes of the values that a goal asks for, each once, in order."""
        key = goal.tobytes()
        found = self._classes_of.get(key)
        if found is None:
            every = (self.classes[i] for i in dict.fromkeys(goal.tolist()) if i != ANY)
            found = tuple(dict.fromkeys(c for c in every if c is not None))
            self._classes_of[key] = found
        return found

    def of_lane(self, e: Expr | None, facts: Sequence[Expr]) -> int:
        """Return the element of a root's lane."""
        if e is None:
            return ANY
        if not e.args:
            return self.atom(e)
        c, holes = self.graph.classify(e, facts, {}, wanted=True)
        return self.value(c, tuple(self.leaf(x) for x in holes))

    def _instance(self, e: Expr, holes: Exprs, facts: Exprs, known: Exprs) -> int:
        """Return the element of lane ``e`` with ``holes`` in place of its leaves: of its class, if
        what that knows of these is ``known`` here.
        """
        c, _ = self.graph.classify(e, facts, {}, wanted=True)
        inside = {formal(i, x.width): x for i, x in enumerate(holes)}
        if set(known).issuperset(rename(f, inside) for f in c.facts):
            return self.value(c, tuple(map(self.leaf, holes)))
        return self.of_lane(rename(c.term, inside), known)

    def of_lanes(self, lanes: Sequence[Expr | None], facts: Sequence[Sequence[Expr]]) -> Goal:
        """Return the elements of a root's lanes; a lane that is an instance of another one is of
        that one's class.

        Where they are of more classes than a goal may have, lanes that differ in literals only
        become one class whose formals stand for literals too; nothing is known of those.
        """
        known, others = dict(zip(lanes, facts, strict=True)), instances(lanes)
        found = [
            self.of_lane(e, f) if other is None else self._instance(*other, known[other[0]], f)
            for e, f in zip(lanes, facts, strict=True)
            for other in [None if e is None else others.get(e)]
        ]
        goal = np.array(found, dtype=np.int64)
        if len(self.classes_of(goal)) > MAX_KINDS:
            self._abstract(goal, lanes)
        return goal

    def _abstract(self, goal: Goal, lanes: Sequence[Expr | None]) -> None:
        """Let lanes of a goal that differ in literals only be of one class."""
        groups: dict[Expr, list[tuple[int, Expr]]] = {}
        for i, e in enumerate(lanes):
            if e is not None and e.args:
                groups.setdefault(_outline(e), []).append((i, e))
        for group in groups.values():
            common = abstracted([e for _, e in group])
            if common is None:
                continue
            places = zip(leaves(common.term), common.holes[0], strict=True)
            order = {
                x: ("", 0) if v.is_const else (v.source, v.offset if v.op == "elem" else 0)
                for x, v in places
            }
            c, holes = self.graph.classify(common.term, (), order, wanted=True)
            for (i, _), values in zip(group, common.holes, strict=True):
                goal[i] = self.value(c, tuple(self.atom(values[_position(x)]) for x in holes))

    def argument(self, element: int, arg: Expr) -> int:
        """Return the element of an edge's operand ``arg`` (over the formals of the element's
        class).
        """
        found = self._expanded.get((element, arg))
        if found is None:
            found = self._expanded[element, arg] = self._expand(element, arg)
        return found

    def is_zero(self, element: int) -> bool:
        """Tell whether an element is the literal 0."""
        e = self.expr[element]
        return e is not None and e.is_const and e.value == 0

    def place(self, element: int) -> tuple[str, int, int]:
        """Return source, offset and width of a leaf's element, no source for any other."""
        e = self.expr[element]
        if e is None or e.op != "elem":
            return "", element, 1
        return e.source, e.offset, e.width

    def halves(self, element: int) -> tuple[int, int] | None:
        """Return the elements of the low and high half of a value, where both are simpler than
        slices of it.
        """
        c = self.classes[element]
        parts = None if c is None else parts_of(c.term)
        if parts is None:
            return None
        return self.argument(element, parts[0]), self.argument(element, parts[1])

    def whole(self, element: int) -> tuple[int, int, int] | None:
        """Return the element of the wider value that a value is a piece of, which piece it is, and
        how many there are.
        """
        c = None if element == ANY else self.classes[element]
        found = whole_of(c.term) if c is not None and c.wanted else None
        if c is None or found is None:
            return None
        term, number = found
        return self.argument(element, term), number, term.width // c.width

    def bits(self, element: int) -> tuple[int, ...]:
        """Return the bits of an element that is moved only, the lowest first: zero, or the bit of
        an element and :data:`WORD` times 1 + its number.
        """
        from isel.synth.values.moved import bits_of  # of bit fields

        c, e, of = self.classes[element], self.expr[element], self.binding[element]
        if c is not None:
            bits = bits_of(c.term) or ()
            return tuple(0 if x is None else WORD * (of[x[0]] + 1) + x[1] for x in bits)
        first, width = WORD * (element + 1), 0 if e is None else e.width
        return (0,) * width if self.is_zero(element) else tuple(range(first, first + width))

    def wider(self, element: int) -> tuple[int, int] | None:
        """Return elements of twice the width whose low half, and whose high half, is a value."""
        c = self.classes[element]
        found = None if c is None else wider_of(c.term, self.graph.library.wide_products)
        if found is None:
            return None
        return self.argument(element, found[0]), self.argument(element, found[1])

    def _expand(self, element: int, arg: Expr) -> int:
        if arg.is_const:
            return self.const(arg)
        if arg is free(arg.width):
            return ANY
        c, binding = self.classes[element], self.binding[element]
        assert c is not None
        if arg.is_leaf:
            return binding[_position(arg)]
        known = self._arguments.get((c, arg))
        if known is None:
            inner, holes = self.graph.part(c, arg, wanted=is_part(arg, c, self.graph.library))
            known = self._arguments[c, arg] = (inner, tuple(_position(x) for x in holes))
        inner, positions = known
        return self.value(inner, tuple(binding[p] for p in positions))


@cache
def wider_of(term: Expr, wide: frozenset[int]) -> tuple[Expr, Expr] | None:
    """Return two terms of twice the width that hold ``term`` in their low half, and in their high
    half.

    Only slices of what is computed from a product of that width, and not from one by a literal
    where half the width would do for it, as it does not for products of ``wide`` bits: other terms
    have narrower forms.
    """
    if (
        term.op != "extract"
        or term.args[0].width != 2 * term.width
        or term.width not in (8, 16, 32)
    ):
        return None
    whole, low = term.args[0], term.int_attr(0)
    if not any(
        e.op == "mul" and e.width == whole.width and (e.width in wide or not e.args[1].is_const)
        for e in nodes(whole)
    ):
        return None
    return lshr(whole, const(low, whole.width)), shl(whole, const(term.width - low, whole.width))


def whole_of(term: Expr) -> tuple[Expr, int] | None:
    """Return the wider term that a term is a piece of, and which piece, the lowest being 0."""
    if term.op != "extract" or term.width < BYTE:
        return None
    whole, low = term.args[0], term.int_attr(0)
    if low % term.width or whole.width != natural(whole.width) or whole.width > WORD:
        return None
    return whole, low // term.width


@cache
def parts_of(term: Expr) -> tuple[Expr, Expr] | None:
    """Return the low and high half of a term where each is a literal, a leaf or a term that is
    no slice, or where halves are put together, or moved and masked apart.
    """
    h = term.width // 2
    if term.width % 2:
        return None
    if term.op == "concat":
        return bits(term, 0, h), bits(term, h, h)
    low, high = extract(term, 0, h), extract(term, h, h)
    return fields(term) if "extract" in (low.op, high.op) else (low, high)


@lru_cache(maxsize=MAX_KEPT)
def is_field(term: Expr) -> bool | None:
    """Tell whether a term is bits of leaves of which some were moved within bytes; None for a term
    that is more than bits of leaves.
    """
    if not {e.op for e in nodes(term) if e.args} <= _MOVES:
        return None
    if term.op in ("lshr", "shl") and term.width > BYTE and not term.args[0].args[1:]:
        return False  # of a leaf or an extended one: instructions do that
    from isel.synth.values.moved import bits_of  # of few terms

    found = bits_of(term)
    return None if found is None else any(x and (at - x[1]) % BYTE for at, x in enumerate(found))


def _position(x: Expr) -> int:
    return int(x.source[1:])


@cache
def _outline(e: Expr) -> Expr:
    """Return what lanes must share to have a term in common: operators, widths and attributes, not
    leaves or literals.

    It is a term, not a tuple of tuples: terms share what occurs twice, and compare in no time.
    """
    return term(e.op, *(_outline(a) for a in e.args), attr=e.attr) if e.args else formal(0, e.width)


def is_part(arg: Expr, c: LaneClass, library: Library) -> bool:
    """Tell whether an operand is worth analysing in depth: a sub-term of the class, extended or
    not, or what holds the class in a greater width.
    """
    bare = arg.args[0] if arg.op in ("zext", "sext") else arg
    return (
        not {arg, bare}.isdisjoint(nodes(c.term))
        or arg in c.parts
        or arg in (wider_of(c.term, library.wide_products) or ())
        or arg in (fields(c.term) or ())
    )
