"""What changed, as text: functions after the rewrite, or a unified diff of them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from frontends.llvm.text.ast import Module


def show_changes(before: Module, after: Module, *, diff: bool) -> str:
    """Return each changed function of ``after``, or the difference, under LLVM's banner."""
    return "".join(_functions(before, after, diff))


def _functions(before: Module, after: Module, diff: bool) -> Iterator[str]:
    old = {f.name: before.lines[f.first : f.last + 1] for f in before.functions}
    for f in after.functions:
        new, was = after.lines[f.first : f.last + 1], old.get(f.name, ())
        if new == was:
            yield f"*** IR Dump After isel on {f.name} omitted because no change ***\n"
            continue
        yield f"*** IR Dump After isel on {f.name} ***\n"
        shown = difflib.unified_diff(was, new, lineterm="", n=3) if diff else new
        yield "".join(f"{line}\n" for line in shown)
