"""Reductions of a function: which values meet in one, lane by lane, and nowhere else.

A *web* is everything between what is contributed (vectors whose lanes are joined, and scalars) and
one scalar, its *root*: the operations that join, calls of ``llvm.vector.reduce.*``, and the phis
that carry what was joined so far.  Values that something else view are no members; they contribute
as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

from frontends.llvm.limits import WEBS_MOST
from frontends.llvm.text.ast import Instr, IntType, Literal, Local, Operand, VectorType
from frontends.llvm.text.syntax import element, intrinsic_of
from frontends.llvm.text.view import View, incoming
from isel.ir.joins import JOINS

Bundle: TypeAlias = tuple[str, ...]
Passes: TypeAlias = Callable[[Instr], bool]
_OPCODES: Final = ("add", "and", "or", "xor")


@dataclass(frozen=True, slots=True, eq=False)
class Web:
    """A reduction by ``join`` to ``root``, and the members by name in program order, the root
    among them.
    """

    root: Instr
    join: str
    members: Mapping[str, Instr]

    @property
    def phis(self) -> Iterator[Instr]:
        """The members that carry what was joined so far."""
        return (i for i in self.members.values() if i.opcode == "phi")


def join_of(i: Instr) -> str:
    """Return the operation by which an instruction joins two integers or vectors of them, empty
    if none.
    """
    kind = element(i.type)
    if not i.known or not isinstance(kind, IntType):
        return ""
    if i.opcode in _OPCODES:
        return i.opcode
    name = intrinsic_of(i)
    return name if name in JOINS and name not in _OPCODES else ""


def reduction_of(i: Instr) -> str:
    """Return the operation by which a call joins the lanes of a vector of integers, empty if it is
    no such call.
    """
    what, _, name = intrinsic_of(i).rpartition(".")
    reduces = what == "vector.reduce" and name in JOINS and isinstance(i.type, IntType)
    return name if i.known and reduces else ""


def lift(i: Instr, join: str) -> Operand | None:
    """Return the scalar that an instruction puts into one lane of a vector whose other lanes change
    nothing that they are joined to, None if it is no such instruction.
    """
    if i.opcode != "insertelement" or not i.known or not isinstance(i.operands[1].type, IntType):
        return None
    base, scalar, place = i.operands
    if not isinstance(base, Literal) or not isinstance(place, Literal):
        return None
    neutral = JOINS[join].neutral(scalar.type.bits) if isinstance(scalar.type, IntType) else 0
    k = place.lanes[0]
    inside = isinstance(k, int) and k < len(base.lanes)
    rest = all(x == neutral for n, x in enumerate(base.lanes) if n != k)
    return scalar if inside and rest else None


def webs_of(
    view: View, passes: Passes = lambda _: False, *, through_lanes: bool = True
) -> list[Web]:
    """Return the webs of a function in the order of their roots: of the sum of several reductions
    one, of the others one each.  Members are, too, vectors of the same elements, as many as there
    may be, and single elements where ``passes`` says of what makes them that it may carry on what
    was joined so far; ``through_lanes`` as well scalars that a loop carries through a lane of a
    vector.
    """
    calls = {i.name: i for i in view.defs.values() if reduction_of(i)}
    among = calls.values() if through_lanes else ()
    lifts = {n: c for c in among for n in _carry(view, c, passes)}
    found: list[Web] = []
    while calls:
        call = calls.pop(next(iter(calls)))
        web = _scalar_web(view, call, lifts, passes) or _web(view, call, {}, passes)
        for name in web.members:
            calls.pop(name, None)
        found.append(web)
    return sorted(found, key=lambda w: w.root.line)


def _web(view: View, root: Instr, scalars: Mapping[str, Instr], passes: Passes) -> Web:
    """Return the web of a root: with scalar members, and with what is reduced to these."""
    whole = {root.name: root, **scalars}
    join = next(filter(None, (reduction_of(i) or join_of(i) for i in whole.values())))
    members = dict(whole)
    for i in whole.values():
        if reduction_of(i) == join:
            members.update(_lanes(view, i, join, passes))
    return Web(root, join, dict(sorted(members.items(), key=lambda x: x[1].line)))


def _carry(view: View, call: Instr, passes: Passes) -> Iterator[str]:
    """Yield the instructions that put a scalar of a loop into a lane of what a reduction in that
    loop joins, if nothing else sees it there.
    """
    join = reduction_of(call)
    members = _lanes(view, call, join, passes)
    inside = {i.line for i in members.values()} | {call.line}
    around = (o for i in (*members.values(), call) for o in i.operands)
    for name in dict.fromkeys(o.name for o in around if isinstance(o, Local)):
        i = view.defs.get(name)
        scalar = lift(i, join) if i is not None else None
        phi = view.definition(scalar)
        if (
            phi is not None
            and phi.opcode == "phi"
            and view.together(view.place(phi.name), view.place(call.name))
            and all(u.line in inside for u in view.used_by(name))
        ):
            yield name


def _lanes(view: View, call: Instr, join: str, passes: Passes) -> dict[str, Instr]:
    """Return the vectors that are joined on their way to a reduction and used by nothing else."""
    kind = element(call.operands[0].type)

    def leads(i: Instr) -> bool:
        if i.type == kind:
            return i.known and passes(i)
        joins = i.opcode == "phi" or join_of(i) == join or passes(i)
        return i.known and isinstance(i.type, VectorType) and i.type.elem == kind and joins

    found = _reach(view, call.operands, leads)
    while True:
        inside = {i.line for i in found.values()} | {call.line}
        kept = {n: i for n, i in found.items() if all(u.line in inside for u in view.used_by(n))}
        if len(kept) == len(found):
            return kept
        among = frozenset(i.line for i in kept.values())
        found = _reach(view, call.operands, lambda i, a=among: i.line in a)  # type: ignore[misc]


def _reach(
    view: View, start: tuple[Operand, ...], leads: Callable[[Instr], bool]
) -> dict[str, Instr]:
    found = computed_from(view.defs, start, leads)
    return {i.name: i for i in islice(found, WEBS_MOST + 1)}


def computed_from(
    defs: Mapping[str, Instr], start: Iterable[Operand], leads: Callable[[Instr], bool]
) -> Iterator[Instr]:
    """Yield, once each, the instructions among ``defs`` that operands are computed from, by such
    as ``leads`` tells alone.
    """
    seen: set[str] = set()
    waiting = list(start)
    while waiting:
        o = waiting.pop()
        i = defs.get(o.name) if isinstance(o, Local) else None
        if i is not None and i.name not in seen and leads(i):
            seen.add(i.name)
            yield i
            waiting += i.operands


def _scalar_web(view: View, call: Instr, lifts: Mapping[str, Instr], passes: Passes) -> Web | None:
    """Return the web of scalars that a reduction is joined with, if a loop carries it and all of it
    ends in one value.  ``lifts`` put scalars into a lane of what is reduced.
    """
    scalars = _keep(view, _near(view, call, lifts))
    puts = (view.defs[n] for n, c in lifts.items() if c.name in scalars)
    inside = {i.name: i for i in puts if _puts(i, scalars)}
    known = {**scalars, **inside}
    ends = [i for i in scalars.values() if any(u.name not in known for u in view.used_by(i.name))]
    carried = "phi" in {i.opcode for i in scalars.values()}
    carried &= bool(inside) or any(map(join_of, scalars.values()))
    if len(ends) != 1 or call.name not in scalars or not carried:
        return None
    alone = reduction_of(ends[0]) and ends[0] not in [lifts[n] for n in inside]
    return None if alone else _web(view, ends[0], known, passes)


def _near(view: View, call: Instr, lifts: Mapping[str, Instr]) -> dict[str, Instr]:
    """Return what joins scalars to a reduction, other such reductions among it."""
    join, near, waiting = reduction_of(call), {call.name: call}, [call]

    def leads(i: Instr) -> bool:
        joins = i.opcode == "phi" or join_of(i) == join
        return (i.known and i.type == call.type and joins) or reduction_of(i) == join

    while waiting and len(near) <= WEBS_MOST:
        for x in filter(None, _beside(view, waiting.pop(), lifts)):
            if x.name not in near and leads(x):
                near[x.name] = x
                waiting.append(x)
    return near


def _beside(view: View, i: Instr, lifts: Mapping[str, Instr]) -> list[Instr | None]:
    """Return what an instruction reads, a reduction by way of its lifts, and what uses it."""
    inner = [view.defs[n] for n, c in lifts.items() if c is i] if reduction_of(i) else [i]
    users = [lifts.get(u.name, u) for u in view.used_by(i.name)]
    return [*(view.definition(o) for x in inner for o in x.operands), *users]


def _puts(i: Instr, scalars: Mapping[str, Instr]) -> bool:
    scalar = i.operands[1]
    return isinstance(scalar, Local) and scalar.name in scalars


def _keep(view: View, near: Mapping[str, Instr]) -> dict[str, Instr]:
    """Return the scalars without those to which a loop adds other scalars."""
    kept = dict(near)
    while True:
        gone = [n for n, i in kept.items() if not reduction_of(i) and _is_fed(view, i, kept)]
        if not gone:
            return kept
        for n in gone:
            del kept[n]


def bundles_of(view: View, web: Web) -> dict[str, tuple[Bundle, ...]]:
    """Return the phis of a web by block, those together that hold parts of one value: a phi that is
    given what another one is given is a copy, and begins anew.
    """
    found: dict[str, list[list[Instr]]] = {}
    for i in web.phis:
        groups = found.setdefault(view.label(i.name), [[]])
        given = _give(web, i)
        if any(given & _give(web, x) for x in groups[-1]):
            groups.append([])
        groups[-1].append(i)
    return {b: tuple(tuple(i.name for i in g) for g in groups) for b, groups in found.items()}


def _give(web: Web, phi: Instr) -> set[tuple[str, str]]:
    rows = incoming(phi).items()
    return {(b, o.name) for b, o in rows if isinstance(o, Local) and o.name in web.members}


def _is_fed(view: View, i: Instr, among: Mapping[str, Instr]) -> bool:
    """Tell whether a loop joins a scalar to a value that is no member."""
    block = view.place(i.name)
    if i.opcode != "phi":
        given = [o for o in i.operands if isinstance(o, Local) and o.name not in among]
        return bool(given) and view.together(block, block)
    return any(
        isinstance(o, Local) and o.name not in among and view.together(view.numbers[label], block)
        for label, o in incoming(i).items()
    )


def why_left(view: View, web: Web) -> str:
    """Return what keeps an accumulator in a loop out of its reduction's web, empty if nothing."""
    for o in (o for i in web.members.values() for o in i.operands):
        i = view.definition(o)
        if i is None or i.name in web.members or not isinstance(i.type, VectorType):
            continue
        around = [x for x in _above(view, i).values() if i.name in _above(view, x)]
        if any(x.opcode == "freeze" for x in around):
            return "a 'freeze' is on the way of an accumulator"
        carried = next((x for x in around if x.opcode == "phi"), None)
        if carried is not None and (i is carried or join_of(i) == web.join):
            return f"the accumulator %{carried.name} is used elsewhere"
    return ""


def _above(view: View, i: Instr) -> dict[str, Instr]:
    """Return the values of one type that a value is computed from."""
    found = computed_from(view.defs, i.operands, lambda d: d.type == i.type)
    return {d.name: d for d in islice(found, WEBS_MOST)}
