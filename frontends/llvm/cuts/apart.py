"""Values whose lanes are undef each by itself: any lanes that looks at one may see are what one
look may see together.

That is so of memory as the caller gave it, of scalars, and of what is made of such values lane by
lane: each operand of an instruction is a look of its own.  It is not so where one choice shows in
several lanes: a scalar condition, an element that a shuffle repeats, a wide lane taken to pieces.
"""

from __future__ import annotations

from typing import Final

from frontends.llvm.cuts.block_memory import Regions
from frontends.llvm.function.graph import INTEGERS, Graph, Kind
from frontends.llvm.text.ast import Instr, Literal, Local, Operand
from frontends.llvm.text.syntax import shape_of
from isel.ir.expr import Expr

_LANEWISE: Final = frozenset((*INTEGERS, "call", "insertelement"))


class Apart:
    """Which leaves of the source are undef unit by unit."""

    def __init__(self, source: Graph, regions: Regions) -> None:
        self._source = source
        self._regions = regions
        self._names = {f"r{n}": name for name, n in source.numbers.items()}
        self._known: dict[str, bool] = {}

    def memory(self, what: str) -> bool:
        """Tell whether leaves are units of memory as the caller gave it."""
        return self._regions.given(what)

    def lane(self, what: str, x: Expr) -> bool:
        """Tell whether a leaf is a whole lane of a value whose lanes are undef each by itself."""
        name = self._names.get(what)
        place = self._source.places.get(name) if name is not None else None
        bits = shape_of(place.instr.type)[1] if place is not None else 0
        if name is None or not bits or (x.width, x.offset % bits) != (bits, 0):
            return False
        return self._holds(name)

    def _holds(self, name: str) -> bool:
        waiting = [name]
        while waiting:
            top = waiting[-1]
            todo = [] if top in self._known else self._find_unknown(top)
            if not todo:
                waiting.pop()
            waiting += todo
        return self._known[name]

    def _find_unknown(self, name: str) -> list[str]:
        """Return operands to be looked at first; note what a value is where there are none."""
        place = self._source.places.get(name)
        if place is None or place.kind is not Kind.FUNCTION:
            lies = self._regions.read(name)
            self._known[name] = lies is not None and self._regions.given(lies.region.name)
            return []
        if not self._follows(place.instr):
            self._known[name] = False
            return []
        wide = [o for o in place.instr.operands if _is_vector(o) and not isinstance(o, Literal)]
        names = [o.name for o in wide if isinstance(o, Local)]
        todo = [n for n in names if n not in self._known]
        if not todo:
            self._known[name] = len(names) == len(wide) and all(self._known[n] for n in names)
        return todo

    def _follows(self, i: Instr) -> bool:
        """Tell whether no choice of an operand shows in two lanes of the result."""
        match i.opcode:
            case "shufflevector":
                read = [m for m in i.mask if m is not None]
                return len(set(read)) == len(read)
            case "bitcast":
                mine, theirs = shape_of(i.type)[1], shape_of(i.operands[0].type)[1]
                return theirs > 0 == mine % theirs
            case "select":
                return _is_vector(i.operands[0])
            case "insertelement":
                return isinstance(i.operands[-1], Literal)
        return i.opcode in _LANEWISE


def _is_vector(o: Operand) -> bool:
    return shape_of(o.type)[0] != 1
