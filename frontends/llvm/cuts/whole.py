"""A loop of several blocks and few passes as these passes, one after the other.

How often it goes round is computed pass by pass, from numbers alone: phis of its header that are
one, and what sums and comparisons make of these.  A branch on such a number goes one way, so what
no pass reaches is left out, a phi that one value is left of is that value, and blocks that surely
follow each other are one.  Nothing else is changed: each copy does what that pass did.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, zip_longest
from typing import TYPE_CHECKING, Final

from frontends.llvm.cuts.counting import edges_of
from frontends.llvm.cuts.left import Left, require
from frontends.llvm.limits import WHOLE_MOST, WHOLE_PASSES
from frontends.llvm.paths.choice import Cannot
from frontends.llvm.text.ast import Block, Instr, IntType, Local, Operand, Type
from frontends.llvm.text.layout import to_signed
from frontends.llvm.text.parse import parse_instruction
from frontends.llvm.text.rewording import respell
from frontends.llvm.text.syntax import number
from frontends.llvm.text.view import View, incoming, labels

if TYPE_CHECKING:
    from frontends.llvm.cuts.compare import Sides

_COMPARED: Final = {"eq": (0,), "ne": (-1, 1), "lt": (-1,), "le": (-1, 0), "gt": (1,), "ge": (1, 0)}
_EDGE: Final = re.compile(r'\[ (.+?), %("(?:[^"\\]|\\.)*"|[-\w$.]+) \]')
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
            value = self._compute(i)
            if value is not None:
                self.numbers[i.name] = value
        end = block.instrs[-1]
        test = self.number_of(end.operands[0]) if len(end.operands) > 1 else None
        ways = labels(end)
        self.ways[block.label] = ways = ways if test is None else [ways[1 - test]]
        return ways

    def edges(self, phi: Instr, label: str) -> dict[str, str]:
        """Return what a phi of a block gets, as it is spelled, by where it may come from."""
        return {x: o for x, o in _edges(phi).items() if label in self.ways.get(x, ())}

    def _compute(self, i: Instr) -> int | None:
        plain = i.known and i.opcode in ("add", "icmp")
        kind = i.operands[0].type if plain else i.type
        if not plain or not isinstance(kind, IntType):
            return None
        a, b = map(self.number_of, i.operands)
        if a is None or b is None:
            return None
        return (_compare if i.opcode == "icmp" else _add)(i, a, b, kind.bits)


def _add(i: Instr, a: int, b: int, bits: int) -> int | None:
    """Return a sum, None where it is poison."""
    total = (a + b) & ((1 << bits) - 1)
    signed = to_signed(a, bits) + to_signed(b, bits) == to_signed(total, bits)
    holds = {"nuw": a + b == total, "nsw": signed}
    return total if all(holds.get(flag, False) for flag in i.flags) else None


def _compare(i: Instr, a: int, b: int, bits: int) -> int | None:
    """Return a comparison, None where it may be poison."""
    if i.predicate.startswith("s"):
        a, b = to_signed(a, bits), to_signed(b, bits)
    return None if i.flags else int((a > b) - (a < b) in _COMPARED[i.predicate[-2:]])


def _edges(phi: Instr) -> dict[str, str]:
    """Return what a phi gets, as it is spelled, by where it comes from."""
    return {m[2]: m[1] for m in _EDGE.finditer(phi.text)}


def _phis(block: Block) -> list[Instr]:
    return [i for i in block.instrs if i.opcode == "phi"]


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
        return _phis(self.blocks[self.header])

    @property
    def chooses(self) -> bool:
        """Whether a pass decides which way a branch goes that does not end it."""
        ways = [(x, y) for p in self.passes for x, y in p.ways.items() if x != self.latch]
        return any(len(y) < len(labels(self.blocks[x].instrs[-1])) for x, y in ways)

    @property
    def why_not(self) -> str:
        """Why its passes do not stand one after the other; empty if they may."""
        if sum(len(self.blocks[x].instrs) for p in self.passes for x in p.ways) > WHOLE_MOST:
            return f"its passes have more than {WHOLE_MOST} instructions"
        if any(i.flags for b in self.blocks.values() for i in _phis(b)):
            return "a phi promises something"
        instrs = (i for b in self.blocks.values() for i in b.instrs if i.opcode != "dbg")
        return "" if all(map(_may_be_copied, instrs)) else "it does more than load, compute, store"


def _may_be_copied(i: Instr) -> bool:
    intrinsic = i.callee.startswith("llvm.") and not i.callee.startswith(_NO_COPIES)
    edges = i.opcode != "phi" or len(_edges(i)) == len(i.operands) // 2
    return i.known and edges and i.opcode != "alloca" and (i.opcode != "call" or intrinsic)


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
    found, waiting = {header: view.block(header)}, [latch]
    while waiting:
        label = waiting.pop()
        if label not in found:
            found[label] = view.block(label)
            waiting += (view.blocks[p].label for p in view.predecessors[view.numbers[label]])
    return found


def _out(blocks: Mapping[str, Block], header: str, latch: str) -> str:
    """Return where a loop is left to, empty where that is not at its one way back alone."""
    ends = {x: b.instrs[-1] for x, b in blocks.items()}
    plain = all(i.opcode == "br" and len({*labels(i)}) == len(labels(i)) for i in ends.values())
    leaving = [(x, way) for x, i in ends.items() for way in labels(i) if way not in blocks]
    one = plain and [x for x, _ in leaving] == [latch] and header in labels(ends[latch])
    return leaving[0][1] if one else ""


def _passes(blocks: Mapping[str, Block], header: str, before: str, latch: str) -> Sequence[Pass]:
    """Return the passes of a loop, none where it is not certain how many they are."""
    phis = {i.name: incoming(i) for i in _phis(blocks[header])}
    found, known = list[Pass](), Pass({})
    for edge in (before, *(latch for _ in range(WHOLE_PASSES - 1))):
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


def unroll_whole(view: View, few: Few, names: Iterator[str]) -> tuple[Block, ...]:
    """Return the blocks of a function with a loop's passes one after the other; raises
    :class:`Left` for a loop that is left as it is.
    """
    require(not few.why_not, few.why_not)
    heads = [few.header, *(next(names) for _ in few.passes[1:]), few.out]
    copies, edge = list[_Copy](), few.before
    for n, now in enumerate(few.passes):
        last = copies[-1].values if copies else {}
        values = {i.name: respell(_edges(i)[edge], last) for i in few.phis}
        copies.append(_Copy(few, now, values, names, (heads[n], heads[n + 1])))
        edge = few.latch
    last, at = copies[-1].values, count()
    moved = {few.latch: f"%{copies[-1].labels[few.latch]}"}
    found = list[Block]()
    for b in view.blocks:
        if b.label == few.header:
            for label, lines in (x for copy in copies for x in copy.blocks()):
                found.append(Block(label, tuple(parse_instruction(x, next(at)) for x in lines)))
        elif b.label not in few.blocks:
            edges = moved if b.label == few.out else {}
            parts = (last | edges if i.opcode == "phi" else last for i in b.instrs)
            said = (_say(i, by, next(at)) for i, by in zip(b.instrs, parts, strict=True))
            found.append(Block(b.label, tuple(said)))
    return _merge(found, {few.out, *(x for copy in copies for x in copy.labels.values())})


def _say(i: Instr, parts: Mapping[str, str], line: int) -> Instr:
    """Return an instruction with other values."""
    text = respell(i.text, parts)
    return replace(i, line=line) if text == i.text else parse_instruction(text, line)


class _Copy:
    """One pass with its own names: ``ends`` are its first block's label and what comes next."""

    def __init__(
        self,
        few: Few,
        now: Pass,
        given: Mapping[str, str],
        names: Iterator[str],
        ends: tuple[str, str],
    ) -> None:
        self._few, self._now, self._next = few, now, ends[1]
        self.labels = {x: ends[0] if x == few.header else next(names) for x in now.ways}
        self.values = dict(given)
        self._own = set[str]()  # that it computes
        for label in now.ways:
            for i in few.blocks[label].instrs:
                if i.name and i.name not in given:
                    known = self._known(i, label)
                    self.values[i.name] = known or f"%{next(names)}"
                    self._own |= set() if known else {i.name}

    def _known(self, i: Instr, label: str) -> str:
        """Return a number, or the other value, that a value is; empty for one that is computed."""
        if i.name in self._now.numbers:
            return _spell(i.type, self._now.numbers[i.name])
        edges = [*self._now.edges(i, label).values()] if i.opcode == "phi" else []
        return respell(edges[0], self.values) if len(edges) == 1 else ""

    def blocks(self) -> Iterator[tuple[str, Iterator[str]]]:
        """Yield the lines of the blocks that it may reach, by label."""
        return ((new, self._lines(label)) for label, new in self.labels.items())

    def _lines(self, label: str) -> Iterator[str]:
        *body, end = self._few.blocks[label].instrs
        for i in body:
            if i.opcode == "dbg" or (i.name and i.name not in self._own):
                continue
            if i.opcode == "phi":
                edges = self._now.edges(i, label).items()
                said = (f"[ {respell(o, self.values)}, %{self.labels[x]} ]" for x, o in edges)
                yield f"{self.values[i.name]} = phi {i.type} {', '.join(said)}"
            else:
                yield respell(i.text.strip(), self.values)
        ways = self._now.ways[label]
        if len(ways) == 1:
            yield f"br label %{self._next if label == self._few.latch else self.labels[ways[0]]}"
        else:
            to = {x: f"%{new}" for x, new in self.labels.items()}
            yield respell(end.text.strip(), self.values | to)


