"""``python -m tests.planted.rules``: faults of a line in what writes text for transforms, and in
rules and tables of the proof, held against it: what became of each (``--record`` writes it).

``rules.tsv`` says in which module what becomes what, and which case shows it when it is executed
(:mod:`tests.planted.cases`).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Final

from isel.errors import IselError
from isel.model.verdict import Proved
from tests.children import Done, in_children
from tests.frontends.llvm.transformed import do_the_same, transformed, verifies
from tests.planted.cases import changed, pair
from tests.transplant import replaced, transplant

TABLE: Final = Path(__file__).with_name("rules.tsv")
_HEAD: Final = ("what", "module", "old", "new", "case", "found")
_SECONDS: Final = 240.0


class What(StrEnum):
    """What a fault is in."""

    TEXT = "text"
    PROOF = "proof"


class Found(StrEnum):
    """What became of a module with a fault: only the first is wrong."""

    PROVED = "proved"
    REFUSED = "refused"
    UNREADABLE = "unreadable"
    SAME = "the same"


@dataclass(frozen=True, slots=True)
class Row:
    """A fault: in ``module`` the only occurrence of ``old`` becomes ``new``, which ``case`` shows;
    what was found of it last.
    """

    what: What
    module: str
    old: str
    new: str
    case: str
    found: Found

    @property
    def name(self) -> str:
        """Where it is and what it says."""
        return f"{self.module.removeprefix('frontends.llvm.')}: {self.new[:40]}"


def rows(path: Path = TABLE) -> list[Row]:
    """Return the table."""
    lines = [x for x in path.read_text().splitlines() if not x.startswith("#")]
    found = (x.split("\t") for x in lines[1:])
    return [Row(What(w), m, old, new, case, Found(f)) for w, m, old, new, case, f in found]


def write(found: Sequence[Row], path: Path = TABLE) -> None:
    """Write the table."""
    about = [x for x in path.read_text().splitlines() if x.startswith("#")]
    cells = [(r.what, r.module, r.old, r.new, r.case, r.found) for r in found]
    path.write_text("\n".join((*about, *map("\t".join, (_HEAD, *cells)))) + "\n")


def judge(row: Row) -> Found:
    """Plant a fault and tell what becomes of its case: in a child, as there is no way back."""
    return _judge_text(row) if row.what is What.TEXT else _judge_proof(row)


def _judge_text(row: Row) -> Found:
    case = changed(row.case)
    sound, _ = transformed(case.transform, case.text)
    _plant(row)
    try:
        after, verdict = transformed(case.transform, case.text)
    except IselError:
        return Found.UNREADABLE
    if after == sound or do_the_same(case.text, after, case.calls()):
        return Found.SAME
    return Found.PROVED if isinstance(verdict, Proved) else Found.REFUSED


def _judge_proof(row: Row) -> Found:
    case = pair(row.case)
    if do_the_same(case.before, case.after, case.calls()) or verifies(case.before, case.after):
        return Found.SAME  # nothing is shown
    _plant(row)
    return Found.PROVED if verifies(case.before, case.after) else Found.REFUSED


def _plant(row: Row) -> None:
    module = import_module(row.module)
    transplant(module, replaced(module, row.old, row.new))


def score(asked: Sequence[Row], *, jobs: int = 1) -> Iterator[Row]:
    """Yield the rows with what was found of them, in their order."""
    known = dict[int, Row]()
    for k, answer in in_children(judge, asked, jobs=jobs, seconds=_SECONDS):
        if not isinstance(answer, Done):
            raise RuntimeError(f"{asked[k].name}: {answer}")
        known[k] = replace(asked[k], found=answer.value)
    yield from (known[k] for k in range(len(asked)))


def main() -> int:
    """Print what was found; 1 where it is not what the table says."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted.rules", description=__doc__)
    parser.add_argument("--record", action="store_true", help="write what was found to the table")
    parser.add_argument("--only", default="", help="of modules that are called so")
    asked = parser.parse_args()
    every = rows()
    mine = [r for r in every if asked.only in r.module]
    found = dict(zip(mine, score(mine), strict=True))
    sys.stdout.writelines(f"{new.found:10} {new.what:5} {new.name}\n" for new in found.values())
    for what in What:
        counts = Counter(r.found.value for r in found.values() if r.what is what)
        sys.stdout.write(f"{what}: {dict(counts)}\n")
    if asked.record:
        write([found.get(r, r) for r in every])
    return int(any(r.found is not new.found for r, new in found.items()))


if __name__ == "__main__":
    sys.exit(main())
