"""How reasons name instructions and values."""

from __future__ import annotations

from frontends.llvm.function.graph import Graph
from frontends.llvm.text.ast import Instr, Local, Operand


def key_of(graph: Graph, o: Operand | None) -> object:
    """Return what the instruction of a value says apart from its operands, None for others."""
    place = graph.place(o)
    return None if place is None else graph.shape(place.instr).key


def said_of(i: Instr) -> str:
    """Return the text of an instruction, cut where it is long."""
    text = i.text.strip()
    return text if len(text) <= 80 else text[:77] + "..."


def value_of(o: Operand) -> str:
    """Return how a value is called."""
    return f"%{o.name}" if isinstance(o, Local) else "a constant"
