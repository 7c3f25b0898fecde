"""What a comparison is told: effort, what reads each side, what is assumed."""

from __future__ import annotations

from dataclasses import dataclass

from frontends.llvm.text.ast import Function
from isel.spec.target import Target
from isel.verify.prove import Checker


@dataclass(frozen=True, slots=True)
class Options:
    """``effort`` scales the solvers' limits; ``checker`` replaces them (for tests).

    ``isas`` are the instruction sets of the two sides where they are not one.  With
    ``defined_memory`` what is loaded is taken to be neither undef nor poison.
    """

    effort: int = 1
    checker: Checker | None = None
    isas: tuple[Target | None, Target | None] | None = None
    defined_memory: bool = False

    @property
    def across(self) -> bool:
        """Whether the sides are for two machines, both known."""
        known = [isa.name for isa in self.isas or () if isa is not None]
        return len(set(known)) > 1


def misplaced_call(functions: tuple[Function, Function], options: Options) -> str:
    """Return which intrinsic is of the other side's machine, not of its own; empty if none is."""
    if options.isas is None or not options.across:
        return ""
    for f, own, other in zip(functions, options.isas, options.isas[::-1], strict=True):
        known = {i.callee for i in f.view if i.opcode == "call" and _reads(other, i.callee)}
        if bad := next((c for c in sorted(known) if not _reads(own, c)), ""):
            return f"a call of '{bad}', which is of another machine"
    return ""


def _reads(isa: Target | None, callee: str) -> bool:
    return isa is not None and isa.by_call(callee) is not None
