"""What a page shows of a rewritten window: a lane as a formula, which source lanes each lane
reads, and both codes as functions by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from frontends.llvm.machine.alone import rewritten_text, windows_text
from frontends.llvm.splicing.emit import operand_text
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.windows.scene import Site
from isel.ir.expr import Expr, leaves
from isel.ir.infix import infix
from isel.model.program import Program
from isel.model.window import Leaf
from isel.spec.instruction import Instruction


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
    *lines, last = infix(e, {x: _name(x, *named[x.source]) for x in leaves(e) if x.source in named})
    return (*lines, f"{lane} = {last}")


def detail_of(
    module: Module,
    function: Function,
    site: Site,
    program: Program,
    instructions: Mapping[str, Instruction],
    machine: tuple[str, str],
) -> Detail:
    """Return what there is to show of a window and the program that replaces it; ``machine``
    are the names of target and CPU.
    """
    named = {
        x.leaf.name: (
            operand_text(x.operand) if x.made is None else f"load {operand_text(x.made.pointer)}",
            x.leaf,
        )
        for x in site.inputs
    }
    numbers = {name: k for k, name in enumerate(named)}
    root, result = site.window.roots[0], f"%{site.roots[0].name}"
    lanes = [() if e is None else tuple(_places(e, numbers, named)) for e in root.lanes]
    first = ((k, e) for k, e in enumerate(root.lanes) if e is not None)
    return Detail(
        *machine,
        next((_formula(f"{result}[{k}]", e, named) for k, e in first), ()),
        tuple((text, leaf.lanes) for text, leaf in named.values()),
        tuple(lanes),
        result,
        windows_text(module, function, [site]),
        rewritten_text(module, function, site, program, instructions),
    )


def _places(
    e: Expr, numbers: Mapping[str, int], named: Mapping[str, tuple[str, Leaf]]
) -> list[tuple[int, int]]:
    found = {
        (numbers[x.source], k)
        for x in leaves(e)
        if x.source in named
        for k in _cover(x, named[x.source][1])
    }
    return sorted(found)


def _cover(x: Expr, leaf: Leaf) -> range:
    """Return the lanes of a leaf that an element lies in."""
    return range(x.offset // leaf.width, (x.offset + x.width - 1) // leaf.width + 1)


def _name(x: Expr, text: str, leaf: Leaf) -> str:
    if leaf.lanes == 1 and x.width == leaf.width:
        return text
    if x.width == leaf.width and x.offset % leaf.width == 0:
        return f"{text}[{x.offset // leaf.width}]"
    return f"{text}[bits {x.offset} to {x.offset + x.width - 1}]"
