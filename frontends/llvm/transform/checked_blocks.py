"""A block that loads and stores scalars, any of which may be another one in memory, as vectors
behind a check that they are not.

LLVM leaves such blocks scalar, or checks before whole loops only where what is accessed there is
known at once.  What its own passes make of the block by itself, where no two spans meet
(:mod:`frontends.llvm.transform.block_vectors`), is what stands behind the check; the block as it
was stands beside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from frontends.llvm.limits import CHECKED_BLOCKS_LEAST
from frontends.llvm.machine.trips import UNLIKELY
from frontends.llvm.text.ast import Block, Instr, VectorType
from frontends.llvm.transform.site import Change, Scope

if TYPE_CHECKING:
    from frontends.llvm.cuts.split import Split

_OWN: Final = re.compile(r"isel\.(split|unlikely)\.(\d+)")


@dataclass(frozen=True, slots=True)
class Checked:
    """A block by a load behind its first store, how it is split, and what that declares."""

    root: Instr
    split: Split | None = None
    declarations: Mapping[str, str] | None = None
    why_not: str = ""

    def edits(self, scope: Scope, names: Iterator[str]) -> Change:
        """Return what the lines of the block become, and of what is behind it."""
        from frontends.llvm.cuts.unpack import rename

        s, lines = self.split, dict[int, tuple[str, ...]]()
        assert s is not None
        given = {i.name: next(names) for i, _, _ in s.outs}  # numbers are in order in LLVM's text
        text = list(_with_names(_text(s, given), names))
        phis = {s.label: text[-1 - len(s.outs)].removesuffix(":")}
        block = scope.view.block(s.label).instrs
        lines.update({i.line: () for i in block if i.opcode == "dbg" or i in s.late})
        for i in scope.view:
            new = rename(i.text.strip(), given | phis if i.opcode == "phi" else given)
            if new != i.text.strip():
                lines.setdefault(i.line, scope.indent(i, new))
        end = lines.get(s.end.line, (scope.module.lines[s.end.line],))
        lines[s.end.line] = (*text, *end)
        says = "vectors, behind a check of what is accessed"
        return Change(lines, says, declarations=self.declarations or {})


def _text(s: Split, given: Mapping[str, str]) -> Iterator[str]:
    """Yield what comes in place of the end of a block, before that; ``given`` are other names of
    what it gives.
    """
    from frontends.llvm.cuts.unpack import rename

    yield from (f"  {x}" for x in (*s.check, s.branch()))
    for label, own in zip(s.labels, (s.apart, s.plain), strict=False):
        yield from (f"{label}:", *(f"  {x}" for x in own), f"  br label %{s.labels[2]}")
    yield from (f"{s.labels[2]}:", *(f"  {rename(x, given)}" for x in s.phis()))


def _with_names(lines: Iterable[str], names: Iterator[str]) -> Iterator[str]:
    """Yield lines with names that are free in place of those of a split."""
    fresh = dict[str, str]()
    for line in lines:
        for m in _OWN.finditer(line):
            fresh[m[2]] = fresh.get(m[2]) or next(names)
        yield _OWN.sub(
            lambda m: fresh[m[2]].replace("isel.", UNLIKELY if m[1] == "unlikely" else "isel."),
            line,
        )


def sites(scope: Scope) -> Iterator[Checked]:
    """Yield blocks that store scalars and load some after that, in program order."""
    blocks = [b for b in scope.view.blocks if _loads(b)]
    if blocks:
        from frontends.llvm.transform.block_vectors import Vectors

        vectors = Vectors(scope)
        for b in blocks:
            found = vectors.of(b.label)
            root = _loads(b)[0]
            yield Checked(root, why_not=found) if isinstance(found, str) else Checked(root, *found)


def _loads(block: Block) -> list[Instr]:
    """Return the loads of scalars behind the first store of a block, none where there are few or
    it has vectors already.
    """
    stores = (n for n, i in enumerate(block.instrs) if i.opcode == "store")
    loads = [i for i in block.instrs[next(stores, len(block.instrs)) :] if i.opcode == "load"]
    few = len(loads) < CHECKED_BLOCKS_LEAST
    return [] if few or any(isinstance(i.type, VectorType) for i in block.instrs) else loads
