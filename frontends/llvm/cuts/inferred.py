"""Attributes that a function's own body keeps, whatever else is said of it: of what it reads and
writes, whether it comes back, and where its pointers go.
"""

from __future__ import annotations

from typing import Final

from frontends.llvm.cuts.addresses import Addresses
from frontends.llvm.cuts.alias import Writes
from frontends.llvm.cuts.graph import Graph, Kind
from frontends.llvm.paths.heads import may_access
from frontends.llvm.text.ast import Instr, Local

_HERE: Final = ("nocallback", "nofree", "norecurse", "nosync", "nounwind")
_NEVER: Final = ("readnone", "readonly", "writeonly")
_PASSES: Final = ("getelementptr", "phi", "select")


class Inferred:
    """What is known of the body of a function that calls nothing but intrinsics which compute."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._instrs = [p.instr for body in graph.body.values() for p in body]
        self._writes = Writes(graph, Addresses(graph))

    def holds(self, argument: str, said: str) -> bool:
        """Tell whether an attribute of an argument, or of the function (``""``), is kept."""
        word = said.partition("(")[0]
        if not self._is_plain():
            return False
        if not argument:
            return (
                word in _HERE
                or (word in ("mustprogress", "willreturn") and not self._has_loop())
                or (word == "memory" and self._is_within(said))
            )
        if word in _NEVER:
            breach = (o for o, store in self._accesses() if said != _NEVER[1 + store])
            return {f"%{argument}", ""}.isdisjoint(breach)
        return word == "nofree" or (word == "captures" and self._stays(argument))

    def _is_plain(self) -> bool:
        return all(
            p.kind is not Kind.EFFECT
            or p.instr.opcode == "alloca"
            or (p.instr.opcode == "store" and p.instr.known and not p.instr.flags)
            for body in self._graph.body.values()
            for p in body
        )

    def _has_loop(self) -> bool:
        view = self._graph.function.view
        return any(k in after for k, after in enumerate(view.after))

    def _accesses(self) -> list[tuple[str, bool]]:
        """Return the object of each access, empty where it is not known, and whether it stores."""
        found = [(i, i.opcode == "store") for i in self._instrs if i.opcode in ("load", "store")]
        return [(self._object(i), store) for i, store in found]

    def _object(self, i: Instr) -> str:
        at = self._writes.addresses.of(i.operands[-1])
        return "" if at is None else self._writes.object(at.base)

    def _is_within(self, said: str) -> bool:
        """Tell whether ``memory(...)`` allows every access but those of slots of the stack."""
        given = {f"%{name}" for name in self._graph.arguments}
        return all(
            may_access(said, "argmem" if at in given else "other")[store]
            for at, store in self._accesses()
            if at in given or at[:1] != "%"
        )

    def _stays(self, argument: str) -> bool:
        """Tell whether a pointer is only read and written through."""
        names, size = {argument}, 0
        while size < len(names):
            size = len(names)
            names |= {i.name for i in self._instrs if i.opcode in _PASSES and self._uses(i, names)}
        return not any(
            self._uses(i, names, last=i.opcode in ("load", "store"))
            for i in self._instrs
            if i.opcode not in _PASSES
        )

    def _uses(self, i: Instr, names: set[str], *, last: bool = False) -> bool:
        """Tell whether an instruction has one of these values, but for its ``last`` operand."""
        of = i.operands[:-1] if last else i.operands
        return any(isinstance(o, Local) and o.name in names for o in of)
