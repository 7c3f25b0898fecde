"""A function in which what a slot of its own holds is computed where it is loaded, in loops that
somebody names.

A nest of loops that count stores to a slot that nobody else sees, each byte once; a later nest that
counts alike is surely gone through behind it, and loads at the same numbers.  What the first one
reads nobody writes, so each of its passes may be done in that of the later one with its numbers:
what it computes there is what is loaded, and what is undefined behaviour is so a little later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise, product
from math import prod
from typing import Final

from frontends.llvm.function.addresses import Addresses
from frontends.llvm.function.alias import Writes
from frontends.llvm.function.graph import WHOLE, Graph, Kind, goes_on
from frontends.llvm.meaning.limits import PACKING_MOST
from frontends.llvm.passes.counting import Loop, loop_of, path_from
from frontends.llvm.passes.left import Left, require
from frontends.llvm.text import build
from frontends.llvm.text.ast import Function, Instr, Local, Operand, Type
from frontends.llvm.text.lines import Lines
from frontends.llvm.text.parse import with_ends
from frontends.llvm.text.rewording import respell, spell
from frontends.llvm.text.syntax import element, shape_of
from frontends.llvm.text.view import incoming

_SAID: Final = frozenset(("dbg", "tbaa"))  # metadata that says the same elsewhere
_PLAIN: Final = (Kind.FUNCTION, Kind.SILENT, Kind.END)
_MOVED: Final = (Kind.PHI, Kind.FUNCTION, Kind.LOAD)
_ROLES: Final = {"getelementptr": 1, "load": 0, "store": 1}  # which operand the slot is


@dataclass(frozen=True, slots=True)
class _Access:
    """An access of the slot: its value, factors of what the loops around it count, and bytes."""

    instr: Instr
    value: Operand
    kind: Type
    factors: tuple[int, ...]
    low: int
    size: int


def unpack(graph: Graph, slot: str, headers: Sequence[tuple[str, str]]) -> Function:
    """Return a function without a slot, that this one refines; ``headers`` are those of the loops
    that store and of those that load, the outer ones first.  Raises
    :class:`frontends.llvm.passes.left.Left` where it is not so.
    """
    return _Slot(graph, slot, headers).function()


class _Slot:
    """``first`` are the loops that store, ``later`` those that load."""

    def __init__(self, graph: Graph, slot: str, headers: Sequence[tuple[str, str]]) -> None:
        self.graph, self.view = graph, graph.function.view
        self.addresses = Addresses(graph.function, graph.sizes, promises=False)
        require(slot in graph.places and bool(headers), "what is named is no slot")
        self.slot = graph.places[slot].instr
        self.first, self.later = (self._loops(x) for x in zip(*headers, strict=True))
        self.inside = frozenset(self._path(self.first[0].before, self.first)[1:])
        self._check_loops()
        self.accesses = [*self._find_accesses()]
        self.stores = self._parts("store", self.first)
        self.loads = self._parts("load", self.later)
        self._check_bytes()
        self._check_work()

    def _loops(self, headers: Iterable[str]) -> list[Loop]:
        found = [loop_of(self.view, x) for x in headers]
        loops = [c for c in found if c is not None]
        alone = len(loops) == len(found) and loops[-1].latch == loops[-1].header
        require(alone, "what is named are no loops that count")
        return loops

    def _path(self, start: str, nest: Sequence[Loop]) -> list[str]:
        """Return the blocks from one on through all passes of a nest, which is surely gone."""
        ways = [(start, nest[0].header)]
        for a, b in pairwise(nest):
            ways = [*ways, (a.header, b.header), (b.out, a.latch)]
        paths = [(path_from(self.view, a), b) for a, b in ways]
        require(all(b in path for path, b in paths), "a loop may be left out")
        return [*dict.fromkeys(x for path, b in paths for x in path[: path.index(b) + 1])]

    def _check_loops(self) -> None:
        """See that both nests count alike, without promises, and one surely comes after the other,
        with nothing in between that may not come back.
        """
        pairs = list(zip(self.first, self.later, strict=True))
        alike = all(a.numbers == b.numbers and a.kind == b.kind for a, b in pairs)
        promises = any(a.after.flags or a.test.flags for a in self.first)
        require(alike and not promises, "its loops do not count alike, or count with promises")
        ends = {x for c in self.first for x in (c.header, c.latch)}
        require(self.inside <= ends, "a loop that stores does more")
        path = self._path(self.first[0].out, self.later)
        calm = all(map(goes_on, chain(*(self.graph.body[x] for x in path))))
        require(calm and self.inside.isdisjoint(path), "what comes in between may not come back")
        last = self.later[-1].header
        require(self.graph.dominates(self.first[0].header, last), "it may be left out")

    def _find_accesses(self) -> Iterator[Instr]:
        """Yield the accesses of the slot and what computes their addresses: nothing else uses it,
        and nothing is promised.
        """
        waiting = [self.slot.name]
        while waiting:
            at = waiting.pop()
            for i in self.view.used_by(at):
                uses = [k for k, o in enumerate(i.operands) if o == Local(at, o.type)]
                plain = i.known and not i.flags and {*dict(i.metadata)} <= {"dbg"}
                require(plain and uses == [_ROLES.get(i.opcode)], "others may see it")
                waiting += [i.name] if i.opcode == "getelementptr" else []
                yield i

    def _parts(self, opcode: str, nest: Sequence[Loop]) -> list[_Access]:
        return [self._access(i, nest) for i in self.accesses if i.opcode == opcode]

    def _access(self, i: Instr, nest: Sequence[Loop]) -> _Access:
        pointer, value = i.operands[-1], i.operands[0] if i.opcode == "store" else i
        at, shape = self.addresses.of(pointer), shape_of(value.type)
        if at is None or shape[1] not in WHOLE:
            raise Left("an access is of no whole bytes, or at no sum")
        factors, names = dict(at.atoms), [(c.counter.name, at.bits) for c in nest]
        inside = self.graph.body[nest[-1].header]
        there = at.base == f"%{self.slot.name}" and any(p.instr is i for p in inside)
        require(there and {*factors} <= {*names}, "an address is no sum of what loops count")
        require(0 < i.align <= self.slot.align, "an access is not aligned as it says")
        row, size = tuple(factors.get(n, 0) for n in names), shape[0] * shape[1] // 8
        return _Access(i, i.operands[0], value.type, row, at.offset, size)

    def _check_bytes(self) -> None:
        """See that each byte of the slot is stored once at most, within it, and what is said of
        its alignment.
        """
        every, passes = (*self.stores, *self.loads), prod(len(c.numbers) for c in self.first)
        size = self.graph.sizes.stride(self.slot.operands[0].type)
        alone = self.slot.opcode == "alloca" and len(self.slot.operands) == 1
        require(alone and max(size, passes) <= PACKING_MOST, "it is large")
        require(len({p.factors for p in every}) == 1, "its accesses are not alike")
        met = bytearray(size)
        for point in product(*(c.numbers for c in self.first)):
            base = sum(f * n for f, n in zip(every[0].factors, point, strict=True))
            aligned = all((base + p.low) % p.instr.align == 0 for p in every)
            require(aligned, "an access is not aligned")
            for p in self.stores:
                at = base + p.low
                require(0 <= at <= size - p.size, "it stores beyond the slot")
                require(not any(met[at : at + p.size]), "a byte is stored twice")
                met[at : at + p.size] = b"\1" * p.size

    def _check_work(self) -> None:
        """See that the first nest does nothing but store what it computes of memory that stays."""
        writes = Writes(self.graph)
        work = [p for x in self.inside for p in self.graph.body[x]]
        for p in work:
            if p.kind is Kind.LOAD:
                self._check_load(p.instr, writes)
            elif p.kind is Kind.PHI:
                require(len(incoming(p.instr)) == 2, "a value has another name behind a loop")
            else:
                require(p.kind in _PLAIN or p.instr in self.accesses, "it does something else")
        used = {u.line for p in work for u in self.view.used_by(p.instr.name)}
        require(used <= {p.instr.line for p in work}, "it computes something else")

    def _check_load(self, i: Instr, writes: Writes) -> None:
        at, plain = writes.addresses.of(i.operands[0]), not i.flags and {*dict(i.metadata)} <= _SAID
        fixed = at is not None and writes.never(self.later[-1].header, at)
        require(plain and fixed, "what is packed may be written before it is used")

    def function(self) -> Function:
        """Return the function with the work of the first nest in the later one."""
        heads, ends, first = dict[str, list[str]](), dict[str, list[str]](), self.first[0]
        counters = dict[str, str]()
        for a, b in zip(self.first, self.later, strict=True):
            counters[a.counter.name] = f"%{b.counter.name}"
            by = {**counters, a.before: f"%{b.before}", a.latch: f"%{b.latch}"}
            heads[b.header] = [*self._work_of(a.header, by)]
            ends[b.latch] = [*self._work_of(a.latch, by)] if a.latch != a.header else []
        names, fresh = dict[str, str](), self.view.free_names("isel.joined")
        for p in self.loads:
            *lines, names[p.instr.name] = self._join(p, fresh)
            heads[self.later[-1].header] += lines
        edges = {first.before: {first.header: f"%{first.out}"}}
        edges[first.out] = {first.latch: f"%{first.before}"}
        gone, blocks = {i.line for i in (self.slot, *self.accesses)}, self.view.blocks
        edge = {i.line: edges.get(b.label, {}) for b in blocks for i in b.instrs}
        called = {line: {**names, **more} for line, more in edge.items()}
        found = with_ends(self.graph.function, gone, heads, ends, called)
        return replace(found, blocks=tuple(b for b in found.blocks if b.label not in self.inside))

    def _work_of(self, label: str, by: dict[str, str]) -> Iterator[str]:
        """Yield what a block of the first nest computes."""
        counters = [c.counter for c in self.first]
        for p in self.graph.body[label]:
            i = p.instr
            if p.kind in _MOVED and i not in counters and i not in self.accesses:
                yield respell(i.text.strip(), by)

    def _join(self, load: _Access, fresh: Iterator[str]) -> Iterator[str]:
        """Yield lines that put together what is stored where one loads, and the value."""
        (count, bits), kind, lines = shape_of(load.kind), element(load.kind), Lines(fresh)
        last: Operand = build.poison(load.kind)
        for k in range(count):
            store, lane = self._lane_at(load.low + k * bits // 8, kind)
            if store.kind == load.kind and k == lane == 0:
                yield spell(store.value)
                return
            require(kind not in (store.kind, load.kind), "a lane is loaded by itself")
            one = lines.add(build.extract(store.value, lane))
            last = lines.add(build.insert(last, one, k))
        yield from (*lines.lines, spell(last))

    def _lane_at(self, at: int, kind: Type) -> tuple[_Access, int]:
        """Return which store, and as which lane, stores an element."""
        for s in self.stores:
            if s.low <= at < s.low + s.size and element(s.kind) == kind:
                lane, rest = divmod(at - s.low, self.graph.sizes.stride(kind))
                require(rest == 0, "a part of an element is loaded")
                return s, lane
        raise Left("what is loaded is not what was stored")
