"""A web with its lanes in other groups: fewer and wider lanes, or as many narrow ones, as IR.

Each new lane joins neighbours, so that it covers the bits that the values it joins were read from.
Every accumulator of the web gives way to some of the new shape; what is written is nothing but
shuffles, extensions and joins, in which windows then find instructions.  Nothing here is trusted:
what comes of it is proved to refine the source (:mod:`frontends.llvm.cuts.compare`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from frontends.llvm.function.addresses import Address, Addresses
from frontends.llvm.limits import REGROUP_FOLLOWED
from frontends.llvm.passes.left import require
from frontends.llvm.text.ast import Instr, Literal, Local, Operand, VectorType
from frontends.llvm.text.syntax import intrinsic_of, is_below, shape_of
from frontends.llvm.text.view import View, incoming
from frontends.llvm.windows.webs import Bundle, Web, bundles_of, lift, reduction_of
from isel.ir.joins import JOINS

Slot: TypeAlias = tuple[Operand, int]
_WIDTHS: Final = (8, 16, 32, 64)


@dataclass(frozen=True, slots=True)
class Shape:
    """New lanes of ``width`` bits, each of which joins ``group`` neighbours; ``join`` is by what,
    ``cast`` how narrow lanes are extended, empty where they are not.
    """

    width: int
    group: int
    join: str
    cast: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The bundles of a web: members that hold together what was joined so far, in the order of
    their slots; phis with their block, and what is carried to them along each edge.  ``lifted`` are
    vectors that stand for a scalar.
    """

    web: Web
    phis: Mapping[Bundle, str]
    edges: Mapping[tuple[Bundle, str], tuple[Operand, ...]]
    chains: tuple[Bundle, ...]
    lifted: Mapping[str, Operand]


def plan_of(view: View, web: Web, *, through_lanes: bool = True) -> Plan:
    """Return the bundles of a web; raises :class:`frontends.llvm.passes.left.Left`.  Without
    ``through_lanes`` a scalar in a lane of a vector is a vector as any.
    """
    phis = {n: b for b, bundles in bundles_of(view, web).items() for n in bundles}
    edges = {(names, label): row for names in phis for label, row in _edges(web, names).items()}
    chains = dict.fromkeys(c for row in edges.values() if (c := _chain(view, web, row)))
    root = web.root
    if phis and root.opcode != "phi" and not reduction_of(root):
        chains[root.name,] = None
    among = view.defs.values() if through_lanes else ()
    lifts = {i.name: s for i in among if (s := lift(i, web.join)) is not None}
    return Plan(web, phis, edges, tuple(chains), lifts)


def _edges(web: Web, names: Bundle) -> dict[str, tuple[Operand, ...]]:
    """Return what is carried to a bundle along each edge."""
    alike = len({str(web.members[n].type) for n in names}) < 2
    require(alike, "vectors and scalars are carried beside each other")
    given = [incoming(web.members[n]) for n in names]
    return {label: tuple(x[label] for x in given) for label in given[0]}


def _chain(view: View, web: Web, row: Sequence[Operand]) -> Bundle:
    """Return the members of one block, no phis, that a row is; nothing if it is something else."""
    names = tuple(o.name for o in row if isinstance(o, Local) and o.name in web.members)
    if len(names) < len(row) or any(web.members[n].opcode == "phi" for n in names):
        return ()
    return names if len({view.place(n) for n in names}) == 1 else ()


@dataclass(frozen=True, slots=True)
class Parts:
    """What is joined to a value: bundles, and contributions with the slots that they are for."""

    bundles: tuple[Bundle, ...]
    given: tuple[Slot, ...]


