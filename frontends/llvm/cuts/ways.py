"""Ways to bring two functions of unlike control flow to one, each by a rule: the source is changed
as the target was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from frontends.llvm.cuts.compare import Sides, compare_by_cuts
from frontends.llvm.cuts.doubling import double_as
from frontends.llvm.cuts.graph import Graph
from frontends.llvm.cuts.left import Left
from frontends.llvm.cuts.narrow import narrow_source
from frontends.llvm.cuts.recompute import recompute
from frontends.llvm.cuts.split import split_as
from frontends.llvm.cuts.straight import straighten_as
from frontends.llvm.cuts.unpack import unpack
from frontends.llvm.cuts.unroll import unroll_as
from frontends.llvm.cuts.whole import unroll_whole_as
from frontends.llvm.paths.choice import Cannot
from frontends.llvm.text.ast import Function
from frontends.llvm.text.identity import Pairing
from isel.model.verdict import Proved, Unknown

T = TypeVar("T")


def _change_target(rule: Callable[[Graph], Function | None], sides: Sides) -> Sides | None:
    """Return the sides with a target that is refined by this one, None where a rule makes none."""
    try:
        found = rule(sides.graph(1))
    except Cannot:
        return None
    return None if found is None else replace(sides, target=found)


def _change_source(rule: Callable[[Graph, Graph], Function | None], sides: Sides) -> Sides | None:
    """Return the sides with a source that is changed by a rule as the target is, None where it is
    not.
    """
    found = _ask(rule, sides)
    return None if found is None else replace(sides, source=found)


def _ask(rule: Callable[[Graph, Graph], T | None], sides: Sides) -> T | None:
    try:
        return rule(sides.graph(0), sides.graph(1))
    except (Cannot, Left):
        return None


def _split(sides: Sides) -> Sides | None:
    """Return the sides with a source whose blocks are split as the target's are."""
    found = _ask(split_as, sides)
    return found and replace(sides, source=found[0], checked=sides.checked | found[1])


def _recompute(sides: Sides) -> Sides | None:
    """Return the sides with a target that carries less, None where it carries nothing of the
    kind.
    """
    said, sizes, isa = sides.contents[1], sides.sizes[1], sides.isas[1]

    def refines(source: Function, target: Function) -> bool:
        within = replace(
            sides,
            source=source,
            target=target,
            contents=(said, said),
            sizes=(sizes, sizes),
            pairing=Pairing(said, said),
            isas=(isa, isa),
            called=set(),
        )
        return isinstance(compare_by_cuts(within), Proved)

    return _change_target(partial(recompute, refines=refines), sides)


# What is tried, in this order, to bring both sides to one control flow and what it carries.
WAYS: Final[Sequence[Callable[[Sides], Sides | None]]] = (
    partial(_change_source, unroll_whole_as),
    partial(_change_target, unpack),
    _recompute,
    *(partial(_change_source, x) for x in (straighten_as, unroll_as, double_as)),
    _split,
)


def compare_changed(sides: Sides, found: Unknown) -> Proved | Unknown:
    """Compare two functions block by block of which that was not enough, each way that there is
    taken.
    """
    then: Proved | Unknown = found
    for way in WAYS:
        while isinstance(then, Unknown) and (plain := way(sides)) is not None:
            then = compare_by_cuts(sides := plain)
    if isinstance(then, Proved) or (plain := narrow_source(sides)) is None:
        return then
    last = compare_by_cuts(plain)
    if isinstance(last, Proved):
        return last
    return Unknown(f"{then.reason}; in fewer bits: {last.reason}")
