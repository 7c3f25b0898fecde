"""What became of a batch, out of its records alone: modules by cycles saved, and why windows
stay as they are.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from isel.cli.batch.inputs import Module
from isel.cli.batch.record import REWRITTEN, UNCHANGED
from isel.cli.limits import SUMMARY_SHOWN

DONE: Final = (REWRITTEN, UNCHANGED)


@dataclass(frozen=True, slots=True)
class Row:
    """A module: how it ended, its windows, the model's cycles of the functions that changed,
    and why the others did not.
    """

    name: str
    output: str
    status: str
    error: str
    windows: int
    rewritten: int
    failures: int
    late: bool
    before: float
    after: float
    kept: Mapping[str, int]

    @property
    def saved(self) -> float:
        """Cycles that the functions of the module take less, each run once through every loop
        block.
        """
        return self.before - self.after


def row_of(module: Module, record: str) -> Row:
    """Return what a record says of a module."""
    data = json.loads(record)
    windows = data.get("windows", [])
    kept = Counter(str(w["reason"]) for w in windows if w["outcome"] != REWRITTEN)
    return Row(
        module.name,
        module.output,
        str(data["status"]),
        str(data["error"]),
        len(windows),
        int(data.get("windows_rewritten", 0)),
        int(data.get("failures", 0)),
        bool(data.get("timed_out", False)),
        *_cycles(data.get("functions_changed", {})),
        kept,
    )


def _cycles(changed: Mapping[str, Mapping[str, float | None]]) -> tuple[float, float]:
    """Return the cycles of changed functions before and after, where the code before was right."""
    costs = [(c["cost_before"], c["cost_after"]) for c in changed.values()]
    known = [(before, after) for before, after in costs if before and after is not None]
    return sum(before for before, _ in known), sum(after for _, after in known)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why windows were kept: how many, in how many modules, and the module that has most of
    them.
    """

    text: str
    windows: int
    modules: int
    example: str


@dataclass(frozen=True, slots=True)
class Summary:
    """All modules, those that save most first; then those that ended without an output."""

    rows: tuple[Row, ...]

    @property
    def failed(self) -> tuple[Row, ...]:
        """The modules without an output."""
        return tuple(r for r in self.rows if r.status not in DONE)

    def reasons(self) -> list[Reason]:
        """Return why windows were kept, the commonest reason first."""
        by_reason: dict[str, list[tuple[int, str]]] = {}
        for row in self.rows:
            for text, count in row.kept.items():
                by_reason.setdefault(text, []).append((count, row.name))
        made: list[Reason] = []
        for text, found in by_reason.items():
            most = min(found, key=lambda f: (-f[0], f[1]))[1]
            made.append(Reason(text, sum(n for n, _ in found), len(found), most))
        return sorted(made, key=lambda r: (-r.windows, r.text))

    def headline(self) -> str:
        """Return the totals in one line."""
        windows, rewritten = sum(r.windows for r in self.rows), sum(r.rewritten for r in self.rows)
        before, after = sum(r.before for r in self.rows), sum(r.after for r in self.rows)
        modules = sum(r.status == REWRITTEN for r in self.rows)
        lost = f", {len(self.failed)} failed" if self.failed else ""
        changed = f", {before:.2f} -> {after:.2f} cycles in the functions that changed"
        counts = f"{len(self.rows)} modules, {modules} rewritten{lost}"
        return f"{counts}: {rewritten} of {windows} windows{changed if modules else ''}"


def summary_of(rows: Sequence[Row]) -> Summary:
    """Rank the modules of a batch."""
    return Summary(
        tuple(sorted(rows, key=lambda r: (r.status not in DONE, -r.saved, -r.rewritten, r.name)))
    )


def table(summary: Summary, page: str) -> str:
    """Return the summary for a terminal; ``page`` is where all of it is."""
    out = [summary.headline()]
    best = [r for r in summary.rows if r.rewritten]
    if best:
        out += ["", "   saved   before    after  windows  module"]
        out += [
            f"{r.saved:8.2f} {r.before:8.2f} {r.after:8.2f} {r.rewritten:3} of {r.windows:<3}  "
            f"{show(r.name)}{_notes(r)}"
            for r in best[:SUMMARY_SHOWN]
        ]
        out += [f"… and {len(best) - SUMMARY_SHOWN} more"] * (len(best) > SUMMARY_SHOWN)
    reasons = summary.reasons()
    if reasons:
        out += ["", "windows  modules  why they stay as they are (most of them in)"]
        out += [
            f"{r.windows:7}  {r.modules:7}  {show(r.text)} ({show(r.example)})"
            for r in reasons[:SUMMARY_SHOWN]
        ]
        out += [f"… and {len(reasons) - SUMMARY_SHOWN} more"] * (len(reasons) > SUMMARY_SHOWN)
    return "\n".join([*out, "", f"all of it: {page}", ""])


def _notes(row: Row) -> str:
    late = "; the time limit was reached" if row.late else ""
    failures = f"; {row.failures} failures" if row.failures else ""
    return late + failures


def show(text: str) -> str:
    """Return a text as one line that any terminal prints."""
    return "".join(c if c.isprintable() else "?" for c in text)
