"""What was tried on a module and what came of it: per window, per function and for the module."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from frontends.llvm.ast import Instr, Module
from frontends.llvm.failures import Failure


class Outcome(StrEnum):
    """What became of a window."""

    REWRITTEN = "rewritten"
    KEPT = "kept"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a window is: line of the input as LLVM prints it, from 1, and the source location if there is one."""

    function: str
    root: str
    line: int
    file: str = ""
    source_line: int = 0
    source_column: int = 0

    def __str__(self) -> str:
        source = f" ({self.file}:{self.source_line}:{self.source_column})" if self.source_line else ""
        return f"@{self.function} %{self.root} line {self.line}{source}"


@dataclass(frozen=True, slots=True)
class WindowReport:
    """One window: IR before and after, costs of its function, how it was proved and with which facts, whether it is optimal, and why not.

    ``cost_before`` and ``cost_after`` are the gate's cycles of the function with and without this
    rewrite, None where nothing was judged.  ``seconds`` is wall-clock time and no part of any output
    that must be deterministic.  ``window`` is its :attr:`isel.synth.window.Window.digest` where it was rewritten.
    """

    place: Place
    outcome: Outcome
    before: tuple[str, ...]
    after: tuple[str, ...] = ()
    cost_before: float | None = None
    cost_after: float | None = None
    proof: str = ""
    reason: str = ""
    attempts: int = 0
    steps: int = 0
    claim: str = ""
    facts: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)
    window: str = ""


@dataclass(frozen=True, slots=True)
class FunctionReport:
    """A function: why it was skipped (empty if it was not), its instructions by what windows made of them, and whether it was skipped for a bug."""

    name: str
    skipped: str
    instructions: int
    in_windows: int
    left_out: Mapping[str, int]
    failed: bool = False


@dataclass(frozen=True, slots=True)
class ModuleReport:
    """Everything about one run on one module; ``failures`` are the exceptions it met, with the places that they concern."""

    file: str
    windows: tuple[WindowReport, ...] = ()
    functions: tuple[FunctionReport, ...] = ()
    timed_out: bool = False
    failures: tuple[tuple[str, Failure], ...] = field(default=(), compare=False)

    @property
    def rewritten(self) -> tuple[WindowReport, ...]:
        """The windows that were replaced."""
        return tuple(w for w in self.windows if w.outcome is Outcome.REWRITTEN)

    @property
    def failed(self) -> tuple[WindowReport, ...]:
        """The windows that were left alone because something failed."""
        return tuple(w for w in self.windows if w.outcome is Outcome.FAILED)

    def left_out(self) -> dict[str, int]:
        """Return how many instructions no window held, by reason, the commonest first."""
        total: Counter[str] = Counter()
        for f in self.functions:
            total.update(f.left_out)
        return dict(sorted(total.items(), key=lambda item: (-item[1], item[0])))


def place_of(module: Module, function: str, root: Instr) -> Place:
    """Return where an instruction is, following its debug location."""
    node = dict(root.metadata).get("dbg", "")
    location = _metadata(module, node)
    line, column = _number(location, "line: "), _number(location, "column: ")
    file = _file_of(module, location) if line else ""
    return Place(function, root.name, root.line + 1, file, line, column)


def _metadata(module: Module, node: str) -> str:
    if not node or not node[1:].isdigit():
        return node
    prefix = f"{node} = "
    return next((x[len(prefix) :] for x in module.lines if x.startswith(prefix)), "")


def _number(text: str, key: str) -> int:
    _, found, rest = text.partition(key)
    digits = rest[: len(rest) - len(rest.lstrip("0123456789"))] if found else ""
    return int(digits) if digits else 0


def _reference(text: str, key: str) -> str:
    _, found, rest = text.partition(key)
    return rest.split(",")[0].split(")")[0] if found else ""


