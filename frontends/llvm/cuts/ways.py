"""Ways to bring two functions of unlike control flow to one: the source goes as a witness says, the
target is changed by rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from frontends.llvm.cuts.arms import arms_of, without_arms
from frontends.llvm.cuts.compare import compare_by_cuts
from frontends.llvm.cuts.follow import follow
from frontends.llvm.cuts.sides import Sides
from frontends.llvm.cuts.tables import look_up
from frontends.llvm.meaning.lanes import Cannot
from frontends.llvm.passes.left import Left
from frontends.llvm.text import build
from frontends.llvm.text.ast import Function
from frontends.llvm.text.identity import Pairing
from frontends.llvm.text.layout import NotSized
from frontends.llvm.text.parse import with_blocks
from frontends.llvm.text.rewording import rename_uses
from isel.model.verdict import Proved, Unknown

if TYPE_CHECKING:
    from frontends.llvm.cuts.state import Stated


def _unpack(sides: Sides) -> Sides | None:
    """Return the sides with a target that computes what a slot holds, None where none is known."""
    slots = sides.guesses.slots(sides.target.view)
    if not slots:
        return None
    from frontends.llvm.cuts.slots import unpack

    for slot, loops in slots.items():
        with suppress(Cannot, Left, NotSized):
            return replace(sides, target=unpack(sides.graph(1), slot, loops))
    return None


def settle(function: Function, names: Collection[str]) -> Function:
    """Return a function in which values are frozen where they are loaded, for all others: one look
    for all of theirs.
    """
    new = dict(zip(sorted(names), function.view.free_names("isel.settled"), strict=False))
    texts = dict[str, list[str]]()
    for b, i in ((x.label, i) for x in function.blocks for i in x.instrs):
        freeze = [build.freeze(build.result(i)).line(new[i.name])] if i.name in new else []
        texts.setdefault(b, []).extend((rename_uses(i, new), *freeze))
    return with_blocks(function, texts.items())


def _settle(sides: Sides) -> Sides | None:
    """Return the sides with a source that freezes what the target freezes of what it loads."""
    found = sides.guesses.frozen(sides.source.view, sides.target.view)
    return replace(sides, source=settle(sides.source, found)) if found else None


def _merge_arms(sides: Sides) -> Sides | None:
    """Return the sides with a source without arms that only compute, as the target has none."""
    few = next(arms_of(sides.target.view), None) is None
    found = without_arms(sides.graph(0)) if few else None
    return None if found is None else replace(sides, source=found)


def _permute(sides: Sides) -> Sides | None:
    """Return the sides with a source whose passes come in another order, None where none seem to,
    or may.
    """
    found = sides.guesses.exchange(sides.source.view, sides.target.view)
    if found is None:
        return None
    from frontends.llvm.cuts.permute import permute

    return replace(sides, source=permute(sides.graph(0), found))


def _follow(sides: Sides, *, thin: bool = False) -> Sides | None:
    """Return the sides with a source that goes as the target does, None where it does so already,
    or as far as is known does not; where its phis have fewer bits with ``thin``.
    """
    found = sides.guesses.stands(sides.source.view, sides.target.view, thin)
    if found is None:
        return None
    source = sides.graph(0)
    followed = follow(source, sides.graph(1), found)
    if not (followed.early or followed.guards):
        return replace(sides, source=followed.function, tables={})
    from frontends.llvm.cuts.early import with_early

    function, guards = with_early(followed, source)
    return replace(sides, source=function, checked={**sides.checked, **guards}, tables={})


def _state(sides: Sides, k: int) -> Sides | None:
    """Return the sides with a source (0) or target (1) without phis that are computed of what is
    there where their block begins, None where it has none.
    """
    states = sides.guesses.states(sides.graph(k))
    if not states:
        return None
    from frontends.llvm.cuts.state import state

    found = state(sides.graph(k), states)
    if not isinstance(compare_by_cuts(_alone(sides, found, k)), Proved):
        return None
    return replace(sides, target=found.function) if k else replace(sides, source=found.function)


def _alone(sides: Sides, found: Stated, k: int) -> Sides:
    """Return what is to be compared of a source (0) or target (1) of which something is said."""
    contents, sizes, isa = sides.contents[k], sides.sizes[k], sides.isas[k]
    return Sides(
        found.again if k else found.function,
        found.function if k else found.again,
        (contents, contents),
        (sizes, sizes),
        Pairing(contents, contents),
        (isa, isa),
        sides.effort,
        sides.checker,
        shown=found.said if k else [(t, s, lanes) for s, t, lanes in found.said],
        ahead=frozenset() if k else found.ahead,
        guesses=sides.guesses,
    )


# What is tried, in this order, to bring both sides to one control flow and what it carries.
WAYS: Final[Sequence[Callable[[Sides], Sides | None]]] = (
    _unpack,
    partial(_state, k=0),
    partial(_state, k=1),
    _settle,
    _merge_arms,
    _permute,
    _follow,
    look_up,
)


def _go(way: Callable[[Sides], Sides | None], sides: Sides) -> Sides | None:
    """Return the sides as a way leaves them, None where it does not, or cannot, be gone."""
    with suppress(Cannot, Left):
        return way(sides)
    return None


def compare_changed(sides: Sides, found: Unknown) -> Proved | Unknown:
    """Compare two functions block by block of which that was not enough, each way that there is
    taken.
    """
    then: Proved | Unknown = found
    for way in WAYS:
        while isinstance(then, Unknown) and (plain := _go(way, sides)) is not None:
            then = compare_by_cuts(sides := plain)
    if isinstance(then, Proved) or (plain := _go(partial(_follow, thin=True), sides)) is None:
        return then
    last = compare_by_cuts(plain)
    if isinstance(last, Proved):
        return last
    return Unknown(f"{then.reason}; in fewer bits: {last.reason}")
