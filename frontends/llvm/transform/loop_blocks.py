"""Lines of a function where a loop of one block is others."""

from __future__ import annotations

from frontends.llvm.passes.blocks import Blocks
from frontends.llvm.transform.site import Scope


def lines_of(scope: Scope, found: Blocks) -> dict[int, tuple[str, ...]]:
    """Return what lines become where a loop of one block is others."""
    instrs = scope.view.block(found.loop.header).instrs
    lines: dict[int, tuple[str, ...]] = {i.line: () for i in instrs}
    text = list[str]()
    for label, own in found.blocks:
        text += [f"{label}:"] if text else []
        text += scope.indent(instrs[0], *own)
    lines[instrs[0].line] = tuple(text)
    for i in scope.view:
        if i.line not in lines:
            block = scope.view.blocks[scope.view.places[i.line]].label
            new = found.behind(block, i.text.strip())
            if new != i.text.strip():
                lines[i.line] = scope.indent(i, new)
    return lines
