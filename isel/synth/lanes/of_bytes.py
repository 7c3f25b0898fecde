"""Ways to produce a byte, or a bit for one, that are solved for and not searched: matrices over
GF(2) and tables.
"""

from __future__ import annotations

from collections.abc import Iterator

from isel.ir.expr import nodes
from isel.model.mechanisms import enabled
from isel.synth.edges.bytewise import Bytewise, bytewise
from isel.synth.edges.lookups import Way, indices, lookup_edges
from isel.synth.instructions.library import Library
from isel.synth.limits import BYTE
from isel.synth.values.questions import Question


def byte_ways(library: Library, question: Question, least: int = 0) -> Iterator[Way]:
    """Yield ways to produce a term, with ``least`` only a choice of as many terms: each application
    is of those before it, the last gives it.
    """
    term, off = question.term, not enabled(question.disabled, "lookups")
    if off or (least and (term.op != "ite" or len(nodes(term)) < least)):
        return
    if term.width == BYTE:
        from isel.synth.edges.matrices import matrix_edges

        yield from ((found,) for found in matrix_edges(library.functions, term))
    if not library.permutes:
        return
    f = bytewise(term, question.facts)
    if f is not None:
        yield from lookups(library, f, term.width)


def lookups(library: Library, f: Bytewise, width: int) -> Iterator[Way]:
    """Yield lookups among few that give a term of ``width`` bits, else what they are joined to and
    lookups among more.
    """
    every = indices(library.tables.small, f)
    found = list(lookup_edges(every, f)) if width == BYTE else []
    yield from found
    if not found and not f.table:
        from isel.synth.edges.two_tables import pair_edges, set_edges

        yield from set_edges(every, f, width)
        yield from pair_edges(every, f) if width == BYTE else ()
    for lookup in library.tables.large if width == BYTE and not found else ():
        yield from lookup_edges(indices((lookup,), f), f)
