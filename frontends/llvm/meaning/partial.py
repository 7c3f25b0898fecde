"""Partial reductions: LangRef leaves open which lanes are added to which, so a call may be read as
any grouping that is written out.  Whoever sees its result then sees one choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from frontends.llvm.meaning.limits import PARTIAL_MOST
from frontends.llvm.text import build
from frontends.llvm.text.ast import Function, Instr
from frontends.llvm.text.lines import Lines
from frontends.llvm.text.parse import with_blocks
from frontends.llvm.text.syntax import intrinsic_of, shape_of


def is_partial(i: Instr) -> bool:
    """Tell whether an instruction adds lanes of a vector of integers to those of a shorter one."""
    named = i.known and intrinsic_of(i) == "vector.partial.reduce.add"
    return named and 0 < _ratio(i) <= PARTIAL_MOST


def groupings(function: Function) -> tuple[int, ...]:
    """Return how many neighbours a lane may be given at a time, the most first; none where nothing
    is open.
    """
    most = max((_ratio(i) for i in function.view if is_partial(i)), default=0)
    return tuple(n for n in range(most, 0, -1) if most % n == 0)


def write_out(i: Instr, near: int, names: Iterator[str]) -> tuple[str, ...]:
    """Return the lines of one choice of a partial reduction: lane j is given ``near`` neighbours
    from j times as many on, of each part of the vector that has these for all lanes.
    """
    (lanes, _), ratio = shape_of(i.type), _ratio(i)
    near = near if ratio % near == 0 else 1
    (total, more), w = i.operands, Lines(names)
    for k in range(ratio):
        at = range(k // near * near * lanes + k % near, (k // near + 1) * near * lanes, near)
        added = build.binary("add", total, w.shuffle(more, at))
        total = w.add(added, i.name if k + 1 == ratio else "")
    return tuple(w.lines)


def readings(function: Function) -> Iterator[Function]:
    """Yield functions, each of which a function may be read as: without what is left open."""
    for near in groupings(function):
        names = function.view.free_names("isel.open")

        def lines(i: Instr, near: int = near, names: Iterator[str] = names) -> tuple[str, ...]:
            return write_out(i, near, names) if is_partial(i) else (i.text.strip(),)

        texts = ((b.label, [x for i in b.instrs for x in lines(i)]) for b in function.blocks)
        yield with_blocks(function, texts)


def _ratio(i: Instr) -> int:
    """Return how many lanes there are for each of the result, 0 where they do not come out even."""
    (lanes, width), (more, other) = (shape_of(x) for x in (i.type, i.operands[1].type))
    return more // lanes if lanes and width == other and more % lanes == 0 else 0
