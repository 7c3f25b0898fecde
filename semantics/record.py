"""What was found of each instruction by executing it and by proving its emission, kept beside the
semantics and read by ``coverage``.

A row holds for one text of the instruction: with another formula or emission its fingerprint
differs and the row counts for nothing.  ``python -m semantics.record ISA`` proves the emissions
again; ``isel semantics fuzz ISA -o`` executes.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from isel.model.verdict import Proved
from isel.shipped import rows_in
from isel.spec.instruction import Instruction
from isel.spec.sem_show import show_sem
from isel.spec.target import Target
from semantics.fuzz import FuzzReport

EXECUTED: Final = "executed.tsv"
PROVED: Final = "proved.tsv"
AGREES: Final = "agrees"
_PROOFS: Final = 16  # immediates of an instruction for which its emission is proved


@dataclass(frozen=True, slots=True)
class Row:
    """The outcome for one instruction (``agrees``, ``proved``, or what was otherwise), over
    ``cases`` operands or immediates.
    """

    name: str
    fingerprint: str
    cases: int
    outcome: str


@dataclass(frozen=True, slots=True)
class VendorCounts:
    """Counts of the entries of a vendor's list.

    Those imported, those of them that the shipped records show executed and agreeing, with a proved
    emission, with one that is a call of their own intrinsic, and with one that is their one
    instruction when compiled alone.  ``unsupported`` are the entries that are not imported, that no
    emission is known for, or that become other instructions, by reason.
    """

    specified: int
    imported: int
    tested: int
    agree: int
    emission_proved: int
    emission_calls: int
    emission_single: int
    unproved: Mapping[str, str]
    unsupported: Mapping[str, tuple[str, ...]]


def fingerprint(i: Instruction) -> str:
    """Return a hash of an instruction as its text says it, emission and features included."""
    return hashlib.sha256(show_sem(i).encode()).hexdigest()[:12]


def rows(isa: str, file: str) -> dict[str, Row]:
    """Return the rows of a record by name; none where there is no record."""
    path = files("semantics").joinpath(isa, file)
    cells = rows_in(path.read_text(encoding="utf-8") if path.is_file() else "")
    return {name: Row(name, mark, int(cases), outcome) for name, mark, cases, outcome in cells}


def current(target: Target, file: str) -> dict[str, Row]:
    """Return the rows that hold for the instructions as they are now."""
    found = rows(target.name, file)
    known = ((i, found[i.name]) for i in target.instructions() if i.name in found)
    return {i.name: row for i, row in known if row.fingerprint == fingerprint(i)}


def written(head: Sequence[str], found: Iterable[Row]) -> str:
    """Return the text of a record."""
    lines = [
        *(f"# {line}" for line in head),
        *(f"{r.name}\t{r.fingerprint}\t{r.cases}\t{r.outcome}" for r in found),
    ]
    return "\n".join(lines) + "\n"


def executed(target: Target, report: FuzzReport) -> str:
    """Return the record of an execution of every instruction."""
    lacking = {u.name: u.reason for u in report.untestable}
    agree = frozenset(report.agree)
    cases = dict(report.applications)
    outcome = {
        i.name: AGREES if i.name in agree else lacking.get(i.name, "disagrees")
        for i in target.instructions()
    }
    columns = "instruction, hash of its text, operands it was executed on, outcome"
    counts = f"{report.vectors} applications, {report.functions} instructions"
    head = (
        f"{columns}: isel semantics fuzz -o",
        f"seed {report.seed}, {counts} with their immediates",
    )
    every = target.instructions()
    rows = (Row(i.name, fingerprint(i), cases.get(i.name, 0), outcome[i.name]) for i in every)
    return written(head, rows)


def proved(target: Target) -> str:
    """Return the record of proofs that each emission refines its formula, for up to sixteen
    values of the immediates.
    """
    from semantics.proofs import provable, prove_emission
    from semantics.samples import immediate_choices

    found: list[Row] = []
    for i in provable(target):
        verdicts = [
            prove_emission(i, imm, target) for imm in immediate_choices(i.immediates, _PROOFS, 0)
        ]
        other = (str(v) for v in verdicts if not isinstance(v, Proved))
        outcome = next(other, "proved").replace("\t", " ").replace("\n", " ")
        found.append(Row(i.name, fingerprint(i), len(verdicts), outcome))
    head = (
        "instruction, hash of its text, immediates for which its emission was proved to refine its "
        "formula, outcome: python -m semantics.record"
    )
    return written([head], found)


def main() -> None:
    """Prove every emission of an instruction set and write the record."""
    from semantics import target_named

    (isa,) = sys.argv[1:]
    Path(str(files("semantics").joinpath(isa, PROVED))).write_text(
        proved(target_named(isa)), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