def _spell(kind: Type, value: int) -> str:
    """Return a number as LLVM writes it."""
    bits = kind.bits if isinstance(kind, IntType) else 0
    return ("false", "true")[value] if bits == 1 else str(to_signed(value, bits))


def _merge(blocks: Sequence[Block], inside: Collection[str]) -> tuple[Block, ...]:
    """Return blocks of which some are part of the one that they surely and alone follow."""
    view, below = View(blocks), dict[str, Block]()
    for k, b in enumerate(blocks):
        near = view.predecessors[k] if b.label in inside else ()
        if len(near) == 1 and len(view.end(near[0]).operands) == 1:  # a branch to one block
            below[blocks[near[0]].label] = b
    known = {i.name: text for b in below.values() for i in _phis(b) for text in _edges(i).values()}
    gone, at, found = {b.label for b in below.values()}, count(), list[Block]()
    chains = [_chain(b, below) for b in blocks if b.label not in gone]
    known |= {b.label: f"%{chain[0].label}" for chain in chains for b in chain[1:]}
    for first, *others in chains:
        instrs = [*first.instrs]
        for b in others:
            instrs[-1:] = b.instrs[len(_phis(b)) :]
        found.append(Block(first.label, tuple(_say(i, known, next(at)) for i in instrs)))
    return tuple(found)


