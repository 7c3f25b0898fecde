"""A module's windows as what they are, as text: operations of fixed-point arithmetic, nested."""

from __future__ import annotations

from frontends.llvm.report.tried import ModuleReport, WindowReport


def lifted_text(report: ModuleReport) -> str:
    """Return a line for each window and lane that differ, by function; ``?`` for a window whose
    lanes no rule says.
    """
    functions: dict[str, list[WindowReport]] = {}
    for w in report.windows:
        functions.setdefault(w.place.function, []).append(w)
    out: list[str] = []
    for name, windows in functions.items():
        out.append(f"@{name}")
        for w in windows:
            out += [f"  %{w.place.root} = {line}" for line in w.lifted or ("?",)]
    return "".join(f"{line}\n" for line in out)
