"""A loop of a few passes that do different things, as these one after the other.

A pass that asks which one it is has a branch that its number decides: then each is code of its own,
and loops in it are often of one block, as what instructions are chosen for, and other transforms,
are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from frontends.llvm.passes.counting import edges_of
from frontends.llvm.text.ast import Block
from frontends.llvm.text.syntax import number
from frontends.llvm.text.view import View, incoming
from frontends.llvm.transform.site import Change, Opportunity, Scope, stay

if TYPE_CHECKING:
    from frontends.llvm.passes.few import Few


def _unroll(scope: Scope, headers: Sequence[str], names: Iterator[str]) -> Change:
    """Return what the lines of the function become."""
    from frontends.llvm.passes.few import few_of
    from frontends.llvm.passes.whole import unroll_whole
    from frontends.llvm.transform.loop_blocks import changed_lines

    blocks = scope.view.blocks
    for header in headers:
        view = View(blocks)
        found = few_of(view, header) if header in view.numbers else None
        blocks = blocks if found is None else unroll_whole(view, found, names)
    texts = ((b.label, (i.text for i in b.instrs)) for b in blocks)
    return Change(changed_lines(scope, texts), "each pass of a loop by itself")


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield the loops that stay, each with the reason, and all others as one."""
    headers = [b.label for b in scope.view.blocks if _may_be_few(scope.view, b)]
    able: list[Few] = []
    for few in _loops(scope.view, headers) if headers else ():
        if why := scope.why_small or few.why_not:
            yield stay(few.phis[0], why)
        else:
            able.append(few)
    if able:
        yield Opportunity(able[0].phis[0], partial(_unroll, scope, [c.header for c in able]))


def _loops(view: View, headers: Sequence[str]) -> Iterator[Few]:
    """Yield the loops of few passes that decide where they go."""
    from frontends.llvm.passes.few import few_of

    found = (few_of(view, x) for x in headers)
    return (c for c in found if c is not None and c.chooses)


def _may_be_few(view: View, block: Block) -> bool:
    """Tell whether a block begins a loop of several ones, and something is a number at first."""
    before, latch = edges_of(view, block.label) or ("", block.label)
    phis = (i for i in block.instrs if latch != block.label and i.opcode == "phi")
    return any(number(incoming(i)[before]) is not None for i in phis)
