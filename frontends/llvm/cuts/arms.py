"""The source without branches whose arms only compute: both are computed, and a phi where they meet
is a choice.  A branch on poison or undef is undefined behaviour, a choice by it is less than that.
"""

from __future__ import annotations

from collections.abc import Iterator

from frontends.llvm.function.graph import Graph, Kind
from frontends.llvm.text import build
from frontends.llvm.text.ast import Block, Function, Instr, Symbol
from frontends.llvm.text.parse import with_blocks
from frontends.llvm.text.rewording import is_plain_phi, respell, spelled_edges
from frontends.llvm.text.view import View, labels, phis_of


def arms_of(view: View) -> Iterator[tuple[Block, list[Block], Block]]:
    """Yield blocks that end with a branch, its arms, which go nowhere else, and where they meet."""
    for n, block in enumerate(view.blocks):
        ways, behind = view.successors[n], view.successors
        arms = [k for k in ways if (view.predecessors[k], len(behind[k])) == ((n,), 1)]
        lasts = {*ways}.union(*map(behind.__getitem__, arms)) - {*arms}
        edges = {*arms} | ({n} if len(arms) == 1 else set())
        if arms and len(ways) == 2 and [{*view.predecessors[k]} for k in lasts] == [edges]:
            yield block, [view.blocks[k] for k in arms], view.blocks[lasts.pop()]


def without_arms(graph: Graph) -> Function | None:
    """Return a function without such branches, None where there are none."""
    function = graph.function
    while (texts := _join(graph, function.view)) is not None:
        function = with_blocks(function, texts.items())
    return None if function is graph.function else function


def _join(graph: Graph, view: View) -> dict[str, list[str]] | None:
    """Return the lines of blocks, of which one, its arms and what is behind them are one."""
    found = next((x for x in arms_of(view) if _may_be_one(graph, view, *x)), None)
    if found is None:
        return None
    (block, arms, last), lines = found, {b.label: _lines(b) for b in view.blocks}
    own, end = lines[block.label], view.end(view.numbers[block.label])
    own[-1:] = (x for b in arms for x in lines.pop(b.label)[:-1])
    own += _choices(block, end, last)
    own += lines.pop(last.label)[len(phis_of(last)) :]
    moved = {last.label: f"%{block.label}"}
    return {b: [respell(x, moved) for x in text] for b, text in lines.items()}


def _choices(block: Block, end: Instr, last: Block) -> Iterator[str]:
    """Yield what is a choice where two arms meet."""
    edges = [block.label if x == last.label else x for x in labels(end)]
    for i in phis_of(last):
        one, other = (Symbol(spelled_edges(i)[x], i.type) for x in edges)
        yield build.select(end.operands[0], one, other).line(i.name)


def _lines(block: Block) -> list[str]:
    return [i.text.strip() for i in block.instrs if i.opcode != "dbg"]


def _may_be_one(graph: Graph, view: View, block: Block, arms: list[Block], last: Block) -> bool:
    """Tell whether a block ends with a branch whose arms compute and do nothing else."""
    inner = (i for b in arms for i in b.instrs if i.opcode not in ("dbg", "br"))
    kinds = {graph.places[i.name].kind if i.name else Kind.EFFECT for i in inner}
    ends = {view.end(view.numbers[b.label]).opcode for b in (block, *arms)}
    return kinds <= {Kind.FUNCTION} and ends == {"br"} and all(map(is_plain_phi, phis_of(last)))
