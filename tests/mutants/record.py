"""What became of mutants: lines of JSON that a later run takes up again, and the verdicts on
those that nothing noticed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

SURVIVORS: Final = Path(__file__).parent / "survivors.tsv"
HEAD: Final = ("key", "verdict", "module", "function", "kind", "before", "after", "why")


class Outcome(StrEnum):
    """A mutant is killed if a test fails or its process ends; one that never ends is noticed,
    too.
    """

    KILLED = "killed"
    TIMEOUT = "timeout"
    SURVIVED = "survived"


class Verdict(StrEnum):
    """What somebody found about a survivor."""

    EQUIVALENT = "equivalent"
    SPEED = "speed only"
    REFUSES = "refuses more"  # what is right may be unknown then; nothing wrong is proved
    KILLED = "killed by a new test"


@dataclass(frozen=True, slots=True)
class Result:
    """A mutant's outcome, the test that noticed it, and the seconds it took."""

    key: str
    module: str
    where: str
    line: int
    kind: str
    before: str
    after: str
    outcome: Outcome
    by: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Known:
    """A line of ``survivors.tsv``."""

    key: str
    verdict: Verdict
    why: str


def append(file: Path, result: Result) -> None:
    """Add a result to a file of JSON lines."""
    with file.open("a") as out:
        out.write(json.dumps(asdict(result), sort_keys=True) + "\n")


def read(file: Path) -> dict[str, Result]:
    """Return the results in a file by key, the last of each; a line that was cut short is as if
    it were not there.
    """
    found: dict[str, Result] = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            row = json.loads(line)
            found[row["key"]] = Result(**{**row, "outcome": Outcome(row["outcome"])})
        except (ValueError, TypeError, KeyError):
            continue
    return found


def known(file: Path = SURVIVORS) -> dict[str, Known]:
    """Return the verdicts by key; raise ``ValueError`` for a line that is none."""
    rows = [
        line.split("\t")
        for line in file.read_text().splitlines()
        if line and not line.startswith("#")
    ]
    if not rows or tuple(rows[0]) != HEAD:
        raise ValueError(f"{file.name}: expected the columns {' '.join(HEAD)}")
    found: dict[str, Known] = {}
    for row in rows[1:]:
        if len(row) != len(HEAD) or not row[-1].strip() or row[0] in found:
            raise ValueError(
                f"{file.name}: expected {len(HEAD)} columns with a reason, each key once: {row[0]}"
            )
        found[row[0]] = Known(row[0], Verdict(row[1]), row[-1])
    return found


def row(r: Result) -> str:
    """Return the line of ``survivors.tsv`` for a survivor, the verdict and the reason left open."""
    return "\t".join((r.key, "?", r.module, r.where, r.kind, r.before, r.after, "?"))


def totals(results: Sequence[Result], verdicts: Mapping[str, Known]) -> dict[str, int]:
    """Return the counts by outcome, and of the survivors by verdict."""
    counts = Counter(r.outcome for r in results)
    judged = Counter(v.verdict for v in open_and_judged(results, verdicts)[1])
    return {
        "mutants": len(results),
        **{o.value: counts[o] for o in Outcome},
        **{f"survived, {v.value}": judged[v] for v in Verdict},
    }


def open_and_judged(
    results: Iterable[Result], verdicts: Mapping[str, Known]
) -> tuple[list[Result], list[Known]]:
    """Return the survivors without a verdict, or with one that says they are killed, and the
    verdicts on the others.
    """
    survivors = [r for r in results if r.outcome is Outcome.SURVIVED]
    judged = [
        verdicts[r.key]
        for r in survivors
        if r.key in verdicts and verdicts[r.key].verdict is not Verdict.KILLED
    ]
    names = {v.key for v in judged}
    return [r for r in survivors if r.key not in names], judged
