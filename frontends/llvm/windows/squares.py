"""Windows of moves alone with several roots: what transposes, parts or joins the same leaves is one
question, however many vectors hold the answer.

A root is a vector that moves give and something else than a move uses. Roots are together where
they read a leaf, or loads of one memory, in common, and one place is behind all leaves and before
all uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from frontends.llvm.limits import SQUARES_MOST
from frontends.llvm.text.ast import Instr, Local
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.windows.scene import MOVES, Limits, Scene, Site, is_root_type, make_site


@dataclass(frozen=True, slots=True)
class Square:
    """Roots of moves over the same leaves, and all that they are moved by; ``read`` says what the
    leaves are, ``last`` is the last of their lines, ``used`` the first line of another user.
    """

    roots: tuple[Instr, ...]
    nodes: frozenset[Instr]
    read: frozenset[object]
    last: int
    used: int

    @property
    def late(self) -> bool:
        """Whether all roots are made where the last one is, not where the first is."""
        return self.last > self.roots[0].line

    def joined(self, other: Square) -> Square:
        """Return both together."""
        return Square(
            (*self.roots, *other.roots),
            self.nodes | other.nodes,
            self.read | other.read,
            max(self.last, other.last),
            min(self.used, other.used),
        )

    @property
    def fits(self) -> bool:
        """Whether one place is behind all leaves and before all uses."""
        return not self.late or self.used > self.roots[-1].line

    def site(self, scene: Scene, block: int, head: Instr, limits: Limits) -> Site | None:
        """Return the window, ``head`` the first of its roots."""
        roots = tuple(sorted(self.roots, key=lambda i: (i is not head, i.line)))
        nodes = tuple(sorted(self.nodes, key=lambda i: i.line))
        found = make_site(scene, block, nodes, roots, limits.register, late=self.late)
        few = isinstance(found, Site) and len({x.source for x in found.window.leaves})
        return found if isinstance(found, Site) and few <= limits.leaves else None


def squares(scene: Scene, block: int, limits: Limits) -> list[Square]:
    """Return the squares of a block that have several roots."""
    found: list[Square] = []
    for one in _single(scene, block):
        near = (
            (k, found[k].joined(one)) for k in reversed(range(len(found))) if _meet(found[k], one)
        )
        at, both = next(((k, s) for k, s in near if s.fits), (len(found), one))
        found[at:] = [both, *found[at + 1 :]]
    lanes = limits.root_lanes
    few = (s for s in found if sum(shape_of(r.type)[0] for r in s.roots) <= lanes)
    return [s for s in few if 1 < len(s.roots) <= SQUARES_MOST]


def _meet(a: Square, b: Square) -> bool:
    alike = shape_of(a.roots[0].type)[1] == shape_of(b.roots[0].type)[1]
    return alike and not a.read.isdisjoint(b.read)


def _single(scene: Scene, block: int) -> Iterator[Square]:
    """Yield the roots of a block one by one."""
    view = scene.view
    moves = {
        i.name: i
        for i in view.blocks[block].instrs
        if i.name and i.opcode in MOVES and scene.inner(i)
    }
    for root in filter(is_root_type, moves.values()):
        others = [u for u in view.used_by(root.name) if u.name not in moves]
        if not others:
            continue
        nodes, read, waiting = {root.name: root}, set[Local](), [root]
        while waiting:
            for o in (o for o in waiting.pop().operands if isinstance(o, Local)):
                if o.name not in moves:
                    read.add(o)
                elif o.name not in nodes:
                    nodes[o.name] = moves[o.name]
                    waiting.append(moves[o.name])
        here = [
            d.line for o in read if (d := view.defs.get(o.name)) and view.place(o.name) == block
        ]
        behind = (u.line for u in others if u.opcode != "phi" and view.places[u.line] == block)
        keys = frozenset(r.key if (r := scene.regions.read(o.name)) else o.name for o in read)
        used = min(behind, default=1 << 40)
        yield Square((root,), frozenset(nodes.values()), keys, max(here, default=0), used)
