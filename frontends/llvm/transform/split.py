"""A block as two behind a check of its extents (:mod:`frontends.llvm.transform.extents`): in one
what it loads comes first and each byte is written once; the other is the block as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from frontends.llvm.function.graph import Graph
from frontends.llvm.passes.blocks import outputs
from frontends.llvm.passes.left import require
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr
from frontends.llvm.text.rewording import copy
from frontends.llvm.text.syntax import UNLIKELY
from frontends.llvm.transform.extents import Disjoint, Extents


@dataclass(slots=True)
class Split:
    """A block of a graph as two: ``check`` are the lines that decide, the last of which says that
    extents are disjoint; ``disjoint`` and ``plain`` are the lines of both, without branches,
    ``outs`` what they give to others, with its names in each.
    """

    graph: Graph
    label: str
    labels: tuple[str, str, str]
    late: tuple[Instr, ...]
    check: tuple[str, ...]
    disjoint: list[str]
    plain: list[str]
    outs: list[tuple[Instr, str, str]]

    def branch(self) -> str:
        """Return the branch to both blocks."""
        return build.branch(self.check[-1].partition(" = ")[0], *self.labels[:2])

    def phis(self) -> Iterator[str]:
        """Yield what puts together what both blocks give."""
        first, second, _ = self.labels
        for i, x, y in self.outs:
            yield build.phi(i.type, ((f"%{x}", first), (f"%{y}", second))).line(i.name)


def split(graph: Graph, label: str, names: Iterator[str]) -> Split:
    """Return a block as two; raises :class:`Left` for one that is none."""
    extents = Extents(graph, label)
    late, values = extents.late, [i.name for i in extents.late if i.name]
    require(bool(extents.pairs), "nothing that it writes may be read through another address")
    first, second, behind = next(names), next(names), next(names)
    check = extents.check(names)
    plain, disjoint = (dict(zip(values, names, strict=False)) for _ in range(2))
    return Split(
        graph,
        label,
        (first, f"{UNLIKELY}{second.rpartition('.')[2]}", behind),
        late,
        check,
        Disjoint(extents, disjoint, names).lines(),
        [*copy(late, plain)],
        [(i, disjoint[i.name], plain[i.name]) for i in outputs(graph.function.view, late)],
    )
