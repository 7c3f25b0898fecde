"""What becomes of the lines of a function in which reductions have other lanes."""

from __future__ import annotations

from dataclasses import dataclass, field

from frontends.llvm.splicing.write import Edits, is_record, without
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.text.rewording import rename

BEFORE, BEHIND, LAST = range(3)  # where new lines go


@dataclass
class Changes:
    """What becomes of the lines of a function: what is ``placed`` before one, behind it, or behind
    all that is, and which go.
    """

    placed: list[tuple[int, int, str]] = field(default_factory=list)
    gone: dict[int, str] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    declarations: dict[str, str] = field(default_factory=dict)

    def add(self, other: Changes) -> None:
        """Take over what becomes of the lines of another web."""
        self.placed += other.placed
        self.gone.update(other.gone)
        self.renamed.update(other.renamed)
        self.declarations.update(other.declarations)

    def new(self) -> list[tuple[int, int, str]]:
        """Return the new lines in the order of their places."""
        return sorted(self.placed, key=lambda x: x[:2])

    def edits(self, module: Module, function: Function) -> Edits:
        """Return the changed lines; debug records of values that are gone say so."""
        lines: dict[int, tuple[str, ...]] = {}
        names = [n for n in self.gone.values() if n not in self.renamed]
        new = {(at, side): list[str]() for at in function.span for side in (False, True)}
        for at, order, x in self.new():
            new[at, order > BEFORE].append(x)
        for at in function.span:
            line = module.lines[at]
            text = rename(line, self.renamed) if self.renamed else line
            kept = () if at in self.gone else (without(text, names) if is_record(line) else text,)
            found = (*new[at, False], *kept, *new[at, True])
            if found != (line,):
                lines[at - function.first] = found
        return Edits(lines, {n: f"{x} memory(none)" for n, x in self.declarations.items()})
