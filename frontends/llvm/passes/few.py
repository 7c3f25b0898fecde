"""Loops of several blocks whose passes are certain and few, and what is decided in each of them.

How often such a loop goes round is computed pass by pass, from numbers alone: phis of its header
that are one, and what sums and comparisons make of these.  So is which way branches go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm.limits import FEW_MOST, FEW_PASSES
from frontends.llvm.meaning.numbers import number_of
from frontends.llvm.passes.counting import edges_of
from frontends.llvm.text.ast import Block, Instr, IntType, Local, Operand
from frontends.llvm.text.rewording import is_plain_phi, spelled_edges
from frontends.llvm.text.syntax import number
from frontends.llvm.text.view import View, incoming, labels, phis_of
from isel.cost.loops import reach

_NO_COPIES: Final = ("llvm.experimental.", "llvm.coro.")  # which one it is says something


@dataclass(slots=True)
class Pass:
    """A pass of a loop: what is a number in it, and where the blocks that it may reach go."""

    numbers: dict[str, int]
    ways: dict[str, list[str]] = field(default_factory=dict)

    def number_of(self, o: Operand) -> int | None:
        """Return the integer that an operand is, None where it is not known."""
        if isinstance(o, Local):
            return self.numbers.get(o.name)
        return number(o) if isinstance(o.type, IntType) else None

    def go(self, block: Block) -> list[str]:
        """Note what a block computes; return where it goes."""
        for i in block.instrs:
            counts = i.known and (i.opcode == "add" or (i.opcode == "icmp" and not i.flags))
            value = number_of(i, [*map(self.number_of, i.operands)]) if counts else None
            if value is not None:
                self.numbers[i.name] = value
        end = block.instrs[-1]
        test = self.number_of(end.operands[0]) if len(end.operands) > 1 else None
        ways = labels(end)
        self.ways[block.label] = ways = ways if test is None else [ways[1 - test]]
        return ways

    def edges(self, phi: Instr, label: str) -> dict[str, str]:
        """Return what a phi of a block gets, as it is spelled, by where it may come from."""
        return {x: o for x, o in spelled_edges(phi).items() if label in self.ways.get(x, ())}


@dataclass(frozen=True, slots=True)
class Few:
    """A loop that is entered from ``before`` and left to ``out`` at its one way back, at the end of
    ``latch``, and its passes.
    """

    header: str
    before: str
    latch: str
    out: str
    blocks: Mapping[str, Block]
    passes: Sequence[Pass]

    @property
    def phis(self) -> list[Instr]:
        """What each pass gets of the one before."""
        return phis_of(self.blocks[self.header])

    @property
    def chooses(self) -> bool:
        """Whether a pass decides which way a branch goes that does not end it."""
        ways = [(x, y) for p in self.passes for x, y in p.ways.items() if x != self.latch]
        return any(len(y) < len(labels(self.blocks[x].instrs[-1])) for x, y in ways)

    @property
    def size(self) -> int:
        """How many instructions its passes have."""
        return sum(len(self.blocks[x].instrs) for p in self.passes for x in p.ways)

    @property
    def why_not(self) -> str:
        """Why its passes do not stand one after the other; empty if they may."""
        instrs = [i for b in self.blocks.values() for i in b.instrs if i.opcode != "dbg"]
        if self.size > FEW_MOST:
            return f"its passes have more than {FEW_MOST} instructions"
        return "" if all(map(_may_be_copied, instrs)) else "it does more than load, compute, store"


def _may_be_copied(i: Instr) -> bool:
    intrinsic = i.callee.startswith("llvm.") and not i.callee.startswith(_NO_COPIES)
    plain = i.known and i.opcode != "alloca" and (i.opcode != "call" or intrinsic)
    return plain and (i.opcode != "phi" or is_plain_phi(i))


def loops_of_few(view: View) -> Iterator[Few]:
    """Yield the loops of several blocks whose passes are certain and few, in program order."""
    return (c for b in view.blocks if (c := few_of(view, b.label)) is not None)


def few_of(view: View, header: str) -> Few | None:
    """Return the loop of a header, None where it has one block, or its passes are not certain, or
    they are many.
    """
    edges = edges_of(view, header)
    if edges is None or edges[1] == header:
        return None
    before, latch = edges
    blocks = _blocks(view, header, latch)
    out = _out(blocks, header, latch)
    passes = tuple(_passes(blocks, header, before, latch)) if out else ()
    return Few(header, before, latch, out, blocks, passes) if passes else None


def _blocks(view: View, header: str, latch: str) -> dict[str, Block]:
    """Return the blocks of a loop."""
    first = view.numbers[header]
    found = reach([view.numbers[latch]], lambda k: () if k == first else view.predecessors[k])
    return {view.blocks[k].label: view.blocks[k] for k in (first, *found)}


def _out(blocks: Mapping[str, Block], header: str, latch: str) -> str:
    """Return where a loop is left to, empty where that is not at its one way back alone."""
    ends = {x: b.instrs[-1] for x, b in blocks.items()}
    leaving = [(x, way) for x, i in ends.items() for way in labels(i) if way not in blocks]
    one = [x for x, _ in leaving] == [latch] and header in labels(ends[latch])
    return leaving[0][1] if one and all(map(_is_branch, ends.values())) else ""


def _is_branch(i: Instr) -> bool:
    """Tell whether an instruction goes to a block, or to one of two."""
    return i.opcode == "br" and len({*labels(i)}) == len(labels(i))


def _passes(blocks: Mapping[str, Block], header: str, before: str, latch: str) -> Sequence[Pass]:
    """Return the passes of a loop, none where it is not certain how many they are."""
    phis = {i.name: incoming(i) for i in phis_of(blocks[header])}
    found, known = list[Pass](), Pass({})
    for edge in (before, *(latch for _ in range(FEW_PASSES - 1))):
        given = {name: known.number_of(o[edge]) for name, o in phis.items()}
        known = _walk(blocks, header, {name: n for name, n in given.items() if n is not None})
        found.append(known)
        ends = known.ways.get(latch, [])
        if ends != [header]:
            return found if len(ends) == 1 else ()
    return ()


def _walk(blocks: Mapping[str, Block], header: str, given: dict[str, int]) -> Pass:
    """Return a pass; a block comes behind all that surely come before it."""
    found, waiting = Pass(given), [header]
    while waiting:
        label = waiting.pop()
        if label not in found.ways:
            waiting += (x for x in reversed(found.go(blocks[label])) if x in blocks and x != header)
    return found
