"""Attributes that a function's own body keeps, whatever else is said of it: what it accesses,
whether it comes back, and where its pointers go.
"""

from __future__ import annotations

from typing import Final

from frontends.llvm.function.alias import Writes
from frontends.llvm.function.graph import Graph, Place, goes_on
from frontends.llvm.paths.heads import may_access
from frontends.llvm.text.ast import Instr, Local
from frontends.llvm.text.view import View

_ONLY: Final = {"load": "readonly", "store": "writeonly"}


def keeps(graph: Graph, argument: str, said: str) -> bool:
    """Tell whether a body that calls nothing but what computes keeps an attribute of an argument,
    or of the function (``""``).
    """
    places = [p for body in graph.body.values() for p in body]
    if not all(map(_is_plain, places)):
        return False
    match said.partition("(")[0]:
        case "nocallback" | "nofree" | "norecurse" | "nosync" | "nounwind":
            return True
        case "mustprogress" | "willreturn":
            return not any(k in after for k, after in enumerate(graph.function.view.after))
        case "captures":
            return not _is_passed_on(graph.function.view, argument)
        case "memory" | "readnone" | "readonly" | "writeonly":
            writes = Writes(graph)
            return all(_may(said, argument, p.instr, writes) for p in places)
    return False


def _is_plain(p: Place) -> bool:
    return goes_on(p) or p.instr.opcode == "alloca"


def _may(said: str, argument: str, i: Instr, writes: Writes) -> bool:
    """Tell whether an attribute allows what an instruction accesses; a slot of the stack does not
    count.
    """
    if i.opcode not in ("load", "store"):
        return True
    address = writes.addresses.of(i.operands[-1])
    at = writes.object(address.base) if address is not None else ""
    if argument:
        return at not in ("", f"%{argument}") or said == _ONLY[i.opcode]
    slot = at[:1] == "%" and at[1:] not in writes.graph.arguments
    kinds = ("argmem",) if at[:1] == "%" else ("other",) if at else ("argmem", "other")
    return slot or all(may_access(said, k)[i.opcode == "store"] for k in kinds)


def _is_passed_on(view: View, argument: str) -> bool:
    """Tell whether a pointer is used for more than to read and write through it."""
    waiting, seen = [argument], set[str]()
    while waiting:
        seen.add(name := waiting.pop())
        for i in view.used_by(name):
            if i.opcode in ("getelementptr", "phi", "select"):
                waiting += {i.name} - seen
            elif i.opcode != "load" and (
                i.opcode != "store" or i.operands[0] == Local(name, i.operands[0].type)
            ):
                return True
    return False
