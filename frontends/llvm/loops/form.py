"""A function in which reductions have other lanes, and the proof that it refines the source's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from frontends.llvm.meaning.partial import is_partial
from frontends.llvm.splicing.write import Edits
from frontends.llvm.text.ast import Function, Instr, Module
from frontends.llvm.text.syntax import REDUCTION
from isel.model.verdict import Verdict
from isel.spec.target import Target


def has_reductions(function: Function) -> bool:
    """Tell whether some call joins lanes of a vector, floating point among them."""
    return any(i.callee.startswith(REDUCTION) or is_partial(i) for i in function.view)


@dataclass(frozen=True, slots=True)
class Row:
    """One reduction in a new form: its root, and its lines before and after."""

    root: Instr
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reform:
    """A function in another form: the module with it, in which the others are not read, what became
    of the source's lines, and the reductions; ``roots`` names the reduction that a new value
    belongs to.
    """

    source: Module
    module: Module
    printed: Module
    function: Function
    edits: Edits
    rows: tuple[Row, ...]
    roots: Mapping[str, Instr]

    @property
    def original(self) -> Function:
        """The source's function."""
        return self.source.function(self.function.name)

    @property
    def carries(self) -> bool:
        """Whether a loop carries accumulators in it that the source has not."""
        return any(" = phi " in line for row in self.rows for line in row.after)

    def proved(self, isa: Target, effort: int) -> Verdict:
        """Prove that the function in this form refines the source's."""
        from frontends.llvm.linked.layouts import with_own_layout
        from frontends.llvm.passes.guesses import GUESSES
        from frontends.llvm.refine.decide import decide
        from frontends.llvm.refine.frames import Frames
        from frontends.llvm.refine.options import Options

        frames = Frames.of(*map(with_own_layout, (self.source, self.printed)))
        after = self.printed.function(self.function.name)
        options = Options(effort, guesses=GUESSES, whole=False)
        return decide(self.original, after, isa, frames, options).verdict
