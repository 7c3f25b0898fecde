"""Ways to bring two functions of unlike control flow to one, each by a rule: the source is changed
as the target was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from frontends.llvm.cuts.compare import Sides
from frontends.llvm.cuts.doubling import double_as
from frontends.llvm.cuts.graph import Graph
from frontends.llvm.cuts.left import Left
from frontends.llvm.cuts.split import split_as
from frontends.llvm.cuts.straight import straighten_as
from frontends.llvm.cuts.unpack import unpack
from frontends.llvm.cuts.unroll import unroll_as
from frontends.llvm.cuts.whole import unroll_whole_as
from frontends.llvm.paths.choice import Cannot
from frontends.llvm.text.ast import Function


def _unpack_target(sides: Sides) -> Sides | None:
    """Return the sides with a target that packs less, None where it packs nothing."""
    try:
        found = unpack(sides.graph(1))
    except Cannot:
        return None
    return None if found is None else replace(sides, target=found)


def _change_source(rule: Callable[[Graph, Graph], Function | None], sides: Sides) -> Sides | None:
    """Return the sides with a source that is changed by a rule as the target is, None where it is
    not.
    """
    try:
        found = rule(sides.graph(0), sides.graph(1))
    except (Cannot, Left):
        return None
    return None if found is None else replace(sides, source=found)


# What is tried, in this order, to bring both sides to one control flow.
WAYS: Final[Sequence[Callable[[Sides], Sides | None]]] = (
    partial(_change_source, unroll_whole_as),
    _unpack_target,
    *(partial(_change_source, x) for x in (straighten_as, unroll_as, double_as, split_as)),
)
