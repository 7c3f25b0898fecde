"""All programs of one size as one bit-vector problem: opcodes and operand selectors are the
unknowns.

Operand muxes are shared by every component of a slot that takes an operand of that width at that
position, so an example costs one circuit per component and slot and one mux per operand position.
Symmetries are broken: swappable operands in order, independent neighbours in the order of their
components, every step used, no step twice, no step over constants alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from isel.ir.build import add, eq, extract
from isel.ir.expr import Expr, const, postorder, var
from isel.smt.bitwuzla_solver import Session
from isel.synth.cegis.gates import Gates, Handle, Index, bits_for
from isel.synth.cegis.slots import symmetric_pairs, trivial_twins
from isel.synth.cegis.types import Component
from isel.synth.limits import AREA_A_STEP, AREA_BUILT_A_STEP, TERMS_A_STEP


@dataclass(frozen=True, slots=True)
class Line:
    """A step of a program: component, which of its members, and operands: numbers of inputs and
    steps.
    """

    part: int
    member: int
    operands: tuple[int, ...]


# Prices in terminator calls, measured; square bits of multipliers are the unit of area.


@cache
def _terms(fn: Expr) -> int:
    return sum(1 for _ in postorder([fn]))


@cache
def _multiplier_area(fn: Expr) -> int:
    return sum(e.width**2 for e in postorder([fn]) if e.op == "mul")


@dataclass(frozen=True, slots=True)
class Shape:
    """What programs of one size are made of; ``slots[at]`` are the components that may stand there.

    Inputs are numbered leaves first, then constants; ``essential`` are numbers of leaves that every
    program uses.
    """

    components: tuple[Component, ...]
    slots: tuple[tuple[int, ...], ...]
    leaves: tuple[Expr, ...]
    constants: tuple[Expr, ...]
    essential: tuple[int, ...]

    @property
    def inputs(self) -> tuple[Expr, ...]:
        """Leaves, then constants."""
        return (*self.leaves, *self.constants)

    @property
    def example_price(self) -> int:
        """What building one example costs, in terminator calls of about the same time."""
        terms = sum(_terms(self.components[j].fn) for slot in self.slots for j in slot)
        return terms // TERMS_A_STEP + self._area // AREA_BUILT_A_STEP

    @property
    def step_price(self) -> int:
        """What one terminator call costs: the solver is slower between calls where there are
        many multipliers.
        """
        return 1 + self._area // AREA_A_STEP

    @property
    def _area(self) -> int:
        return sum(_multiplier_area(self.components[j].fn) for slot in self.slots for j in slot)

    def options(self, slot: int, width: int) -> list[int]:
        """Return the numbers an operand of ``width`` bits of ``slot`` may have: constants,
        leaves, then earlier steps.
        """
        n, inputs = len(self.leaves), self.inputs
        first = [*range(n, len(inputs)), *range(n)]
        steps = [
            len(inputs) + at
            for at in range(slot)
            if any(self.components[j].width == width for j in self.slots[at])
        ]
        return [i for i in first if inputs[i].width == width] + steps


Key = tuple[int, int]  # operand position, width


class Encoding:
    """One solver session over all programs of a shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.session = Session(plain=True)  # what examples say is simplified as it is built
        self.gates = Gates(self.session)
        self.opcode = [Index(self.session, len(s)) for s in shape.slots]
        self._choose_operands()
        self.member = [self.session.fresh(self._member_bits(s)) for s in shape.slots]
        self._constrain()

    def _choose_operands(self) -> None:
        """Make the unknowns of every slot: which values its operands are."""
        shape = self.shape
        self.options: list[dict[Key, list[int]]] = []
        self.select: list[dict[Key, Index]] = []
        for at, slot in enumerate(shape.slots):
            keys = sorted({(k, w) for j in slot for k, w in enumerate(shape.components[j].widths)})
            self.options.append({key: shape.options(at, key[1]) for key in keys})
            self.select.append(
                {key: Index(self.session, len(self.options[at][key])) for key in keys}
            )
        self._active: list[dict[Key, Handle]] = [
            {key: self._takes(at, key) for key in s} for at, s in enumerate(self.select)
        ]

    def _member_bits(self, slot: Sequence[int]) -> int:
        every = (self.shape.components[j].member for j in slot)
        return max((e.width for e in every if e is not None), default=1)

    def _member_number(self, at: int, leaf: Expr) -> Handle:
        """Return the number of a slot's member, in the bits of a component's leaf for it."""
        wide = var("a", self._member_bits(self.shape.slots[at]))
        return self.session.inline(extract(wide, 0, leaf.width), {wide: self.member[at]})

    # Once for every program.

    def _is(self, at: int, wanted: Sequence[int]) -> Handle:
        chosen = set(wanted)
        hits = [i for i, j in enumerate(self.shape.slots[at]) if j in chosen]
        if len(hits) == len(self.shape.slots[at]):
            return self.gates.true
        return self.gates.any([self.opcode[at].equals(i) for i in hits])

    def _takes(self, at: int, key: Key) -> Handle:
        k, w = key
        return self._is(
            at,
            [j for j in self.shape.slots[at] if self.shape.components[j].widths[k : k + 1] == (w,)],
        )

    def _reads(self, at: int, number: int) -> list[Handle]:
        """Return a bit per operand position: slot ``at`` reads value ``number`` there."""
        found = []
        for key, options in self.options[at].items():
            if number in options:
                chosen = self.select[at][key].equals(options.index(number))
                found.append(self.gates.both(self._active[at][key], chosen))
        return found

    def _constrain(self) -> None:
        for index in [*self.opcode, *(s for slot in self.select for s in slot.values())]:
            self.gates.require(index.constraint())
        for at in range(len(self.shape.slots)):
            self._widths_agree(at)
            self._operands(at)
            self._members_exist(at)
        self._everything_used()
        self._order_and_duplicates()

    def _widths_agree(self, at: int) -> None:
        n = len(self.shape.inputs)
        for (k, w), options in self.options[at].items():
            for i, number in enumerate(options):
                if number >= n:
                    slot, parts = self.shape.slots[number - n], self.shape.components
                    gives = self._is(number - n, [j for j in slot if parts[j].width == w])
                    chosen = self.select[at][k, w].equals(i)
                    self.gates.implies(self.gates.both(self._active[at][k, w], chosen), gives)

    def _members_exist(self, at: int) -> None:
        for i, j in enumerate(self.shape.slots[at]):
            c = self.shape.components[j]
            if c.member is not None:
                w = c.member.width
                last = self.session.inline(const(len(c.members) - 1, w), {})
                self.gates.implies(
                    self.opcode[at].equals(i),
                    self.gates.at_most(self._member_number(at, c.member), w, last, w),
                )

    def _operands(self, at: int) -> None:
        slot, components = self.shape.slots[at], self.shape.components
        ordered: dict[tuple[int, int, int], list[int]] = {}
        twins: dict[int, list[int]] = {}
        for j in slot:
            c = components[j]
            for a, b in symmetric_pairs(c):
                ordered.setdefault((a, b, c.widths[a]), []).append(j)
            if trivial_twins(c):
                twins.setdefault(c.widths[0], []).append(j)
        for (a, b, w), js in ordered.items():
            x, y = self.select[at][a, w], self.select[at][b, w]
            self.gates.implies(
                self._is(at, js), self.gates.at_most(x.handle, x.width, y.handle, y.width)
            )
        for w, js in twins.items():
            x, y = self.select[at][0, w], self.select[at][1, w]
            self.gates.forbid(
                [self._is(at, js), self.gates.same(x.handle, x.width, y.handle, y.width)]
            )
        self._some_variable(at)

    def _some_variable(self, at: int) -> None:
        constant = range(len(self.shape.leaves), len(self.shape.inputs))
        if not constant:
            return
        bits = []
        for key, options in self.options[at].items():
            count = sum(n in constant for n in options)
            if count == len(options):
                continue
            s = self.select[at][key]
            low = self.gates.session.inline(const(count, s.width), {})
            above = self.gates.at_most(low, s.width, s.handle, s.width)
            bits.append(self.gates.both(self._active[at][key], above))
        self.gates.require(self.gates.any(bits))

    def _everything_used(self) -> None:
        depth, n = len(self.shape.slots), len(self.shape.inputs)
        for at in range(depth - 1):
            reads = [r for later in range(at + 1, depth) for r in self._reads(later, n + at)]
            self.gates.require(self.gates.any(reads))
        for number in self.shape.essential:
            reads = [r for at in range(depth) for r in self._reads(at, number)]
            self.gates.require(self.gates.any(reads))

    def _order_and_duplicates(self) -> None:
        depth, n = len(self.shape.slots), len(self.shape.inputs)
        rank = bits_for(len(self.shape.components))
        ranks = []
        for at, slot in enumerate(self.shape.slots):
            numbers = [self.session.inline(const(j, rank), {}) for j in slot]
            chosen = self.opcode[at].choose(numbers, rank)
            assert chosen is not None
            ranks.append(chosen)
        for at in range(depth - 1):
            dependent = self.gates.any(self._reads(at + 1, n + at))
            ordered = self.gates.at_most(ranks[at], rank, ranks[at + 1], rank)
            self.gates.require(self.gates.any([dependent, ordered]))
            for later in range(at + 1, depth - 1):
                self._differ(at, later, self.gates.same(ranks[at], rank, ranks[later], rank))

    def _differ(self, at: int, later: int, same_component: Handle) -> None:
        equal = []
        for key, s in self.select[at].items():
            t = self.select[later].get(key)
            if t is not None:
                same = self.gates.same(s.handle, s.width, t.handle, t.width)
                equal.append(self.gates.any([self.gates.inverse(self._active[at][key]), same]))
        self.gates.forbid([same_component, *equal])

    # Once for every example.

    def add_example(self, values: Sequence[int], target: Expr) -> None:
        """Require that the program gives the literal ``target`` when the leaves have ``values``."""
        literal = [const(v, e.width) for v, e in zip(values, self.shape.leaves, strict=True)]
        known: dict[tuple[int, int], Handle] = {}
        for i, e in enumerate([*literal, *self.shape.constants]):
            known[i, e.width] = self.session.inline(e, {})
        n, last = len(self.shape.inputs), len(self.shape.slots) - 1
        for at in range(last + 1):
            for w, out in self._slot(at, known).items():
                known[n + at, w] = out
        x = var("a", target.width)
        self.session.require_handle(
            self.session.inline(eq(x, target), {x: known[n + last, target.width]})
        )

    def _slot(self, at: int, known: dict[tuple[int, int], Handle]) -> dict[int, Handle]:
        operand: dict[Key, Handle] = {}
        for (k, w), options in self.options[at].items():
            value = self.select[at][k, w].choose([known[i, w] for i in options], w)
            assert value is not None
            operand[k, w] = value
        slot, components = self.shape.slots[at], self.shape.components
        outs: dict[int, list[Handle | None]] = {}
        for i, j in enumerate(slot):
            c = components[j]
            holes = {x: operand[k, x.width] for k, x in enumerate(c.formals)}
            if c.member is not None:
                holes[c.member] = self._member_number(at, c.member)
            value = self.session.inline(c.fn, holes)
            outs.setdefault(c.width, [None] * len(slot))[i] = value
        result: dict[int, Handle] = {}
        for w, values in outs.items():
            chosen = self.opcode[at].choose(values, w)
            assert chosen is not None
            result[w] = chosen
        return result

    # The answer.

    def program(self) -> tuple[Line, ...]:
        """Return the program of the model."""
        lines: list[Line] = []
        for at, slot in enumerate(self.shape.slots):
            j = slot[self.session.value(self.opcode[at].handle)]
            c = self.shape.components[j]
            operands = tuple(
                self.options[at][key][self.session.value(self.select[at][key].handle)]
                for key in enumerate(c.widths)
            )
            chosen = (
                0 if c.member is None else self.session.value(self._member_number(at, c.member))
            )
            lines.append(Line(j, chosen, operands))
        return tuple(lines)

    def require_cheaper(self, cost: int) -> None:
        """Allow programs only whose components cost less together."""
        bits = (len(self.shape.slots) * max(c.cost for c in self.shape.components)).bit_length()
        bits = max(bits, cost.bit_length())
        total = self.session.inline(const(0, bits), {})
        for at, slot in enumerate(self.shape.slots):
            prices = [
                self.session.inline(const(self.shape.components[j].cost, bits), {}) for j in slot
            ]
            price = self.opcode[at].choose(prices, bits)
            assert price is not None
            x, y = var("x", bits), var("y", bits)
            total = self.session.inline(add(x, y), {x: total, y: price})
        limit = self.session.inline(const(cost - 1, bits), {})
        self.gates.require(self.gates.at_most(total, bits, limit, bits))

    def exclude(self, lines: Sequence[Line]) -> None:
        """Forbid one program."""
        bits = []
        for at, line in enumerate(lines):
            c = self.shape.components[line.part]
            bits.append(self.opcode[at].equals(self.shape.slots[at].index(line.part)))
            if c.member is not None:
                number, w = self._member_number(at, c.member), c.member.width
                value = self.session.inline(const(line.member, w), {})
                bits.append(self.gates.same(number, w, value, w))
            for key, operand in zip(enumerate(c.widths), line.operands, strict=True):
                bits.append(self.select[at][key].equals(self.options[at][key].index(operand)))
        self.gates.forbid(bits)
