"""A machine's instructions as the search sees them: lane functions and gather maps.

``Form`` is one instruction with its immediates fixed.  Swizzles are forms whose lane function is
the identity.  Gather maps are read off the instruction's lanes when a form is first tried.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr
from isel.ir.ranges import Ranges
from isel.model.machine import Machine
from isel.model.window import Root
from isel.rules.derived import umulhi
from isel.spec.instruction import Instruction, Role
from isel.spec.known import (
    Fixed,
    first_lane,
    is_composite,
    is_enumerable,
    is_masked,
    moves_only,
    swizzles,
)
from isel.synth.edges.fillings import GroupedSum, grouped_sum
from isel.synth.instructions.form import Form
from isel.synth.instructions.narrow import Narrower
from isel.synth.limits import BYTE
from isel.synth.values.constants import constants_of
from isel.synth.values.lanefn import LaneFn, lane_fn
from isel.synth.values.linear import SumOfProducts

if TYPE_CHECKING:
    from isel.synth.cegis.grammar import Catalogue
    from isel.synth.cegis.types import Outcome, Task
    from isel.synth.instructions.tables import Tables

_SMALL_IMMEDIATE: Final = 4
_MOST_ENUMERATED: Final = 3
_NO_GREAT_PRICE: Final = 2  # times that of the cheapest instruction


@cache
def _first_lane(instruction: Instruction, immediates: Fixed) -> LaneFn | None:
    found = first_lane(instruction, immediates)
    return None if found is None else lane_fn(found)


@lru_cache(maxsize=8)
def library_of(machine: Machine) -> Library:
    """Return the library of a machine, one a process; it only remembers pure functions of the
    machine.
    """
    return Library(machine)


class Library:
    """The forms of a machine, by lane function and result size; filled as the search asks."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._plain: dict[LaneFn, list[Form]] = {}
        self.lookup_forms: dict[LaneFn, list[Form]] = {}  # of the tables that were asked for
        self._by_immediate: list[Instruction] = []
        self._swizzles: dict[int, list[Form]] = {}
        self.permutes: list[Instruction] = []
        for i in machine.instructions:
            self._add(i)
        self.narrow = Narrower(self.offers)
        self._expanded: dict[int, tuple[Form, ...]] = {}
        self._cheapest: dict[int, int] = {}
        self._permutes: dict[int, tuple[tuple[Instruction, int], ...]] = {}
        self._by_shape: dict[tuple[int, int, frozenset[int]], dict[LaneFn, list[Form]]] = {}
        self._by_fn: dict[tuple[LaneFn, int], tuple[Form, ...]] = {}
        self._shift_fns: dict[frozenset[int], tuple[LaneFn, ...]] = {}

    def offers(self, term: Expr) -> bool:
        """Tell whether some instruction without immediates computes a canonical lane function."""
        return lane_fn(term) in self._plain

    def _add(self, i: Instruction) -> None:
        if is_masked(i):
            return  # its twin and a blend are what the code generator makes it from
        if any(o.role is Role.INDEX for o in i.operands):
            self.permutes.append(i)
        elif len(i.immediates) == 1:
            if moves_only(i):
                self._swizzles.setdefault(i.bits, []).extend(self._immediate_swizzles(i))
            elif is_enumerable(i):
                self._by_immediate.append(i)
        elif not i.immediates and is_enumerable(i):
            self._add_plain(i)

    def _add_plain(self, i: Instruction) -> None:
        fn = _first_lane(i, ())
        if fn is None:
            return
        if not fn.is_identity:
            self._plain.setdefault(fn, []).append(Form(i, (), fn, self.machine.cost(i)))
            return
        known = next(((operand[None], index[None]) for _, operand, index in swizzles(i)), None)
        form = Form(i, (), fn, self.machine.cost(i), known)
        if form.regular and not _is_plain_copy(form):
            self._swizzles.setdefault(i.bits, []).append(form)

    def _immediate_swizzles(self, i: Instruction) -> Iterator[Form]:
        cost, fn = self.machine.cost(i), lane_fn(formal(0, i.width))
        (m,) = i.immediates
        for value, operand, index in swizzles(i):
            form = Form(i, ((m.name, value),), fn, cost, (operand[None], index[None]))
            if not _is_plain_copy(form):
                yield form

    @cached_property
    def reads_upper_halves(self) -> bool:
        """Whether some instruction that computes reads the upper half alone of a whole register."""
        bits = self.machine.vector_bits
        forms = (f for some in self._plain.values() for f in some if f.instruction.bits == bits)
        return any(f.regular and f.reads_upper_half for f in forms)

    def functions(self, amounts: frozenset[int]) -> tuple[LaneFn, ...]:
        """Return every lane function, with immediates from ``amounts`` (or all, where there are
        few).
        """
        found = self._shift_fns.get(amounts)
        if found is None:
            extra: dict[LaneFn, None] = dict.fromkeys(self._plain)
            for i in self._by_immediate:
                extra.update((fn, None) for _, fn in _with_immediates(i, amounts))
            found = self._shift_fns[amounts] = tuple(extra)
        return found

    @cached_property
    def dots(self) -> tuple[tuple[LaneFn, SumOfProducts], ...]:
        """The lane functions that sum products, with their products in the order of the
        elements they read.
        """
        found: list[tuple[LaneFn, SumOfProducts]] = []
        for fn, forms in self._plain.items():
            if fn.sum is not None:
                place = _places(forms[0])
                products = tuple(sorted(fn.sum.products, key=lambda p: place[p[0].term]))
                found.append((fn, replace(fn.sum, products=products)))
        return tuple(found)

    @cached_property
    def tables(self) -> Tables:
        """The permutes of bytes as lookups."""
        from isel.synth.instructions.tables import Tables  # of functions of one byte

        return Tables(self.permutes, self.machine.cost, self.lookup_forms)

    @cached_property
    def high_products(self) -> frozenset[int]:
        """The widths of products whose upper half some instruction gives, or several together."""
        whole = (canonical(umulhi(formal(0, w), formal(1, w)))[0] for w in (16, 32))
        return self.wide_products.union(2 * e.width for e in whole if self.offers(e))

    @cached_property
    def wide_products(self) -> frozenset[int]:
        """The widths of products whose upper half no instruction gives by itself, those of 32 bits
        only where halves of registers are had for nothing: others pay for taking them apart.
        """
        halves = (16, 32) if self.machine.halves_cost[1] <= 1 else (32,)
        whole = (canonical(umulhi(formal(0, w), formal(1, w)))[0] for w in halves)
        return frozenset(2 * e.width for e in whole if not self.offers(e))

    @cached_property
    def outcomes(self) -> dict[Task, Outcome]:
        """What grammars gave for a lane so far: windows of one function often have lanes in
        common.
        """
        return {}

    @cached_property
    def groups(self) -> tuple[tuple[LaneFn, GroupedSum], ...]:
        """The lane functions that sum values of one function, with their groups in the order of
        the elements they read.
        """
        found: list[tuple[LaneFn, GroupedSum]] = []
        for fn, forms in self._plain.items():
            shape = grouped_sum(fn.term) if fn.arity > _MOST_ENUMERATED else None
            if shape is not None:
                place = _places(forms[0])
                groups = tuple(sorted(shape.groups, key=lambda g: place[g[0]]))
                found.append((fn, replace(shape, groups=groups)))
        return tuple(found)

    @cached_property
    def shifts(self) -> tuple[LaneFn, ...]:
        """The functions of two operands that may move bits of one as the other one says, those
        first that LLVM knows as shifts and brings zeros.
        """
        found = (f for f in self._plain if f.arity == 2 and f.kinds & {"variable", "mul"})
        return tuple(sorted(found, key=lambda f: (len(f.ops), "ashr" in f.ops)))

    @cached_property
    def pairwise(self) -> Mapping[LaneFn, tuple[int, int]]:
        """The functions of which some instruction finds two operands in one register, at no great
        price, and these: which of them comes first there matters, and nowhere else.
        """
        return {
            fn: holes
            for fn, forms in self._plain.items()
            if (holes := fn.pair) is not None
            and any(
                f.cost <= _NO_GREAT_PRICE * min(g.cost for g in forms)
                and f.regular
                and len({int(f.operand[k][0]) for k in holes}) == 1
                for f in forms
            )
        }

    def forms(self, fn: LaneFn, bits: int) -> tuple[Form, ...]:
        """Return the forms of ``fn`` whose result has ``bits`` bits, cheapest first.

        Immediates are those that the function's own constants suggest, whatever was asked before.
        """
        key = (fn, bits)
        found = self._by_fn.get(key)
        if found is None:
            shaped = self._shaped(bits, fn.width, constants_of(fn.term)[1]).get(fn, ())
            every = (*self._plain.get(fn, ()), *self.lookup_forms.get(fn, ()), *shaped)
            best: dict[tuple[object, ...], Form] = {}
            for f in sorted((f for f in every if f.instruction.bits == bits), key=_rank):
                if f.regular:
                    sizes = tuple(o.bits for o in f.instruction.operands)
                    best.setdefault((sizes, f.operand.tobytes(), f.index.tobytes()), f)
            found = self._by_fn[key] = tuple(best.values())
        return found

    def _shaped(self, bits: int, width: int, amounts: frozenset[int]) -> dict[LaneFn, list[Form]]:
        """Return the forms with immediates from ``amounts`` that have a result of this shape,
        by what they compute.
        """
        key = (bits, width, amounts)
        found = self._by_shape.get(key)
        if found is None:
            found = self._by_shape[key] = {}
            for i in self._by_immediate:
                if i.bits == bits and i.width == width:
                    cost = self.machine.cost(i)
                    for fixed, fn in _with_immediates(i, amounts):
                        found.setdefault(fn, []).append(Form(i, fixed, fn, cost))
        return found

    def swizzles(self, bits: int, width: int = 1) -> tuple[Form, ...]:
        """Return the swizzles whose result has ``bits`` bits, cheapest first, one for each
        distinct map, that keep ``width`` bits together.
        """
        found = self._expanded.get(bits)
        if found is None:
            best: dict[tuple[object, ...], Form] = {}
            for f in sorted(self._swizzles.get(bits, ()), key=_rank):
                own = f.instruction.width
                finest = f.table(BYTE if own % BYTE == 0 else own)
                sizes = tuple(o.bits for o in f.instruction.operands)
                best.setdefault((sizes, finest[0].tobytes(), finest[1].tobytes()), f)
            found = self._expanded[bits] = tuple(best.values())
        return tuple([f for f in found if not f.instruction.width % width])

    def permutes_of(self, bits: int) -> tuple[tuple[Instruction, int], ...]:
        """Return the permutes by index with a result of ``bits`` bits and their prices,
        cheapest first.
        """
        found = self._permutes.get(bits)
        if found is None:
            priced = [(p, self.machine.cost(p)) for p in self.permutes if p.bits == bits]
            found = self._permutes[bits] = tuple(sorted(priced, key=lambda x: (x[1], x[0].name)))
        return found

    def cheapest_move(self, bits: int) -> int:
        """Return the price of the cheapest swizzle or permute with a result of ``bits`` bits (a
        large one where there is none).
        """
        found = self._cheapest.get(bits)
        if found is None:
            prices = [f.cost for f in self.swizzles(bits)]
            prices += [price for _, price in self.permutes_of(bits)]
            found = self._cheapest[bits] = min(prices, default=1 << 20)
        return found

    def simple(self, fns: Sequence[LaneFn], widths: Collection[int]) -> list[LaneFn]:
        """Return functions without those that stand for several instructions, but for values of
        these widths.
        """
        return [f for f in fns if f.width in widths or f not in self._composite]

    @cached_property
    def _composite(self) -> frozenset[LaneFn]:
        return frozenset(
            fn
            for fn, forms in self._plain.items()
            if all(is_composite(f.instruction) for f in forms)
        )

    @cached_property
    def catalogue(self) -> Catalogue:
        """The same instructions as components for CEGIS."""
        from isel.synth.cegis.grammar import Catalogue

        return Catalogue(self.machine.instructions, self.machine.cost)

    @cached_property
    def cheapest_operation(self) -> int:
        """The least price of computing a full register, in hundredths of a cycle."""
        bits = self.machine.vector_bits
        return min(
            (f.cost * bits // f.instruction.bits for fs in self._plain.values() for f in fs),
            default=0,
        )

    def moves(self, i: Instruction, fixed: Fixed) -> bool:
        """Tell whether an instruction only moves lanes."""
        fn = self.function_of(i.name, fixed)
        return fn is not None and fn.is_identity

    def narrowed(self, roots: Sequence[Root], ranges: Ranges) -> list[Root]:
        """Return roots in the widths of instructions, without comparisons that facts decide."""
        lanes = (tuple(e and self.narrow(ranges.decide(e)) for e in r.lanes) for r in roots)
        return [replace(r, lanes=x) for r, x in zip(roots, lanes, strict=True)]

    @cached_property
    def cheapest_instruction(self) -> int:
        """The least price of computing anything, in hundredths of a cycle."""
        return min((f.cost for fs in self._plain.values() for f in fs), default=0)

    def function_of(self, name: str, immediates: Fixed) -> LaneFn | None:
        """Return the lane function of an instruction's first lane, if the search uses it."""
        return _first_lane(self.machine.by_name[name], immediates)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Register sizes in bits that results or operands have."""
        every = {i.bits for i in self.machine.instructions} | {
            o.bits for i in self.machine.instructions for o in i.operands
        }
        return tuple(sorted(every))

    @cached_property
    def reads_masks(self) -> bool:
        """Whether masks are in registers of their own: some instruction reads one."""
        return any(o.width == 1 for i in self.machine.instructions for o in i.operands)

    @cached_property
    def takes_masks(self) -> bool:
        """Whether integers are moved to such registers as they are from vectors."""
        return self.reads_masks and any(fn.is_sign for fn in self._plain)

    @cached_property
    def mask_sizes(self) -> frozenset[int]:
        """Sizes in bits of the registers that have a bit a lane."""
        shapes = [(i.width, i.bits) for i in self.machine.instructions] + [
            (o.width, o.bits) for i in self.machine.instructions for o in i.operands
        ]
        return frozenset(bits for width, bits in shapes if width == 1)


def _with_immediates(i: Instruction, amounts: frozenset[int]) -> Iterator[tuple[Fixed, LaneFn]]:
    """Yield what an instruction computes with immediates from ``amounts``, or all of a few."""
    (m,) = i.immediates
    few = len(m.values) <= _SMALL_IMMEDIATE
    for key in (((m.name, v),) for v in m.values if few or v in amounts):
        fn = _first_lane(i, key)
        if fn is not None and not fn.is_identity:
            yield key, fn


def _places(f: Form) -> dict[Expr, tuple[int, str]]:
    """Return where the holes of a form's first lane lie: offset and operand."""
    _, holes = canonical(f.instruction.lane(0, dict(f.immediates)))
    return {formal(k, e.width): (e.offset, e.source) for k, e in enumerate(holes)}


def _rank(f: Form) -> tuple[int, str, Fixed]:
    return f.cost, f.instruction.name, f.immediates


def _is_plain_copy(f: Form) -> bool:
    o, i = f.operand[0], f.index[0]
    return bool((o == 0).all()) and bool((i == np.arange(len(i))).all())