class Reader:
    """Takes the values of a web apart."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.join = JOINS[plan.web.join]
        self._slots: dict[str, tuple[Bundle, int]] = {}
        for bundle in (*plan.phis, *plan.chains):
            for k, name in enumerate(bundle):
                once = self._slots.setdefault(name, (bundle, k)) == (bundle, k)
                require(once, "an accumulator is carried in several ways")

    def chain(self, bundle: Bundle) -> Parts:
        """Return what the members of a chain's bundle join."""
        members = self.plan.web.members
        return self.parts([(o, k) for k, n in enumerate(bundle) for o in members[n].operands])

    def root(self) -> Parts:
        """Return what the root is."""
        root = self.plan.web.root
        if reduction_of(root) and root.name not in self._slots:
            return self.parts([(root.operands[0], 0)])
        return self.parts([(Local(root.name, root.type), 0)])

    def vectors(self) -> list[Local]:
        """Return the vectors that loops contribute, or all where there is no loop."""
        chains = [self.chain(b) for b in self.plan.chains]
        given = [o for p in chains for o, _ in p.given] or [o for o, _ in self.root().given]
        return [o for o in given if isinstance(o, Local) and isinstance(o.type, VectorType)]

    def parts(self, values: Sequence[Slot]) -> Parts:
        """Return what values are together; raise :class:`Left` where not all accumulators of a
        bundle are among them.
        """
        seen: dict[Bundle, list[int]] = {}
        given: list[Slot] = []
        waiting = list(values)[::-1]
        while waiting:
            o, slot = waiting.pop()
            name = o.name if isinstance(o, Local) else ""
            i, scalar = self.plan.web.members.get(name), self.plan.lifted.get(name)
            if scalar is not None:
                waiting.append((scalar, slot))
            elif i is None:
                given.append((o, slot))
            elif i.name in self._slots:
                bundle, k = self._slots[i.name]
                seen.setdefault(bundle, []).append(k)
            else:
                waiting += [(x, slot) for x in i.operands[::-1] if str(x.type) != "label"]
        meet = all(self._meets(bundle, ks) for bundle, ks in seen.items())
        require(meet, "its accumulators do not all meet in one reduction")
        return Parts(tuple(seen), tuple(given))

    def _meets(self, bundle: Bundle, ks: Sequence[int]) -> bool:
        """Tell whether all slots of a bundle are there, as often as that may be."""
        every = set(range(len(bundle)))
        return set(ks) == every and not (self.join.once and len(ks) > len(bundle))


def source_widths(view: View, o: Operand) -> int:
    """Return the least width from which what makes up a value was extended, else its own."""
    least = shape_of(o.type)[1]
    waiting, seen = [o], 0
    while waiting and seen < REGROUP_FOLLOWED:
        x = waiting.pop()
        i = view.definition(x)
        seen += 1
        if i is None or not i.known or i.opcode in ("load", "phi"):
            continue
        least = min([least, *_widths_below(i)])
        waiting += [y for y in i.operands if isinstance(y.type, VectorType)]
    return least


def _widths_below(i: Instr) -> Iterator[int]:
    """Yield the width from which an instruction extends, or that of what it compares."""
    if i.opcode in ("zext", "sext", "icmp"):
        width = shape_of(i.operands[0].type)[1]
        if width > 1 or i.opcode == "icmp":
            yield width


def in_memory_order(
    view: View, values: Sequence[Operand], addresses: Addresses
) -> Sequence[Operand]:
    """Return values in the order of the addresses that they are read from, as they are where one
    of them is not.
    """
    found = [(_place(view, o, addresses), o) for o in values]
    known = [(at, o) for at, o in found if at is not None]
    lines = list(dict.fromkeys(at.line for at, _ in known))
    ordered = sorted(known, key=lambda x: (lines.index(x[0].line), x[0].offset))
    return [o for _, o in ordered] if len(known) == len(found) else values


def _place(view: View, o: Operand, addresses: Addresses) -> Address | None:
    """Return the address of what a value begins with."""
    step = 0
    for _ in range(REGROUP_FOLLOWED):
        i = view.definition(o)
        if i is None or i.opcode == "load":
            at = None if i is None else addresses.of(i.operands[0])
            return None if at is None else at.moved(step)
        step += (i.mask[0] or 0) * shape_of(o.type)[1] // 8 if i.mask else 0
        above = _first_vector(i)
        if above is None:
            return None
        o = above
    return None


def _first_vector(i: Instr) -> Local | None:
    """Return the first vector that a value is computed from in its block."""
    vectors = (x for x in i.operands if isinstance(x, Local) and shape_of(x.type)[1])
    return next(vectors, None) if i.opcode != "phi" else None


