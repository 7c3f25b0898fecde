"""Stencils: a sum (or the greatest, the least) of vectors that are loaded at places of a grid, as
what its rows have in common, and which of a block are computed together.

``sum of w[r][c] * load(row r, place c)`` whose weights are products of one of the row and one of
the place is a sum of columns, which differ by their place alone, or one of rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Final

from frontends.llvm.function.addresses import Address, Addresses
from frontends.llvm.limits import STENCILS_LEAST, STENCILS_MOST
from frontends.llvm.meaning.lanes import Cannot
from frontends.llvm.passes.counting import entry_of
from frontends.llvm.text.ast import Block, Instr, Literal, Local, Operand
from frontends.llvm.text.layout import to_signed
from frontends.llvm.text.syntax import intrinsic_of, shape_of
from frontends.llvm.transform.site import Scope

_EXTREMES: Final = ("umax", "umin", "smax", "smin")
CASTS: Final = ("zext", "sext")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A load, how it is extended (not, if empty), and where it reads."""

    load: Instr
    cast: str
    at: Address


@dataclass(frozen=True, slots=True)
class Terms:
    """What one operation joins at ``root``: loads with their weights, and other values with
    theirs; ``inner`` are the instructions that compute it, the root first.
    """

    root: Instr
    op: str
    leaves: tuple[tuple[Leaf, int], ...]
    rest: tuple[tuple[Operand, int], ...]
    inner: tuple[Instr, ...]

    @property
    def width(self) -> int:
        """Bits of a lane."""
        return shape_of(self.root.type)[1]


@dataclass(frozen=True, slots=True)
class Stencil:
    """Terms by rows: ``rows`` are the loads of each by the bytes behind its first; the weight of
    one is the product of those of its row, ``down``, and of its place, ``along``.
    """

    terms: Terms
    rows: tuple[Mapping[int, Leaf], ...]
    down: tuple[int, ...]
    along: Mapping[int, int]

    @property
    def key(self) -> object:
        """What is equal of two stencils with columns that differ by their place alone."""
        first = [row[min(row)] for row in self.rows]
        lines = tuple((x.at.line, x.at.offset - first[0].at.offset) for x in first)
        return self.terms.op, self.terms.root.type, first[0].cast, lines, self.down

    @property
    def place(self) -> int:
        """The byte behind its base at which the first row begins."""
        return self.rows[0][min(self.rows[0])].at.offset


def stencils_of(scope: Scope, instrs: Sequence[Instr]) -> Iterator[Stencil]:
    """Yield the stencils of a block, in program order."""
    addresses = scope.writes.addresses
    for i in instrs:
        if op := _op(i):
            users = scope.view.used_by(i.name)
            if len(users) == 1 and _op(users[0]) == op:
                continue
            found = _Reader(scope, addresses, op).terms(i)
            stencil = None if found is None else _stencil(found, addresses)
            if stencil is not None:
                yield stencil


