"""Which accumulators of two functions seem to hold the same together: those between what is
contributed and one scalar, carried through the same blocks, in order.  A wrong guess costs a proof
and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from frontends.llvm.passes.witness import Sums
from frontends.llvm.text.ast import Instr, VectorType
from frontends.llvm.text.view import View
from frontends.llvm.windows.webs import (
    Bundle,
    Web,
    bundles_of,
    computed_from,
    join_of,
    reduction_of,
    webs_of,
)

_LANES: Final = ("shufflevector", "insertelement", "extractelement")  # what moves lanes


def sums_of(
    source: View, target: View, blocks: Mapping[str, str], computes: Callable[[Instr], bool]
) -> Sequence[Sums]:
    """Return sets of phis of the target that may stand for such of the source; ``blocks`` are those
    of the source by the target's.  What was joined so far may go through freezes, moves of lanes
    and what the target's machine ``computes``.
    """

    def passes(i: Instr) -> bool:
        vector = isinstance(i.type, VectorType) and (i.opcode == "freeze" or computes(i))
        return vector or i.opcode in _LANES

    mine, theirs = _looked_at(source), _looked_at(target)
    waiting: dict[frozenset[str], list[Web]] = {}
    for web in webs_of(mine):
        waiting.setdefault(frozenset(mine.label(i.name) for i in web.phis), []).append(web)
    waiting.pop(frozenset(), None)
    found: list[Sums] = []
    for t in webs_of(theirs, passes):
        t = _accumulating(t, computes)
        key = frozenset(blocks.get(theirs.label(i.name), "") for i in t.phis)
        if waiting.get(key):
            s = waiting[key].pop(0)
            pairs = [*_pairs((mine, theirs), (s, t), blocks)]
            signed = any(u.opcode == "sext" for u in theirs.used_by(t.root.name))
            cast = "sext" if signed else "zext"  # by which its result is extended
            found += [Sums(s.join, t.join, cast, dict(pairs))] if pairs else []
    return found


def _pairs(
    views: tuple[View, View], webs: tuple[Web, Web], blocks: Mapping[str, str]
) -> Iterator[tuple[str, Sequence[tuple[Bundle, Bundle]]]]:
    """Yield sets of phis by the target's blocks, none at all where one side alone has one."""
    mine, theirs = map(bundles_of, views, webs)
    if all(len(mine[blocks[b]]) == len(rows) for b, rows in theirs.items()):
        for b, rows in theirs.items():
            yield b, [*zip(mine[blocks[b]], rows, strict=True)]


def _looked_at(view: View) -> View:
    """Return a view in which one reduction is left where a value is reduced again and again alike:
    a sum that a loop also stores is carried all the same.
    """
    users: dict[str, tuple[Instr, ...]] = {}
    for name, found in view.users.items():
        first = {reduction_of(u): u for u in reversed(found) if reduction_of(u)}
        users[name] = tuple(u for u in found if first.get(reduction_of(u), u) is u)
    return View(view.blocks, users)


def _accumulating(web: Web, computes: Callable[[Instr], bool]) -> Web:
    """Return a web without phis out of which lanes are only moved, and to which no loop joins
    anything: they carry elements of what is joined from one iteration to the next.
    """
    above = {n: _above(web, n) for n in web.members}
    joining = [n for n, i in web.members.items() if join_of(i) == web.join or computes(i)]
    phis = [i.name for i in web.phis]
    sums = {p for p in phis if any(p in above[j] for j in joining if j in above[p])}
    unmoved = _above(web, web.root.name, lambda i: i.opcode not in _LANES)
    gone = {p for p in phis if p not in unmoved and sums.isdisjoint((p, *above[p]))}
    return replace(web, members={n: i for n, i in web.members.items() if n not in gone})


def _above(web: Web, name: str, enters: Callable[[Instr], bool] = lambda _: True) -> frozenset[str]:
    """Return the members that one is computed from, by members that ``enters`` tells."""
    found = computed_from(web.members, web.members[name].operands, enters)
    return frozenset(i.name for i in found)
