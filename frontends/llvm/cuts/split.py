"""A block as two behind a check: in one, that no byte which it writes is reached through another
address, what it loads comes first and each byte is written once; the other is the block as it is.

What it accesses are extents (:mod:`frontends.llvm.cuts.extents`), which the check compares.  Every
instruction of it is executed when its first is, so an address that is poison is undefined behaviour
in any case, and one that may be undef is not split (each look would see another one).  Where no two
extents meet, a load reads either what was there when the block began or all of one store, and the
last store to some bytes is what stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from frontends.llvm.cuts.extents import Disjoint, Extents, is_plain, late_of
from frontends.llvm.cuts.graph import Graph, Kind
from frontends.llvm.cuts.left import require
from frontends.llvm.cuts.steps import Ways, find_others, ways_of
from frontends.llvm.machine.trips import UNLIKELY
from frontends.llvm.text.ast import Block, Function, Instr
from frontends.llvm.text.parse import parse_instruction
from frontends.llvm.text.rewording import rename
from frontends.llvm.text.view import View

if TYPE_CHECKING:
    pass


def split_as(source: Graph, target: Graph) -> Function | None:
    """Return a function that refines the source, of which the blocks are split that are so in the
    target; None where there are none.  Raises :class:`Left` for one that is not to be split.
    """
    mine, theirs = source.function.view, target.function.view
    names = mine.free_names("isel.split")
    others = find_others(mine, theirs, partial(_differ, mine, theirs))
    found = {a: split(source, a, names) for a in others}
    return _join(source.function, found) if found else None


def _differ(source: View, target: View, a: str, b: str) -> Ways | None:
    """Return what follows a block that the target has twice, None where it has not."""
    behind = _behind(target, b)
    twice = behind and not _behind(source, a)
    return (ways_of(source, a), ways_of(target, behind)) if twice else None


def _behind(view: View, label: str) -> str:
    """Return where two blocks meet that only a branch leads to and that only go there; empty where
    a block does not end so.
    """
    k = view.numbers[label]
    arms = view.successors[k]
    if view.end(k).opcode != "br" or len(arms) != 2:
        return ""
    ends = {view.successors[x] for x in arms}
    alone = all(view.predecessors[x] == (k,) for x in arms)
    (behind, *others) = ends
    one = not others and len(behind) == 1 and set(view.predecessors[behind[0]]) == set(arms)
    return view.blocks[behind[0]].label if alone and one else ""


@dataclass(slots=True)
class Split:
    """A block of a graph as two: ``check`` are the lines that decide, the last of which says that
    extents are disjoint; ``disjoint`` and ``plain`` are the lines of both, without branches,
    ``outs`` what they give to others, with its names in each.
    """

    graph: Graph
    label: str
    labels: tuple[str, str, str]
    late: tuple[Instr, ...]
    check: tuple[str, ...]
    disjoint: list[str]
    plain: list[str]
    outs: list[tuple[Instr, str, str]]

    @property
    def end(self) -> Instr:
        """What the block ends with."""
        return self.graph.end(self.label)

    def branch(self) -> str:
        """Return the branch to both blocks."""
        test = self.check[-1].partition(" = ")[0]
        first, second, _ = self.labels
        return f"br i1 {test}, label %{first}, label %{second}"

    def phis(self) -> Iterator[str]:
        """Yield what puts together what both blocks give."""
        first, second, _ = self.labels
        for i, x, y in self.outs:
            yield f"%{i.name} = phi {i.type} [ %{x}, %{first} ], [ %{y}, %{second} ]"


def split(graph: Graph, label: str, names: Iterator[str]) -> Split:
    """Return a block as two; raises :class:`Left` for one that is none."""
    body = [p for p in graph.body[label] if p.kind not in (Kind.PHI, Kind.SILENT, Kind.END)]
    require(all(map(is_plain, body)), "it does more than load, compute and store")
    late = tuple(late_of(body))
    values = [i.name for i in late if i.name]
    extents = Extents(graph, body, set(values))
    require(bool(extents.pairs), "nothing that it writes may be read through another address")
    first, second, behind = next(names), next(names), next(names)
    check = tuple(extents.check(names))
    plain, disjoint = (dict(zip(values, names, strict=False)) for _ in range(2))
    return Split(
        graph,
        label,
        (first, f"{UNLIKELY}{second.rpartition('.')[2]}", behind),
        late,
        check,
        Disjoint(extents, disjoint, names).lines(late),
        [rename(i.text.strip(), plain) for i in late],
        [(i, disjoint[i.name], plain[i.name]) for i in outputs(graph.function.view, late)],
    )


def outputs(view: View, instrs: Sequence[Instr]) -> Iterator[Instr]:
    """Yield what others use of what instructions give."""
    inner = {i.line for i in instrs}
    for i in instrs:
        if i.name and not {u.line for u in view.used_by(i.name)} <= inner:
            yield i


def _join(function: Function, found: dict[str, Split]) -> Function:
    """Return a function with blocks split."""
    at, blocks = count(), list[Block]()
    moved = {a: s.labels[2] for a, s in found.items()}

    def block(label: str, texts: Sequence[str]) -> None:
        blocks.append(Block(label, tuple(parse_instruction(t, next(at)) for t in texts)))

    for b in function.blocks:
        texts = [
            rename(i.text.strip(), moved) if i.opcode == "phi" else i.text.strip() for i in b.instrs
        ]
        s = found.get(b.label)
        if s is None:
            block(b.label, texts)
            continue
        gone = {i.line for i in (*s.late, s.end)}
        head = [t for i, t in zip(b.instrs, texts, strict=True) if i.line not in gone]
        disjoint, plain, behind = s.labels
        block(b.label, [*head, *s.check, s.branch()])
        block(disjoint, [*s.disjoint, f"br label %{behind}"])
        block(plain, [*s.plain, f"br label %{behind}"])
        block(behind, [*s.phis(), texts[-1]])
    return replace(function, blocks=tuple(blocks))
