"""What a page shows of a rewritten window: a lane as a formula, which source lanes each lane
reads, and both codes as functions by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frontends.llvm.machine.alone import rewritten_text, windows_text
from frontends.llvm.splicing.write import Rewrite
from frontends.llvm.text.rewording import spell
from frontends.llvm.windows.regions import Input
from frontends.llvm.windows.scene import Scene, Site
from isel.ir.expr import Expr, leaves
from isel.model.window import Leaf
from isel.spec.instruction import Instructions


@dataclass(frozen=True, slots=True)
class Detail:
    """The target and the CPU of a window's function; lines that say what its first lane is; for
    each lane of its first root pairs of source and lane.

    ``before`` and ``after`` are modules in which the window is function
    :func:`frontends.llvm.machine.alone.name_of` 0.
    """

    target: str
    cpu: str
    term: tuple[str, ...]
    sources: tuple[tuple[str, int], ...]
    reads: tuple[tuple[tuple[int, int], ...], ...]
    result: str
    before: str
    after: str


def _formula(lane: str, e: Expr, named: Mapping[str, tuple[str, Leaf]]) -> tuple[str, ...]:
    """Return the term that a lane is, in lines."""
    from isel.ir.infix import infix  # where details are asked for

    *lines, last = infix(e, {x: _name(x, *named[x.source]) for x in leaves(e) if x.source in named})
    return (*lines, f"{lane} = {last}")


def _text(x: Input) -> str:
    """Return an operand, or the load of it."""
    return spell(x.operand) if x.made is None else f"load {spell(x.made.pointer)}"


def lifted_lines(site: Site, lifted: Sequence[str]) -> tuple[str, ...]:
    """Return what lanes are, in words over the operands of a window's code."""
    names = {x.leaf.source: f"({t})" if " " in (t := _text(x)) else t for x in site.inputs}
    return tuple(
        dict.fromkeys(re.sub(r"[\w.]+", lambda m: names.get(m[0], m[0]), s) for s in lifted)
    )


def detail_of(scene: Scene, rewrite: Rewrite, instructions: Instructions, cpu: str) -> Detail:
    """Return what there is to show of a window and the program that replaces it."""
    module, function, site = scene.module, scene.function, rewrite.site
    named = {x.leaf.name: (_text(x), x.leaf) for x in site.inputs}
    numbers = {name: k for k, name in enumerate(named)}
    root, result = site.window.roots[0], f"%{site.roots[0].name}"
    lanes = [() if e is None else tuple(_places(e, numbers, named)) for e in root.lanes]
    first = ((k, e) for k, e in enumerate(root.lanes) if e is not None)
    return Detail(
        scene.target.name,
        cpu,
        next((_formula(f"{result}[{k}]", e, named) for k, e in first), ()),
        tuple((text, leaf.lanes) for text, leaf in named.values()),
        tuple(lanes),
        result,
        windows_text(module, function, [site]),
        rewritten_text(module, function, site, rewrite.program, instructions),
    )


def _places(
    e: Expr, numbers: Mapping[str, int], named: Mapping[str, tuple[str, Leaf]]
) -> list[tuple[int, int]]:
    found = {
        (numbers[x.source], k)
        for x in leaves(e)
        if x.source in named
        for w in (named[x.source][1].width,)
        for k in range(x.offset // w, (x.offset + x.width - 1) // w + 1)
    }
    return sorted(found)


def _name(x: Expr, text: str, leaf: Leaf) -> str:
    if leaf.lanes == 1 and x.width == leaf.width:
        return text
    if x.width == leaf.width and x.offset % leaf.width == 0:
        return f"{text}[{x.offset // leaf.width}]"
    return f"{text}[bits {x.offset} to {x.offset + x.width - 1}]"
