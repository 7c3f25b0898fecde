"""What a comparison is told: effort, what reads each side, what is assumed; and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

from frontends.llvm.meaning.lanes import NO, Value
from frontends.llvm.passes.witness import UNTOLD, Guesses
from frontends.llvm.text.ast import Function
from isel.ir.expr import Expr
from isel.model.verdict import Verdict
from isel.spec.target import Target
from isel.verify.prove import Checker


@dataclass(frozen=True, slots=True)
class Options:
    """``effort`` scales the solvers' limits; ``checker`` replaces them (for tests).

    ``isas`` are the instruction sets of the two sides where they are not one.  With
    ``defined_memory`` what is loaded is taken to be neither undef nor poison.  Without ``guesses``
    nothing is known of how a target was made of its source.  Without ``whole`` functions are
    compared block by block alone, and nothing is refuted.
    """

    effort: int = 1
    checker: Checker | None = None
    isas: tuple[Target | None, Target | None] | None = None
    defined_memory: bool = False
    guesses: Guesses = UNTOLD
    whole: bool = True

    @property
    def across(self) -> bool:
        """Whether the sides are for two machines, both known."""
        known = [isa.name for isa in self.isas or () if isa is not None]
        return len(set(known)) > 1


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, and for a refutation both results with the source's choices made as they fit
    best.
    """

    verdict: Verdict
    source: Function
    source_value: Value | None = None
    source_undefined: Expr = NO
    target_value: Value | None = None
    target_undefined: Expr = NO
