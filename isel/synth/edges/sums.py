"""Edges to instructions that join like pieces: what a wanted value is the sum (the least, the
greatest) of is put into the pieces of an instruction, the rest is joined to it.

Neighbours in memory come first.  Callers check everything on samples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import combinations, islice, product
from math import gcd
from typing import Final, TypeAlias, TypeVar

from isel.ir.build import bxor, concat, make
from isel.ir.canon import canonical, formal, rename
from isel.ir.expr import Expr, const, leaves
from isel.ir.joins import JOINS
from isel.ir.linear import Atom, Linear
from isel.ir.ops import signed
from isel.ir.spans import whole, within
from isel.rules.derived import expanded
from isel.rules.recognise import recognised
from isel.synth.edges.fillings import (
    GroupedSum,
    Order,
    Row,
    filled,
    operands,
    piece_filled,
    place,
    shares,
    value_of,
)
from isel.synth.edges.found import Found, arguments, sum_of_two
from isel.synth.edges.parted import by_leaf
from isel.synth.values.lanefn import LaneFn, lane_fn
from isel.synth.values.linear import (
    Monomial,
    SumOfProducts,
    factored,
    monomials,
    narrow_atoms,
    rebuild,
    summed,
    unclamped,
)

_MOST_GROUPS: Final = 12
_MOST_RESTS: Final = 2  # groups, without an addend, to which the rest of a sum is added
_MOST_WITH_REST: Final = 8  # terms of such a sum: each rest is a sum to be solved in its turn
_MOST_SHIFTED: Final = 2  # times that a sum has an upper neighbour; of more, a product is less work
_EXTREMES: Final = tuple(name for name in JOINS if name.endswith(("min", "max")))
Group: TypeAlias = tuple[Monomial, ...]
_Find: TypeAlias = Callable[[LaneFn, SumOfProducts, Group, int, Order], Iterator[Found]]
Dots: TypeAlias = Sequence[tuple[LaneFn, SumOfProducts]]
_T = TypeVar("_T")
_Places: TypeAlias = tuple[tuple[int, int, int], ...]  # source, offset and width of what is read


def dot_edges(
    dots: Dots, term: Expr, order: Order, narrow: Callable[[Expr], Expr]
) -> Iterator[Found]:
    """Yield applications of ``dots``, whose products are in the order of the elements they read.

    ``order`` places the term's leaves: (source, offset), as numbers, in a representative lane.
    Factors that are computed (squares of differences) are wanted by ``narrow`` as well.
    """
    own = [dot for dot in dots if dot[0].width == term.width]
    for find, ms, width, clamped in _spellings(term, narrow):
        for fn, shape in own:
            if shape.clamped or not clamped:
                yield from find(fn, shape, ms, width, order)


def _spellings(
    term: Expr, narrow: Callable[[Expr], Expr]
) -> Iterator[tuple[_Find, Group, int, bool]]:
    """Yield a term as sums, how functions are found for one, in which width, and whether only those
    that saturate are.
    """
    yield fill, monomials(term), term.width, False
    inner = filter(None, dict.fromkeys((unclamped(term), _without_exceptions(term))))
    yield from ((fill, monomials(x), x.width, True) for x in inner if x is not term)
    fields, products = narrow_atoms(term), factored(term, narrow)
    if any(m.coefficient != 1 for m in fields) and all(len(m.atoms) == 1 for m in fields):
        yield _nest, fields, term.width, False
    if any(len(m.atoms) > 1 for m in products) and products != monomials(term):
        yield fill, products, term.width, False


def _without_exceptions(e: Expr) -> Expr:
    """Return the value beside literals that a term gives under conditions: a clamp in its own
    width.
    """
    while e.op == "ite" and e.args[1].is_const != e.args[2].is_const:
        e = e.args[2] if e.args[1].is_const else e.args[1]
    return e


def fill(fn: LaneFn, shape: SumOfProducts, ms: Group, width: int, order: Order) -> Iterator[Found]:
    """Yield applications of a function to groups of the monomials of a sum, and what is left of
    it: what the function adds or, if it adds nothing, what its result is joined with.
    """
    groups = _groups(shape, ms, width, order) if len(shape.addends) < 2 else {}
    for group, joins in groups.items():
        rest = _without(ms, group, width)
        beside = rebuild(rest, width) if rest and not shape.addends else None
        full = len(group) == len(shape.products) and joins
        added = _addend(shape, rest, width)
        if added is not None and (beside is None or full):
            for args in filled(shape, group, width, order):
                yield Found(fn, arguments(fn, args | added), sum_of_two(fn.width), beside)


def _groups(shape: SumOfProducts, ms: Group, width: int, order: Order) -> Mapping[Group, bool]:
    """Return the groups to try, and whether the rest may be joined with each; the first and the
    last of shares as well, beside one that needs none: a factor of all is less work than shares.
    """
    slots, fit = len(shape.products), eligible(shape, ms, order)
    plain = _choices(fit, slots, order) if fit else ()
    split = eligible(shape, [x for m in ms for x in shares(shape, m, width)], order) if fit else []
    ends = (tuple(split[:slots]), tuple(split[-slots:])) if len(split) > len(fit) else ()
    few = len(ms) <= _MOST_WITH_REST
    return {g: few and k < _MOST_RESTS for k, g in enumerate(plain)} | dict.fromkeys(ends, few)


def _without(ms: Group, group: Group, width: int) -> Group:
    """Return what is left of a sum without a group of its monomials, or of shares of these."""
    taken = Counter[tuple[Atom, ...]]()
    for m in group:
        taken[m.atoms] += m.coefficient
    left = (replace(m, coefficient=(m.coefficient - taken[m.atoms]) % (1 << width)) for m in ms)
    return tuple(m for m in left if m.coefficient)


def _addend(shape: SumOfProducts, ms: Group, width: int) -> dict[Expr, Expr] | None:
    """Return what is added to the products as the operand of the addend, if there is one: of a
    wider sum that is clamped, one value that fits.
    """
    if not shape.addends:
        return {}
    (addend,) = shape.addends
    if addend.term.width == width:
        return {addend.term: rebuild(ms, width)}
    if not ms:
        return {addend.term: const(0, addend.term.width)}
    one = ms[0].value if len(ms) == 1 else None
    value = value_of(one, addend) if one else None
    return None if value is None else {addend.term: value}


def _nest(fn: LaneFn, shape: SumOfProducts, ms: Group, width: int, order: Order) -> Iterator[Found]:
    """Yield a sum as a dot product of smaller sums, which are again dot products: equal parts of
    it, in the order of memory, by what their factors have in common.
    """
    slots = len(shape.products)
    if shape.addends or len(ms) % slots or len(ms) <= slots:
        return
    ordered, each = sorted(ms, key=lambda m: _place(m, order)), len(ms) // slots
    parts = [ordered[k : k + each] for k in range(0, len(ms), each)]
    group = tuple(m for p in parts for m in _common(p, width))
    if len(group) == slots:
        for args in filled(shape, group, width, order):
            yield Found(fn, arguments(fn, args), sum_of_two(width))


def _common(ms: Sequence[Monomial], width: int) -> Iterator[Monomial]:
    """Yield a sum as a factor times a sum that fits in half the width."""
    half = width // 2
    factor = gcd(*(signed(m.coefficient, width) for m in ms))
    inner = Linear({m.atoms: signed(m.coefficient, width) // factor for m in ms})
    if within(inner.bounds(), whole(half, signed=True)):
        yield Monomial(factor % (1 << width), (Atom(inner.term(half), signed=True),))


def eligible(shape: SumOfProducts, ms: Sequence[Monomial], order: Order) -> list[Monomial]:
    """Return the monomials that fill a slot of a sum, in the order of their places."""
    found = (m for m in ms if operands(shape.products[0], m, shape.width) is not None)
    return sorted(found, key=lambda m: _place(m, order))


def _place(m: Monomial, order: Order) -> tuple[int, int, int]:
    return len(m.atoms) == 1, *min((place(a.term, order) for a in m.atoms), default=(0, 0))


def _choices(fit: Sequence[Monomial], slots: int, order: Order) -> Sequence[Group]:
    """Return the groups to try: neighbours alone where they nearly fill an instruction, as
    whatever else is more to bring together.
    """
    runs = tuple(runs_of(fit, slots, order)) if len(fit) > slots else ()
    if runs and min(map(len, runs)) >= max(slots - 1, 2):
        return runs
    others = islice(combinations(fit, min(slots, len(fit))), _MOST_GROUPS + 1)
    return tuple(dict.fromkeys((*runs, *others)))


def runs_of(ms: Sequence[Monomial], most: int, order: Order) -> Iterator[Group]:
    """Yield groups of two and more, at ``most`` so many, whose atoms are neighbours in the
    registers that they come from: a row of a filter beside its weights.
    """
    return _runs({m: reads(m, order) for m in ms}, most)


def _runs(placed: Mapping[_T, _Places], most: int) -> Iterator[tuple[_T, ...]]:
    run: list[_T] = []
    for x in sorted(placed, key=lambda x: placed[x]):
        if run and (len(run) == most or _behind(placed[run[-1]]) != placed[x]):
            if len(run) > 1:
                yield tuple(run)
            run = []
        run.append(x)
    if len(run) > 1:
        yield tuple(run)


def reads(m: Monomial, order: Order) -> _Places:
    """Return where each atom lies, or what it is computed from first, in order."""
    firsts = (
        min(leaves(x.term), key=lambda x: order.get(x, (-1, 0)), default=x.term) for x in m.atoms
    )
    return tuple(sorted((*order.get(x, (-1, 0)), x.width) for x in firsts))


def _behind(places: _Places) -> _Places:
    return tuple((source, at + width, width) for source, at, width in places)


def sign_edges(dots: Dots, term: Expr) -> Iterator[Found]:
    """Yield sums whose products have a factor of another sign than a slot: with its highest bit
    changed it is so much more or less, and so many times the other factors are added or taken off.
    Single products, and sums of which a slot takes a product as it is, are left to other edges.
    """
    ms, width = monomials(term), term.width
    products = [m for m in ms if len(m.atoms) > 1]
    widths = {x.term.width for m in products for x in m.atoms}
    own = (s.products[0] for fn, s in dots if fn.width == width and s.products[1:])
    slots = [x for x in dict.fromkeys(own) if {a.term.width for a in x} == widths]
    fits = any(operands(slot, m, width) is not None for slot, m in product(slots, products))
    if len(products) < 2 or fits:
        return
    for slot, (op, sign) in product(slots, (("add", 1), ("sub", -1))):
        every = [_other_sign(slot, m, width) for m in ms]
        more = [by for _, by in every if by is not None]
        off = [replace(m, coefficient=sign * m.coefficient % (1 << width)) for m in more]
        if off and all(operands(slot, m, width) is not None for m in off):
            join = lane_fn(make(op, (formal(0, width), formal(1, width))))
            parts = rebuild([m for m, _ in every], width), rebuild(off, width)
            yield Found(join, parts, join)


def _other_sign(
    slot: tuple[Atom, Atom], m: Monomial, width: int
) -> tuple[Monomial, Monomial | None]:
    """Return a product with the highest bit of a factor changed, which then fits a slot, and what
    is to be added to it; other monomials as they are.
    """
    if len(m.atoms) > 1 and operands(slot, m, width) is None:
        for x, w in (m.atoms, m.atoms[::-1]):
            top = 1 << (x.term.width - 1)
            turned = Atom(bxor(x.term, const(top, x.term.width)), not x.signed)
            made = replace(m, atoms=(turned, w))
            if x.term.width == slot[0].term.width and operands(slot, made, width) is not None:
                return made, Monomial(-top if x.signed else top, (w,))
    return m, None


def group_edges(
    functions: Sequence[tuple[LaneFn, GroupedSum]], term: Expr, order: Order, row: Row
) -> Iterator[Found]:
    """Yield applications of functions that sum values of one function, their groups in the order of
    the elements they read; ``row`` evaluates sub-terms on samples.
    """
    sums = functions and term.op in ("add", "sub", "zext", "sext", "extract")
    ms = by_leaf(monomials(term), term.width) if sums else ()
    for fn, shape in functions if len(ms) > 1 else ():
        every = {m: piece_filled(shape, m, order, row) for m in ms if fn.width >= term.width}
        fits = {m: args for m, args in every.items() if args is not None}
        chosen = sorted(fits, key=lambda m: min(place(a, order) for a in fits[m]))
        chosen = chosen[: len(shape.groups)]
        values = {h: const(0, h.width) for group in shape.groups for h in group}
        for group, m in zip(shape.groups, chosen, strict=False):
            values.update(zip(group, fits[m], strict=True))
        rest = tuple(m for m in ms if m not in chosen)
        if len(chosen) > 1:
            beside = rebuild(rest, term.width) if rest else None
            full = 2 < len(chosen) == len(shape.groups) and len(rest) < 2
            yield Found(fn, arguments(fn, values), sum_of_two(term.width), beside, full=full)


def halved_edges(
    pairwise: Mapping[LaneFn, tuple[int, int]], term: Expr, order: Order
) -> Iterator[Found]:
    """Yield instructions that join pairs in one register: what meets in one operation is joined by
    halves in the order in which it lies in memory, in less than its width where that holds it.

    ``pairwise`` names the two holes that are filled out of one register.
    """
    meeting = _meeting(term) if pairwise else None
    if meeting is None:
        return
    items, joined, join = meeting
    placed = {
        x: tuple(sorted((*order[y], y.width) for y in leaves(x)))
        for x, single in items.items()
        if single and all(y in order for y in leaves(x))
    }
    for run in (r for r in _runs(placed, len(placed)) if not len(r) & (len(r) - 1)):
        middle, others = len(run) // 2, [x for x in items if x not in run]
        rest = joined(others, term.width) if others else None
        # Lanes are of one class, with their leaves in one order, if one half is the other's image.
        further = {
            x: y
            for a, b in zip(run[:middle], run[middle:], strict=True)
            for x, y in zip(
                *(sorted(leaves(e), key=order.__getitem__) for e in (a, b)), strict=True
            )
        }
        for fn, holes in pairwise.items():
            half = joined(run[:middle], fn.widths[holes[0]]) if fn.width == term.width else None
            added = [k for k in range(fn.arity) if k not in holes]
            if half is not None and (rest is not None or not added):
                args = dict.fromkeys(added, rest)
                args |= {holes[0]: half, holes[1]: rename(half, further)}
                every = tuple(x for k in range(fn.arity) if (x := args[k]) is not None)
                yield Found(fn, every, join, None if added else rest)


_Joined: TypeAlias = Callable[[Sequence[Expr], int], Expr | None]


def _meeting(term: Expr) -> tuple[Mapping[Expr, bool], _Joined, LaneFn] | None:
    """Return values that one operation joins, in any order, and whether each is there once and may
    lie beside others; what some of them are joined, in a width that holds it; and the operation.
    """
    if term.op in ("add", "sub", "zext", "sext"):
        ms = {
            m.atoms[0].term if len(m.atoms) == 1 == m.coefficient else rebuild((m,), term.width): m
            for m in monomials(term)
        }

        def total(items: Sequence[Expr], width: int) -> Expr | None:
            taken = [ms[x] for x in items]
            bounds = summed(taken, term.width).bounds()
            holds = (within(bounds, whole(width, signed=s)) for s in (False, True))
            fits = width == term.width or (width < term.width and any(holds))
            return rebuild(taken, width) if fits else None

        items = {x: m.coefficient == 1 and bool(m.atoms) for x, m in ms.items()}
        return (items, total, sum_of_two(term.width)) if len(ms) > 2 else None
    use = next(recognised(term, _EXTREMES), None)
    met = () if use is None else tuple(dict.fromkeys(_met(use.op, term)))
    if use is None or len(met) < 3:
        return None
    op, own = use.op, met[0].width

    def extreme(items: Sequence[Expr], width: int) -> Expr | None:
        return reduce(lambda a, b: expanded(op, (a, b)), items) if width == own else None

    pair = canonical(expanded(op, (formal(0, own), formal(1, own))))[0]
    return dict.fromkeys(met, True), extreme, lane_fn(pair)


def _met(op: str, e: Expr) -> Iterator[Expr]:
    use = next(recognised(e, (op,)), None)
    if use is None:
        yield e
    else:
        for a in use.args:
            yield from _met(op, a)


def shifted_edges(
    functions: Callable[[frozenset[int]], Sequence[LaneFn]], term: Expr, order: Order
) -> Iterator[Found]:
    """Yield instructions that shift and add: they add the upper of two neighbours in memory, which
    are one value of twice the width, without bringing it anywhere first.

    ``functions`` are those of the machine with some immediates.
    """
    width = term.width
    below = {(source, at + x.width): x for x, (source, at) in order.items() if 2 * x.width == width}
    ms = monomials(term) if below else ()
    for k, m in enumerate(ms):
        (x, *others) = m.atoms or (None,)
        if x is None or others or order.get(x.term) not in below or 2 * x.term.width != width:
            continue
        if m.coefficient > _MOST_SHIFTED:
            continue
        left = (*ms[:k], replace(m, coefficient=m.coefficient - 1), *ms[k + 1 :])
        both = rebuild(left, width), concat(x.term, below[order[x.term]])
        kinds = {"add", "ashr" if x.signed else "lshr"}
        for fn in functions(frozenset({x.term.width})):
            if fn.ops == kinds and fn.widths == (width, width) and fn.width == width:
                yield from (Found(fn, args, sum_of_two(width)) for args in (both, both[::-1]))
