"""Values that every look sees alike, unless they are poison: none of their lanes is undef.

Undef comes from somewhere: an operand, an argument, memory or a call that may hold it.  What is
computed of values without it has none, for flags, amounts and indices out of range make poison.  A
phi has none if nothing that may come to it has: by induction over what is executed.
"""

from __future__ import annotations

from typing import Final

from frontends.llvm.function.graph import Graph, Kind
from frontends.llvm.meaning.limits import SETTLED_CONE
from frontends.llvm.text.ast import Literal, Local, Operand

_COMPUTED: Final = (Kind.FUNCTION, Kind.DIVISION, Kind.PHI)


class Settled:
    """Which values of a function are poison or not undef."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[str, bool] = {}

    def holds(self, name: str) -> bool:
        """Tell whether a value is poison or not undef wherever it may be used."""
        if name not in self._known:
            cone = self._cone(name)
            self._known.update(dict.fromkeys(cone or (name,), bool(cone)))
        return self._known[name]

    def _cone(self, name: str) -> set[str]:
        """Return all that a value is not undef without, nothing if it may be undef."""
        seen, waiting = {name}, [name]
        while waiting:
            below = self._below(waiting.pop())
            if below is None or len(seen) > SETTLED_CONE:
                return set()
            new = [n for n in below if n not in seen and not self._known.get(n, False)]
            seen.update(new)
            waiting += new
        return seen

    def has_promise(self, name: str) -> bool:
        """Tell whether a value is neither undef nor poison: what breaks a promise of that is
        undefined behaviour.
        """
        k, place = self._graph.arguments.get(name), self._graph.places.get(name)
        if k is not None or place is None:
            return k is not None and "noundef" in self._graph.function.arguments[k].attributes
        i = place.instr
        said = i.opcode in ("freeze", "alloca") or "noundef" in (*i.attributes, *dict(i.metadata))
        return i.known and said

    def _below(self, name: str) -> list[str] | None:
        """Return values that this one is not undef without, None if it may be undef anyhow."""
        if self.has_promise(name):
            return []
        place = self._graph.places.get(name)
        if place is None or not place.instr.known:
            return None
        i = place.instr
        values = i.operands[1:] if i.opcode == "getelementptr" else i.operands  # behind its type
        if place.kind not in _COMPUTED or None in i.mask or not all(map(_is_followed, values)):
            return None
        return [o.name for o in values if isinstance(o, Local)]


def _is_followed(o: Operand) -> bool:
    """Tell whether an operand is a value, a block, or a constant that is not undef."""
    if isinstance(o, Literal):
        return all(isinstance(x, int) or x == "poison" for x in o.lanes)
    return isinstance(o, Local) or str(o.type) == "label"
