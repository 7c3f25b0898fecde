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
from semantics.importing.formulas import Body, index_operands
from semantics.importing.lanes import LaneForm
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


def check_entry(entry: Entry, form: LaneForm, place: tuple[str, int], name: str) -> Outcome:
    """Return an entry whose block, read back, is its form; ``place`` and ``name`` are the vendor's,
    for what differs.
    """
    ((_, block),) = blocks([entry])
    if len(block) > _LONGEST:
        return TooLong(
            entry.name, f"a formula of {len(block)} characters, expected at most {_LONGEST}"
        )
    wrong = difference(block, form)
    return SpecProblem(*place, name, f"the text read back differs: {wrong}") if wrong else entry


def read_beside(path: Path, files: str) -> bytes:
    """Return a file that belongs, with the other ``files``, beside a list; raises
    :class:`FileProblem`.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise FileProblem(str(path), f"is missing: {files} belong beside the list") from None
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
