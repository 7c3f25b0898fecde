"""Phis whose lanes have bits that are zero in every run, without these bits.

``%s = phi <4 x i32> …`` whose lanes are at most 1020 is, in the source, a phi of 16 bits of what
was given, cut off, then cut to ten bits, which is poison where that loses something, and extended.
That is the same value: a lane is poison together with what was given, what may be chosen for one
that is undef is within the bound as well, so nothing is lost, and each look may choose as before.
A target that carries the lanes in 16 bits has the phi, and may rely on the bound as the source's
value is poison beyond.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TypeAlias

from frontends.llvm.cuts.compare import Sides
from frontends.llvm.cuts.graph import Graph, pair_blocks
from frontends.llvm.meaning.bounds import bounds_of
from frontends.llvm.paths.choice import Cannot
from frontends.llvm.text.ast import Block, Function, Instr, Literal, Local, Operand
from frontends.llvm.text.parse import parse_instruction
from frontends.llvm.text.rewording import literal_text, narrow_kind, narrow_literal
from frontends.llvm.text.syntax import integer_shape
from frontends.llvm.text.view import incoming

_Shape: TypeAlias = tuple[int, int]  # lanes, and bits of each


def narrow_source(sides: Sides) -> Sides | None:
    """Return the sides with a source whose phis of vectors have as few bits as the target's in the
    same block, where their bounds allow it; None where none has.
    """
    try:
        source, target = sides.graph(0), sides.graph(1)
        found = narrow_as(source, target, pair_blocks(source, target))
    except Cannot:
        return None
    return None if found is None else replace(sides, source=found)


def narrow_as(source: Graph, target: Graph, blocks: Mapping[str, str]) -> Function | None:
    """Return a function that does what the source does, of whose phis of vectors as many as can be
    have the bits of the target's; None where all have or none can be.
    """
    surplus = [(a, _shapes(target, b) - _shapes(source, a)) for b, a in blocks.items()]
    surplus = [(a, new) for a, new in surplus if new]
    if not surplus:
        return None
    view = source.function.view
    bounds, narrowing = bounds_of(view), _Narrowing(source.function, view.free_names("isel.narrow"))
    for a, new in surplus:
        phis = source.phis(a)
        for shape in sorted(new.elements()):
            phi = next((i for i in phis if _fits(i, shape, bounds)), None)
            if phi is not None:
                phis.remove(phi)
                narrowing.add(phi, shape, bounds[phi.name])
    return narrowing.function()


def _shapes(graph: Graph, block: str) -> Counter[_Shape]:
    """Return how many phis of a block are vectors of so many lanes of so many bits."""
    found = (integer_shape(i.type) for i in graph.phis(block))
    return Counter(x for x in found if x is not None and x[0] > 1)


def _fits(phi: Instr, shape: _Shape, bounds: Mapping[str, int]) -> bool:
    """Tell whether the lanes of a phi fit into fewer bits, as they are bounded."""
    mine, bound = integer_shape(phi.type), bounds.get(phi.name)
    if mine is None or bound is None or mine[0] != shape[0]:
        return False
    return bound < 1 << shape[1] < 1 << mine[1]


@dataclass(slots=True)
class _Narrowing:
    """A function, with lines in place of phis, behind the phis of blocks, and before their ends."""

    source: Function
    names: Iterator[str]
    phis: dict[int, str] = field(default_factory=dict)
    behind: dict[str, list[str]] = field(default_factory=dict)
    before: dict[str, list[str]] = field(default_factory=dict)

    def add(self, phi: Instr, shape: _Shape, bound: int) -> None:
        """Make a phi one of fewer bits, and its value what that is when it is extended."""
        name, (_, width), bits = next(self.names), shape, max(bound.bit_length(), 1)
        kind = narrow_kind(phi.type, width)
        given = {x: self._cut(o, x, width) for x, o in incoming(phi).items()}
        inputs = ", ".join(f"[ {o}, %{x} ]" for x, o in given.items())
        self.phis[phi.line] = f"%{name} = phi {kind} {inputs}"
        new = self.behind.setdefault(self.source.view.label(phi.name), [])
        if bits < width:
            cut = next(self.names)
            new.append(f"%{cut} = trunc nuw {kind} %{name} to {narrow_kind(kind, bits)}")
            kind, name = narrow_kind(kind, bits), cut
        new.append(f"%{phi.name} = zext {kind} %{name} to {phi.type}")

    def _cut(self, o: Operand, label: str, width: int) -> str:
        """Return what comes from a block in fewer bits."""
        if isinstance(o, Literal):
            return literal_text(narrow_literal(o, width))
        assert isinstance(o, Local)
        name = next(self.names)
        line = f"%{name} = trunc {o.type} %{o.name} to {narrow_kind(o.type, width)}"
        self.before.setdefault(label, []).append(line)
        return f"%{name}"

    def function(self) -> Function | None:
        """Return the function with these lines, None where there are none."""
        at = count()
        blocks = (
            Block(b.label, tuple(parse_instruction(x, next(at)) for x in self._lines(b)))
            for b in self.source.blocks
        )
        return replace(self.source, blocks=tuple(blocks)) if self.phis else None

    def _lines(self, block: Block) -> Iterator[str]:
        view = self.source.view
        end = view.end(view.numbers[block.label])
        waiting = self.behind.get(block.label, [])
        for i in block.instrs:
            if i.opcode not in ("phi", "dbg"):
                yield from waiting
                waiting = []
            yield from self.before.get(block.label, ()) if i is end else ()
            yield self.phis.get(i.line, i.text.strip())
