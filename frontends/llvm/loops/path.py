"""What may write between two loads of the same bytes, on any path from the one to the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from frontends.llvm.splicing.loads import may_write
from frontends.llvm.text.ast import Function, Instr, Local, Symbol
from frontends.llvm.text.identity import Contents

_NODE: Final = re.compile(r"!\d+")


@dataclass(frozen=True, slots=True)
class Paths:
    """The paths of one function, and which of its stores go elsewhere."""

    function: Function
    said: Contents

    def between(self, load: Instr, edge: str, then: Instr, block: str) -> Iterator[Instr]:
        """Yield what may be executed between a load and a later instruction of ``block``: in the
        block alone, or coming into it by ``edge``.
        """
        view = self.function.view
        here = view.block(block).instrs
        if not edge:
            yield from (i for i in here if load.line < i.line < then.line)
            return
        yield from (i for i in here if i.line < then.line)
        yield from self._since(load, view.numbers[edge])

    def _since(self, load: Instr, block: int) -> Iterator[Instr]:
        """Yield what may be executed between a load and the end of a block."""
        view, waiting = self.function.view, [block]
        seen = set(waiting)
        while waiting:
            k = waiting.pop()
            instrs = view.blocks[k].instrs
            at = next((k for k, i in enumerate(instrs) if i is load), -1)
            yield from instrs[at + 1 :]
            if at < 0:
                new = [x for x in view.predecessors[k] if x not in seen]
                seen.update(new)
                waiting += new

    def writer(
        self, load: Instr, edge: str, then: Instr, block: str, apart: Callable[[Instr, Instr], bool]
    ) -> Instr | None:
        """Return an instruction between them that may write what the load has read; ``apart``
        tells of a store of the block whether it is a constant away from what is read.
        """
        for i in self.between(load, edge, then, block):
            if not may_write(i, self.said):
                continue
            masked = i.opcode == "call" and i.callee.startswith("llvm.masked.store.")
            if not i.known or not (masked or i.opcode == "store"):
                return i
            if not (self._elsewhere(load, i) or self._is_scoped(load, i) or apart(load, i)):
                return i
        return None

    def _elsewhere(self, load: Instr, store: Instr) -> bool:
        one, other = self._root(load.operands[0]), self._root(store.operands[1])
        given = {a.name: "noalias" in a.attributes for a in self.function.arguments}
        return (
            bool(one and other)
            and one != other
            and (given.get(one, False) or given.get(other, False))
        )

    def _root(self, o: object) -> str:
        """Return the argument or stack slot that a pointer is computed from, or a global's name;
        empty if it may be several.
        """
        seen: set[str] = set()
        while isinstance(o, Local):
            i = self.function.view.defs.get(o.name)
            if i is None or i.opcode == "alloca":
                return o.name
            if not i.known or i.name in seen:
                return ""
            seen.add(i.name)
            o = self._above(i)
        return o.text if isinstance(o, Symbol) and o.text[:1] == "@" else ""

    def _above(self, i: Instr) -> object:
        """Return the one pointer that another is computed from: of a phi what it begins with."""
        if i.opcode == "getelementptr":
            return i.operands[1]
        given = i.operands[::2] if i.opcode == "phi" else ()
        begins = [x for x in given if not self._is_derived(x, i.name)]
        return begins[0] if len(begins) == 1 else None

    def _is_derived(self, o: object, phi: str) -> bool:
        """Tell whether a pointer is steps from a phi."""
        while isinstance(o, Local) and o.name != phi:
            i = self.function.view.defs.get(o.name)
            if i is None or i.opcode != "getelementptr" or not i.known:
                return False
            o = i.operands[1]
        return isinstance(o, Local)

    def _is_scoped(self, load: Instr, store: Instr) -> bool:
        a, b = dict(load.metadata), dict(store.metadata)
        return self._outside(a, b) or self._outside(b, a)

    def _outside(self, one: Mapping[str, str], other: Mapping[str, str]) -> bool:
        scopes, others = (
            self._nodes(one.get("alias.scope", "")),
            self._nodes(other.get("noalias", "")),
        )
        return bool(scopes) and set(scopes) <= set(others)

    def _nodes(self, text: str) -> list[str]:
        return _NODE.findall(self.said.named.get(text, text))
