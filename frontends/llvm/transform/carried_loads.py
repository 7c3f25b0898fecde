"""Splices of vectors that are one load: neighbours of a loaded vector that an earlier load has
read, of this iteration or carried by a phi from the one before.

Load-PRE of compilers makes them of ``r[x], r[x + 1]``.  This module only plans: every claim is
proved by others (:mod:`frontends.llvm.cuts.compare`) on the text that comes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Final

from frontends.llvm.function.addresses import Address
from frontends.llvm.splicing.write import location
from frontends.llvm.text import build
from frontends.llvm.text.ast import Block, Instr, IntType, Operand, Type, VectorType
from frontends.llvm.text.layout import NotSized
from frontends.llvm.text.lines import Lines
from frontends.llvm.text.moves import follow
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.text.view import View, incoming
from frontends.llvm.transform.site import Change, Opportunity, Scope

_MASKED: Final = "llvm.masked.store."
_NODE: Final = re.compile(r"!\d+")


def _load(
    root: Instr, anchor: Instr, by: int, through: Sequence[Instr], names: Iterator[str]
) -> Change:
    """Return an unaligned load in place of a shuffle, under its name: so many bytes behind the
    pointer of a load before it; what was on the way ``through`` may be dead then.
    """
    lines = Lines(names)
    at = lines.add(build.address(anchor.operands[0], by))
    lines.add(build.load(root.type, at, 1, location(root)), root.name)
    return Change({root.line: tuple(lines.lines)}, "unaligned load", (*through,))


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield what looks like a splice, in program order."""
    splices = _Splices(scope)
    for block in scope.view.blocks:
        for i in block.instrs:
            splice = splices.find(i, block) if i.opcode == "shufflevector" and i.known else None
            if splice is not None:
                yield splice


@dataclass(frozen=True, slots=True)
class _Lane:
    """Element ``k`` of a load, or of the same number on every edge of the phi it came by."""

    load: Instr
    k: int


