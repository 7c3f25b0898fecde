"""Which loops of a function seem to store to a slot of its own, and which to load that."""

from __future__ import annotations

from collections.abc import Iterable

from frontends.llvm.passes.witness import Slots
from frontends.llvm.text.ast import Instr
from frontends.llvm.text.view import View
from isel.cost.loops import loops_of


def slots_of(view: View) -> Slots:
    """Return the loops around what stores to slots, and as many around what loads from them."""
    slots = ((i.name, _loops(view, i)) for i in view.blocks[0].instrs if i.opcode == "alloca")
    return {name: loops for name, loops in slots if loops}


def _loops(view: View, slot: Instr) -> list[tuple[str, str]]:
    later, first = (_around(view, slot, x) for x in ("load", "store"))
    first = [c for c in first if c not in later]
    return list(zip(first, later[-len(first) :], strict=False)) if first else []


def _around(view: View, slot: Instr, opcode: str) -> list[str]:
    """Return the headers of the loops around what accesses a slot, the outer ones first."""
    at = {view.places[i.line] for i in _users(view, slot) if i.opcode == opcode}
    loops = loops_of(dict(enumerate(view.successors))) if at else ()
    return [view.blocks[c[0]].label for c in loops if at & {*c}]


def _users(view: View, slot: Instr) -> Iterable[Instr]:
    for i in view.used_by(slot.name):
        yield i
        yield from _users(view, i) if i.opcode == "getelementptr" else ()