def nonnegative(view: View, o: Operand, depth: int = 6) -> bool:
    """Tell whether a value is written as one that is never negative."""
    if isinstance(o, Literal):
        return is_below(o, 1 << (shape_of(o.type)[1] - 1))
    i = view.definition(o)
    if i is None or depth == 0:
        return False
    if _has_no_sign(i):
        return True
    below = (nonnegative(view, x, depth - 1) for x in i.operands[: 1 if i.mask else 2])
    if i.opcode in ("mul", "add", "shufflevector", "shl"):
        return all(below)
    return i.opcode == "and" and any(below)


def _has_no_sign(i: Instr) -> bool:
    """Tell whether an instruction gives nothing negative, whatever its operands are."""
    square = i.opcode == "mul" and i.operands[0] == i.operands[1]
    magnitude = intrinsic_of(i) in ("abs", "ctpop")
    return square or magnitude or i.opcode in ("zext", "lshr")


def cast_of(view: View, o: Operand, width: int) -> str:
    """Return the extension by which a value came from at most ``width`` bits, empty if none."""
    i = view.definition(o)
    if i is not None and i.opcode in ("zext", "sext") and shape_of(i.operands[0].type)[1] <= width:
        return i.opcode
    return ""


def contribution_bits(view: View, reader: Reader) -> int:
    """Return the bits that the widest contribution was read from."""
    values = reader.vectors()
    sizes = (
        o.type.count * source_widths(view, o) for o in values if isinstance(o.type, VectorType)
    )
    return max(sizes, default=0)


def shapes(view: View, plan: Plan, reader: Reader) -> Iterator[Shape]:
    """Yield the shapes that are worth trying for a web."""
    web, values = plan.web, reader.vectors()
    if not values:
        return
    own = shape_of(values[0].type)[1]
    least = min(source_widths(view, o) for o in values)
    if web.join == "add":
        yield from _sums(own, least, tuple(_factors(view, values)), view)
    elif least < own and least in _WIDTHS:
        casts = {cast_of(view, o, least) for o in values}
        cast = casts.pop() if len(casts) == 1 else ""
        under = {"zext": JOINS[web.join].zext, "sext": JOINS[web.join].sext}.get(cast)
        if under:
            yield Shape(least, 1, under, cast)


def _sums(own: int, least: int, factors: Sequence[Operand], view: View) -> Iterator[Shape]:
    """Yield shapes of sums: lanes that cover what they are read from, products also twice that;
    those of differences, which have a bit more than what they are read from, twice that alone.
    """
    if least not in _WIDTHS:
        return
    if not factors:
        wide = (w for w in _WIDTHS[::-1] if w >= max(own, 2 * least))
        yield from (Shape(w, w // least, "add") for w in wide)
    elif own in _WIDTHS:
        direct = all(_is_as_read(view, x, least) for x in factors)
        groups = (direct * own // least, own // (2 * least))
        yield from (Shape(own, g, "add") for g in groups if g > 1)


def _is_as_read(view: View, o: Operand, least: int) -> bool:
    return isinstance(o, Literal) or cast_of(view, o, least) != ""


def _factors(view: View, values: Sequence[Operand]) -> Iterator[Operand]:
    products = (i for o in values if (i := view.definition(o)) is not None and i.opcode == "mul")
    return (x for i in products for x in i.operands)


def differences(view: View, values: Sequence[Operand]) -> tuple[list[Operand], list[Operand]]:
    """Return what values are differences of, nothing where one is no difference of extended lanes:
    instructions that join more than two lanes take bytes without a sign.
    """
    plus, minus = list[Operand](), list[Operand]()
    for o in values:
        i = view.definition(o)
        if i is None or i.opcode != "sub" or not all(_is_extended(view, x) for x in i.operands):
            return [], []
        plus.append(i.operands[0])
        minus.append(i.operands[1])
    return plus, minus


def narrow_products(view: View, values: Sequence[Operand]) -> list[Operand]:
    """Return the products that values are extended from if all are, with at most half as many bits
    and a sign in their factors, and are not negative: two of them do not wrap.
    """
    casts = [i for o in values if (i := view.definition(o)) and "nneg" in i.flags]
    found = [i.operands[0] for i in casts if i.opcode == "zext"]
    factors = list(_factors(view, found))
    small = all(cast_of(view, x, shape_of(x.type)[1] // 2) == "sext" for x in factors)
    return found if small and len(factors) == 2 * len(values) else []


def _is_extended(view: View, o: Operand) -> bool:
    i = view.definition(o)
    return i is not None and i.opcode == "zext"
