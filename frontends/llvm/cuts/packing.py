"""What a function packs into a slot of its own before a loop, and where it loads that.

A nest of counted loops stores what it computes to a slot that nobody else sees, each byte once, and
a later nest that counts alike loads it at the same numbers.  Nothing writes what was read in
between, so the same may be computed there.  What the first nest reads the second one reads for
sure, unless what comes before it is undefined behaviour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

from frontends.llvm.cuts.addresses import Addresses
from frontends.llvm.cuts.alias import Writes
from frontends.llvm.cuts.graph import Graph, Kind, Place
from frontends.llvm.limits import PACKING_MOST
from frontends.llvm.passes.counting import Loop, is_value, loop_of, path_from
from frontends.llvm.passes.left import Left, require
from frontends.llvm.text.ast import Instr, Operand
from frontends.llvm.text.syntax import element, integer_shape
from frontends.llvm.text.view import labels

_SAID: Final = frozenset(("dbg", "tbaa"))  # metadata that says the same elsewhere
_PAIRS: Final = (2, 4, 8, 16, 32, 64)  # stores that are loaded at once
_BYTES: Final = (8, 16, 32, 64)  # bits of elements that are their bytes in memory
# what goes on to the next instruction, or is undefined behaviour
_CALM: Final = frozenset(Kind) - {Kind.EFFECT}
_PACKS: Final = (Kind.PHI, Kind.FUNCTION, Kind.LOAD, Kind.SILENT, Kind.END)


@dataclass(frozen=True, slots=True)
class Part:
    """An access of the slot: what it stores or loads, factors of what the loops around it count,
    and bytes.
    """

    instr: Instr
    value: Operand
    factors: tuple[int, ...]
    offset: int
    size: int


class Packing:
    """A slot of one function: ``first`` are the loops that store ``parts``, ``later`` those that
    load, the outer ones first; ``covers`` has the stores by the line of a load.

    Raises :class:`Left` where it is none.
    """

    def __init__(self, graph: Graph, slot: Instr) -> None:
        self.graph, self.view, self.slot = graph, graph.function.view, slot
        self.steps: list[Instr] = []
        self.loads: list[Instr] = []
        self.stores: list[Instr] = []
        self._find_accesses()
        self.first = self._find_first(self._block_of(self.stores))
        self.inside = frozenset(x for c in self.first for x in (c.header, c.latch))
        self.later = self._find_later(self._block_of(self.loads))
        parts = (self._part(i, self.first) for i in self.stores)
        self.parts = sorted(parts, key=lambda p: p.offset)
        loads = [self._part(i, self.later) for i in self.loads]
        self._check_alike([*self.parts, *loads])
        self._check_bytes(loads)
        self._check_first()
        self.covers: Mapping[int, list[Part]] = {p.instr.line: self._cover(p) for p in loads}
        covered = {s.instr.line for found in self.covers.values() for s in found}
        require(covered == {i.line for i in self.stores}, "something is packed and not loaded")

    def _find_accesses(self) -> None:
        """Find the stores to the slot and the loads from it: nothing else uses it."""
        waiting = [self.slot]
        while waiting:
            at = waiting.pop()
            for i in self.view.used_by(at.name):
                self._add_access(i, at)
                waiting += [i] if i.opcode == "getelementptr" else []

    def _add_access(self, i: Instr, at: Instr) -> None:
        roles = {
            "getelementptr": (1, self.steps),
            "load": (0, self.loads),
            "store": (1, self.stores),
        }
        where, role = roles.get(i.opcode, (0, list[Instr]()))
        plain = i.known and not i.flags and {k for k, _ in i.metadata} <= {"dbg"}
        uses = [k for k, o in enumerate(i.operands) if is_value(o, at)]
        require(plain and i.opcode in roles and uses == [where], "others may see it")
        role.append(i)

    def _block_of(self, instrs: Sequence[Instr]) -> str:
        found = {self.label(i) for i in instrs}
        require(len(found) == 1, "it is used in several blocks")
        return found.pop()

    def label(self, i: Instr) -> str:
        """Return the label of an instruction's block."""
        return self.view.blocks[self.view.places[i.line]].label

    def _ways(self, label: str) -> list[str]:
        return labels(self.view.end(self.view.numbers[label]))

    def _alone(self, label: str) -> Loop:
        """Return the loop that a block is by itself."""
        c = loop_of(self.view, label)
        if c is None or c.latch != label:
            raise Left("its block is no counted loop")
        return c

    def _find_first(self, label: str) -> tuple[Loop, ...]:
        """Return the nest that stores, which is all between the one block before it and the one
        behind it.
        """
        found = [self._alone(label)]
        while True:
            c = loop_of(self.view, found[0].before)
            if c is None or c.latch != found[0].out:
                break
            require(self._ways(c.header) == [found[0].header], "a loop may be left out")
            found.insert(0, c)
        promises = any(c.after.flags or c.test.flags for c in found)
        sure = self._ways(found[0].before) == [found[0].header]
        require(sure and not promises, "it may be left out, or counts with promises")
        return tuple(found)

    def _find_later(self, label: str) -> tuple[Loop, ...]:
        """Return the nest that loads, which is surely gone through behind the other one."""
        found, calm = [self._alone(label)], {label}
        for _ in self.first[1:]:
            path = path_from(self.view, found[0].out)
            around = self._closed_by(path[-1])
            calm.update(path, self._reach(around.header, found[0].header))
            found.insert(0, around)
        calm.update(self._reach(self.first[0].out, found[0].header))
        head, last = (self.view.numbers[x] for x in (self.first[0].header, label))
        places = (p for x in calm for p in self.graph.body[x])
        require(all(map(goes_on, places)), "what comes in between may not come back")
        alike = all(a.counts_as(b) for a, b in zip(self.first, found, strict=True))
        require(alike and self.inside.isdisjoint(calm), "its loads are at other numbers")
        require(self.view.dominates(head, last), "it may be left out")
        return tuple(found)

    def _closed_by(self, latch: str) -> Loop:
        loops = (loop_of(self.view, x) for x in self._ways(latch))
        found = next((c for c in loops if c is not None and c.latch == latch), None)
        if found is None:
            raise Left("it is used in fewer loops")
        return found

    def _reach(self, start: str, end: str) -> list[str]:
        path = path_from(self.view, start)
        require(end in path, "a loop may be left out")
        return path

    def _part(self, i: Instr, nest: Sequence[Loop]) -> Part:
        value, pointer = i.operands if i.opcode == "store" else (i, i.operands[0])
        at, shape = _Plain(self.graph).of(pointer), integer_shape(value.type)
        if at is None or shape is None or shape[1] not in _BYTES:
            raise Left("an access is of no whole bytes, or at no sum")
        factors, names = dict(at.atoms), [(c.counter.name, at.bits) for c in nest]
        known = at.base == f"%{self.slot.name}" and set(factors) <= set(names)
        require(known, "an address is no sum of what loops count")
        row, size = tuple(factors.get(n, 0) for n in names), shape[0] * shape[1] // 8
        return Part(i, i.operands[0], row, at.offset, size)

    def _check_alike(self, parts: Sequence[Part]) -> None:
        passes = prod(len(c.numbers) for c in self.first)
        self.size = self.graph.sizes.stride(self.slot.operands[0].type)
        alone = len(self.slot.operands) == 1
        require(alone and self.size <= PACKING_MOST and passes <= PACKING_MOST, "it is large")
        require(len({p.factors for p in parts}) == 1, "its accesses are not alike")
        sure = all(p.instr.align <= self.slot.align for p in parts)
        require(sure, "an access is not aligned as it says")

    def _check_bytes(self, loads: Sequence[Part]) -> None:
        """See that each byte of the slot is stored once at most, within it, and what is said of
        its alignment.
        """
        met = bytearray(self.size)
        for point in product(*(c.numbers for c in self.first)):
            base = sum(f * n for f, n in zip(self.parts[0].factors, point, strict=True))
            for p in (*self.parts, *loads):
                require((base + p.offset) % max(p.instr.align, 1) == 0, "an access is not aligned")
            for p in self.parts:
                at = base + p.offset
                require(0 <= at <= self.size - p.size, "it stores beyond the slot")
                require(not any(met[at : at + p.size]), "a byte is stored twice")
                met[at : at + p.size] = b"\1" * p.size

    def _check_first(self) -> None:
        """See that the first nest does nothing but store what it computes of memory that stays,
        and is left and entered at its ends.
        """
        for p in self._places():
            require(p.kind in _PACKS or p.instr in self.stores, "it does something else")
        addresses = Addresses(self.graph)
        writes = Writes(self.graph, addresses)
        for i in self.work():
            if i.opcode == "load":
                self._check_load(i, addresses, writes)
        users = (u for i in self.work() for u in self.view.used_by(i.name))
        require(all(self.label(u) in self.inside for u in users), "it computes something else")
        self._check_ends()

    def _check_ends(self) -> None:
        edges = ((a.label, x) for a in self.view.blocks for x in self._ways(a.label))
        crossing = {(a, b) for a, b in edges if (a in self.inside) != (b in self.inside)}
        whole = self.first[0]
        ends = {(whole.before, whole.header), (whole.latch, whole.out)}
        require(crossing == ends, "it is entered or left elsewhere")

    def _check_load(self, i: Instr, addresses: Addresses, writes: Writes) -> None:
        at = addresses.of(i.operands[0])
        require(not i.flags and {k for k, _ in i.metadata} <= _SAID, "it packs what may change")
        fixed = at is not None and writes.never(self.later[-1].header, at)
        require(fixed, "what is packed may be written before it is used")

    def _places(self) -> Iterator[Place]:
        return (p for x in self.inside for p in self.graph.body[x])

    def work(self) -> Iterator[Instr]:
        """Yield what the first nest computes."""
        return (p.instr for p in self._places() if p.instr.name)

    def _cover(self, load: Part) -> list[Part]:
        """Return the stores of the bytes that are loaded, in order: alike, a power of two."""
        end = load.offset + load.size
        found = [p for p in self.parts if load.offset <= p.offset < end]
        ends = [load.offset, *(p.offset + p.size for p in found)]
        exact = ends == [*(p.offset for p in found), end]
        kinds = {p.value.type for p in found}
        require(exact and len(kinds) == 1, "what is loaded is not what was stored")
        kinds |= {load.instr.type}
        require(len({element(k) for k in kinds}) == 1, "it loads other elements")
        whole = len(found) == 1 and len(kinds) == 1
        require(whole or len(found) in _PAIRS, "it loads a part, or no power of two")
        return found


def goes_on(p: Place) -> bool:
    """Tell whether what follows an instruction is executed, unless it is undefined behaviour."""
    return p.kind in _CALM or (p.instr.opcode == "store" and p.instr.known and not p.instr.flags)


class _Plain(Addresses):
    """Addresses of sums and steps that promise nothing."""

    def usable(self, i: Instr) -> bool:
        """Tell whether a step or sum promises nothing."""
        return i.known and not i.flags
