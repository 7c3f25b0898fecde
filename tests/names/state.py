"""What a run has done: a line of JSON a case and seed in a file, so that a run that was ended goes
on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final

from tests.names.check import PROVED, REFUTED, UNKNOWN, Found

PAIR: Final = "pair"
MODULE: Final = "module"
NOT_RENAMED: Final = "NotRenamed"


@dataclass(frozen=True, slots=True)
class Row:
    """A case that was done: ``changes`` are answers that other names change, ``before -> after``
    and the reasons; of a module the first lines that differ.  ``asked`` tells whether solvers
    were asked something else; ``problem`` why there is no answer.
    """

    kind: str
    name: str
    seed: int
    changes: tuple[tuple[str, str, str], ...] = ()
    asked: bool = False
    problem: str = ""

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells rows apart."""
        return self.kind, self.name, self.seed

    @property
    def without_answer(self) -> bool:
        """Tell whether a half of it has no answer, though it can be renamed."""
        return bool(self.problem) and NOT_RENAMED not in self.problem


def compared(kind: str, name: str, seed: int, before: Found, after: Found) -> Row:
    """Return what differs of a case."""
    answers = zip(before.answers, after.answers, strict=True)
    found = [(f"{a[0]} -> {b[0]}", a[1], b[1]) for a, b in answers if a[0] != b[0]]
    texts = before.output.split("\n"), after.output.split("\n")
    found += [("output", x, y) for x, y in zip_longest(*texts, fillvalue="") if x != y][:1]
    return Row(kind, name, seed, tuple(found), before.asked != after.asked)


def read(path: Path) -> list[Row]:
    """Return the rows of a file; a line that was cut short is left out."""
    rows = []
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            fields = json.loads(line)
        except ValueError:
            continue
        rows.append(Row(**{**fields, "changes": tuple(map(tuple, fields["changes"]))}))
    return rows


def append(path: Path, row: Row) -> None:
    """Add a row."""
    with path.open("a") as out:
        out.write(json.dumps(asdict(row)) + "\n")


def wrong(rows: Iterable[Row]) -> list[Row]:
    """Return the rows that must not be: proofs and refutations that are none with other names,
    outputs that differ, cases without an answer.
    """
    kept = (PROVED, REFUTED, "output")
    return [r for r in rows if r.without_answer or any(x[0].startswith(kept) for x in r.changes)]


def printed(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of a report: what differs, then the totals."""
    pairs, modules = ([r for r in rows if r.kind == kind] for kind in (PAIR, MODULE))
    for r in rows:
        yield from (f"{r.name} (seed {r.seed}): {' | '.join(x)}" for x in r.changes)
        if r.without_answer:
            yield f"{r.name} (seed {r.seed}): {r.problem}"
    changes = [x[0] for r in pairs for x in r.changes]
    yield f"pairs {len(pairs)}"
    for answer in (PROVED, REFUTED):
        yield f"{answer} changed {sum(c.startswith(answer) for c in changes)}"
    yield f"unknown changed {sum(c.startswith(UNKNOWN) for c in changes)}"
    yield f"solvers asked otherwise {sum(r.asked for r in pairs)}"
    yield f"modules {len(modules)}"
    yield f"outputs that differ {sum(bool(r.changes) for r in modules)}"
    yield f"without an answer {sum(r.without_answer for r in rows)}"
    yield f"not renamed {sum(NOT_RENAMED in r.problem for r in rows)}"