def _chain(block: Block, below: Mapping[str, Block]) -> list[Block]:
    """Return a block and those that are part of it."""
    found = [block]
    while found[-1].label in below:
        found.append(below[found[-1].label])
    return found


def whole_source(sides: Sides) -> Sides | None:
    """Return the sides with a source of which one loop is its passes, that is none in the target;
    None where there is none.
    """
    source = sides.source
    try:
        few = _missing(source.view, sides.target.view)
        if few is None:
            return None
        types = sides.graph(0).contents.types
        require(not any(f"%{x}" in types for x in source.view.numbers), "a block called as a type")
        taken = {*source.view.defs, *source.view.numbers, *(a.name for a in source.arguments)}
        names = (x for n in count() if (x := f"isel.whole.{n}") not in taken)
        return replace(sides, source=replace(source, blocks=unroll_whole(source.view, few, names)))
    except (Cannot, Left):
        return None


def _missing(source: View, target: View) -> Few | None:
    """Return the first loop of the source, where both go in step, that the target has not."""
    few = {c.header: c for c in loops_of_few(source)}
    others = {c.header for c in loops_of_few(target)} if few else set[str]()
    waiting, seen = [(source.blocks[0].label, target.blocks[0].label)], set[str]()
    while waiting and len(others) < len(few):
        a, b = waiting.pop()
        if b in seen:
            continue
        seen.add(b)
        mine, theirs = (labels(v.end(v.numbers[x])) for v, x in ((source, a), (target, b)))
        for x, y in zip_longest(mine, theirs):
            if x in few and y not in others:
                return few[x]
        waiting += zip(mine, theirs, strict=False)
    return None
