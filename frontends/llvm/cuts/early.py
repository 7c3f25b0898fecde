"""Blocks of the source that load first and write each byte once, as they may where no two of their
extents meet (:mod:`frontends.llvm.cuts.extents`).

Where two may, a guard stands before: it asks whether they do, of what is accessed in any case, so
that an address which is poison is undefined behaviour before and after.  A target may ask more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from frontends.llvm.cuts.extents import Disjoint, Extents, is_plain, late_of
from frontends.llvm.cuts.follow import Followed
from frontends.llvm.cuts.graph import Graph, Kind
from frontends.llvm.cuts.load_lanes import with_plain_loads
from frontends.llvm.passes.left import require
from frontends.llvm.text.ast import Function
from frontends.llvm.text.parse import with_lines
from frontends.llvm.text.rewording import rename


def with_early(found: Followed, graph: Graph) -> tuple[Function, frozenset[str]]:
    """Return what refines a function of which some blocks load first, and its guards; raises
    :class:`Left` where a block cannot.
    """
    function, names = found.function, found.function.view.free_names("isel.early")
    for block, guard in found.early.items():
        whole = Graph(function, graph.contents, graph.sizes)
        function = _early(with_plain_loads(whole, block, names), block, guard, names)
    guards = frozenset(found.early.values()) - {""}
    require(guards == found.guards, "a guard has nothing to ask")
    return function, guards


def _early(graph: Graph, block: str, guard: str, names: Iterator[str]) -> Function:
    """Return a function in which a block loads first."""
    body = [p for p in graph.body[block] if p.kind not in (Kind.PHI, Kind.SILENT, Kind.END)]
    require(all(map(is_plain, body)), "it does more than load, compute and store")
    late, known = tuple(late_of(body)), dict[str, str]()
    extents = Extents(graph, body, {i.name for i in late} - {""})
    check = list(extents.check(names))
    require(bool(check) == bool(guard), "extents may meet, or cannot")
    computed = extents.values.isdisjoint(p.instr.name for p in body)
    require(computed or not guard, "an address is computed in it")
    lines = Disjoint(extents, known, names).lines(late)
    first = [p.instr.text.strip() for p in body if p.instr not in late]
    end = graph.end(block).text.strip()
    phis = [rename(i.text.strip(), known) for i in graph.phis(block)]
    function = with_lines(graph.function, block, [*phis, *first, *lines, rename(end, known)])
    function = _rename(function, known, block)
    return _ask(function, block, guard, check) if guard else function


def _ask(function: Function, block: str, guard: str, check: Sequence[str]) -> Function:
    """Return a function that goes to a block where a check says so."""
    *before, branch = (i.text.strip() for i in function.view.block(guard).instrs)
    require(branch.startswith(f"br i1 poison, label %{block},"), "it is not what a guard is for")
    end = branch.replace("poison", check[-1].partition(" = ")[0], 1)
    return with_lines(function, guard, [*before, *check, end])


def _rename(function: Function, names: Mapping[str, str], block: str) -> Function:
    """Return a function in which what a block loads again is what it is known to be."""
    for b in function.blocks:
        lines = [rename(i.text.strip(), names) for i in b.instrs]
        if b.label != block and lines != [i.text.strip() for i in b.instrs]:
            function = with_lines(function, b.label, lines)
    return function
