"""What was tried on a module and what came of it: per window, per function and for the module."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from frontends.llvm.text.ast import Function, Instr, Module
from frontends.llvm.transform.table import WINDOWS
from isel.failures import Failure
from isel.json_text import to_json

if TYPE_CHECKING:
    from frontends.llvm.report.detail import Detail

# Fields that are written as they are.
_PLACE: Final = ("function", "root", "line", "file", "source_line", "source_column")
_NUMBERS: Final = ("operations", "depth", "steps", "attempts")
_WORDS: Final = ("proof", "claim", "selected", "chosen", "reason", "by")
SCALABLE: Final = "its vectors are scalable, compile with +nosve (as -march=armv8.2-a+nosve)"


class Outcome(StrEnum):
    """What became of a window."""

    REWRITTEN = "rewritten"
    KEPT = "kept"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a window is: ``line`` of the module as LLVM prints it, or of the user's ``module``
    where that is named; and the source location.

    Lines count from 1; what is not known is 0 or empty.
    """

    function: str
    root: str
    line: int
    file: str = ""
    source_line: int = 0
    source_column: int = 0
    module: str = ""

    @property
    def where(self) -> str:
        """The line that the user knows: of the source, or of the module; empty where neither is
        known.
        """
        if self.source_line:
            return f"{self.file}:{self.source_line}"
        return f"{self.module}:{self.line}" if self.module and self.line else ""

    def __str__(self) -> str:
        return f"@{self.function} %{self.root}" + (f" at {self.where}" if self.where else "")