def _op(i: Instr) -> str:
    """Return what joins vectors of integers in any order, empty for anything else."""
    if not i.known or shape_of(i.type)[0] < 2:
        return ""
    if (name := intrinsic_of(i)) in _EXTREMES:
        return name
    return "add" if i.opcode in ("add", "sub") else ""


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads what an operation joins."""

    scope: Scope
    addresses: Addresses
    op: str

    def terms(self, root: Instr) -> Terms | None:
        """Return what is joined at an instruction, None where it is too much."""
        leaves: dict[tuple[str, Address], tuple[Leaf, int]] = {}
        rest: list[tuple[Operand, int]] = []
        inner: list[Instr] = []
        waiting: list[tuple[Operand, int]] = [(Local(root.name, root.type), 1)]
        for _ in range(STENCILS_MOST):
            if not waiting:
                return Terms(root, self.op, tuple(leaves.values()), tuple(rest), tuple(inner))
            o, weight = waiting.pop()
            i = self.scope.definition(o)
            parts = self._parts(i, weight, root) if i is not None else None
            leaf = self._leaf(i, root) if i is not None else None
            if i is not None and parts is not None:
                inner.append(i)
                waiting += parts
            elif leaf is not None:
                first, before = leaves.get((leaf.cast, leaf.at), (leaf, 0))
                leaves[leaf.cast, leaf.at] = first, before + weight if self.op == "add" else 1
            else:
                rest.append((o, weight))
        return None

    def _is_beside(self, i: Instr, root: Instr) -> bool:
        return self.scope.view.label(i.name) == self.scope.view.label(root.name)

    def _parts(self, i: Instr, weight: int, root: Instr) -> list[tuple[Operand, int]] | None:
        """Return what an instruction joins, each with its weight."""
        alone = len(self.scope.view.used_by(i.name)) == 1 and self._is_beside(i, root)
        if i is not root and not alone:
            return None
        if _op(i) == self.op:
            x, y = i.operands[:2]
            return [(x, weight), (y, -weight if i.opcode == "sub" else weight)]
        times = _times(i) if self.op == "add" else None
        return None if times is None else [(i.operands[0], weight * times)]

    def _leaf(self, i: Instr, root: Instr) -> Leaf | None:
        cast = i.opcode if i.opcode in CASTS and i.known and "nneg" not in i.flags else ""
        load = self.scope.definition(i.operands[0]) if cast else i
        if load is None or not _is_plain(load) or not self._is_beside(load, root):
            return None
        at = self.addresses.of(load.operands[0])
        return None if at is None else Leaf(load, cast, at)


def _times(i: Instr) -> int | None:
    """Return how many times its first operand an instruction is, in all lanes."""
    o = i.operands[-1] if i.opcode in ("shl", "mul") and i.known else None
    lanes = {*o.lanes} if isinstance(o, Literal) else set()
    n = lanes.pop() if len(lanes) == 1 else None
    if not isinstance(n, int) or i.opcode == "mul":
        return n if isinstance(n, int) else None
    return 1 << n if n < shape_of(i.type)[1] else None


def _is_plain(i: Instr) -> bool:
    """Tell whether an instruction loads a vector of whole bytes, and nothing else."""
    bits = shape_of(i.type)[1]
    return i.opcode == "load" and i.known and not i.flags and bits > 0 and not bits % 8


def _stencil(terms: Terms, addresses: Addresses) -> Stencil | None:
    """Return terms by rows and places, None where their weights are no products."""
    kinds = {(x.load.type, x.cast) for x, _ in terms.leaves}
    if len(kinds) != 1 or len(terms.leaves) < STENCILS_LEAST:
        return None
    rows = tuple(_rows([x for x, _ in terms.leaves], addresses))
    if not _is_grid(rows, shape_of(rows[0][0].load.type)[1] // 8):
        return None
    weights = {x.load.name: to_signed(w, terms.width) for x, w in terms.leaves}
    factors = _factors([{k: weights[x.load.name] for k, x in row.items()} for row in rows])
    return None if factors is None else Stencil(terms, rows, *factors)


def _is_grid(rows: Sequence[Mapping[int, Leaf]], size: int) -> bool:
    """Tell whether several rows have the same places, several and whole lanes of so many bytes."""
    places = rows[0].keys()
    several = min(len(rows), len(places)) > 1
    return (
        several and all(row.keys() == places for row in rows) and not any(k % size for k in places)
    )


def _factors(weights: Sequence[Mapping[int, int]]) -> tuple[tuple[int, ...], dict[int, int]] | None:
    """Return weights of rows and of places whose products these are, None where there are none."""
    one = weights[0][0]
    if one == 0 or any(w == 0 or w % one for w in weights[0].values()):
        return None
    down, along = tuple(row[0] for row in weights), {k: w // one for k, w in weights[0].items()}
    fit = all(row[k] == d * along[k] for row, d in zip(weights, down, strict=True) for k in row)
    return (down, along) if fit else None


def order(numbers: dict[str, int], at: Address) -> tuple[int, ...]:
    """Return what puts lines of addresses in an order that no name decides: where base and indices
    are defined, or, of globals, first asked for, and factors.
    """
    first = numbers.setdefault(at.base.removeprefix("%"), len(numbers))
    return first, *(n for (x, b), f in at.atoms for n in (numbers[x], b, f))


def _rows(leaves: Sequence[Leaf], addresses: Addresses) -> Iterator[Mapping[int, Leaf]]:
    """Yield the loads of each row by their bytes behind its first: those that overlap."""
    row: list[Leaf] = []
    count, bits = shape_of(leaves[0].load.type)
    for x in sorted(leaves, key=lambda x: (order(addresses.numbers, x.at), x.at.offset)):
        apart = row and x.at.offset - row[0].at.offset >= count * bits // 8
        if row and (apart or x.at.line != row[0].at.line):
            yield {y.at.offset - row[0].at.offset: y for y in row}
            row = []
        row.append(x)
    yield {y.at.offset - row[0].at.offset: y for y in row}


@dataclass(frozen=True, slots=True)
class Plan:
    """How the stencils of a group, in the order of their places, are computed."""

    group: tuple[Stencil, ...]
    step: int  # bytes that all loads move by in a pass, 0 where there is no loop
    before: str  # the block that a loop of one block is surely entered from, empty where it is none

    @property
    def gains(self) -> bool:
        """Tell whether something is computed once that was computed twice."""
        in_order = all(a.terms.root.line < b.terms.root.line for a, b in pairwise(self.group))
        return in_order and (self.by_rows or any(self.earlier(s) is not None for s in self.group))

    @property
    def by_rows(self) -> bool:
        """Tell whether each pass goes down by a row."""
        first = [row[0].at for row in self.group[0].rows]
        return self.step > 0 and all(a.gap(b) == self.step for a, b in pairwise(first))

    @property
    def size(self) -> int:
        """Bytes that a load reads."""
        return prod(shape_of(self.group[0].rows[0][0].load.type)) // 8

    def last(self, s: Stencil) -> int:
        """Return the place of the columns that are computed for a stencil: its last."""
        return s.place + max(s.along)

    def earlier(self, s: Stencil) -> tuple[Stencil, bool] | None:
        """Return the stencil whose columns end where those of another one begin, and whether it is
        of the pass before.
        """
        wanted = self.last(s) - self.size
        for other in self.group:
            if self.last(other) == wanted and other.terms.root.line < s.terms.root.line:
                return other, False
            if self.step and self.last(other) - self.step == wanted:
                return other, True
        return None


def plan_of(scope: Scope, group: tuple[Stencil, ...], label: str) -> Plan:
    """Return how stencils of a block are computed that have a key in common."""
    before = entry_of(scope.view, label)
    places = (x.load.operands[0] for s in group for row in s.rows for x in row.values())
    steps = {scope.step(o, label) for o in places} if before else {0}
    return Plan(group, (steps.pop() or 0) if len(steps) == 1 else 0, before)


def plans_of(scope: Scope, block: Block) -> tuple[Plan, ...] | str:
    """Return how stencils of a block are computed that have something in common, or why none is
    looked for.
    """
    try:
        found = list(stencils_of(scope, block.instrs))
    except Cannot as why:
        return str(why)
    groups: dict[object, list[Stencil]] = {}
    for s in sorted(found, key=lambda s: s.place):
        groups.setdefault(s.key, []).append(s)
    return tuple(
        p for p in (plan_of(scope, tuple(g), block.label) for g in groups.values()) if p.gains
    )
