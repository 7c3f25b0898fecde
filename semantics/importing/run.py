"""An import as a whole: entries worked on in processes, every block read back, files with a header,
and a table of what is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from isel.errors import FileProblem, file_problem
from isel.spec.instruction import Operand, Role
from isel.workers import Failed, Pool
from semantics.importing.check import difference
from semantics.importing.formulas import Body, body_of, index_operands
from semantics.importing.lanes import LaneForm
from semantics.importing.nodes import TooLarge
from semantics.importing.problems import SpecProblem
from semantics.importing.write import Entry, blocks

_LONGEST: Final = 30000  # characters of one block
_CHUNK: Final = 4
_ROUND: Final = 640
LEFT_OUT: Final = "left_out.tsv"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Import:
    """What was made of a file: ``.sem`` texts by name, the entries, mistakes, and what is known not
    to be supported and why.

    ``specified`` counts the selected entries, ``vectors`` those of them with a vector operand or
    result; ``left_out`` is the table of those that were not imported.  ``further`` counts what is
    in ``entries`` beyond one for each that was selected, where constants make several of one.
    """

    version: str
    files: Mapping[str, str]
    left_out: str
    entries: tuple[Entry, ...]
    problems: tuple[SpecProblem, ...]
    unsupported: Mapping[str, str]
    specified: int
    vectors: int
    further: int = 0

    @property
    def imported(self) -> int:
        """The number of the selected entries that are in ``entries``."""
        return len(self.entries) - self.further


@dataclass(frozen=True, slots=True)
class TooLong:
    """An entry that is understood, but whose formula is too long to be written, and how long it
    is.
    """

    name: str
    reason: str


Outcome: TypeAlias = Entry | SpecProblem | TooLong


def in_turn(
    work: Sequence[T],
    one: Callable[[T], Outcome],
    died: Callable[[T, str], SpecProblem],
    jobs: int,
    progress: Callable[[int, int], None],
) -> list[Outcome]:
    """Return the outcome of each piece of work, done by ``jobs`` processes; ``died`` says what a
    lost one is.
    """
    results: list[Outcome] = []
    with Pool(jobs) as pool:
        for start in range(0, len(work), _ROUND):
            part = [
                work[k : k + _CHUNK] for k in range(start, min(start + _ROUND, len(work)), _CHUNK)
            ]
            for items, found in zip(
                part, pool.map(lambda items: [one(x) for x in items], part), strict=True
            ):
                if isinstance(found, Failed):
                    results.extend(died(x, f"the worker died: {found.reason}") for x in items)
                else:
                    results.extend(found)
            progress(min(start + _ROUND, len(work)), len(work))
    return results


def entry_of(
    form: LaneForm,
    place: tuple[str, int, str],
    *,
    name: str,
    key: tuple[str, tuple[str, ...]],
    patches: tuple[str, ...],
    features: tuple[str, ...],
    mnemonic: str,
    category: str,
) -> Outcome:
    """Return the entry of a form, whose block, read back, is the same; a problem at its ``place``
    (file, line and intrinsic) where it is not.
    """
    try:
        body = body_of(form)
    except TooLarge:
        return TooLong(name, "a formula that is too long to be of use")
    operands, lanes = with_roles(form.operands, body), len(form.lanes)
    entry = Entry(
        name, key, operands, form.immediates, form.width, lanes, body, patches, features, mnemonic,
        category,
    )  # fmt: skip
    ((_, block),) = blocks([entry])
    if len(block) > _LONGEST:
        return TooLong(name, f"a formula of {len(block)} characters, expected at most {_LONGEST}")
    wrong = difference(block, form)
    return SpecProblem(*place, f"the text read back differs: {wrong}") if wrong else entry


def import_of(
    results: Sequence[Outcome],
    problems: Sequence[SpecProblem],
    missing: Mapping[str, str],
    head: str,
    counts: tuple[int, int],
    version: str = "",
    listed: Callable[[str], str] = str,
) -> Import:
    """Return an import of its outcomes, earlier problems, and why others are missing; ``counts``
    are the selected entries and those with a vector, ``listed`` gives the vendor's name of one.
    """
    entries = tuple(r for r in results if isinstance(r, Entry))
    every = (*problems, *(r for r in results if isinstance(r, SpecProblem)))
    unsupported = {**missing, **{r.name: r.reason for r in results if isinstance(r, TooLong)}}
    reasons = {**unsupported, **{listed(p.intrinsic): p.what for p in every if p.intrinsic}}
    table = left_out(head, *counts, reasons)
    further = len(entries) - len({listed(e.name) for e in entries})
    return Import(
        version, texts(head, entries), table, entries, every, unsupported, *counts, further
    )


def beside(file: str, name: str, needed: str) -> bytes:
    """Return a file beside the vendor's list; raise :class:`FileProblem`, which says what is
    ``needed`` there.
    """
    path = Path(file).parent / name
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise FileProblem(str(path), f"is missing: {needed} belong beside the list") from None
    except OSError as error:
        raise file_problem(str(path), error) from None


def with_roles(operands: tuple[Operand, ...], body: Body) -> tuple[Operand, ...]:
    """Return the operands with those that choose among elements of others marked as indices."""
    indices = index_operands(body.kinds)
    return tuple(
        replace(o, role=Role.INDEX) if o.role is Role.IN and o.name in indices else o
        for o in operands
    )


def texts(head: str, entries: Sequence[Entry]) -> dict[str, str]:
    """Return the files, one a category of the vendor's, each with a header."""
    by_file: dict[str, list[str]] = {}
    for category, block in blocks(entries):
        by_file.setdefault(re.sub(r"\W+", "_", category.lower()).strip("_") or "other", []).append(
            block
        )
    return {f"{name}.sem": "\n".join([head, *by_file[name]]) for name in sorted(by_file)}


def left_out(head: str, specified: int, vectors: int, reasons: Mapping[str, str]) -> str:
    """Return the table of the selected entries that are not imported, with the reason of each."""
    counts = f"# specified {specified}, with a vector {vectors}; not imported, and why:\n"
    rows = (f"{name}\t{reason}\n" for name, reason in reasons.items())
    return head + counts + "".join(rows)
