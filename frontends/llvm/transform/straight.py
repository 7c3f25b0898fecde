"""A loop of one block and few passes as a block that does all of them, loads first, where no two of
its extents meet (:mod:`frontends.llvm.transform.extents`); a check stands before, and the loop
as it was beside it, where they may.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from frontends.llvm.function.graph import Graph
from frontends.llvm.meaning.limits import STRAIGHT_INSTRUCTIONS, STRAIGHT_PASSES
from frontends.llvm.passes.blocks import Blocks, outputs
from frontends.llvm.passes.counting import Loop
from frontends.llvm.passes.left import require
from frontends.llvm.passes.load_lanes import with_plain_loads
from frontends.llvm.passes.unroll import next_values
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, IntType
from frontends.llvm.text.parse import with_lines
from frontends.llvm.text.rewording import copy, respell
from frontends.llvm.text.syntax import UNLIKELY
from frontends.llvm.text.view import View, incoming
from frontends.llvm.transform.extents import Disjoint, Extents


@dataclass(frozen=True, slots=True)
class Straight:
    """A loop of one block, as ``view`` shows it, of which all passes are one of ``graph``:
    ``copies`` are what its values are called in each pass, ``early`` the lines that no load comes
    before, ``disjoint`` what the others become, and ``check`` the lines that say whether they may.
    """

    loop: Loop
    view: View
    graph: Graph
    copies: tuple[Mapping[str, str], ...]
    extents: Extents
    early: tuple[str, ...]
    check: tuple[str, ...]
    disjoint: Disjoint

    def blocks(self, view: View, lines: Sequence[str], names: Iterator[str]) -> Blocks:
        """Return the blocks in place of the loop, of which that of all passes has ``lines``."""
        c = self.loop
        if not self.check:
            return Blocks(c, ((c.header, (*lines, build.go(c.out))),), {})
        first, second, end = (next(names) for _ in range(3))
        second = f"{UNLIKELY}{second.rpartition('.')[2]}"
        branch = build.branch(self.check[-1].partition(" = ")[0], first, second)
        blocks = (
            (c.header, (*self.check, branch)),
            (first, (*lines, build.go(end))),
            (second, tuple(_as_it_is(view, c, second, end, names))),
            (end, (build.go(c.out),)),
        )
        return Blocks(c, blocks, {})


def straight(graph: Graph, loop: Loop, names: Iterator[str]) -> Straight:
    """Return a loop as one block; raises :class:`Left` for one that is to stay."""
    graph = with_plain_loads(graph, loop.header, names)
    view = graph.function.view
    instrs = [i for i in view.block(loop.header).instrs if i.opcode != "dbg"]
    _require_few(loop, instrs)
    copies = tuple(_copies(instrs, loop, next_values(view, loop), names))
    function = with_lines(graph.function, loop.header, _text(instrs, loop, copies))
    whole = Graph(function, graph.contents, graph.sizes)
    extents = Extents(whole, loop.header)
    check = extents.check(names)
    disjoint = Disjoint(extents, {}, names)
    behind = {i.name for i in outputs(view, instrs)}
    if check:
        outer = extents.values.isdisjoint(p.instr.name for p in extents.body)
        require(outer, "an address is computed in it")
    alone = behind.isdisjoint(behind if check else disjoint.names)
    require(alone, "what it computes is used behind it")
    early = (p.instr.text.strip() for p in extents.body if p.instr not in extents.late)
    return Straight(loop, view, whole, copies, extents, tuple(early), check, disjoint)


def _require_few(loop: Loop, instrs: Sequence[Instr]) -> None:
    require(loop.latch == loop.header, "it has several blocks")
    few = len(loop.numbers) <= STRAIGHT_PASSES
    small = len(loop.numbers) * len(instrs) <= STRAIGHT_INSTRUCTIONS
    require(few and small, "its passes are too many, or do too much")


def _copies(
    instrs: Sequence[Instr], loop: Loop, next_: Mapping[str, str], names: Iterator[str]
) -> Iterator[dict[str, str]]:
    """Yield what the values of a loop are called in each pass; the last keeps the names."""
    own = [i.name for i in instrs if i.name and i.name not in next_]
    carried = {p: p for p in next_}
    for number in loop.numbers:
        last = number == loop.numbers[-1]
        called = carried | {x: x if last else next(names) for x in own}
        yield called
        carried = {p: called.get(o, o) for p, o in next_.items()}


def _text(
    instrs: Sequence[Instr], loop: Loop, copies: Sequence[Mapping[str, str]]
) -> Iterator[str]:
    """Yield the lines of all passes."""
    phis = [i for i in instrs if i.opcode == "phi"]
    yield from (_first(i, loop.before) for i in phis)
    for number, called in zip(loop.numbers, copies, strict=True):
        parts = {x: f"%{y}" for x, y in called.items()} | {loop.counter.name: str(number)}
        yield from (respell(i.text.strip(), parts) for i in instrs[len(phis) : -1])
    yield build.go(loop.out)


def _first(phi: Instr, before: str) -> str:
    """Return a line that gives a phi what it is in the first pass."""
    start, kind = incoming(phi)[before], phi.type
    plain = isinstance(kind, IntType) or str(kind) == "ptr"
    require(plain, "it carries something else than integers and pointers")
    if isinstance(kind, IntType):
        return build.binary("add", start, 0).line(phi.name)
    return build.address(start, 0).line(phi.name)


def _as_it_is(view: View, loop: Loop, label: str, end: str, names: Iterator[str]) -> Iterator[str]:
    """Yield the lines of a loop of one block under another label, which is left to ``end``."""
    instrs = [i for i in view.block(loop.header).instrs if i.opcode != "dbg"]
    own = {i.name: next(names) for i in instrs if i.name}
    edges = {loop.before: loop.header, loop.header: label}
    ends = {loop.header: label, loop.out: end}
    return copy(instrs, own | ends, edges)
