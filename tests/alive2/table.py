"""Answers to Alive2's tests as text: totals, the wrong ones, unknowns by reason; and as a
section of ``docs/evidence.md``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tests.alive2.conventions import Case, Wanted, explained
from tests.alive2.judge import Answer, Grade, Judged, grade

_NAMED: Final = re.compile(r"'[^']*'|(?<![\w.])[%@#][-\w.$]+|\b\d+\b")


@dataclass(frozen=True, slots=True)
class Row:
    """A test and its answer."""

    case: Case
    judged: Judged

    @property
    def grade(self) -> Grade:
        """The answer beside Alive2's."""
        return grade(self.case, self.judged)


def totals(rows: Sequence[Row]) -> dict[str, int]:
    """Return how many tests there are of each grade, all grades named."""
    found = Counter(r.grade for r in rows)
    return {"tests": len(rows), **{g.value: found[g] for g in Grade}}


def reasons(rows: Sequence[Row]) -> list[tuple[str, int]]:
    """Return why functions as a whole are unknown to us in tests with a verdict of Alive2, the
    most frequent first, without names and numbers.
    """
    found = Counter(
        _NAMED.sub("…", r.judged.reason.partition("; ")[0])
        for r in rows
        if r.grade is Grade.UNKNOWN
    )
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))


def of(rows: Sequence[Row], wanted: Grade) -> list[Row]:
    """Return the rows of a grade."""
    return [r for r in rows if r.grade is wanted]


def line(row: Row) -> str:
    """Return a test, what Alive2 says and what we say, in a line."""
    said = f"{row.judged.answer.value}{f' ({row.judged.reason})' if row.judged.reason else ''}"
    return f"{row.case.name}: {row.case.wanted.value} by Alive2 ({row.case.why}), {said} by us"


def printed(rows: Sequence[Row]) -> str:
    """Return the report for a terminal."""
    return "\n".join(_printed(rows)) + "\n"


def _printed(rows: Sequence[Row]) -> Iterator[str]:
    for what, n in totals(rows).items():
        yield f"{n:6} {what}"
    for title, some in (
        ("wrong", of(rows, Grade.WRONG)),
        ("explained by a flag", of(rows, Grade.EXPLAINED)),
    ):
        yield f"\n{title}:"
        yield from (
            f"  {line(r)}{f' [{explained(r.case)}]' if r.grade is Grade.EXPLAINED else ''}"
            for r in some
        )
    yield "\nunknown, by reason:"
    yield from (f"{n:6} {reason}" for reason, n in reasons(rows))


def section(rows: Sequence[Row], commit: str, command: str, llvm: str) -> str:
    """Return the body of the section of ``docs/evidence.md``."""
    return "\n".join(_section(rows, commit, command, llvm))


def _section(rows: Sequence[Row], commit: str, command: str, llvm: str) -> Iterator[str]:
    yield f"`{command}`, on the tests of [Alive2](https://github.com/AliveToolkit/alive2) at {commit}, read by LLVM {llvm}: every"
    yield "`*.srctgt.ll` and every pair `*.src.ll`/`*.tgt.ll`. What Alive2 proves is to be proved, what it refutes is to be"
    yield "refuted, unknown is honest; loops, floating point, calls and most of memory are outside of what we decide.\n"
    yield "| Alive2 | proved by us | refuted by us | unknown | crashed |"
    yield "| --- | --- | --- | --- | --- |"
    for wanted in Wanted:
        mine = Counter(r.judged.answer for r in rows if r.case.wanted is wanted)
        yield f"| {wanted.value} | {mine[Answer.PROVED]} | {mine[Answer.REFUTED]} | {mine[Answer.UNKNOWN]} | {mine[Answer.CRASHED]} |"
    yield f"\n{len(rows)} tests. Wrong answers: {len(of(rows, Grade.WRONG)) or 'none'}.\n"
    yield from (f"- {line(r)}" for r in of(rows, Grade.WRONG))
    if of(rows, Grade.EXPLAINED):
        yield "\nDifferent answers that a flag of the test explains:\n"
        yield from (f"- {line(r)}; {explained(r.case)}" for r in of(rows, Grade.EXPLAINED))
    yield "\n| unknown because | tests |"
    yield "| --- | --- |"
    yield from (f"| {reason.replace('|', '/')} | {n} |" for reason, n in reasons(rows))
