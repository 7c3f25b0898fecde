"""One entry of the guide, from its text to its lane form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from isel.ir.expr import Expr, elem
from semantics.importing.cells import Cell
from semantics.importing.lanes import LaneForm, lane_form
from semantics.importing.patches import Patch
from semantics.importing.syntax import TextMistake
from semantics.importing.values import Inexact, Value, low_bits, signed, unsigned
from semantics.x86.importer.execute import Machine
from semantics.x86.importer.parser import parse_operation
from semantics.x86.importer.patches import patched
from semantics.x86.importer.prelude import prelude
from semantics.x86.importer.spec import Intrinsic, Parameter, renamed


@dataclass(frozen=True, slots=True)
class Imported:
    """The patches that an entry's text needed, and what it computes."""

    patches: tuple[Patch, ...]
    form: LaneForm


def argument(p: Parameter) -> Value:
    """Return a parameter as the value of all its bits."""
    width = max(8, p.immwidth) if p.is_immediate else p.bits
    is_signed, element = p.element
    leaf = elem(p.name, 0, width)
    return signed(leaf) if is_signed and element == width else unsigned(leaf)


def result_cell(entry: Intrinsic, arguments: Mapping[str, Value]) -> Cell:
    """Execute an operation on given arguments; raise :class:`TextMistake`."""
    functions, tables = prelude()
    sizes = {p.name: p.bits for p in (*entry.parameters, entry.result) if not p.is_immediate}
    machine = Machine(
        functions, tables, sizes, {p.name: p.element for p in entry.parameters if p.is_vector}
    )
    scope = {name: Cell(value) for name, value in arguments.items()}
    returned = machine.run(parse_operation(entry.operation), scope)
    if returned is not None:
        return Cell(returned)
    found = scope.get(entry.result.name)
    if found is None:
        raise TextMistake(f"nothing assigned to '{entry.result.name}'", len(entry.operation))
    return found


def import_entry(original: Intrinsic) -> Imported:
    """Return what an entry computes; raise :class:`TextMistake`."""
    entry, patches = patched(renamed(original))
    cell = result_cell(entry, {p.name: argument(p) for p in entry.parameters})

    def read(at: int, width: int) -> Expr:
        return low_bits(cell.read(at, width), width)

    try:
        widths = [width for width, _ in cell.pieces.values()]
        return Imported(patches, lane_form(entry, read, widths))
    except Inexact as reason:
        raise TextMistake(f"the result: {reason}", len(entry.operation)) from None
