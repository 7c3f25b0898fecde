"""The import as a whole: the guide's XML in, ``.sem`` files out, every entry checked against
its own text and read back.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence

from isel import __version__
from isel.spec.instruction import Operand, Role
from semantics.importing.formulas import Body, Stage, body_of
from semantics.importing.nodes import TooLarge
from semantics.importing.problems import SpecProblem
from semantics.importing.run import (
    Import,
    Outcome,
    TooLong,
    check_entry,
    in_turn,
    left_out,
    texts,
    with_roles,
)
from semantics.importing.write import Entry, blocks
from semantics.x86.importer.features import llvm_features
from semantics.x86.importer.imported import import_entry
from semantics.x86.importer.numbers import differs_from_text
from semantics.x86.importer.patches import patched, unsupported
from semantics.x86.importer.spec import Guide, Intrinsic, has_vector, read_guide, selected
from semantics.x86.importer.stated import Formula, formula_for
from semantics.x86.importer.syntax import OperationMistake


def import_guide(
    data: bytes,
    file: str,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Import:
    """Import a file of the Intrinsics Guide; mistakes are in ``problems`` and the rest is
    imported all the same.
    """
    guide = read_guide(data, file)
    chosen = list({e.key: e for e in reversed(guide.entries) if selected(e)}.values())[
        ::-1
    ]  # the first of a key
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
    entries = tuple(r for r in results if isinstance(r, Entry))
    problems = (*guide.problems, *(r for r in results if isinstance(r, SpecProblem)))
    refused.update((r.name, r.reason) for r in results if isinstance(r, TooLong))
    vectors = sum(map(has_vector, chosen))
    missing = {**refused, **{p.intrinsic: p.what for p in problems if p.intrinsic}}
    table = left_out(_head(guide, data), len(chosen), vectors, missing)
    return Import(
        guide.version,
        texts(_head(guide, data), entries),
        table,
        entries,
        problems,
        refused,
        len(chosen),
        vectors,
    )


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
        body = body_of(imported.form)
    except OperationMistake as mistake:
        text = patched(original)[0].operation
        return SpecProblem(
            file,
            original.operation_line + text.count("\n", 0, mistake.at),
            original.name,
            mistake.what,
        )
    except TooLarge:
        return TooLong(name, "a formula that is too long to be of use")
    form = imported.form
    entry = Entry(
        name=name,
        key=original.key,
        operands=with_roles(form.operands, body),
        immediates=form.immediates,
        width=form.width,
        lanes=len(form.lanes),
        body=body,
        patches=tuple(p.name for p in imported.patches),
        features=llvm_features(original.cpuids),
        mnemonic=_mnemonic(original),
        category=original.category,
    )
    return check_entry(entry, form, (file, original.operation_line), original.name)


def _mnemonic(original: Intrinsic) -> str:
    mnemonic = original.instructions[0][0]
    return "v" + mnemonic if original.vex and not mnemonic.startswith("v") else mnemonic


def _stated(original: Intrinsic, name: str, file: str, formula: Formula) -> Entry | SpecProblem:
    """Return an entry whose formula is stated beside the importer, checked against the text as
    it runs on numbers.
    """
    width = original.result.element[1]
    lanes = original.result.bits // width
    operands = tuple(
        Operand(p.name, 1, lanes, Role.MASK) if p.is_mask else Operand(p.name, width, lanes)
        for p in original.parameters
    )
    body = Body(
        Stage("none"), (("", formula.lane(lanes, width)),), tuple(formula.definitions(lanes))
    )
    entry = Entry(
        name,
        original.key,
        operands,
        (),
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
    except OperationMistake as mistake:
        return SpecProblem(
            file,
            original.operation_line + original.operation.count("\n", 0, mistake.at),
            original.name,
            mistake.what,
        )
    return (
        SpecProblem(
            file, original.operation_line, original.name, f"the stated formula differs: {wrong}"
        )
        if wrong
        else entry
    )


def _head(guide: Guide, data: bytes) -> str:
    return (
        f"# Generated by 'isel semantics import x86' of isel {__version__} from the Intrinsics "
        f"Guide {guide.version}\n"
        f"# (sha256 {hashlib.sha256(data).hexdigest()}). Not to be edited.\n"
    )
