"""The import as a whole: the list of intrinsics and the files beside it in, ``.sem`` files out,
every entry read back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from frontends.llvm.text.ast import Function
from isel.errors import FileProblem
from isel.ir.expr import Expr, elem, leaves
from isel.spec.instruction import Operand, Role
from semantics.hvx.importer.bodies import Compiled, compile_bodies, registers
from semantics.hvx.importer.execute import Branches, Machine, Object, Operated, Pointer
from semantics.hvx.importer.patches import definitions, patch_names
from semantics.hvx.importer.spec import (
    Intrinsic,
    listed_name,
    read_bodies,
    read_list,
    with_constants,
)
from semantics.hvx.importer.versions import LENGTH, first_versions
from semantics.importing.cells import Cell
from semantics.importing.lanes import LaneForm, lane_form
from semantics.importing.problems import SpecProblem
from semantics.importing.run import Import, Outcome, beside, entry_of, head_of, import_of, in_turn
from semantics.importing.simplify import picked
from semantics.importing.values import Inexact, low_bits, unsigned

BODIES: Final = "hvx_idef_expanded.json"
MACROS: Final = ("macros/macros.h", "macros/mmvec_macros.h")
_NEEDED: Final = f"{BODIES} and {' and '.join(MACROS)}"
_UNKNOWN: Final = "$unknown"  # bits of the result that nothing was assigned to


@dataclass(frozen=True, slots=True)
class Known:
    """An entry, its body, what a processor needs for it, and the definitions of macros."""

    entry: Intrinsic
    function: Function
    features: tuple[str, ...]
    macros: Mapping[str, str]


def import_list(
    data: bytes,
    file: str,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Import:
    """Import the list; mistakes are in ``problems`` and the rest is imported all the same.

    Raises :class:`FileProblem` without the bodies and the macros in the list's folder, and
    :class:`semantics.hvx.importer.bodies.NoClang`.
    """
    texts = [beside(file, name, _NEEDED) for name in (BODIES, *MACROS)]
    where = partial(_place, str(Path(file).with_name(BODIES)), texts[0])
    some, missing, problems = read_listing(data, file)
    specified = len(some) + len(missing)
    macros = "\n".join(text.decode("utf-8", "replace") for text in texts[1:])
    found, defined = compile_bodies(some, macros), definitions(macros)
    since, unknown = first_versions(some)
    missing.update(unknown)
    failed = ((e, found.failed[e.builtin]) for e in some if e.builtin in found.failed)
    problems += [SpecProblem(*where(e.builtin), e.name, why) for e, why in failed]
    results = in_turn(
        [k for e in some for k in _known(e, found, since, defined)],
        lambda k: _one(k, where(k.entry.builtin)),
        lambda k, why: SpecProblem(*where(k.entry.builtin), k.entry.name, why),
        jobs,
        progress,
    )
    head = head_of("hvx", "the list of HVX intrinsics\n# and QEMU's definitions", data, *texts)
    counts = specified, specified
    return import_of(results, problems, missing, head, counts, listed=listed_name)


def _known(
    e: Intrinsic, found: Compiled, since: Mapping[str, str], macros: Mapping[str, str]
) -> list[Known]:
    """Return an entry with its body, once for each of its constants; none without a body."""
    if e.builtin not in found.functions or e.name not in since:
        return []
    features = (LENGTH, since[e.name])
    return [Known(x, found.functions[e.builtin], features, macros) for x in with_constants(e)]


def read_listing(
    data: bytes, file: str
) -> tuple[list[Intrinsic], dict[str, str], list[SpecProblem]]:
    """Return the entries of the list with the bodies beside it, why others are left out, and
    mistakes; raise :class:`FileProblem`.
    """
    try:
        bodies = read_bodies(beside(file, BODIES, _NEEDED))
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        where = str(Path(file).with_name(BODIES))
        raise FileProblem(where, f"holds no bodies by name: {problem}") from None
    return read_list(data, file, bodies)


def _place(file: str, bodies: bytes, builtin: str) -> tuple[str, int]:
    """Return the file of the bodies and the line of one in it."""
    return file, bodies.count(b"\n", 0, max(0, bodies.find(f'"{builtin}"'.encode()))) + 1


def _one(k: Known, where: tuple[str, int]) -> Outcome:
    entry = k.entry
    try:
        form = form_of(k)
    except (Inexact, Branches) as problem:
        return SpecProblem(*where, entry.name, str(problem))
    return entry_of(
        replace(form, operands=_scalars(form.operands, entry)),
        (*where, entry.name),
        name=entry.name,
        key=entry.key,
        patches=patch_names(entry.body, k.macros),
        features=k.features,
        mnemonic=entry.mnemonic,
        category=entry.category,
    )


def _scalars(operands: tuple[Operand, ...], entry: Intrinsic) -> tuple[Operand, ...]:
    """Return the operands with elements of general registers marked as what they are."""
    words = {p.name for p in entry.parameters if p.c_type.startswith("Word")}
    return tuple(replace(o, role=Role.SCALAR) if o.name in words else o for o in operands)


def form_of(k: Known) -> LaneForm:
    """Return what an entry computes; raise :class:`Inexact` and :class:`Branches`.

    With an immediate it is executed once for each value, and a bit of the result is a choice.
    """
    entry = k.entry
    immediate = next((p for p in entry.parameters if p.legal), None)
    values = immediate.legal if immediate is not None else (0,)
    cells = [_execute(k, v) for v in values]
    count = (len(values) - 1).bit_length()
    index = low_bits(unsigned(elem(immediate.name, 0, 32)), count) if immediate else None

    def read(at: int, width: int) -> Expr:
        found = [low_bits(cell.read(at, width), width) for cell in cells]
        if index is None or all(x is found[0] for x in found):
            return found[0]
        return picked(found, index)

    pieces = [width for width, _ in cells[0].pieces.values()]
    form = lane_form(_viewed(entry, pieces), read, pieces)
    if any(x.source == _UNKNOWN for x in leaves(*form.lanes)):
        raise Inexact("a result of which not every bit is written")
    return form


def _viewed(entry: Intrinsic, pieces: Sequence[int]) -> Intrinsic:
    """Return an entry whose result has elements as it was assigned, where nothing else says."""
    result = entry.result
    if result.view[1] or len(set(pieces)) != 1 or not result.is_vector:
        return entry
    return replace(entry, result=replace(result, view=(False, pieces[0])))


def _execute(k: Known, value: int) -> Cell:
    """Return the result for a value of the immediate."""
    entry = k.entry
    result = Object(Cell(unsigned(elem(_UNKNOWN, 0, entry.result.bits))))
    by_register = {p.register: p for p in entry.parameters}
    arguments: dict[str, Operated] = {}
    for a, register in zip(k.function.arguments, registers(entry), strict=True):
        p = by_register.get(register)
        if register == entry.result.register:
            if p is not None:
                result.cell = Cell(unsigned(elem(p.name, 0, p.bits)))
            arguments[a.name] = Pointer(result)
        elif register in entry.constants:
            arguments[a.name] = entry.constants[register]
        elif p is None:
            raise Inexact(f"the register {register}, which is no operand")
        elif p.is_immediate:
            arguments[a.name] = value
        else:
            whole = unsigned(elem(p.name, 0, p.bits))
            in_memory = p.is_mask or p.c_type.startswith("HVX")
            arguments[a.name] = Pointer(Object(Cell(whole))) if in_memory else whole
    Machine(k.function, arguments).run()
    return result.cell