@dataclass(frozen=True, slots=True)
class WindowReport:
    """One window: IR before and after, costs of its block, how it was proved and with which facts,
    whether it is optimal, and why not.

    ``cost_before`` and ``cost_after`` are the gate's cycles of one of the user's passes through its
    block, a transform's loop, or what the reason names, without and with this rewrite and as many
    ``beside`` it, None where nothing was judged; the first is 0 where LLVM's own code is wrong.
    ``operations`` are its instructions that do more than move, ``selected`` what LLVM makes of it
    alone, ``chosen`` the program that replaces it or, where it stays, the cheapest that was judged;
    ``depth`` counts the loops around it. ``detail`` is there where it was asked for; ``seconds`` is
    wall-clock time and no part of any output that must be deterministic. ``window`` is its
    :attr:`isel.model.window.Window.digest` where it was rewritten, ``by`` the name of the
    transform; ``lifted`` says what its lanes are.
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
    operations: int = 0
    selected: str = ""
    chosen: str = ""
    depth: int = 0
    detail: Detail | None = field(default=None, compare=False)
    seconds: float = field(default=0.0, compare=False)
    window: str = ""
    by: str = WINDOWS
    lifted: tuple[str, ...] = ()
    beside: int = 0


@dataclass(frozen=True, slots=True)
class FunctionReport:
    """A function: why it was skipped (empty if it was not), its instructions by what windows made
    of them, and whether it was skipped for a bug.

    ``cost`` are the gate's cycles of what it was and of what it is, None where it is what it was.
    ``scalable`` tells whether all of its vectors are.
    """

    name: str
    skipped: str
    instructions: int
    in_windows: int
    left_out: Mapping[str, int]
    failed: bool = False
    cost: tuple[float, float] | None = None
    scalable: bool = False


@dataclass(frozen=True, slots=True)
class ModuleReport:
    """Everything about one run on one module; ``failures`` are the exceptions it met, with the
    places that they concern, ``late`` the functions that the time limit left out, or in part.
    """

    file: str
    windows: tuple[WindowReport, ...] = ()
    functions: tuple[FunctionReport, ...] = ()
    timed_out: bool = False
    failures: tuple[tuple[str, Failure], ...] = field(default=(), compare=False)
    late: tuple[str, ...] = ()

    @property
    def rewritten(self) -> tuple[WindowReport, ...]:
        """The windows that were replaced."""
        return tuple(w for w in self.windows if w.outcome is Outcome.REWRITTEN)

    @property
    def failed(self) -> tuple[WindowReport, ...]:
        """The windows that were left alone because something failed."""
        return tuple(w for w in self.windows if w.outcome is Outcome.FAILED)

    @property
    def functions_failed(self) -> int:
        """How many functions were skipped for a bug."""
        return sum(f.failed for f in self.functions)

    def by(self) -> dict[str, int]:
        """Return how many windows each transform rewrote, by name."""
        return dict(sorted(Counter(w.by for w in self.rewritten).items()))

    def of(self, function: str) -> tuple[WindowReport, ...]:
        """Return the windows of a function."""
        return tuple(w for w in self.windows if w.place.function == function)

    def located(self, lines: Mapping[int, int]) -> ModuleReport:
        """Return the report with lines of the user's file: ``lines`` has them by lines of the
        module as LLVM prints it.
        """

        def moved(p: Place) -> Place:
            return replace(p, line=lines.get(p.line, 0), module=self.file)

        return replace(self, windows=tuple(replace(w, place=moved(w.place)) for w in self.windows))

    def reasons(self) -> dict[str, str]:
        """Return by name why each function that is as it was is so, in one line."""
        changed = {w.place.function for w in self.rewritten}
        changed.update(f.name for f in self.functions if f.cost is not None)
        return {f.name: self._reason(f) for f in self.functions if f.name not in changed}

    def _reason(self, f: FunctionReport) -> str:
        if f.skipped:
            return f.skipped
        if f.scalable:
            return SCALABLE
        windows = self.of(f.name)
        if windows:
            hottest = max(windows, key=lambda w: w.depth)
            return " ".join((hottest.reason or "no program found that costs less").split())
        most = min(f.left_out, key=lambda r: (-f.left_out[r], r), default="it has no instructions")
        return f"no window: {most}"

    def skipped(self) -> dict[str, int]:
        """Return how many functions were skipped, by reason, the commonest first."""
        total = Counter(f.skipped for f in self.functions if f.skipped)
        return dict(sorted(total.items(), key=lambda item: (-item[1], item[0])))

    def left_out(self) -> dict[str, int]:
        """Return how many instructions no window held, by reason, the commonest first."""
        total: Counter[str] = Counter()
        for f in self.functions:
            total.update(f.left_out)
        return dict(sorted(total.items(), key=lambda item: (-item[1], item[0])))


def per_pass(w: WindowReport, passes: int) -> WindowReport:
    """Return a report with the cycles of one of several passes that were one."""
    if passes == 1 or w.cost_before is None or w.cost_after is None:
        return w
    return replace(w, cost_before=w.cost_before / passes, cost_after=w.cost_after / passes)


def is_scalable(function: Function) -> bool:
    """Tell whether a function has vectors whose length the CPU decides."""
    return any("<vscale x " in i.text for i in function.view)


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


def say_failures(report: ModuleReport) -> str:
    """Say what failed, in one line."""
    counts = ((len(report.failed), "window"), (report.functions_failed, "function"))
    lost = " and ".join(f"{n} {what}{'s' if n > 1 else ''}" for n, what in counts if n) or "nothing"
    where, first = report.failures[0]
    failures = f"{len(report.failures)} failure{'s' if len(report.failures) > 1 else ''}"
    return f"{lost} left alone after {failures}, first {where}: {first.reason}"


def stats(report: ModuleReport) -> str:
    """Return the counts as one JSON object; no times, so that equal runs give equal text."""
    data = {
        "file": report.file,
        "functions": len(report.functions),
        "functions_changed": {
            f.name: _costs_json(*f.cost) for f in report.functions if f.cost is not None
        },
        "functions_failed": report.functions_failed,
        "functions_scalable": [f.name for f in report.functions if f.scalable],
        "functions_skipped": {f.name: f.skipped for f in report.functions if f.skipped},
        "functions_skipped_by_reason": report.skipped(),
        "functions_unchanged": report.reasons(),
        "instructions": sum(f.instructions for f in report.functions),
        "instructions_in_windows": sum(f.in_windows for f in report.functions),
        "left_out": report.left_out(),
        "rewritten_by": report.by(),
        "timed_out": report.timed_out,
        "failures": len(report.failures),
        "windows": [_window_json(w) for w in report.windows],
        "windows_failed": len(report.failed),
        "windows_rewritten": len(report.rewritten),
    }
    return to_json(data, indent=2, sort_keys=True) + "\n"


def _costs_json(before: float | None, after: float | None) -> dict[str, float | None]:
    return {"cost_before": before or None, "cost_after": after}


def _window_json(w: WindowReport) -> dict[str, object]:
    return {
        **{x: getattr(w.place, x) for x in _PLACE},
        **{x: getattr(w, x) for x in (*_NUMBERS, *_WORDS)},
        **_costs_json(w.cost_before, w.cost_after),
        "outcome": str(w.outcome),
        "before": [x.strip() for x in w.before],
        "after": [x.strip() for x in w.after],
        "cost_beside": w.beside,
        "facts": list(w.facts),
        "lifted": list(w.lifted),
    }