@dataclass(slots=True)
class _Splices:
    """The splices of one function."""

    scope: Scope
    _met: dict[str, Instr] = field(default_factory=dict)

    @property
    def view(self) -> View:
        """The function looked at from all sides."""
        return self.scope.view

    def find(self, i: Instr, block: Block) -> Opportunity | None:
        """Return the splice that a shuffle is."""
        kind = i.type.elem if isinstance(i.type, VectorType) else None
        if not isinstance(kind, IntType) or kind.bits % 8 or len(set(i.mask)) < len(i.mask):
            return None
        if i.operands[0].type != i.type:
            return None  # parts and pairs of loads are what windows make regions of
        self._met = {}
        width = kind.bits // 8
        lanes = [self._trace(build.result(i), k, block.label) for k in range(len(i.mask))]
        here = [x for x in lanes if isinstance(x, _Lane)]
        if None in lanes or not here or len({x.load.name for x in here}) == len(lanes) == 1:
            return None
        if len({x.load.name for x in here}) < 2 and len(here) == len(lanes):
            return None  # a part of one load
        anchor = max((x.load for x in here), key=lambda load: load.line)
        by = self._offset(lanes, anchor, width, block.label)
        if by is None:
            return None
        loads = [load for x in lanes for load in self._loads(x, block.label)]
        through = tuple(self._met.values())
        why_not = self._why_not(i, through, loads, block)
        return Opportunity(i, partial(_load, i, anchor, by, through), why_not)

    def _trace(self, o: Operand, k: int, block: str) -> _Lane | tuple[Instr, int] | None:
        """Follow a lane to a load of a block, or to a phi of it and the lane of that."""
        for i, at in follow(self.view, o, k):
            if self.view.label(i.name) != block:
                return None
            if i.opcode == "load":
                return _Lane(i, at) if _plain(i) else None
            self._met[i.name] = i
            if i.opcode == "phi":
                return (i, at) if len(i.operands) == 4 else None
        return None

    def _on_edge(self, phi: Instr, k: int, label: str) -> _Lane | None:
        """Follow lane ``k`` of what a phi gets from a block."""
        for i, at in follow(self.view, incoming(phi).get(label), k):
            self._met[i.name] = i
            if i.opcode == "load":
                return _Lane(i, at) if _plain(i) else None
        return None

    def _loads(self, x: _Lane | tuple[Instr, int] | None, block: str) -> list[tuple[Instr, str]]:
        """Return the loads that a lane comes from, each with the edge by which it comes."""
        if isinstance(x, _Lane):
            return [(x.load, "")]
        if x is None:
            return []
        found = [(self._on_edge(*x, label), label) for label in incoming(x[0])]
        return [(lane.load, label) for lane, label in found if lane is not None]

    def _offset(
        self, lanes: list[_Lane | tuple[Instr, int] | None], anchor: Instr, width: int, block: str
    ) -> int | None:
        """Return how far from a load's pointer the lanes lie one after the other, in every
        iteration.
        """
        at, found = self.scope.address(anchor.operands[0]), set[int | None]()
        for n, x in enumerate(lanes):
            if isinstance(x, _Lane):
                found.add(self._gap(at, x, n, width))
                continue
            if x is None or block not in incoming(x[0]):
                return None
            for label in incoming(x[0]):
                lane = self._on_edge(*x, label)
                found.add(self._gap(self.scope.enter(at, block, label), lane, n, width))
        return found.pop() if len(found) == 1 else None

    def _gap(self, at: Address | None, lane: _Lane | None, n: int, width: int) -> int | None:
        """Return how far behind an address the first lane is of which one is the n-th."""
        there = None if lane is None else self.scope.address(lane.load.operands[0])
        if at is None or lane is None or there is None or shape_of(lane.load.type)[1] != 8 * width:
            return None
        return at.gap(there.moved((lane.k - n) * width))

    def _why_not(
        self, root: Instr, through: Sequence[Instr], loads: list[tuple[Instr, str]], block: Block
    ) -> str:
        for value in (*through, *(load for load, _ in loads)):
            if any(u.opcode == "freeze" for u in self.view.used_by(value.name)):
                return f"%{value.name} is frozen"
        for load, label in dict.fromkeys(loads):
            if any(kind == "nontemporal" for kind, _ in load.metadata):
                return f"%{load.name} is nontemporal"
            writer = next(self._writers(root, load, label, block), None)
            if writer is not None:
                return f"'{writer.text.strip()}' may write what %{load.name} has read"
        return ""

    def _writers(self, root: Instr, load: Instr, edge: str, block: Block) -> Iterator[Instr]:
        """Return what may write what a load has read before it is loaded again: in the block of the
        splice, or coming into it by an edge.
        """
        first = 0 if edge else load.line
        here = (i for i in block.instrs if first < i.line < root.line)
        since = self._since(load, self.view.numbers[edge]) if edge else ()
        return (i for i in chain(here, since) if self._may_write(i, load, edge, block))

    def _may_write(self, i: Instr, load: Instr, edge: str, block: Block) -> bool:
        """Tell whether an instruction may write what a load has read, by fewer rules than those of
        the proof, so that faults of these are seen.
        """
        if not self.scope.may_write(i):
            return False
        plain = i.known and (i.opcode == "store" or i.callee.startswith(_MASKED))
        return not (plain and (self._is_elsewhere(i, load) or self._is_apart(i, load, edge, block)))

    def _is_elsewhere(self, store: Instr, load: Instr) -> bool:
        """Tell whether a store is of another object than a load, or says so."""
        roots = {self.scope.object(i.operands[k]) for i, k in ((load, 0), (store, 1))}
        if len(roots) == 2 and "" not in roots and roots & self.scope.noalias:
            return True
        said = self.scope.said.named
        a, b = ({k: {*_NODE.findall(said.get(x, x))} for k, x in i.metadata} for i in (load, store))
        pairs = ((x.get("alias.scope"), y.get("noalias", set())) for x, y in ((a, b), (b, a)))
        return any(scopes and scopes <= others for scopes, others in pairs)

    def _is_apart(self, store: Instr, load: Instr, edge: str, block: Block) -> bool:
        """Tell whether a store is a constant away from what a load has read, in the same iteration
        and, in front of the splice, in the one after an edge.
        """
        at, there = (self.scope.address(i.operands[k]) for i, k in ((load, 0), (store, 1)))
        then = self.scope.enter(there, block.label, edge) if edge else there
        gaps = [at.gap(x) for x in (there, then) if at is not None and x is not None]
        size, written = (self._size(o.type) for o in (load, store.operands[0]))
        far = all(gap is not None and not -written < gap < size for gap in gaps)
        return len(gaps) == 2 and far and written > 0

    def _size(self, kind: Type) -> int:
        with suppress(NotSized):
            return self.scope.sizes.stride(kind)
        return 0

    def _since(self, load: Instr, block: int) -> Iterator[Instr]:
        """Yield what may be executed between a load and the end of a block."""
        waiting, seen = [block], set[int]()
        while waiting:
            seen.add(k := waiting.pop())
            instrs = self.view.blocks[k].instrs
            at = next((n for n, i in enumerate(instrs) if i is load), -1)
            yield from instrs[at + 1 :]
            waiting += {*self.view.predecessors[k]} - seen if at < 0 else ()


def _plain(i: Instr) -> bool:
    return not {"volatile", "atomic"} & i.flags
