"""The import as a whole: the guide's XML in, ``.sem`` files out, every entry checked against
its own text and read back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from isel.spec.instruction import Immediate, Operand, Role
from semantics.importing.formulas import Body, Stage
from semantics.importing.patches import Patch
from semantics.importing.problems import SpecProblem
from semantics.importing.run import Import, Outcome, entry_of, head_of, import_of, in_turn
from semantics.importing.syntax import TextMistake
from semantics.importing.write import Entry, blocks
from semantics.x86.importer.features import llvm_features
from semantics.x86.importer.imported import import_entry
from semantics.x86.importer.numbers import differs_from_text
from semantics.x86.importer.patches import patched, unsupported
from semantics.x86.importer.spec import Intrinsic, has_vector, read_guide, selected
from semantics.x86.importer.stated import definitions, formula_for, lane_of, legal


def import_list(
    data: bytes,
    file: str,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Import:
    """Import a file of the Intrinsics Guide; mistakes are in ``problems`` and the rest is
    imported all the same.
    """
    guide = read_guide(data, file)
    firsts = {e.key: e for e in reversed(guide.entries) if selected(e)}  # of each key
    chosen = list(firsts.values())[::-1]
    names = entry_names(chosen)
    refused = {
        name: reason for e, name in zip(chosen, names, strict=True) if (reason := unsupported(e))
    }
    work = [(e, name) for e, name in zip(chosen, names, strict=True) if name not in refused]
    results = in_turn(
        work,
        lambda item: _one(*item, file),
        lambda item, why: SpecProblem(file, item[0].line, item[0].name, why),
        jobs,
        progress,
    )
    head = head_of("x86", f"the Intrinsics Guide {guide.version}\n#", data)
    counts = len(chosen), sum(map(has_vector, chosen))
    return import_of(results, guide.problems, refused, head, counts, guide.version)


def entry_names(chosen: Sequence[Intrinsic]) -> list[str]:
    """Return the names of entries: the intrinsic's, with the features after a point for the VEX
    twin of an EVEX instruction.
    """
    twice = {name for name, n in Counter(e.name for e in chosen).items() if n > 1}
    return [
        f"{e.name}.{'.'.join(llvm_features(e.cpuids))}"
        if e.name in twice and not any(c.startswith("AVX512") for c in e.cpuids)
        else e.name
        for e in chosen
    ]


def _one(original: Intrinsic, name: str, file: str) -> Outcome:
    formula = formula_for(original)
    if formula is not None:
        return _stated(original, name, file, formula)
    try:
        imported = import_entry(original)
    except TextMistake as mistake:
        text = patched(original)[0].operation
        line = original.operation_line + text.count("\n", 0, mistake.at)
        return SpecProblem(file, line, original.name, mistake.what)
    return entry_of(
        imported.form,
        (file, original.operation_line, original.name),
        name=name,
        key=original.key,
        patches=tuple(p.name for p in imported.patches),
        features=llvm_features(original.cpuids),
        mnemonic=_mnemonic(original),
        category=original.category,
    )


def _mnemonic(original: Intrinsic) -> str:
    mnemonic = original.instructions[0][0]
    return "v" + mnemonic if original.vex and not mnemonic.startswith("v") else mnemonic


def _stated(original: Intrinsic, name: str, file: str, formula: Patch) -> Entry | SpecProblem:
    """Return an entry whose formula is stated beside the importer, checked against the text as
    it runs on numbers.
    """
    width = original.result.element[1] or 64
    lanes = original.result.bits // width
    operands = tuple(
        Operand(p.name, 1, lanes, Role.MASK) if p.is_mask else Operand(p.name, width, lanes)
        for p in original.parameters
        if not p.is_immediate
    )
    names = [p.name for p in original.parameters]
    lane = lane_of(formula, lanes, width, names)
    body = Body(Stage("none"), (("", lane),), definitions(lane, lanes))
    entry = Entry(
        name,
        original.key,
        operands,
        tuple(Immediate(p.name, 32, legal(formula)) for p in original.parameters if p.is_immediate),
        width,
        lanes,
        body,
        (formula.name,),
        llvm_features(original.cpuids),
        _mnemonic(original),
        original.category,
    )
    ((_, block),) = blocks([entry])
    try:
        wrong = differs_from_text(block, original)
    except TextMistake as mistake:
        line = original.operation_line + original.operation.count("\n", 0, mistake.at)
        return SpecProblem(file, line, original.name, mistake.what)
    what = f"the stated formula differs: {wrong}"
    return SpecProblem(file, original.operation_line, original.name, what) if wrong else entry
