"""What a window computes: the instructions that a root is made of, and where they end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from frontends.llvm.limits import CONES_FEW_PRODUCTS, CONES_MOST_OTHERS
from frontends.llvm.meaning.spread import seen_in
from frontends.llvm.text.ast import Instr, Local
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.windows.scene import MOVES, Limits, Scene

_SUMMED: Final = MOVES | {"add", "sub", "mul", "zext", "sext"}
_HOISTED: Final = frozenset(("zext", "sext"))


def cone(
    scene: Scene,
    root: Instr,
    block: int,
    cuts: frozenset[str],
    limits: Limits,
    *,
    plain: bool = False,
) -> tuple[Instr, ...]:
    """Return the instructions that ``root`` is computed by, in program order, stopping at
    ``cuts`` and at the limits; a ``plain`` cone has no invariants but extensions.
    """
    found, complete = _cone(scene, root, block, cuts, limits, plain=plain)
    if complete or not _sums_products(found):
        return found
    n = limits.sums
    more = replace(limits, nodes=n * limits.nodes, lanes=n * limits.lanes)
    whole, complete = _cone(scene, root, block, cuts, more, plain=plain)
    return whole if complete and _sums_products(whole) else found


def sums_many_products(nodes: tuple[Instr, ...]) -> bool:
    """Tell whether instructions only add up products, and many."""
    return sum(i.opcode == "mul" for i in nodes) > CONES_FEW_PRODUCTS and _sums_products(nodes)


def _sums_products(nodes: tuple[Instr, ...]) -> bool:
    """Tell whether instructions, in program order, add up products, none of which is multiplied
    again.
    """
    products: set[str] = set()
    for i in nodes:
        multiplies = i.opcode == "mul"
        rests = any(isinstance(o, Local) and o.name in products for o in i.operands)
        if i.opcode not in _SUMMED or (multiplies and rests):
            return False
        if multiplies or rests:
            products.add(i.name)
    return bool(products)


def _cone(
    scene: Scene, root: Instr, block: int, cuts: frozenset[str], limits: Limits, *, plain: bool
) -> tuple[tuple[Instr, ...], bool]:
    """Return the instructions of a cone, and whether that is all of it.

    What may give two results is computed here only if no other value rests on it: that of
    another window would rest on another of its results.
    """
    taken: dict[str, Instr] = {}
    waiting = {root.name: root}
    lanes, others, complete = 0, 0, True
    while waiting:
        scene.deadline.check()
        # the last in program order first: all its users are known by then
        name = max(waiting, key=lambda n: waiting[n].line)
        i = waiting.pop(name)
        if taken and scene.freezes(i):
            # elsewhere it may be computed once for many passes through this block
            here = scene.view.place(name) == block
            if not here or not seen_in(i, root.name, taken, scene.view.used_by):
                continue
        lanes += shape_of(i.type)[0]
        if taken and (len(taken) >= limits.nodes or lanes > limits.lanes):
            complete = False
            break
        taken[name] = i
        others += scene.view.place(name) != block
        for o in i.operands:
            d = scene.view.definition(o)
            if d is None or d.name in taken or d.name in cuts:
                continue
            if scene.inner(d):
                if scene.view.place(d.name) == block or _joins(
                    scene, d, block, others, plain=plain
                ):
                    waiting[d.name] = d
            elif not plain:
                repeated = scene.invariants.repeated(d, block, tested=scene.tests(d))
                taken.update((x.name, x) for x in repeated)
                for x in scene.invariants.elements_of(repeated).values():
                    if scene.inner(x) and x.name not in taken and x.name not in cuts:
                        waiting[x.name] = x
    return tuple(_in_order(taken).values()), complete


def _in_order(taken: Mapping[str, Instr]) -> dict[str, Instr]:
    """Return instructions in program order, each behind what it uses: blocks lie in any order."""
    found: dict[str, Instr] = {}
    seen: set[str] = set()
    waiting = sorted(taken.values(), key=lambda i: -i.line)
    while waiting:
        i = waiting[-1]
        names = [o.name for o in i.operands if isinstance(o, Local) and o.name in taken]
        before = [taken[n] for n in names if n not in found and n not in seen]
        if before and i.name not in seen:
            waiting += before
        else:
            found.setdefault(waiting.pop().name, i)
        seen.add(i.name)
    return found


def _joins(scene: Scene, d: Instr, block: int, others: int, *, plain: bool) -> bool:
    """Tell whether a value of another block is computed in a window of ``block``."""
    if d.opcode in _HOISTED:
        return True
    return not plain and others < CONES_MOST_OTHERS and scene.invariants.holds(d, block)
