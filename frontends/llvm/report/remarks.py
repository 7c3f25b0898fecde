"""Reports as LLVM optimisation remarks in YAML, readable by opt-viewer and friends."""

from __future__ import annotations

from collections.abc import Iterator

from frontends.llvm.report.phrases import plural, why_kept
from frontends.llvm.report.tried import FunctionReport, ModuleReport, Outcome, WindowReport


def remarks(report: ModuleReport) -> str:
    """Return one document a window (``!Passed`` or ``!Missed``) and one ``!Analysis`` a
    function.
    """
    out: list[str] = []
    for w in report.windows:
        out.extend(_window(w))
    for f in report.functions:
        out.extend(_function(f))
    return "\n".join(out) + "\n" if out else ""


def _window(w: WindowReport) -> Iterator[str]:
    passed = w.outcome is Outcome.REWRITTEN
    yield from _head(
        "Passed" if passed else "Missed", f"Window{str(w.outcome).capitalize()}", w.place.function
    )
    file, line, column = (
        (p.file, p.source_line, p.source_column)
        if (p := w.place).source_line
        else (p.module, p.line, 1)
    )
    if file and line:
        # its place among the keys is LLVM's
        yield f"DebugLoc:        {{ File: {_quote(file)}, Line: {line}, Column: {column} }}"
    yield f"Function:        {_quote(w.place.function)}"
    yield "Args:"
    yield from _arguments(("Root", f"%{w.place.root}"), ("String", ": "))
    if passed:
        yield from _arguments(
            ("Operations", plural(w.operations, "operation")),
            ("String", " -> "),
            ("Chosen", w.chosen or "moves"),
            ("String", ", "),
        )
        yield from _arguments(
            ("CostBefore", _cost(w.cost_before or None)),
            ("String", " -> "),
            ("CostAfter", _cost(w.cost_after)),
            ("String", " cycles, proved: "),
        )
        yield from _arguments(("Proof", w.proof))
    else:
        yield from _arguments(("String", f"{w.outcome}: "), ("Reason", why_kept(w)))
    yield "..."


def _function(f: FunctionReport) -> Iterator[str]:
    yield from _head(
        "Analysis",
        "FunctionFailed" if f.failed else "FunctionSkipped" if f.skipped else "Coverage",
        f.name,
    )
    yield f"Function:        {_quote(f.name)}"
    yield "Args:"
    if f.skipped:
        yield from _arguments(("String", "function skipped: "), ("Reason", f.skipped))
    else:
        yield from _arguments(
            ("InWindows", str(f.in_windows)),
            ("String", " of "),
            ("Instructions", str(f.instructions)),
            ("String", " instructions in windows"),
        )
    yield "..."


def _head(kind: str, name: str, function: str) -> Iterator[str]:
    yield f"--- !{kind}"
    yield "Pass:            isel"
    yield f"Name:            {name}"


def _arguments(*pairs: tuple[str, str]) -> Iterator[str]:
    for key, value in pairs:
        yield f"  - {key + ':':<16} {_quote(value)}"


def _quote(text: str) -> str:
    return "'" + " ".join(text.split("\n")).replace("'", "''") + "'"


def _cost(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.4f}".removesuffix("00")
