"""What became of the windows of an object, as rows that tools which show results understand: a
rule, a place, a sentence, cycles, and a fingerprint that stays when lines move.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from frontends.llvm.report.tried import ModuleReport, WindowReport

REWRITTEN: Final = "window-rewritten"
SELECTED: Final = "window-selected-already"
NOT_FASTER: Final = "window-not-faster"
LIMIT: Final = "window-limit-reached"
NOTHING: Final = "window-nothing-cheaper"
FAILED: Final = "window-failed"
SKIPPED: Final = "function-skipped"
UNCHANGED: Final = "object-unchanged"
RULES: Final = {
    REWRITTEN: "Vector code was replaced by cheaper instructions, proved for all inputs.",
    SELECTED: "LLVM selects the cheapest instructions that were found already.",
    NOT_FASTER: "A program was found and proved, and is not faster.",
    LIMIT: "The search or the proof ended at a limit; --effort raises the limits in steps.",
    NOTHING: "No program was found that costs less.",
    FAILED: "Something failed on this window, which was left alone.",
    SKIPPED: "The function was not looked at.",
    UNCHANGED: "The object was compiled as it is written.",
}
_LIMITS: Final = re.compile(r"\b(?:limit|budget|steps|gave up)\b")  # in a reason
_LOCAL: Final = re.compile(r'%(?:"[^"]*"|[\w.$-]+)')


@dataclass(frozen=True, slots=True)
class Finding:
    """One window, function or object.  ``before`` and ``after`` are the cycles of its block
    without and with the program that was found, None where nothing was judged; ``loops`` are
    those around it; ``file`` is a path or empty; lines and columns count from 1, 0 is
    unknown.
    """

    rule: str
    message: str
    function: str = ""
    root: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    before: float | None = None
    after: float | None = None
    loops: int = 0
    fingerprint: str = ""

    @property
    def heat(self) -> float:
        """Cycles saved, or lost where the program was not taken, times ten for each loop."""
        if self.before is None or self.after is None:
            return 0.0
        return abs(self.before - self.after) * 10.0**self.loops

    @property
    def order(self) -> tuple[float, int, str, int, int, str, str]:
        """Sorts the hottest first, then those in more loops, then by place."""
        place = (self.file, self.line, self.column, self.function, self.root)
        return (-self.heat, -self.loops, *place)


def findings_of(report: ModuleReport) -> list[Finding]:
    """Return a finding a window, and one a function that was skipped, as they are in the module."""
    seen: dict[str, int] = {}
    found = [_window(w, seen) for w in report.windows]
    return [*found, *_functions(report)]


def with_path(f: Finding, folder: str) -> Finding:
    """Return a finding whose file is named from ``folder`` with the file's whole path.

    Clang names a file from the folder that it shares with the one of the build, which is one of
    those above that.
    """
    if not f.file:
        return f
    above = [folder]
    while os.path.dirname(above[-1]) != above[-1]:
        above.append(os.path.dirname(above[-1]))
    paths = [os.path.normpath(os.path.join(at, f.file)) for at in above]
    return replace(f, file=next((p for p in paths if os.path.exists(p)), paths[0]))


def as_written(source: str, reason: str) -> Finding:
    """Return the finding of an object that was compiled as written; ``source`` is its file."""
    mark = _hash(UNCHANGED, os.path.basename(source))
    return Finding(UNCHANGED, f"compiled as written: {reason}", file=source, fingerprint=mark)


def _window(w: WindowReport, seen: dict[str, int]) -> Finding:
    from frontends.llvm.report.phrases import became

    p = w.place
    text = _hash(p.function, *_nameless(w.before))
    count = seen[text] = seen.get(text, 0) + 1
    return Finding(
        _rule(w),
        became(w),
        p.function,
        p.root,
        p.file if p.source_line else "",
        p.source_line,
        p.source_column,
        w.cost_before or None,
        w.cost_after,
        w.depth,
        f"{text}:{count}",
    )


def _rule(w: WindowReport) -> str:
    from frontends.llvm.report.tried import Outcome

    if w.outcome is Outcome.REWRITTEN:
        return REWRITTEN
    if w.outcome is Outcome.FAILED:
        return FAILED
    if w.selected and w.selected == w.chosen:
        return SELECTED
    if w.chosen:
        return NOT_FASTER
    return LIMIT if _LIMITS.search(w.reason) else NOTHING


def _functions(report: ModuleReport) -> Iterator[Finding]:
    for f in report.functions:
        if f.skipped:
            said, mark = f"function skipped: {f.skipped}", _hash(SKIPPED, f.name)
            yield Finding(SKIPPED, said, f.name, fingerprint=mark)


def _nameless(lines: Sequence[str]) -> list[str]:
    """Return code with its values numbered as they occur: what is above it does not matter."""
    numbers: dict[str, str] = {}

    def number(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], f"%{len(numbers)}")

    return [_LOCAL.sub(number, line.partition(", !")[0].strip()) for line in lines]


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()[:16]
