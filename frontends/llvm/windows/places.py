"""Where windows lie: the candidates of a function, and their places by name and number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import prod

from frontends.llvm.limits import PLACES_MOST_LEAVES
from frontends.llvm.text.ast import Instr, Local
from frontends.llvm.text.syntax import integer_shape, shape_of
from frontends.llvm.windows.cones import cone, sums_many_products
from frontends.llvm.windows.scene import (
    MOVES,
    Limits,
    Scene,
    Site,
    is_root_type,
    make_site,
    roots_of,
    trivial,
)
from frontends.llvm.windows.squares import Moved, square_site, squares
from isel.ir.expr import leaves


@dataclass(frozen=True, slots=True)
class Place:
    """A root to rewrite and the windows to try for it, the largest first."""

    root: Instr
    block: int
    sites: tuple[Site, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A root that may become a place, and the other roots of its block; one that several lanes of
    another root are made of is looked at for itself alone, one of a square with the others of that.
    """

    root: Instr
    block: int
    others: frozenset[str] = frozenset()
    shared: bool = False
    square: tuple[Moved, ...] = ()


def candidates(scene: Scene, limits: Limits) -> Iterator[Candidate]:
    """Yield the roots of a function in program order: of several parts of a value that fill no
    register that value, as what computes it is there for all of them.
    """
    for block in range(len(scene.view.blocks)):
        found = roots_of(scene, block)
        whole = [_whole(scene, i, block, limits) for i in found]
        count = Counter(i.name for i in whole)
        roots = {
            x.name: x
            for x in (w if count[w.name] > 1 else i for i, w in zip(found, whole, strict=True))
        }
        every = {**_values_of_several(scene, roots.values(), block, limits), **roots}
        joined = squares(scene, block, limits)
        own = (x.root for s in joined for x in s if x.root.name in every)
        moved = {i.name for i in own if _is_moved(scene, i, block, limits)}
        for i in sorted(every.values(), key=lambda i: i.line):
            others = frozenset(every) - {i.name}
            if i.name not in moved:
                yield Candidate(i, block, others, shared=i.name not in roots)
        yield from _joined(joined, block, moved)


def _joined(
    found: Iterable[Sequence[Moved]], block: int, names: Container[str]
) -> Iterator[Candidate]:
    """Yield the squares that have a root among names, called by the first such."""
    for s in found:
        heads = (x.root for x in s if x.root.name in names)
        yield from (Candidate(head, block, square=tuple(s)) for head in islice(heads, 1))


def _is_moved(scene: Scene, root: Instr, block: int, limits: Limits) -> bool:
    """Tell whether the whole window of a root would have moves alone."""
    nodes = cone(scene, root, block, frozenset(), limits)
    return all(i.opcode in MOVES for i in nodes if scene.works(i, block))


def _values_of_several(
    scene: Scene, roots: Iterable[Instr], block: int, limits: Limits
) -> dict[str, Instr]:
    """Return the values with several users that roots are computed by whose lanes have too many
    leaves to be looked at in depth: windows end there, too.
    """
    found: dict[str, Instr] = {}
    for site in filter(None, (_wide(scene, r, block, limits) for r in roots)):
        lines = frozenset(i.line for i in site.nodes)
        for i in site.nodes:
            several = sum(u.line in lines for u in scene.view.used_by(i.name)) > 1
            if several and _is_computed(scene, i, block):
                found[i.name] = i
    return found


def _wide(scene: Scene, root: Instr, block: int, limits: Limits) -> Site | None:
    """Return the window of a root if its lanes have many leaves and are no sums of products."""
    nodes = cone(scene, root, block, frozenset(), limits)
    few = len(nodes) <= PLACES_MOST_LEAVES or sums_many_products(nodes)
    site = None if few else _site(scene, block, frozenset(), root, limits)
    lanes = (e for r in site.window.roots for e in r.lanes) if site else ()
    wide = max((len(leaves(e)) for e in lanes if e is not None), default=0) > PLACES_MOST_LEAVES
    return site if wide else None


