"""Two functions that are to be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from frontends.llvm.cuts.guards import Guard
from frontends.llvm.function.graph import Graph
from frontends.llvm.passes.witness import UNTOLD, Guesses, Sums
from frontends.llvm.text.ast import Function, Instr, Operand
from frontends.llvm.text.identity import Contents, Pairing
from frontends.llvm.text.layout import Sizes
from frontends.llvm.text.view import View
from isel.spec.target import Target
from isel.verify.prove import Checker


@dataclass(frozen=True, slots=True)
class Sides:
    """Two functions with what surrounds them; ``called`` collects instructions of the machine
    that the target alone uses.  At the end of ``checked`` blocks the source may go either way, the
    first one only where a guard says so.  Lanes of values of the target that are ``shown`` refine
    those of others of the source, of whose loads no block before reads those that are ``ahead``.
    Of some loads ``tables`` says by name which elements of what is read before they are.
    """

    source: Function
    target: Function
    contents: tuple[Contents, Contents]
    sizes: tuple[Sizes, Sizes]
    pairing: Pairing
    isas: tuple[Target | None, Target | None]  # that say what each side's intrinsics are
    effort: int
    checker: Checker | None
    called: set[str] = field(default_factory=set)
    checked: Mapping[str, Guard] = field(default_factory=dict)
    shown: Sequence[tuple[Operand, Operand, Sequence[bool]]] = ()
    ahead: frozenset[str] = frozenset()
    tables: Mapping[str, Instr] = field(default_factory=dict)
    guesses: Guesses = UNTOLD  # of what nobody has said
    graphs: dict[int, Graph] = field(default_factory=dict, init=False, compare=False, repr=False)

    def graph(self, k: int) -> Graph:
        """Return the graph of the source (0) or the target (1); raises :class:`Cannot`."""
        if k not in self.graphs:
            self.graphs[k] = Graph((self.source, self.target)[k], self.contents[k], self.sizes[k])
        return self.graphs[k]

    def sums(self, source: View, blocks: Mapping[str, str]) -> Mapping[str, Sums]:
        """Return sets of phis that may hold the same together, by the names of those of the
        target.
        """
        isa = self.isas[1]

        def computes(i: Instr) -> bool:
            return isa is not None and isa.by_call(i.callee) is not None

        views = source, self.target.view
        found = self.guesses.sums(*views, blocks, computes)
        pairs = ((x, names) for x in found for rows in x.phis.values() for _, names in rows)
        return {name: x for x, names in pairs for name in names}