def _file_of(module: Module, location: str) -> str:
    text = location
    for _ in range(16):
        file = _metadata(module, _reference(text, "file: "))
        if file:
            return file.partition('filename: "')[2].partition('"')[0]
        text = _metadata(module, _reference(text, "scope: "))
    return ""


def _cost(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def table(report: ModuleReport, reproducer: str = "") -> str:
    """Return the report for people: one block a window, then how much of the module was in windows and why; ``reproducer`` has what failed."""
    out: list[str] = []
    for w in report.windows:
        out.append(f"{w.outcome}: {w.place}")
        out.extend(_block("before", w.before))
        out.extend(_block("after", w.after))
        out.append(f"  cost:   {_cost(w.cost_before)} -> {_cost(w.cost_after)} cycles")
        out.append(f"  proof:  {w.proof or '-'}")
        out.extend(_block("given", w.facts))
        if w.claim:
            out.append(f"  search: {w.claim}")
        if w.reason:
            out.append(f"  reason: {w.reason}")
        out.append(f"  time:   {w.seconds:.2f} s, {w.steps} steps, {w.attempts} candidates judged")
    out.extend(_summary(report))
    if report.failures:
        out.append(f"  {failed(report)}; {reproducer}" if reproducer else f"  {failed(report)}")
    return "\n".join(out) + "\n"


def failed(report: ModuleReport) -> str:
    """Say what failed, in one line."""
    counts = ((len(report.failed), "window"), (sum(f.failed for f in report.functions), "function"))
    lost = " and ".join(f"{n} {what}{'s' if n > 1 else ''}" for n, what in counts if n) or "nothing"
    where, first = report.failures[0]
    return f"{lost} left alone after {len(report.failures)} failure{'s' if len(report.failures) > 1 else ''}, first {where}: {first.reason}"


def _block(title: str, lines: Iterable[str]) -> list[str]:
    return [f"  {title + ':' if k == 0 else '':8}{line.strip()}" for k, line in enumerate(lines)]


def _summary(report: ModuleReport) -> list[str]:
    total = sum(f.instructions for f in report.functions)
    inside = sum(f.in_windows for f in report.functions)
    out = [f"module {report.file}: {len(report.windows)} windows, {len(report.rewritten)} rewritten; {inside} of {total} instructions in windows"]
    out.extend(f"  {count:6} {reason}" for reason, count in report.left_out().items())
    out.extend(f"  function @{f.name} skipped: {f.skipped}" for f in report.functions if f.skipped)
    if report.timed_out:
        out.append("  the time limit was reached: more may be found without it")
    return out


def stats(report: ModuleReport) -> str:
    """Return the counts as one JSON object; no times, so that equal runs give equal text."""
    data = {
        "file": report.file,
        "functions": len(report.functions),
        "functions_failed": sum(f.failed for f in report.functions),
        "functions_skipped": {f.name: f.skipped for f in report.functions if f.skipped},
        "instructions": sum(f.instructions for f in report.functions),
        "instructions_in_windows": sum(f.in_windows for f in report.functions),
        "left_out": report.left_out(),
        "timed_out": report.timed_out,
        "failures": len(report.failures),
        "windows": [_window_json(w) for w in report.windows],
        "windows_failed": len(report.failed),
        "windows_rewritten": len(report.rewritten),
    }
    return json.dumps(data, indent=2, sort_keys=True) + "\n"


def _window_json(w: WindowReport) -> dict[str, object]:
    return {
        "function": w.place.function,
        "root": w.place.root,
        "line": w.place.line,
        "file": w.place.file,
        "source_line": w.place.source_line,
        "source_column": w.place.source_column,
        "outcome": str(w.outcome),
        "before": [x.strip() for x in w.before],
        "after": [x.strip() for x in w.after],
        "cost_before": w.cost_before,
        "cost_after": w.cost_after,
        "proof": w.proof,
        "claim": w.claim,
        "facts": list(w.facts),
        "reason": w.reason,
        "steps": w.steps,
        "attempts": w.attempts,
    }
