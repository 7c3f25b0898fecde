"""Nodes of a graph of equal terms, hash-consed over operations, and of each class a range with its
reason.

A node is an operation of the table, a derived one, a leaf or a literal over classes; a sum of any
number of classes times factors, and a constant, is one node.  What was said equal is kept in order,
with its reason, so that it can be explained.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from isel.egraph.limits import KEPT_OPERATIONS, MOST_NODES, MOST_STEPS
from isel.ir.domain import Range, full, literal
from isel.ir.ops import OPS, Attr, WidthError, signed
from isel.rules.books import definitions
from isel.rules.spans import operation, range_of_operation, range_of_sum

SUM: Final = "sum"
LEAF: Final = "leaf"
_SUMS: Final[Mapping[str, tuple[int, ...]]] = {"add": (1, 1), "sub": (1, -1), "neg": (-1,)}
_CASTS: Final = ("zext", "sext", "extract")
Parts: TypeAlias = tuple[tuple[int, int], ...]
Lookup: TypeAlias = tuple[int, tuple[int, ...]]


class Spent(Exception):
    """The graph has as many nodes as it may have."""


class _Missing(Exception):
    """A node that is not there."""


class Contradiction(Exception):
    """A class has no value: facts contradict each other."""


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A range of a class and why: of ``node`` and the bounds of its operands; of two other bounds
    (``node`` is -1); of facts (no ``given``).  ``at`` orders bounds and unions.
    """

    at: int
    range: Range
    node: int
    given: tuple[Bound, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Union:
    """Two nodes said equal: by a rule at sizes of terms, or by what ``rule`` names of sums, ranges
    and low parts.  ``nodes`` are the nodes made for it, with the operands they were asked for.
    """

    at: int
    left: int
    right: int
    rule: str
    sizes: tuple[int, ...] = ()
    terms: tuple[int, ...] = ()
    nodes: tuple[Lookup, ...] = ()
    bounds: tuple[tuple[int, Bound], ...] = ()


class Store:
    """The graph; ``steps`` counts nodes, unions and operands looked at."""

    def __init__(self, most: int = MOST_NODES, most_steps: int = MOST_STEPS) -> None:
        self.most = most
        self.most_steps = most_steps
        self.steps = 0
        self.clock = 0
        self.op: list[str] = []
        self.attr: list[Attr] = []
        self.kids: list[tuple[int, ...]] = []
        self.width: list[int] = []
        self.users: list[list[int]] = []
        self.up: list[int] = []
        self.link: list[tuple[int, Union | None] | None] = []
        self.content: list[dict[str, list[int]] | None] = []
        self.bound: list[Bound] = []
        self.flat: list[int] = []
        self.changes: list[int] = []
        self.memo: dict[tuple[object, ...], int] = {}
        self.trace: list[Lookup] | None = None
        self.given: list[Lookup] = []
        self._sought = False
        self._literals: dict[tuple[int, int], int] = {}
        self._parts: dict[int, tuple[int, Parts]] = {}
        self._waiting: dict[int, None] = {}
        self._ranges: dict[int, None] = {}
        self._sums: dict[int, None] = {}
        self.touched: dict[int, None] = {}
        self.facts: dict[int, Range] = {}
        self.seen: set[str] = set()  # operations

    # Classes.
    def find(self, a: int) -> int:
        """Return the root of a node's class."""
        up = self.up
        while up[a] != a:
            up[a] = up[up[a]]
            a = up[a]
        return a

    def classes(self) -> Iterator[int]:
        """Yield the root of every class."""
        return (c for c, found in enumerate(self.content) if found is not None)

    def nodes(self, c: int, op: str) -> Sequence[int]:
        """Return the nodes of an operation in a class."""
        found = self.content[c] or self.content[self.find(c)]
        assert found is not None
        return found.get(op, ())

    def operations(self, c: int) -> Collection[str]:
        """Return the operations of the nodes of a class."""
        return self.content[self.find(c)] or ()

    def every(self, c: int) -> Iterator[int]:
        """Yield all nodes of a class."""
        found = self.content[self.find(c)]
        assert found is not None
        for some in found.values():
            yield from some

    def range(self, c: int) -> Range:
        """Return what a class can be."""
        return self.bound[self.find(c)].range

    def value(self, c: int) -> int | None:
        """Return the unsigned value of a class that has one."""
        found = self.bound[self.find(c)].range.unsigned
        return found[0] if found[0] == found[1] else None

    # Nodes.
    def leaf(self, name: str, width: int) -> int:
        """Return a node that may be anything."""
        return self._node(LEAF, (name,), (), width)

    def literal(self, value: int, width: int) -> int:
        """Return a literal."""
        return self._node("const", (value & ((1 << width) - 1),), (), width)

    def node(self, op: str, attr: Attr, kids: tuple[int, ...]) -> int:
        """Return an operation of classes; sums, differences and products by literals are sums."""
        factors = _SUMS.get(op)
        if factors is not None:
            return self.sum(self.width[kids[0]], 0, zip(kids, factors, strict=True))
        if op in _CASTS and attr in ((self.width[kids[0]],), (0, self.width[kids[0]])):
            return kids[0]
        found = self._by_literal(op, kids) if op in ("mul", "shl") else None
        return self._node(op, attr, kids) if found is None else found

    def _by_literal(self, op: str, kids: tuple[int, ...]) -> int | None:
        """Return a product by a literal as a sum; None for any other."""
        for x, y in (kids, kids[::-1]) if op == "mul" else (kids,):
            value, width = self.value(y), self.width[x]
            if value is not None and (op == "mul" or value < width):
                return self.sum(width, 0, ((x, value if op == "mul" else 1 << value),))
        return None

    def seek(self, op: str, attr: Attr, kids: tuple[int, ...]) -> int:
        """Return the class of an operation of classes if it is there, else -1, as where its widths
        do not fit; ``const`` is one without operands, and with its width after its value.
        """
        if -1 in kids:
            return -1
        self._sought = True
        try:
            if op == "const":
                return self.find(self.literal(int(attr[0]), int(attr[1])))
            return self.find(self.node(op, attr, kids))
        except (_Missing, WidthError):
            return -1
        finally:
            self._sought = False

    def _width(self, op: str, attr: Attr, kids: tuple[int, ...]) -> int:
        widths = tuple(self.width[k] for k in kids)
        return OPS[op].rule(widths, attr) if op in OPS else operation(op, attr, widths).width

    def sum(self, width: int, constant: int, parts: Iterable[tuple[int, int]]) -> int:
        """Return the node of a sum; of one class alone, that class."""
        given = tuple(parts)
        constant, kept = self._content(width, constant, given)
        if not kept:
            n = self.literal(constant, width)
        elif constant == 0 and len(kept) == 1 and kept[0][1] == 1:
            n = next(k for k, _ in given if self.find(k) == kept[0][0])
        else:
            n = self._sum_node(width, constant, kept)
        if self.trace is not None:
            self.trace.append((n, tuple([k for k, _ in given])))
        return n

    def _sum_node(self, width: int, constant: int, parts: Parts) -> int:
        key = (SUM, width, constant, parts)
        n = self.memo.get(key)
        if n is None:
            attr = (constant, *[f for _, f in parts])
            n = self._new(SUM, attr, tuple([k for k, _ in parts]), width, key)
            self._sums[n] = None
        return n

    def _content(
        self, width: int, constant: int, parts: Iterable[tuple[int, int]]
    ) -> tuple[int, Parts]:
        """Return a sum by classes without values, each once, with signed factors."""
        total: dict[int, int] = {}
        find, bound = self.find, self.bound
        for k, factor in parts:
            root = find(k)
            low, high = bound[root].range.unsigned
            if low == high:
                constant += factor * low
            else:
                total[root] = total.get(root, 0) + factor
        mask, half = (1 << width) - 1, 1 << (width - 1)
        kept = [(r, ((f + half) & mask) - half) for r, f in total.items() if f & mask]
        kept.sort()
        return ((constant + half) & mask) - half, tuple(kept)

    def _key(self, n: int) -> tuple[object, ...]:
        """Return what is the same for nodes that are."""
        op, width = self.op[n], self.width[n]
        if op == SUM:
            return SUM, width, *self.parts(n)
        return self._plain_key(op, self.attr[n], self.kids[n], width)

    def _plain_key(
        self, op: str, attr: Attr, kids: tuple[int, ...], width: int
    ) -> tuple[object, ...]:
        if not kids:
            return op, attr, width
        roots = [self.find(k) for k in kids]
        if len(roots) == 2 and roots[0] > roots[1] and commutes(op):
            roots.reverse()
        return op, attr, *roots

    def parts(self, n: int) -> tuple[int, Parts]:
        """Return the constant of a sum, and its classes with their factors, each once."""
        found = self._parts.get(n)
        if found is None:
            attr = self.attr[n]
            rows = zip(self.kids[n], map(int, attr[1:]), strict=True)
            found = self._parts[n] = self._content(self.width[n], int(attr[0]), rows)
        return found

    def with_literal(self, n: int, constant: int) -> tuple[tuple[Parts, int], ...]:
        """Return the parts of a sum of which one is a literal, added or taken away, and what is
        left of its constant.
        """
        width = self.width[n]
        whole, parts = self.parts(n)
        less, more = (self._literal_class((whole - constant) * k, width) for k in (1, -1))
        return ((*parts, (less, 1)), constant), ((*parts, (more, -1)), constant)

    def _literal_class(self, value: int, width: int) -> int:
        """Return the class of a literal that is an extension where it fits in a bit less."""
        value = signed(value & (1 << width) - 1, width)
        found = self._literals.get((value, width))
        if found is None:
            found = self._literals[value, width] = self.literal(value, width)
            half = 1 << (width - 1)
            for op, low in (("zext", 0), ("sext", -(half >> 1))):
                if width > 2 and low <= value < low + half:
                    self.node(op, (width,), (self.literal(value, width - 1),))
        return self.find(found)

    def _node(self, op: str, attr: Attr, kids: tuple[int, ...], width: int = 0) -> int:
        """Return a node; what its operands do not say is its ``width``."""
        key = self._plain_key(op, attr, kids, width)
        found = self.memo.get(key)
        if found is None:
            found = self._new(op, attr, kids, width or self._width(op, attr, kids), key)
        if self.trace is not None:
            self.trace.append((found, kids))
        return found

    def _new(
        self, op: str, attr: Attr, kids: tuple[int, ...], width: int, key: tuple[object, ...]
    ) -> int:
        n = len(self.op)
        if self._sought:
            raise _Missing
        if n >= self.most or self.steps > self.most_steps:
            raise Spent
        self.steps += 1
        self.op.append(op)
        self.seen.add(op)
        self.attr.append(attr)
        self.kids.append(kids)
        self.width.append(width)
        self.users.append([])
        self.up.append(n)
        self.link.append(None)
        self.content.append({op: [n]})
        self.changes.append(0)
        self.flat.append(n if op == SUM else -1)
        self.memo[key] = n
        for k in dict.fromkeys(map(self.find, kids)):
            self.users[k].append(n)
        self.bound.append(self._of_node(n))
        self.touched[n] = None
        if self.bound[n].range.is_const and op != "const":
            self._settle(n)
        return n

    # Ranges.
    def _of_node(self, n: int) -> Bound:
        op, width = self.op[n], self.width[n]
        given = tuple(self.bound[self.find(k)] for k in self.kids[n])
        if op == "const":
            found = literal(int(self.attr[n][0]), width)
        elif op == LEAF:
            found = full(width)
        elif op == SUM:
            rows = zip(given, self.attr[n][1:], strict=True)
            found = range_of_sum(width, int(self.attr[n][0]), [(b.range, int(f)) for b, f in rows])
        else:
            found = range_of_operation(op, self.attr[n], tuple(b.range for b in given))
        self.clock += 1
        return Bound(self.clock, found, n, given)

    def _settle(self, n: int) -> None:
        """Say that a class with one value is that literal."""
        raise NotImplementedError


@lru_cache(maxsize=KEPT_OPERATIONS)
def commutes(op: str) -> bool:
    """Tell whether the two operands of an operation may be swapped."""
    return OPS[op].commutes if op in OPS else op in definitions() and definitions()[op].commutes
