"""Two stores of half a register, side by side, of values computed alike: one of all of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from frontends.llvm.text.ast import Instr
from frontends.llvm.transform.site import Change, Scope

if TYPE_CHECKING:
    from frontends.llvm.transform.halves import Pair


@dataclass(frozen=True, slots=True)
class Halves:
    """The last value of a half, and pairs of stores of a block by their later store; loads that
    others look at are ``seen``.
    """

    root: Instr
    groups: tuple[Pair, ...] = ()
    seen: tuple[Instr, ...] = ()
    why_not: str = ""

    def edits(self, scope: Scope, names: Iterator[str]) -> Change:
        """Return wide loads where the lower half is loaded, the rest where the later is stored."""
        from frontends.llvm.transform.wider import Writer

        writer = Writer(scope, names, self.seen)
        for group in self.groups:
            for a, b in group.pairs:
                if a.line not in writer.lines:
                    writer.write(a, b)
        return Change(writer.lines, "joined halves", (), writer.needs)


def sites(scope: Scope) -> Iterator[Halves]:
    """Yield the pairs of neighbouring stores that fill registers, block by block."""
    every = ([i for i in block.instrs if is_half(scope, i)] for block in scope.view.blocks)
    if several := [stores for stores in every if len(stores) > 1]:
        from frontends.llvm.transform.halves import Finder

        finder = Finder(scope)
    for stores in several:
        groups, used = finder.pairs(stores)
        yield from (Halves(finder.root(p), why_not="memory is used between both") for p in used)
        if groups:
            seen = finder.open_in(groups)
            yield Halves(finder.root(groups[0]), tuple(groups), tuple(seen))


def is_half(scope: Scope, i: Instr) -> bool:
    """Tell whether an instruction is a plain store of half a register."""
    plain = i.opcode == "store" and i.known and not i.flags
    return plain and 2 * scope.bits_of(i.operands[0].type) == scope.bits
