"""The import as a whole: Arm's list and the ASL files beside it in, ``.sem`` files out, every entry
read back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from isel.ir.expr import Expr, leaves
from semantics.arm.importer.assemble import words
from semantics.arm.importer.bind import Architecture, bound, statements
from semantics.arm.importer.encodings import read_encodings, read_functions
from semantics.arm.importer.execute import Machine, Undefined
from semantics.arm.importer.operands import NoRegister, choices, line, registers, templates
from semantics.arm.importer.patches import applied, corrected, patched, unsupported
from semantics.arm.importer.registers import UNKNOWN
from semantics.arm.importer.spec import Intrinsic, read_list
from semantics.arm.importer.values import as_bits
from semantics.importing.lanes import LaneForm, lane_form
from semantics.importing.problems import SpecProblem
from semantics.importing.run import Import, Outcome, beside, entry_of, head_of, import_of, in_turn
from semantics.importing.syntax import TextMistake
from semantics.importing.values import Inexact, low_bits

FILES: Final = ("arch_instrs.asl", "arch.asl")


@dataclass(frozen=True, slots=True)
class Encoded:
    """An entry with the words of its instruction by the immediates, and what it needs."""

    entry: Intrinsic
    corrections: tuple[str, ...]
    words: tuple[tuple[Mapping[str, int], int], ...]
    feature: str


def import_list(
    data: bytes,
    file: str,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Import:
    """Import Arm's list; mistakes are in ``problems`` and the rest is imported all the same.

    Raises :class:`FileProblem` without the ASL files in the list's folder.
    """
    asl = [beside(file, name, " and ".join(FILES)) for name in FILES]
    listed, problems = read_list(data, file)
    instructions, shared = (text.decode("utf-8", "replace") for text in asl)
    where = str(Path(file).with_name(FILES[0]))
    arch = Architecture(where, read_encodings(instructions), read_functions(shared))
    missing = {e.name: why for e in listed if (why := unsupported(e))}
    encoded, others = encode([corrected(e) for e in listed if e.name not in missing])
    missing.update(others)
    results = in_turn(
        encoded,
        lambda e: _one(e, arch),
        lambda e, why: SpecProblem(where, 1, e.entry.name, why),
        jobs,
        progress,
    )
    vectors = sum(any(p.is_vector for p in (e.result, *e.parameters)) for e in listed)
    head = head_of("arm", "Arm's list of intrinsics and ASL\n#", data, *asl)
    return import_of(results, problems, missing, head, (len(listed), vectors))


def encode(
    entries: Sequence[tuple[Intrinsic, tuple[str, ...]]],
) -> tuple[list[Encoded], dict[str, str]]:
    """Return the entries whose instruction the assembler takes, and why it does not take others."""
    tried = [
        (e, names, [(t, [(m, line(t, m)) for m in choices(e)]) for t in templates(e)])
        for e, names in entries
    ]
    known = words(text for _, _, forms in tried for _, lines in forms for _, text in lines)
    found: list[Encoded] = []
    missing: dict[str, str] = {}
    for e, names, forms in tried:
        done = next((lines for _, lines in forms if all(x in known for _, x in lines)), None)
        if done is None:
            missing[e.name] = f"the assembler does not take '{forms[0][1][0][1]}'"
            continue
        extensions = {known[x][1] for _, x in done} - {""}
        coded = tuple((m, known[x][0]) for m, x in done)
        found.append(Encoded(e, names, coded, next(iter(extensions), "")))
    return found, missing


def _one(e: Encoded, arch: Architecture) -> Outcome:
    entry = e.entry
    try:
        form, patches = imported(e, arch)
    except TextMistake as mistake:
        return SpecProblem(arch.file, mistake.at, entry.name, mistake.what)
    except (NoRegister, Undefined, Inexact) as problem:
        return SpecProblem(arch.file, 1, entry.name, str(problem) or "an encoding nobody decodes")
    return entry_of(
        form,
        (arch.file, 1, entry.name),
        name=entry.name,
        key=entry.key,
        patches=(*e.corrections, *patches),
        features=(e.feature or "neon",),
        mnemonic=entry.instructions[0].lower(),
        category=entry.group,
    )


def imported(e: Encoded, arch: Architecture) -> tuple[LaneForm, tuple[str, ...]]:
    """Return what an entry computes and the patches that its operation needed; raise
    :class:`TextMistake`, :class:`Undefined`, :class:`NoRegister` and :class:`Inexact`.
    """
    entry = e.entry
    legal = {a.name: a.legal[-1] for a in entry.arguments if a.legal}
    found = bound(arch, e.words, legal)
    if found is None:
        raise Undefined
    machine = Machine(registers(entry), arch.function)
    text = found.encoding.execute
    machine.run(statements(text, patched), dict(found.scope))
    result = next(
        (v for (kind, number), v in machine.registers.written.items() if number == 0), None
    )
    if result is None:
        raise Inexact("nothing written to the first register")
    whole = as_bits(result, entry.result.bits) if result.width < entry.result.bits else result

    def read(at: int, width: int) -> Expr:
        return low_bits(whole.cell.read(at, width), width)

    form = lane_form(entry, read, [width for width, _ in whole.cell.pieces.values()])
    if any(x.source.startswith(UNKNOWN) for x in leaves(*form.lanes)):
        raise Inexact("a result that holds bits of a register that no operand gives")
    changed = (*found.encoding.decode.lines, *text.lines)
    return form, applied("\n".join(changed))
