"""What instructions of the source choose once and for all, as the proofs so far have it.

An instruction of the machine that is given undef or poison chooses what these are each time that it
is executed.  A proof takes the choices that make the source's value fit the target's; the next one
about another value that rests on them has to take the same.  Both looks and instructions have the
same names in all proofs: ``S.<what>.f<instruction>_<n>`` is the n-th look at ``what`` among the
operands of an instruction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from frontends.llvm.cuts.terms import SourceCone, TargetCone
from isel.ir.expr import Expr, leaves

# A look of the source and the one of the target that it follows; an instruction that chooses, as
# side and name, and what its operands are.
Once: TypeAlias = dict[Expr | tuple[str, str], Expr | tuple[Expr, ...]]


def choices_of(
    chosen: Iterable[str], looks: Mapping[Expr, Expr], mine: SourceCone, theirs: TargetCone
) -> Once:
    """Return what instructions of the source would have chosen with these looks."""
    found: Once = {("S", n): mine.chosen[n] for n in chosen}
    for n in chosen:
        found.update({x: looks[x] for x in leaves(*mine.chosen[n]) if x in looks})
    followed = frozenset(found.values())
    for n, terms in theirs.chosen.items():
        if not followed.isdisjoint(leaves(*terms)):
            found["T", n] = terms
    return found


@dataclass
class Made:
    """The choices that were made."""

    known: Once = field(default_factory=dict)

    def by(self, name: str) -> bool:
        """Tell whether an instruction of the source made its choice in a proof."""
        return ("S", name) in self.known

    def agree(self, choices: Once) -> bool:
        """Tell whether choices contradict none that were made."""
        return all(self.known.get(k, v) == v for k, v in choices.items())
