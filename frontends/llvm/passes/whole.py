"""A loop of several blocks and few passes as these passes, one after the other.

How many there are, and which way a branch goes in each, is decided by numbers alone
(:mod:`frontends.llvm.passes.few`): what a pass does not reach is left out of its copy, a phi that
gets one value, or what it was, is that value, and blocks that surely follow each other are one.
Nothing else is changed: each copy does what that pass did.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from frontends.llvm.passes.few import Few, Pass
from frontends.llvm.passes.left import require
from frontends.llvm.text import build
from frontends.llvm.text.ast import Block, Instr
from frontends.llvm.text.parse import parse_instruction
from frontends.llvm.text.rewording import is_plain_phi, respell, spelled_edges
from frontends.llvm.text.view import View, phis_of


def unroll_whole(view: View, few: Few, names: Iterator[str]) -> tuple[Block, ...]:
    """Return the blocks of a function with a loop's passes one after the other; raises
    :class:`Left` for a loop that is left as it is.
    """
    require(not few.why_not, few.why_not)
    require(not any("blockaddress(" in i.text for i in view), "a block is a value")
    copies, at = list(_copies(few, names)), count()
    last, found = copies[-1], list[Block]()
    for b in view.blocks:
        if b.label == few.header:
            found += (block for copy in copies for block in copy.blocks(at))
        elif b.label not in few.blocks:
            edges = {few.latch: f"%{last.labels[few.latch]}"} if b.label == few.out else {}
            found.append(_behind(b, last.values, edges, at))
    return _merge(found, {few.out, *(x for copy in copies for x in copy.labels.values())})


def _behind(b: Block, values: Mapping[str, str], edges: dict[str, str], at: Iterator[int]) -> Block:
    """Return a block with other values, of which phis come from elsewhere."""
    edges = {**values, **edges}
    parts = (edges if i.opcode == "phi" else values for i in b.instrs)
    return Block(b.label, tuple(_say(i, by, at) for i, by in zip(b.instrs, parts, strict=True)))


def _say(i: Instr, parts: Mapping[str, str], at: Iterator[int]) -> Instr:
    """Return an instruction with other values, on a line of its own."""
    text = respell(i.text, parts)
    return replace(i, line=next(at)) if text == i.text else parse_instruction(text, next(at))


def _copies(few: Few, names: Iterator[str]) -> Iterator[_Copy]:
    """Yield the passes of a loop, which begin and end where others do."""
    heads = [few.header, *(next(names) for _ in few.passes[1:]), few.out]
    edge, last = few.before, dict[str, str]()
    for now, head, then in zip(few.passes, heads, heads[1:], strict=False):
        given = {i.name: respell(spelled_edges(i)[edge], last) for i in few.phis}
        copy = _Copy(few, now, given, names, (head, then))
        edge, last = few.latch, copy.values
        yield copy


@dataclass(slots=True)
class _Copy:
    """One pass with its own names: ``ends`` are its first block's label and what comes next."""

    few: Few
    now: Pass
    values: dict[str, str]
    names: Iterator[str]
    ends: tuple[str, str]
    labels: dict[str, str] = field(default_factory=dict)
    _own: set[str] = field(default_factory=set)  # that it computes

    def __post_init__(self) -> None:
        first, ways = self.ends[0], self.now.ways
        self.labels.update((x, first if x == self.few.header else next(self.names)) for x in ways)
        for label in ways:
            self._settle_all(label)
        while any(self._fold(i, x) for x in ways for i in phis_of(self.few.blocks[x])):
            pass  # another one may be so now

    def _settle_all(self, label: str) -> None:
        """Say what the values of a block are in the copy."""
        for i in self.few.blocks[label].instrs:
            if i.name and i.name not in self.values:
                known = self._settle(i, label)
                self.values[i.name] = known or f"%{next(self.names)}"
                self._own |= set() if known else {i.name}

    def _fold(self, phi: Instr, label: str) -> bool:
        """Tell whether a phi was another value, or itself: it is that value then."""
        if phi.name not in self._own:
            return False
        own = self.values[phi.name]
        others = {respell(o, self.values) for o in self.now.edges(phi, label).values()} - {own}
        if len(others) != 1:
            return False
        self._own.discard(phi.name)
        self.values = {x: min(others) if o == own else o for x, o in self.values.items()}
        return True

    def _settle(self, i: Instr, label: str) -> str:
        """Return a number, or the other value, that a value is; empty for one that is computed."""
        if i.name in self.now.numbers:
            return str(self.now.numbers[i.name])
        edges = [*self.now.edges(i, label).values()] if i.opcode == "phi" else []
        return respell(edges[0], self.values) if len(edges) == 1 else ""

    def blocks(self, at: Iterator[int]) -> Iterator[Block]:
        """Yield the blocks that it may reach."""
        for label, new in self.labels.items():
            lines = self._lines(label)
            yield Block(new, tuple(parse_instruction(x, next(at)) for x in lines))

    def _lines(self, label: str) -> Iterator[str]:
        *body, end = self.few.blocks[label].instrs
        for i in body:
            if i.opcode == "dbg" or (i.name and i.name not in self._own):
                continue
            if i.opcode == "phi":
                edges = self.now.edges(i, label).items()
                given = ((respell(o, self.values), self.labels[x]) for x, o in edges)
                yield build.phi(i.type, given).line(self.values[i.name][1:])
            else:
                yield respell(i.text.strip(), self.values)
        ways = self.now.ways[label]
        if len(ways) == 1:
            yield build.go(self.ends[1] if label == self.few.latch else self.labels[ways[0]])
        else:
            to = {x: f"%{new}" for x, new in self.labels.items()}
            yield respell(end.text.strip(), self.values | to)


def _merge(blocks: Sequence[Block], inside: Collection[str]) -> tuple[Block, ...]:
    """Return blocks of which some are part of the one that they surely and alone follow."""
    below, at = _below(blocks, inside), count()
    gone = {b.label for b in below.values()}
    chains = [_chain(b, below) for b in blocks if b.label not in gone]
    known = _names(chains)
    return tuple(
        Block(chain[0].label, tuple(_say(i, known, at) for i in _lines(chain))) for chain in chains
    )


def _names(chains: Sequence[Sequence[Block]]) -> dict[str, str]:
    """Return what the labels and phis of blocks are that are part of another one."""
    parts = [(b, chain[0].label) for chain in chains for b in chain[1:]]
    phis = (i for b, _ in parts for i in phis_of(b))
    values = {i.name: text for i in phis for text in spelled_edges(i).values()}
    return values | {b.label: f"%{first}" for b, first in parts}


def _lines(chain: Sequence[Block]) -> list[Instr]:
    """Return what blocks that follow each other do as one."""
    found = [*chain[0].instrs]
    for b in chain[1:]:
        found[-1:] = b.instrs[len(phis_of(b)) :]
    return found


def _below(blocks: Sequence[Block], inside: Collection[str]) -> dict[str, Block]:
    """Return which blocks follow others, surely and alone."""
    view, found = View(blocks), dict[str, Block]()
    for k, b in enumerate(blocks):
        near = view.predecessors[k] if b.label in inside else ()
        end = view.end(near[0]) if len(near) == 1 else None
        sure = end is not None and end.opcode == "br" and len(end.operands) == 1
        if sure and all(map(is_plain_phi, phis_of(b))):
            found[blocks[near[0]].label] = b
    return found


def _chain(block: Block, below: Mapping[str, Block]) -> list[Block]:
    """Return a block and those that are part of it."""
    found = [block]
    while found[-1].label in below:
        found.append(below[found[-1].label])
    return found
