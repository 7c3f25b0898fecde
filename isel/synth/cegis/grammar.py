"""Components out of a machine's instructions: members of their equivalence classes, one per
distinct lane function.

An instruction with immediates gives a component whose members are the values that a lane calls for,
as far as these are of one form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from isel.ir.build import eq, ite, make
from isel.ir.expr import Expr, const, leaves, postorder, var
from isel.spec.instruction import Immediate, Instruction, Role
from isel.spec.known import Fixed, class_of, first_lane, is_enumerable
from isel.synth.cegis.gates import bits_for
from isel.synth.cegis.types import MEMBER, Component
from isel.synth.limits import FEW_VALUES, MOST_CHOICES
from isel.synth.values.constants import is_shift

Price = Callable[[Instruction], int]


def amounts_of(lane: Expr) -> frozenset[int]:
    """Return immediates that a lane suggests: shift amounts k, w - k, and log2 of constants
    near a power of two.
    """
    found: set[int] = set()
    for e in postorder([lane]):
        if is_shift(e) or e.op == "extract":
            found.add(e.args[1].value if is_shift(e) else e.int_attr(0))
        elif e.is_const and e.width > 1:
            near = (e.value, e.value + 1, (1 << e.width) - e.value)
            found.update(v.bit_length() - 1 for v in near if v > 1 == v.bit_count())
    widths = {e.width for e in (*leaves(lane), lane)}
    return frozenset(k for v in found for k in (v, *(w - v for w in widths)) if k > 0)


def name_of(i: Instruction, fixed: Fixed) -> str:
    """Return the name of a component: the instruction and its immediates."""
    return i.name + "".join(f",{n}={v}" for n, v in fixed)


def _choices(m: Immediate, amounts: frozenset[int]) -> tuple[int, ...]:
    return m.values if len(m.values) <= FEW_VALUES else tuple(v for v in m.values if v in amounts)


@dataclass
class Catalogue:
    """The components of a list of instructions, read once and instantiated for each lane's
    immediates.

    ``price`` orders instructions of one lane function; the cheapest (then the first by name) gives
    the component.
    """

    instructions: Sequence[Instruction]
    price: Price
    _plain: dict[Expr, Component] | None = field(default=None, repr=False)
    _immediate: list[Instruction] = field(default_factory=list, repr=False)
    _known: dict[tuple[str, Fixed], Component | None] = field(default_factory=dict, repr=False)
    _by_amounts: dict[frozenset[int], tuple[Component, ...]] = field(
        default_factory=dict, repr=False
    )

    def components(self, lane: Expr) -> tuple[Component, ...]:
        """Return every component for a lane, in the order of their names."""
        amounts = amounts_of(lane)
        found = self._by_amounts.get(amounts)
        if found is None:
            best = dict(self._without_immediates())
            for i in self._immediate:
                members = (self._read(i, fixed) for fixed in self._fixings(i, amounts))
                for c in families(i.name, [c for c in members if c is not None]):
                    _keep(best, c)
            found = self._by_amounts[amounts] = tuple(sorted(best.values(), key=lambda c: c.name))
        return found

    def _without_immediates(self) -> dict[Expr, Component]:
        if self._plain is None:
            self._plain = {}
            for i in self.instructions:
                if any(o.role is Role.INDEX for o in i.operands) or not is_enumerable(i):
                    continue
                if i.immediates:
                    self._immediate.append(i)
                    continue
                _keep(self._plain, self._read(i, ()))
        return self._plain

    def _fixings(self, i: Instruction, amounts: frozenset[int]) -> Iterator[Fixed]:
        values = [_choices(m, amounts) for m in i.immediates]
        for n, choice in enumerate(product(*values)):
            if n == MOST_CHOICES:
                return
            yield tuple((m.name, v) for m, v in zip(i.immediates, choice, strict=True))

    def _read(self, i: Instruction, fixed: Fixed) -> Component | None:
        key = (i.name, fixed)
        if key not in self._known:
            fn = first_lane(i, fixed)
            self._known[key] = (
                None
                if fn is None or fn.is_leaf
                else Component(name_of(i, fixed), fn, self.price(i), class_of(i, fixed))
            )
        return self._known[key]


def families(name: str, members: Sequence[Component]) -> Iterator[Component]:
    """Yield components of one class and form as one, with the number of the member as an
    unknown.
    """
    forms: dict[tuple[object, ...], dict[Expr, Component]] = {}
    for c in members:
        forms.setdefault((c.class_name, c.cost, _form(c.fn)), {}).setdefault(c.fn, c)
    for n, alike in enumerate(forms.values()):
        found = tuple(alike.values())
        if len(found) == 1:
            yield found[0]
            continue
        leaf = var(MEMBER, bits_for(len(found)))
        fn = _merge(tuple(c.fn for c in found), leaf, {})
        yield Component(f"{name}#{n}" if n else name, fn, found[0].cost, found[0].class_name, found)


def _form(fn: Expr) -> tuple[object, ...]:
    """Return what terms have in common that differ in literals only."""
    at: dict[Expr, int] = {}
    found: list[object] = []
    for e in postorder([fn]):
        at[e] = len(at)
        named = e.attr if e.args else None if e.is_const else e
        found.append((e.op, e.width, named, tuple(at[a] for a in e.args)))
    return tuple(found)


def _merge(terms: tuple[Expr, ...], leaf: Expr, done: dict[tuple[Expr, ...], Expr]) -> Expr:
    """Return a term of which each value of ``leaf`` makes one of ``terms``."""
    found = done.get(terms)
    if found is not None:
        return found
    e = terms[0]
    if all(t is e for t in terms):
        found = e
    elif e.args:
        args = zip(*(t.args for t in terms), strict=True)
        found = make(e.op, tuple(_merge(a, leaf, done) for a in args), e.attr)
    else:
        found = terms[-1]
        for k in reversed(range(len(terms) - 1)):
            found = ite(eq(leaf, const(k, leaf.width)), terms[k], found)
    done[terms] = found
    return found


def _keep(best: dict[Expr, Component], c: Component | None) -> None:
    if c is None:
        return
    old = best.get(c.fn)
    if old is None or (c.cost, c.name) < (old.cost, old.name):
        best[c.fn] = c