def _is_computed(scene: Scene, i: Instr, block: int) -> bool:
    """Tell whether a window of a block computes a vector, and not only moves another one."""
    moves = i.opcode in MOVES and sum(isinstance(o, Local) for o in i.operands) == 1
    return is_root_type(i) and scene.works(i, block) and not moves


def _whole(scene: Scene, i: Instr, block: int, limits: Limits) -> Instr:
    """Return the value of a block some neighbouring lanes of which an instruction takes, itself
    where it is something else.
    """
    of = scene.view.definition(i.operands[0]) if i.opcode == "shufflevector" else None
    here = of is not None and scene.inner(of) and scene.view.place(of.name) == block
    return of if of is not None and here and _is_part(i, of, limits) else i


def _is_part(i: Instr, of: Instr, limits: Limits) -> bool:
    """Tell whether a shuffle takes neighbouring lanes of a value, fewer than fill a register."""
    part, whole, first = shape_of(i.type), shape_of(of.type), i.mask[0] or 0
    if not part[1] or i.mask != tuple(range(first, first + part[0])):
        return False
    return part[0] < whole[0] >= first + part[0] and prod(part) < limits.register


def places(scene: Scene, limits: Limits) -> Iterator[Place]:
    """Yield the places of a function in program order."""
    found = (place_at(scene, c, limits) for c in candidates(scene, limits))
    return (p for p in found if p is not None)


def place_at(scene: Scene, candidate: Candidate, limits: Limits) -> Place | None:
    """Return the windows of a root, None where there is nothing to gain or too much to look at."""
    root, block = candidate.root, candidate.block
    shape = integer_shape(root.type)
    if shape is None or shape[0] > limits.root_lanes:
        return None
    if candidate.square:
        joined = square_site(scene, block, candidate.square, root, limits)
        return Place(root, block, (joined,)) if joined is not None else None
    if candidate.shared:
        part = _site(scene, block, candidate.others, root, limits)
        return Place(root, block, (part,)) if part is not None else None
    whole = _site(scene, block, frozenset(), root, limits)
    sites = {s.nodes: s for s in (whole, _second(scene, candidate, whole, limits)) if s is not None}
    return Place(root, block, tuple(sites.values())) if sites else None


def _second(scene: Scene, candidate: Candidate, whole: Site | None, limits: Limits) -> Site | None:
    """Return the window of a root that ends at the other roots of its block; where none is inside,
    at its block.
    """
    root, block, others = candidate.root, candidate.block, candidate.others
    if whole is None or not others.isdisjoint(i.name for i in whole.nodes):
        return _site(scene, block, others, root, limits, plain=whole is None)
    if all(scene.works(i, block) for i in whole.nodes):
        return None
    return _site(scene, block, frozenset(), root, limits, plain=True)


def _site(
    scene: Scene,
    block: int,
    cuts: frozenset[str],
    root: Instr,
    limits: Limits,
    *,
    plain: bool = False,
) -> Site | None:
    while root.name not in cuts:
        nodes = cone(scene, root, block, cuts, limits, plain=plain)
        if trivial([i for i in nodes if scene.works(i, block)], limits.register):
            return None
        found = make_site(
            scene, block, nodes, (root,), limits.register, overlapping=sums_many_products(nodes)
        )
        if isinstance(found, Site):
            sources = {x.source for x in found.window.leaves}
            return found if len(sources) <= limits.leaves else None
        cuts |= {found.name}
    return None


def smaller_places(scene: Scene, place: Place, limits: Limits) -> tuple[Place, ...]:
    """Return the operands of a place's root that are windows of their own, and the squares inside,
    to be tried when the whole was not improved.
    """
    inside = {i.name: i for i in place.sites[-1].nodes}
    own = (o.name for o in place.root.operands if isinstance(o, Local) and o.name in inside)
    plain = (
        Candidate(inside[n], place.block) for n in dict.fromkeys(own) if is_root_type(inside[n])
    )
    joined = _joined(squares(scene, place.block, limits), place.block, inside)
    made = (place_at(scene, c, limits) for c in (*plain, *joined))
    return tuple(p for p in made if p is not None)
