"""Ways to write a function in which its reductions have other lanes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from frontends.llvm.function.addresses import Addresses
from frontends.llvm.limits import REFORMS_FORMS, REFORMS_MOST
from frontends.llvm.meaning.partial import groupings, is_partial, write_out
from frontends.llvm.passes.left import Left
from frontends.llvm.splicing.write import Edits
from frontends.llvm.text.ast import Function, Instr, Module, VectorType
from frontends.llvm.text.layout import sizes_of
from frontends.llvm.text.rewording import locals_in
from frontends.llvm.text.syntax import REDUCTION
from frontends.llvm.text.view import View
from frontends.llvm.transform.moved import Changes
from frontends.llvm.transform.regroup import Plan, Reader, Shape, contribution_bits, plan_of, shapes
from frontends.llvm.transform.regrouped import Regrouped
from frontends.llvm.transform.site import Opportunity, Part, Scope, Way, stay
from frontends.llvm.windows.webs import Web, lift, webs_of, why_left

# A web, and its shapes with the bits of a register that new lanes fill.
_Offer: TypeAlias = tuple[Plan, Sequence[tuple[Shape, int]]]


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield reductions that keep their lanes, with the reason."""
    view = scope.view
    for i in view.defs.values():
        if i.callee.startswith(f"{REDUCTION}f"):
            yield stay(i, "a reduction of floating point is not regrouped")
    for web in webs_of(view) if has_reductions(scope.function) else ():
        why = why_left(view, web)
        try:
            Reader(plan_of(view, web))
        except Left as reason:
            why = str(reason)
        if why:
            yield stay(web.root, f"its lanes stay as they are: {why}")


def ways(module: Module, function: Function, register: int) -> Iterator[Way]:
    """Yield the ways to write a function that are worth trying for registers of so many bits: where
    scalars are carried through lanes, those in which they are not, too.  Fewer of these look at
    memory several times, which may not be proved of what the function itself has stored.
    """
    if not has_reductions(function):
        return
    yield from _in_groups(function)
    yield from _ways(module, function, register, through_lanes=True)
    webs = webs_of(function.view)
    if any(lift(i, w.join) is not None for w in webs for i in w.members.values()):
        yield from _ways(module, function, register, through_lanes=False)


def has_reductions(function: Function) -> bool:
    """Tell whether some call joins lanes of a vector, floating point among them."""
    return any(i.callee.startswith(REDUCTION) or is_partial(i) for i in function.view)


def _ways(
    module: Module, function: Function, register: int, *, through_lanes: bool
) -> Iterator[Way]:
    view = function.view
    webs = webs_of(view, through_lanes=through_lanes)[:REFORMS_MOST]
    found = [_plan(view, w, through_lanes=through_lanes) for w in webs]
    offered = [(p, tuple(_sizes(view, p, register))) for p in found if p is not None]
    for plans in _choices(offered):
        for k in range(min(REFORMS_FORMS, max(len(s) for _, s in plans))):
            made = _make(module, function, [(p, *s[min(k, len(s) - 1)]) for p, s in plans])
            if made is not None:
                yield made


def _in_groups(function: Function) -> Iterator[Way]:
    """Yield the ways in which partial reductions are written out, each in one of the groupings
    that may be chosen.
    """
    calls = [i for i in function.view if is_partial(i)]
    for near in groupings(function):
        names = function.view.free_names()
        lines = {i.line - function.first: write_out(i, near, names) for i in calls}
        parts = [Part(i, (i.text.strip(),), lines[i.line - function.first]) for i in calls]
        roots = {name: p.root for p in parts for x in p.after for name in locals_in(x)[:1]}
        yield Way(Edits(lines, {}), tuple(parts), roots)


def _choices(offered: Sequence[_Offer]) -> Iterator[Sequence[_Offer]]:
    """Yield the webs that change together: all of them, and that of most lanes alone."""
    some = [x for x in offered if x[1]]
    if some:
        yield some
    if some[1:]:
        yield [max(some, key=lambda x: _lanes(x[0]))]


def _lanes(plan: Plan) -> int:
    """Return how many lanes are joined in all: a loop that does what another one left has fewer,
    which other shapes may not make up for.
    """
    kinds = (o.type for o in Reader(plan).vectors())
    return sum(k.count for k in kinds if isinstance(k, VectorType))


def _sizes(view: View, plan: Plan, register: int) -> Iterator[tuple[Shape, int]]:
    """Yield shapes, and bits of a register that new lanes fill: a whole one, or one contribution
    (what lies apart in memory is not brought together).
    """
    reader = Reader(plan)
    found = tuple(shapes(view, plan, reader))
    row = contribution_bits(view, reader)
    yield from ((s, register) for s in found)
    yield from ((s, row) for s in found if row < register)


def _plan(view: View, web: Web, *, through_lanes: bool) -> Plan | None:
    try:
        plan = plan_of(view, web, through_lanes=through_lanes)
        Reader(plan)
    except Left:
        return None
    return plan


def _make(
    module: Module, function: Function, chosen: Sequence[tuple[Plan, Shape, int]]
) -> Way | None:
    names = function.view.free_names()
    given: list[str] = []

    def fresh() -> Iterator[str]:
        for name in names:
            given.append(name)
            yield name

    addresses = _addresses(module, function)
    whole = Changes()
    parts: list[Part] = []
    roots: dict[str, Instr] = {}
    for plan, shape, register in chosen:
        given.clear()
        try:
            changes = Regrouped(function, plan, shape, register, addresses, fresh()).changes
        except Left:
            continue
        whole.add(changes)
        web = plan.web
        old = tuple(i.text.strip() for i in web.members.values())
        parts.append(Part(web.root, old, tuple(x.strip() for *_, x in changes.new())))
        roots.update(dict.fromkeys(given, web.root))
    return Way(whole.edits(module, function), tuple(parts), roots) if parts else None


def _addresses(module: Module, function: Function) -> Addresses | None:
    """Return where pointers of a function point, None where that is not known."""
    sizes = sizes_of(module.layout, module.lines)
    return Addresses(function, sizes) if sizes is not None else None
