"""Windows of moves alone with several roots: what transposes, parts or joins the same leaves is one
question, however many vectors hold the answer.

A root is a vector that moves give and something else than a move uses. Roots are together where
they read a leaf, or loads of one memory, in common, which is there before the first of them: loads
that read it are loaded there once more, as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from frontends.llvm.limits import SQUARES_MOST
from frontends.llvm.text.ast import Instr, Local
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.windows.regions import Input, scalar_of
from frontends.llvm.windows.scene import (
    MOVES,
    Limits,
    Scene,
    Site,
    is_root_type,
    make_site,
    trivial,
)


@dataclass(frozen=True, slots=True)
class Moved:
    """A root and all that it is moved by; ``read`` says what its leaves are, ``last`` is the last
    line of one that is no load.
    """

    root: Instr
    nodes: frozenset[Instr]
    read: frozenset[object]
    last: int


def squares(scene: Scene, block: int, limits: Limits) -> list[list[Moved]]:
    """Return the squares of a block that have several roots."""
    found: list[list[Moved]] = []
    for one in _roots(scene, block):
        square = next((s for s in reversed(found) if _meets(s, one)), None)
        if square is None:
            found.append(square := [])
        square.append(one)
    return [s for s in found if 1 < len(s) <= SQUARES_MOST and _worth(s, limits)]


def _worth(square: Sequence[Moved], limits: Limits) -> bool:
    lanes = sum(shape_of(x.root.type)[0] for x in square)
    nodes = frozenset[Instr]().union(*(x.nodes for x in square))
    return lanes <= limits.root_lanes and not trivial(tuple(nodes), limits.register)


def _meets(square: Sequence[Moved], one: Moved) -> bool:
    first, last = square[0].root, square[-1].root
    alike = shape_of(last.type)[1] == shape_of(one.root.type)[1]
    return alike and one.last < first.line and any(x.read & one.read for x in square)


def square_site(
    scene: Scene, block: int, square: Sequence[Moved], head: Instr, limits: Limits
) -> Site | None:
    """Return the window of a square, ``head`` the first of its roots."""
    roots = sorted((x.root for x in square), key=lambda i: (i is not head, i.line))
    nodes = sorted(frozenset[Instr]().union(*(x.nodes for x in square)), key=lambda i: i.line)
    found = make_site(scene, block, tuple(nodes), tuple(roots), limits.register)
    if not isinstance(found, Site):
        return None
    return replace(found, inputs=tuple(_early(scene, x) for x in found.inputs))


def _roots(scene: Scene, block: int) -> Iterator[Moved]:
    """Yield the roots of a block."""
    view, instrs = scene.view, scene.view.blocks[block].instrs
    moves = {i.name: i for i in instrs if i.name and i.opcode in MOVES and scene.inner(i)}
    for root in filter(is_root_type, moves.values()):
        users = [u for u in view.used_by(root.name) if scalar_of(u, view.defs.get) is None]
        if any(u.name not in moves for u in users):
            yield _root(scene, block, moves, root)


def _root(scene: Scene, block: int, moves: Mapping[str, Instr], root: Instr) -> Moved:
    nodes, here = _moved_by(moves, root), scene.view.blocks[block].instrs
    read = {n: scene.regions.read(n) for i in nodes for n in _locals(i) if n not in moves}
    last = max((i.line for i in here if i.name in read and read[i.name] is None), default=0)
    keys = frozenset(n if r is None else r.key for n, r in read.items())
    return Moved(root, frozenset(nodes), keys, last)


def _moved_by(moves: Mapping[str, Instr], root: Instr) -> list[Instr]:
    nodes = [root]
    seen = {root.name}
    for i in nodes:
        inner = dict.fromkeys(n for n in _locals(i) if n in moves and n not in seen)
        seen.update(inner)
        nodes += [moves[n] for n in inner]
    return nodes


def _locals(i: Instr) -> list[str]:
    return [o.name for o in i.operands if isinstance(o, Local)]


def _early(scene: Scene, x: Input) -> Input:
    """Return an input that is loaded where the first load of its first bytes is."""
    if x.made is None or not isinstance(x.made.pointer, Local):
        return x
    key, users = x.made.read.key, scene.view.used_by(x.made.pointer.name)
    first = (i.line for i in users if (r := scene.regions.read(i.name)) and r.key == key)
    return replace(x, made=replace(x.made, after=min(first, default=x.made.after)))
