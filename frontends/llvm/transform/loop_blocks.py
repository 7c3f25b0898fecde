"""Lines of a function where a loop of one block is others, or any of its blocks are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from frontends.llvm.passes.blocks import Blocks
from frontends.llvm.transform.site import Scope


def lines_of(scope: Scope, found: Blocks) -> dict[int, tuple[str, ...]]:
    """Return what lines become where a loop of one block is others."""
    instrs = scope.view.block(found.loop.header).instrs
    lines: dict[int, tuple[str, ...]] = {i.line: () for i in instrs}
    text = list[str]()
    for label, own in found.blocks:
        text += [f"{label}:"] if text else []
        text += own
    lines[instrs[0].line] = tuple(text)
    for i in scope.view:
        if i.line not in lines:
            block = scope.view.blocks[scope.view.places[i.line]].label
            new = found.behind(block, i.text.strip())
            if new != i.text.strip():
                lines[i.line] = (new,)
    return lines


def changed_lines(
    scope: Scope, blocks: Iterable[tuple[str, Iterable[str]]]
) -> dict[int, tuple[str, ...]]:
    """Return what lines of a function become where its blocks are others, by label and line."""
    of = scope.module.lines
    old = [k for k in range(scope.function.first + 1, scope.function.last) if of[k].strip()]
    before = [of[k].partition("; preds = ")[0].rstrip() for k in old]
    after = list[str]()
    for label, own in blocks:
        head = [f"{label}:"] if after or before[0] == f"{label}:" else []
        after += (*head, *(x for line in own for x in f"  {line.lstrip()}".split("\n")))
    front = _alike(before, after)
    back = _alike(before[front:][::-1], after[front:][::-1])
    lines: dict[int, tuple[str, ...]] = dict.fromkeys(old[front : len(old) - back], ())
    lines[old[front]] = tuple(after[front : len(after) - back])
    return lines


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many lines two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(one), len(other)))
