"""Rewrite a module that is given as text, and say what became of it."""

from __future__ import annotations

from pathlib import Path

import isel

MODULE = Path(__file__).with_name("dot4.ll")


def main() -> None:
    """Print the report, then a line a window, then the new text."""
    done = isel.optimize(MODULE.read_text(), cpu="sapphirerapids", time_limit=None)
    print(done)
    for window in done.windows:
        place = f"@{window.place.function}, line {window.place.line}"
        if window.outcome == "rewritten":
            print(f"{place}: {window.cost_before} -> {window.cost_after} cycles; {window.proof}")
        else:
            print(f"{place}: {window.reason}")
    print(done.module)


if __name__ == "__main__":
    main()
