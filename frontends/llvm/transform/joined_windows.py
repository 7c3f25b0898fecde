"""Two stores of half a register, side by side, of values computed alike: one of all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from frontends.llvm.text.ast import Instr
from frontends.llvm.transform.site import Change, Opportunity, Scope, stay

if TYPE_CHECKING:
    from frontends.llvm.transform.halves import Pair


def _write(
    scope: Scope, groups: Sequence[Pair], seen: Sequence[Instr], names: Iterator[str]
) -> Change:
    """Return wide loads where the lower half is loaded, the rest where the later is stored; loads
    that others look at are ``seen``.
    """
    from frontends.llvm.transform.wider import Writer

    writer = Writer(names, seen)
    for group in groups:
        for a, b in group.pairs:
            if a.line not in writer.lines:
                writer.write(a, b)
    return Change(writer.lines, "joined halves", (), writer.needs)


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield the pairs of neighbouring stores that fill registers, block by block."""
    every = ([i for i in block.instrs if is_half(scope, i)] for block in scope.view.blocks)
    if several := [stores for stores in every if len(stores) > 1]:
        from frontends.llvm.transform.halves import Finder

        finder = Finder(scope)
    for stores in several:
        groups, used = finder.pairs(stores)
        for p in used:
            yield stay(finder.root(p), "memory is used between both")
        if groups:
            write = partial(_write, scope, groups, finder.open_in(groups))
            yield Opportunity(finder.root(groups[0]), write)


def is_half(scope: Scope, i: Instr) -> bool:
    """Tell whether an instruction is a plain store of half a register."""
    plain = i.opcode == "store" and i.known and not i.flags
    return plain and 2 * scope.bits_of(i.operands[0].type) == scope.bits
