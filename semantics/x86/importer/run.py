"""The import as a whole: the guide's XML in, ``.sem`` files out, every entry checked against
its own text and read back.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from isel import __version__
from isel.spec.instruction import Operand, Role
from isel.workers import Failed, Pool
from semantics.x86.importer.check import difference, differs_from_text
from semantics.x86.importer.features import llvm_features
from semantics.x86.importer.formulas import Body, Stage, body_of, index_operands
from semantics.x86.importer.imported import import_entry
from semantics.x86.importer.nodes import TooLarge
from semantics.x86.importer.patches import patched, unsupported
from semantics.x86.importer.spec import (
    Guide,
    Intrinsic,
    SpecProblem,
    has_vector,
    read_guide,
    selected,
)
from semantics.x86.importer.stated import Formula, formula_for
from semantics.x86.importer.syntax import OperationMistake
from semantics.x86.importer.write import Entry, blocks

_LONGEST: Final = 30000  # characters of one block
_CHUNK: Final = 4
_ROUND: Final = 640
LEFT_OUT: Final = "left_out.tsv"


@dataclass(frozen=True, slots=True)
class Import:
    """What was made of a file: ``.sem`` texts by name, the entries, mistakes, and what is known not
    to be supported and why.

    ``specified`` counts the selected entries, ``vectors`` those of them with a vector operand or
    result; ``left_out`` is the table of those that were not imported.
    """

    version: str
    files: Mapping[str, str]
    left_out: str
    entries: tuple[Entry, ...]
    problems: tuple[SpecProblem, ...]
    unsupported: Mapping[str, str]
    specified: int
    vectors: int


@dataclass(frozen=True, slots=True)
class TooLong:
    """An entry that is understood, but whose formula is too long to be written, and how long it
    is.
    """

    name: str
    reason: str


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
    results: list[Entry | SpecProblem | TooLong] = []
    with Pool(jobs) as pool:
        for start in range(0, len(work), _ROUND):
            part = [
                work[k : k + _CHUNK] for k in range(start, min(start + _ROUND, len(work)), _CHUNK)
            ]
            for items, found in zip(
                part,
                pool.map(lambda items: [_one(e, name, file) for e, name in items], part),
                strict=True,
            ):
                if isinstance(found, Failed):
                    results.extend(
                        SpecProblem(file, e.line, e.name, f"the worker died: {found.reason}")
                        for e, _ in items
                    )
                else:
                    results.extend(found)
            progress(min(start + _ROUND, len(work)), len(work))
    entries = tuple(r for r in results if isinstance(r, Entry))
    problems = (*guide.problems, *(r for r in results if isinstance(r, SpecProblem)))
    refused.update((r.name, r.reason) for r in results if isinstance(r, TooLong))
    vectors = sum(map(has_vector, chosen))
    missing = {**refused, **{p.intrinsic: p.what for p in problems if p.intrinsic}}
    table = left_out(_head(guide, data), len(chosen), vectors, missing)
    return Import(
        guide.version,
        texts(guide, data, entries),
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


def _one(original: Intrinsic, name: str, file: str) -> Entry | SpecProblem | TooLong:
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
        operands=_with_roles(form.operands, body),
        immediates=form.immediates,
        width=form.width,
        lanes=len(form.lanes),
        body=body,
        patches=tuple(p.name for p in imported.patches),
        features=llvm_features(original.cpuids),
        mnemonic=_mnemonic(original),
        category=original.category,
    )
    ((_, block),) = blocks([entry])
    if len(block) > _LONGEST:
        return TooLong(name, f"a formula of {len(block)} characters, expected at most {_LONGEST}")
    wrong = difference(block, form)
    return (
        SpecProblem(
            file, original.operation_line, original.name, f"the text read back differs: {wrong}"
        )
        if wrong
        else entry
    )


def _with_roles(operands: tuple[Operand, ...], body: Body) -> tuple[Operand, ...]:
    indices = index_operands(body.kinds)
    return tuple(
        replace(o, role=Role.INDEX) if o.role is Role.IN and o.name in indices else o
        for o in operands
    )


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


def texts(guide: Guide, data: bytes, entries: Sequence[Entry]) -> dict[str, str]:
    """Return the files, one a category of the guide, each with a header."""
    head = _head(guide, data)
    by_file: dict[str, list[str]] = {}
    for category, block in blocks(entries):
        by_file.setdefault(re.sub(r"\W+", "_", category.lower()).strip("_") or "other", []).append(
            block
        )
    return {f"{name}.sem": "\n".join([head, *by_file[name]]) for name in sorted(by_file)}


def _head(guide: Guide, data: bytes) -> str:
    return (
        f"# Generated by 'isel semantics import x86' of isel {__version__} from the Intrinsics "
        f"Guide {guide.version}\n"
        f"# (sha256 {hashlib.sha256(data).hexdigest()}). Not to be edited.\n"
    )


def left_out(head: str, specified: int, vectors: int, reasons: Mapping[str, str]) -> str:
    """Return the table of the selected entries that are not imported, with the reason of each."""
    counts = f"# specified {specified}, with a vector {vectors}; not imported, and why:\n"
    rows = (f"{name}\t{reason}\n" for name, reason in reasons.items())
    return head + counts + "".join(rows)
