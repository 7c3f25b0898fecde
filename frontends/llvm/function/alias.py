"""Which effects of the source leave bytes alone that it has read: calls that only read, and plain
or masked stores elsewhere, by what REFINEMENT R9 lists and nothing else.

A byte is elsewhere if it lies at another constant offset from the same base and indices, if it is
reached through another object of which one is a ``noalias`` argument, or if ``alias.scope`` says
so.  A scope counts where it is known when it began: at its declaration, which is an effect like any
other, or where LLVM checked the loop that it versioned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from frontends.llvm.function.addresses import Address, Addresses
from frontends.llvm.function.graph import Graph, Kind, Place
from frontends.llvm.function.settled import Settled
from frontends.llvm.text.ast import Instr, Local, Operand, Symbol
from frontends.llvm.text.layout import NotSized, to_signed
from frontends.llvm.text.objects import is_constant
from isel.cost.loops import reach

_BESIDE: Final = (Kind.FUNCTION, Kind.SILENT, Kind.CHOICE, Kind.DIVISION)  # of memory
_VERSIONED: Final = "LVerDomain"
_LIFE: Final = "llvm.lifetime."
_DECLARES: Final = "llvm.experimental.noalias.scope.decl"
_MASKED_STORE: Final = "llvm.masked.store."  # at most what a store would write
_READS: Final = frozenset(("nosync", "nounwind", "willreturn", "memory(argmem:", "read)"))
_NODE: Final = re.compile(r"![0-9]+")
_NAME: Final = re.compile(r'!"([^"]*)"')


@dataclass(frozen=True, slots=True)
class Span:
    """Bytes ``low`` up to ``high`` of what an address leads to, read in ``block``, and what their
    load says of them.
    """

    block: str
    address: Address
    low: int
    high: int
    said: tuple[tuple[str, str], ...] = ()


def _stores(i: Instr) -> bool:
    """Tell whether an effect is a plain or masked store, and nothing else."""
    return i.known and (i.opcode == "store" or i.callee.startswith(_MASKED_STORE))


class Writes:
    """The effects of one function, asked which bytes they leave alone."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.addresses, self.settled = Addresses(graph.function, graph.sizes), Settled(graph)
        own = [a.name for a in graph.function.arguments if "noalias" in a.attributes]
        own += [p.instr.name for p in graph.places.values() if p.instr.opcode == "alloca"]
        self._own = {f"%{name}" for name in own}
        self.lines = {p.instr.line: p for body in graph.body.values() for p in body}
        self._objects: dict[str, str] = {}

    def leaves(self, effect: Place, span: Span) -> bool:
        """Tell whether an effect writes none of these bytes and ends nothing's life."""
        i = effect.instr
        if not self.may_write(effect):
            return True
        if not _stores(i):
            return self._elsewhere(i, span.address)
        at = self.addresses.of(i.operands[1])
        if at is not None and at.line == span.address.line:
            size = self._size(i.operands[0])
            gap = to_signed(at.offset - span.low, at.bits)
            return size is not None and not -size < gap < span.high - span.low
        return (at is not None and self.lie_apart(at.base, span.address.base)) or self._is_scoped(
            effect, span
        )

    def is_fixed(self, names: Iterable[str]) -> bool:
        """Tell whether values are poison or not undef: every look sees the same."""
        return all(map(self.settled.holds, names))

    def may_write(self, p: Place) -> bool:
        """Tell whether an instruction may write memory, end an object's life or not come back: an
        effect but a slot, or a call that reads, as LLVM declares its masked loads.
        """
        reads = p.instr.opcode == "call" and self.graph.declared(p.instr.callee, _READS)
        return p.kind is Kind.EFFECT and not (reads or p.instr.opcode == "alloca")

    def avoids(self, effect: Place, p: Place) -> bool:
        """Tell whether an effect writes nothing that a plain load or store accesses."""
        span = self.span(p)
        return span is not None and self.leaves(effect, span)

    def may_join(self, row: Sequence[Place]) -> bool:
        """Tell whether plain loads of a block may be done where any of them is, or stores where the
        last of them is.
        """
        lines = [a.instr.line for a in row]
        return all(
            self._may_pass(a, p)
            for a in row
            for p in self.graph.body[a.block]
            if (min(lines) if a.kind is Kind.LOAD else a.instr.line) < p.instr.line < max(lines)
        )

    def _may_pass(self, access: Place, p: Place) -> bool:
        """Tell whether a plain load or store may be done on the other side of an instruction."""
        if p.kind in _BESIDE or p.kind is access.kind is Kind.LOAD:
            return True
        return self.avoids(*((p, access) if access.kind is Kind.LOAD else (access, p)))

    def span(self, p: Place) -> Span | None:
        """Return what a plain load or store accesses, None where that is not known."""
        i = p.instr
        store = i.opcode == "store" and not i.flags
        if not i.known or not (store or p.kind is Kind.LOAD):
            return None
        at, size = self.addresses.of(i.operands[-1]), self._size(i.operands[0] if store else i)
        if at is None or size is None:
            return None
        return Span(p.block, at, at.offset, at.offset + size, i.metadata)

    def never(self, block: str, address: Address, until: int | None = None) -> bool:
        """Tell whether no effect that may come before a pass through a block, or in that pass
        (``until`` so many of them), writes what an address leads to, wherever in its object that
        is.
        """
        found, view = list[Place](), self.graph.function.view
        for label, effects in self.graph.effects.items():
            before = view.numbers[block] in view.after[view.numbers[label]]
            if before or label == block:
                found += effects[: None if before else until]
        return not any(self.may_write(p) and not self._elsewhere(p.instr, address) for p in found)

    def _elsewhere(self, i: Instr, address: Address) -> bool:
        """Tell whether an effect writes, or begins or ends the life of, another object."""
        ends = i.known and i.callee.startswith(_LIFE)
        if not (ends or _stores(i)):
            return False
        at = self.addresses.of(i.operands[-1] if ends else i.operands[1])
        return at is not None and self.lie_apart(at.base, address.base)

    def _size(self, value: Instr | Operand) -> int | None:
        try:
            return self.graph.sizes.stride(value.type)
        except NotSized:
            return None

    def lie_apart(self, one: str, other: str) -> bool:
        """Tell whether a store to one never is to what the other leads to: one is a ``noalias``
        argument, or a slot of the stack, which nothing else that is an object here can be, or a
        constant, which nothing is stored to.
        """
        a, b = self.object(one), self.object(other)
        named = self.graph.contents.named
        if any(is_constant(named.get(x.removeprefix("ptr "), "")) for x in (a, b)):
            return True
        return bool(a and b) and a != b and not {a, b}.isdisjoint(self._own)

    def object(self, base: str) -> str:
        """Return the argument, global or stack slot that a pointer is based on, empty if there
        are several or it is none.
        """
        if base not in self._objects:
            self._objects[base] = ""  # while it is looked at
            self._objects[base] = self._object(base)
        return self._objects[base]

    def _object(self, base: str) -> str:
        if base[0] != "%":
            return base if base.startswith("ptr @") else ""
        roots = {x for x in reach([base], self._above) if not self._above(x)}
        return roots.pop() if len(roots) == 1 else ""

    def _above(self, pointer: str) -> list[str]:
        """Return what a pointer is moved or chosen from, nothing of an argument, global or slot;
        empty text where that is not followed.
        """
        place = self.graph.places.get(pointer[1:]) if pointer[:1] == "%" else None
        i = place.instr if place is not None else None
        if i is None or i.opcode == "alloca":
            return []
        if not i.known or i.opcode not in ("getelementptr", "phi"):
            return [""]
        given = i.operands[1:2] if i.opcode == "getelementptr" else i.operands[::2]
        return [self._spell(o) for o in given]

    def _spell(self, o: Operand) -> str:
        """Return a pointer as a base is called, empty text for an expression."""
        if isinstance(o, Local):
            return f"%{o.name}"
        return f"{o.type} {o.text}" if isinstance(o, Symbol) and o.text[:1] == "@" else ""

    def _is_scoped(self, effect: Place, span: Span) -> bool:
        """Tell whether all scopes that one access is in, of some domain, are among those that the
        other does not alias.
        """
        a, b = dict(effect.instr.metadata), dict(span.said)
        here = effect.block == span.block
        return any(
            self._outside(x.get("alias.scope", ""), y.get("noalias", ""), here)
            for x, y in ((a, b), (b, a))
        )

    def _outside(self, scopes: str, others: str, here: bool) -> bool:
        mine, theirs = self._nodes(scopes), set(self._nodes(others))
        domains: dict[str, list[str]] = {}
        for scope in mine:
            domains.setdefault(self._domain(scope), []).append(scope)
        return any(
            domain and theirs.issuperset(found) and all(self._is_begun(x, here) for x in found)
            for domain, found in domains.items()
        )

    def _nodes(self, text: str) -> list[str]:
        return _NODE.findall(self.graph.contents.named.get(text, text))

    def _domain(self, scope: str) -> str:
        nodes = _NODE.findall(self.graph.contents.named.get(scope, ""))
        return next((n for n in nodes if n != scope), "")

    def _is_begun(self, scope: str, here: bool) -> bool:
        """Tell whether it is known where a scope begins: at an effect, or before a loop that was
        versioned, of which nothing but one pass through a block (``here``) is known to be inside.
        """
        said = self.graph.contents.named.get(self._domain(scope), "")
        if here and _NAME.findall(said) == [_VERSIONED]:
            return True
        return any(
            p.kind is Kind.EFFECT and p.instr.callee == _DECLARES and scope in self._declare(p)
            for body in self.graph.body.values()
            for p in body
        )

    def _declare(self, p: Place) -> list[str]:
        return [
            node
            for o in p.instr.operands
            if isinstance(o, Symbol)
            for node in self._nodes(o.text.removeprefix("metadata "))
        ]
