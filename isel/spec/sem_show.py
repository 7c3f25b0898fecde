"""Print one instruction as a block of the ``.sem`` language without loops; reading it back
gives the same instruction.
"""

from __future__ import annotations

from collections.abc import Iterator

from isel.spec.instruction import Immediate, Instruction, runs_text
from isel.spec.lanes import Bindings, LaneFunction
from isel.spec.sem_family import calling
from isel.spec.sem_syntax import Node, show_node


def show_sem(instruction: Instruction) -> str:
    """Return the block; raises ``TypeError`` for an instruction that was not read from the
    language.
    """
    lane = instruction.lane
    if not isinstance(lane, LaneFunction):
        raise TypeError(f"'{instruction.name}' was not read from a .sem file")
    return "\n  ".join([f"instruction {instruction.name}", *_lines(instruction, lane)]) + "\n"


def patched(instruction: Instruction) -> tuple[str, ...]:
    """Return the names of the corrections of the vendor's text that an instruction was imported
    with.
    """
    lane = instruction.lane
    named = lane.family.patched if isinstance(lane, LaneFunction) else None
    return tuple(named.text.split()) if named else ()


def _lines(i: Instruction, lane: LaneFunction) -> Iterator[str]:
    family, bound = lane.family, lane.bound
    p = lane.predication
    declared = {s.name for s in family.operands}
    for o in i.operands:
        if o.name in declared:
            yield f"{o.role.value} {o.name}: {o.lanes} x {o.width}"
    for m in i.immediates:
        yield f"imm {m.name}: {m.width} in {ranges(m)}"
    for name, table in family.tables:
        yield f"table {name}: {table.width} = {' '.join(map(str, table.values))}"
    yield f"result {i.lanes} x {i.width}"
    for name, node in family.definitions:
        yield f"where {name} = {_bound(node, bound)}"
    for condition, formula in family.kinds:
        when = "" if condition is None else f"when {_bound(condition, bound)}: "
        yield f"lane {when}{_bound(formula, bound)}"
    if p.kind != "none":
        names = f"{p.mask}, {p.source}" if p.kind == "merge" else p.mask
        yield f"predication {p.kind}({names})"
    yield f"features {' '.join(sorted(i.features))}"
    yield f"mnemonic {i.mnemonic}"
    if family.patched:
        yield f"patched {family.patched.text}"
    if i.call:
        yield f"call {i.call}"
        if i.emission == calling(i.call, i.operands, i.immediates, i.lanes, i.width):
            return
    for line in _unstaged(i, p.kind):
        yield f"emit {line}"


def _bound(node: Node, bound: Bindings) -> str:
    return show_node(node, lambda name: str(bound.get(name, name)))


def ranges(m: Immediate) -> str:
    """Return the legal values of an immediate as the language writes them."""
    return runs_text(m.values, ", ")


def _unstaged(i: Instruction, predication: str) -> tuple[str, ...]:
    if predication == "none" or not i.emission or not i.emission[-2:][0].startswith("%plain ="):
        return i.emission
    return (*i.emission[:-2], i.emission[-2].replace("%plain =", "%r =", 1))
