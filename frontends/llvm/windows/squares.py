"""Windows of moves alone with several roots: what transposes, parts or joins the same leaves is one
question, however many vectors hold the answer.

A root is a vector that moves give and something else than a move uses. Roots are together where
they read a leaf, or loads of one memory, in common, which is there before the first of them: loads
that read it are loaded there once more, as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from frontends.llvm.limits import SQUARES_MOST
from frontends.llvm.text.ast import Instr, Local
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.windows.regions import Input
from frontends.llvm.windows.scene import MOVES, Limits, Scene, Site, is_root_type, make_site


@dataclass(frozen=True, slots=True)
class Square:
    """Roots of moves over the same leaves, and all that they are moved by; ``read`` says what the
    leaves are, ``last`` is the last line of one that is no load.
    """

    roots: tuple[Instr, ...]
    nodes: frozenset[Instr]
    read: frozenset[object]
    last: int

    def joined(self, other: Square) -> Square:
        """Return both together."""
        return Square(
            (*self.roots, *other.roots),
            self.nodes | other.nodes,
            self.read | other.read,
            max(self.last, other.last),
        )

    def meets(self, other: Square) -> bool:
        """Tell whether later roots go with these."""
        alike = len({shape_of(s.roots[0].type)[1] for s in (self, other)}) == 1
        there = max(self.last, other.last) < self.roots[0].line
        return alike and there and not self.read.isdisjoint(other.read)

    def site(self, scene: Scene, block: int, head: Instr, limits: Limits) -> Site | None:
        """Return the window, ``head`` the first of its roots."""
        roots = tuple(sorted(self.roots, key=lambda i: (i is not head, i.line)))
        nodes = tuple(sorted(self.nodes, key=lambda i: i.line))
        found = make_site(scene, block, nodes, roots, limits.register)
        if (
            not isinstance(found, Site)
            or len({x.source for x in found.window.leaves}) > limits.leaves
        ):
            return None
        return replace(found, inputs=tuple(_early(scene, x) for x in found.inputs))


def squares(scene: Scene, block: int, limits: Limits) -> list[Square]:
    """Return the squares of a block that have several roots."""
    found: list[Square] = []
    for one in _single(scene, block):
        at = next((k for k in reversed(range(len(found))) if found[k].meets(one)), len(found))
        found[at:] = [found[at].joined(one) if at < len(found) else one, *found[at + 1 :]]
    lanes = limits.root_lanes
    few = (s for s in found if sum(shape_of(r.type)[0] for r in s.roots) <= lanes)
    return [s for s in few if 1 < len(s.roots) <= SQUARES_MOST]


def _single(scene: Scene, block: int) -> Iterator[Square]:
    """Yield the roots of a block one by one."""
    view, instrs = scene.view, scene.view.blocks[block].instrs
    moves = {i.name: i for i in instrs if i.name and i.opcode in MOVES and scene.inner(i)}
    for root in filter(is_root_type, moves.values()):
        if all(u.name in moves for u in view.used_by(root.name)):
            continue
        nodes, read, waiting = {root.name: root}, set[Local](), [root]
        while waiting:
            for o in (o for o in waiting.pop().operands if isinstance(o, Local)):
                if o.name not in moves:
                    read.add(o)
                elif o.name not in nodes:
                    nodes[o.name] = moves[o.name]
                    waiting.append(moves[o.name])
        loads = {o.name: r.key for o in read if (r := scene.regions.read(o.name)) is not None}
        own = [o.name for o in read if o.name in view.defs and o.name not in loads]
        last = max((view.defs[n].line for n in own if view.place(n) == block), default=0)
        keys = frozenset(loads.get(o.name, o.name) for o in read)
        yield Square((root,), frozenset(nodes.values()), keys, last)


def _early(scene: Scene, x: Input) -> Input:
    """Return an input that is loaded where the first load of its first bytes is."""
    pointer = x.made and x.made.pointer
    if x.made is None or not isinstance(pointer, Local):
        return x
    key = x.made.read.key
    users = scene.view.used_by(pointer.name)
    first = (i.line for i in users if (r := scene.regions.read(i.name)) and r.key == key)
    return replace(x, made=replace(x.made, after=min(first, default=x.made.after)))
