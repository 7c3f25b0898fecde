"""Blocks of the source that load first and write each byte once, as they may where what is then
done in another order accesses no byte twice.

Where that is not known, a guard stands before: the target asks there, and what it asks is looked at
(:mod:`frontends.llvm.cuts.guards`).  The source may go either way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Final, TypeAlias

from frontends.llvm.cuts.follow import Followed
from frontends.llvm.cuts.guards import Extent, Guard
from frontends.llvm.function.addresses import Address
from frontends.llvm.function.alias import Writes
from frontends.llvm.function.graph import WHOLE, Graph, Kind, Place
from frontends.llvm.passes.left import Left, require
from frontends.llvm.passes.load_lanes import with_plain_loads
from frontends.llvm.text import build
from frontends.llvm.text.ast import Function, Instr, IntType, Local, Operand
from frontends.llvm.text.parse import with_lines
from frontends.llvm.text.rewording import rename
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.text.view import labels

_COMPUTES: Final = (Kind.FUNCTION, Kind.CHOICE, Kind.DIVISION)
_BITS: Final = 64  # of pointers that are compared
_Access: TypeAlias = tuple[Instr, Extent]


def with_early(found: Followed, graph: Graph) -> tuple[Function, Mapping[str, Guard]]:
    """Return what refines a function of which some blocks load first, and its guards; raises
    :class:`frontends.llvm.passes.left.Left` where a block cannot.
    """
    function, names = found.function, found.function.view.free_names("isel.early")
    guards = dict[str, Guard]()
    for block, guard in found.early.items():
        whole = Graph(function, graph.contents, graph.sizes)
        early = _Early(with_plain_loads(whole, block, names), block, names)
        function = early.function()
        require(bool(early.pairs) == bool(guard), "accesses may meet, or cannot")
        if guard:
            guards[guard] = early.guard()
            function = _choose(function, guard, block, next(names))
    require(guards.keys() == found.guards, "a guard has nothing to ask")
    return function, guards


def _choose(function: Function, guard: str, block: str, name: str) -> Function:
    """Return a function that goes either way behind the guard of a block."""
    *before, end = (i.text.strip() for i in function.view.block(guard).instrs)
    ways = labels(function.view.end(function.view.numbers[guard]))
    require(end == build.branch("poison", block, ways[-1]), "it is not what a guard is for")
    free = build.freeze(build.poison(IntType(1))).line(name)
    return with_lines(function, guard, [*before, free, build.branch(f"%{name}", *ways)])


def _size(o: Operand | Instr) -> int:
    """Return the bytes of an integer, or of a vector of them, of whole bytes."""
    shape = shape_of(o.type)
    require(shape[1] in WHOLE, "it is no integer that is its bytes")
    return prod(shape) // 8


class _Early:
    """A block: what comes before its ``loads`` (``first``), what is computed behind (``then``), and
    the stores that stay (``kept``); ``pairs`` are addresses behind which no two bytes may be one.
    """

    def __init__(self, graph: Graph, label: str, names: Iterator[str]) -> None:
        self.graph, self.label, self.names = graph, label, names
        self.writes = Writes(graph)
        self.known, self.late = dict[str, str](), set[str]()  # what is loaded of what was stored
        self.first, self.loads, self.then = list[str](), list[str](), list[str]()
        self.accesses, self.stores = list[_Access](), list[_Access]()
        self.pairs = dict[tuple[Address, Address], None]()
        for p in graph.body[label]:
            if p.kind is Kind.LOAD or p.instr.opcode == "store":
                self._access(p.instr)
            elif p.kind not in (Kind.PHI, Kind.SILENT, Kind.END):
                self._compute(p)
        self.kept = list(self._order())

    def _compute(self, p: Place) -> None:
        require(p.kind in _COMPUTES, "it does more than load, compute and store")
        late = any(isinstance(o, Local) and o.name in self.late for o in p.instr.operands)
        late |= p.kind is not Kind.FUNCTION
        (self.then if late else self.first).append(self._say(p.instr.text))
        self.late |= {p.instr.name} if late else set()

    def _access(self, i: Instr) -> None:
        at, stores = self.writes.addresses.of(i.operands[-1]), i.opcode == "store"
        plain = i.known and not i.flags and i.align > 0 and str(i.operands[-1].type) == "ptr"
        if at is None or not plain or at.bits != _BITS or not self.late.isdisjoint(at.rests):
            raise Left("an address is not known, or loaded")
        require(self.writes.is_fixed(at.names), "an address may be undef")
        size, base = _size(i.operands[0] if stores else i), at.moved(-at.offset)
        new = i, Extent(base, at.offset, at.offset + size)
        self.accesses.append(new)
        if stores:
            self.stores.append(new)
        else:
            self._load(*new)

    def _load(self, i: Instr, own: Extent) -> None:
        """Put a load before all stores; one of those that were met may be what it loads."""
        for _, x in self.stores:
            self._turn(x, own)
        before = [(s, x) for s, x in self.stores if x.meets(own)]
        self.late.add(i.name)
        if not before:
            self.loads.append(self._say(i.text))
            return
        value = before[-1][0].operands[0]
        if not all(x == own for _, x in before) or not isinstance(value, Local):
            raise Left("accesses share some of their bytes")
        require(value.type == i.type, "a value of another type is loaded again")
        self.known[i.name] = self.known.get(value.name, value.name)

    def _turn(self, one: Extent, other: Extent) -> None:
        """Note that two accesses are done in another order."""
        a, b = one.address, other.address
        if a != b and not self.writes.lie_apart(a.base, b.base) and (b, a) not in self.pairs:
            self.pairs[a, b] = None

    def _order(self) -> Iterator[_Access]:
        """Yield the last store of each byte, those behind one address after those of another."""
        first = {x.address: n for n, (_, x) in reversed([*enumerate(self.stores)])}
        last = {x: n for n, (_, x) in enumerate(self.stores)}
        found = sorted(last, key=lambda x: (first[x.address], x.low))
        for n, x in enumerate(found):
            for y in found[:n]:
                require(not x.meets(y), "accesses share some of their bytes")
                if last[y] > last[x]:
                    self._turn(x, y)
            yield self.stores[last[x]]

    def function(self) -> Function:
        """Return the function in which the block loads first, and stores what stays."""
        phis = (i.text for i in self.graph.phis(self.label))
        stores, end = (i.text for i, _ in self.kept), self.graph.end(self.label).text
        computed = (*self.first, *self.loads, *self.then)
        lines = [*map(self._say, phis), *computed, *map(self._say, (*stores, end))]
        function = with_lines(self.graph.function, self.label, lines)
        for b in function.blocks if self.known else ():
            function = with_lines(function, b.label, (self._say(i.text) for i in b.instrs))
        return function

    def _say(self, text: str) -> str:
        return rename(text.strip(), self.known)

    def guard(self) -> Guard:
        """Return what is to be asked before the block."""
        found = dict[Address, Extent]()
        for _, x in self.accesses:
            found[x.address] = x.hull(found.get(x.address, x))
        names = {n for pair in self.pairs for at in pair for n in at.names}
        own = {p.instr.name for p in self.graph.body[self.label] if p.kind is not Kind.PHI}
        require(names.isdisjoint(own), "an address is computed in it")
        rests = frozenset[str]().union(*(x.address.rests for _, x in self.accesses))
        return Guard(tuple((found[a], found[b]) for a, b in self.pairs), rests)
