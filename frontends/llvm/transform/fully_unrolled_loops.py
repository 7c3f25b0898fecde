"""A loop of a few passes that do different things, as these one after the other.

A pass that asks which one it is has a branch that its number decides: then each is code of its own,
and loops in it are often of one block, as what instructions are chosen for, and other transforms,
are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from frontends.llvm.cuts.counting import edges_of
from frontends.llvm.text.ast import Block, Instr
from frontends.llvm.text.syntax import number
from frontends.llvm.text.view import View, incoming
from frontends.llvm.transform.site import Change, Scope



@dataclass(frozen=True, slots=True)
class Passes:
    """Loops whose passes would stand one after the other, and the first one's first phi."""

    root: Instr
    headers: tuple[str, ...]
    why_not: str = ""

    def edits(self, scope: Scope, names: Iterator[str]) -> Change:
        """Return what the lines of the function become."""
        from frontends.llvm.cuts.whole import few_of, unroll_whole

        blocks = scope.view.blocks
        for header in self.headers:
            view = View(blocks)
            found = few_of(view, header) if header in view.numbers else None
            blocks = blocks if found is None else unroll_whole(view, found, names)
        return Change(_lines(scope, blocks), "each pass of a loop by itself")


def sites(scope: Scope) -> Iterator[Passes]:
    """Yield the loops that a function would have none of, as one, and each of those that stay."""
    headers = [b for b in scope.view.blocks if _may_be_few(scope.view, b)]
    if not headers:
        return
    from frontends.llvm.cuts.whole import few_of

    found = [c for b in headers if (c := few_of(scope.view, b.label)) is not None and c.chooses]
    whys = [scope.why_small or c.why_not for c in found]
    yield from (Passes(c.phis[0], (), why) for c, why in zip(found, whys, strict=True) if why)
    able = [c for c, why in zip(found, whys, strict=True) if not why]
    if able:
        yield Passes(able[0].phis[0], tuple(c.header for c in able))


def _may_be_few(view: View, block: Block) -> bool:
    """Tell whether a block begins a loop of several ones, and something is a number at first."""
    edges = edges_of(view, block.label)
    several = edges is not None and edges[1] != block.label
    phis = (i for i in block.instrs if several and i.opcode == "phi")
    return any(edges and number(incoming(i)[edges[0]]) is not None for i in phis)


def _lines(scope: Scope, blocks: Sequence[Block]) -> dict[int, tuple[str, ...]]:
    """Return what lines of a function become where its blocks are others."""
    of = scope.module.lines
    old = [k for k in range(scope.function.first + 1, scope.function.last) if of[k].strip()]
    before = [of[k].partition("; preds = ")[0].rstrip() for k in old]
    after = list[str]()
    for b in blocks:
        head = [f"{b.label}:"] if after or before[0] == f"{b.label}:" else []
        texts = (x for i in b.instrs for x in (f"  {i.text.lstrip()}").split("\n"))
        after += (*head, *texts)
    front = _alike(before, after)
    back = _alike(before[front:][::-1], after[front:][::-1])
    lines: dict[int, tuple[str, ...]] = dict.fromkeys(old[front : len(old) - back], ())
    lines[old[front]] = tuple(after[front : len(after) - back])
    return lines


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many lines two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(one), len(other)))
