"""Loads that a function takes apart, into every second, third … element, stay such loads: what a
program moves of one, until something else uses it, is written as elements of these planes.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from frontends.llvm.windows.regions import Input
from isel.ir.expr import leaves, postorder
from isel.model.program import LaneValues, Program, Step, step_lanes
from isel.spec.instruction import Instructions

_MOVES: Final = frozenset({"concat", "extract"})


@dataclass(frozen=True, slots=True)
class Part:
    """Elements of one plane of a leaf."""

    leaf: str
    plane: int
    elements: tuple[int, ...]


def parts_of(
    program: Program, needed: Sequence[int], inputs: Sequence[Input], instructions: Instructions
) -> Mapping[int, Part | None]:
    """Return the steps that only move elements of leaves with planes: what others use of them as
    parts of planes, and None for what is on the way there.

    A leaf of which a step uses elements of several planes is not taken apart.
    """
    apart = {x.leaf.name: x for x in inputs if x.planes > 1 and x.made is None}
    moved = _move(program, needed, apart.keys(), instructions) if apart else {}
    sources = {k: name for k in moved if (name := _source(moved[k])) in apart}
    users = {(a, k) for k in needed for a in program.steps[k].args if a in sources}
    used = {a for a, k in users if k not in sources} | {r for r in program.roots if r in sources}
    parts = {k: _part(moved[k], program.steps[k], apart[sources[k]]) for k in used}
    whole = {sources[k] for k, part in parts.items() if part is None}
    return {k: parts.get(k) for k, name in sources.items() if name not in whole}


def _move(
    program: Program, needed: Sequence[int], names: Container[str], instructions: Instructions
) -> dict[int, LaneValues]:
    """Return the lanes of the steps that make nothing new of some leaves and literals."""
    found: dict[int, LaneValues] = {}
    for k in needed:
        s = program.steps[k]
        if (s.kind == "leaf" and s.name not in names) or any(a not in found for a in s.args):
            continue
        widths = [program.steps[a].width for a in s.args]
        lanes = step_lanes(s, [found[a] for a in s.args], widths, instructions)
        if all(x.op in _MOVES for e in lanes if e is not None for x in postorder([e]) if x.args):
            found[k] = lanes
    return found


def _source(lanes: LaneValues) -> str:
    """Return the one leaf that lanes are elements of, empty where they are anything else."""
    of = [leaves(e) for e in lanes if e is not None]
    names = {x.source for found in of for x in found} if all(of) else set()
    return names.pop() if len(names) == 1 else ""


def _part(lanes: LaneValues, s: Step, x: Input) -> Part | None:
    """Return lanes as elements of one plane; those that may be anything are what comes next."""
    if s.width != x.leaf.width or any(
        e is not None and (not e.is_leaf or e.offset % s.width) for e in lanes
    ):
        return None
    at = [None if e is None else e.offset // s.width for e in lanes]
    planes = {k % x.planes for k in at if k is not None}
    if len(planes) != 1:
        return None
    known = [(lane, k // x.planes) for lane, k in enumerate(at) if k is not None]
    size = x.leaf.lanes // x.planes
    lane, element = known[0]
    filled = (element - lane + n if k is None else k // x.planes for n, k in enumerate(at))
    return Part(x.leaf.name, planes.pop(), tuple(k if 0 <= k < size else element for k in filled))


def steps_needed(program: Program) -> tuple[int, ...]:
    """Return the numbers of the steps that roots are computed from."""
    wanted = set(program.roots)
    for k in range(len(program.steps) - 1, -1, -1):
        if k in wanted:
            wanted.update(program.steps[k].args)
    return tuple(sorted(wanted))
