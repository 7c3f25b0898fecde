"""All programs of one size as one bit-vector problem: opcodes and operand selectors are the unknowns.

Operand muxes are shared by every component of a slot that takes an operand of that width at that
position, so an example costs one circuit per component and slot and one mux per operand position.
Symmetries are broken: swappable operands in order, independent neighbours in the order of their
components, every step used, no step twice, no step over constants alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from isel.ir.build import eq
from isel.ir.expr import Expr, const, var
from isel.smt.bitwuzla_solver import Session
from isel.synth.cegis_gates import Gates, Handle, Index, bits_for
from isel.synth.cegis_slots import symmetric_pairs, trivial_twins
from isel.synth.cegis_types import Component

Line = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Shape:
    """What programs of one size are made of; ``slots[l]`` are the components that may stand at l.

    Inputs are numbered leaves first, then constants; ``essential`` are numbers of leaves that every program uses.
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

    def options(self, slot: int, width: int) -> list[int]:
        """Return the numbers an operand of ``width`` bits of ``slot`` may have: constants, leaves, then earlier steps."""
        n, inputs = len(self.leaves), self.inputs
        first = [*range(n, len(inputs)), *range(n)]
        steps = [len(inputs) + l for l in range(slot) if any(self.components[j].width == width for j in self.slots[l])]
        return [i for i in first if inputs[i].width == width] + steps


Key = tuple[int, int]  # operand position, width


class Encoding:
    """One solver session over all programs of a shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.session = Session()
        self.gates = Gates(self.session)
        self.opcode = [Index(self.session, len(s)) for s in shape.slots]
        self.options: list[dict[Key, list[int]]] = []
        self.select: list[dict[Key, Index]] = []
        for l, slot in enumerate(shape.slots):
            keys = sorted({(k, w) for j in slot for k, w in enumerate(shape.components[j].widths)})
            self.options.append({key: shape.options(l, key[1]) for key in keys})
            self.select.append({key: Index(self.session, len(self.options[l][key])) for key in keys})
        self._active: list[dict[Key, Handle]] = [{key: self._takes(l, key) for key in s} for l, s in enumerate(self.select)]
        self._constrain()

    # Once for every program.

    def _is(self, l: int, wanted: Sequence[int]) -> Handle:
        chosen = set(wanted)
        hits = [i for i, j in enumerate(self.shape.slots[l]) if j in chosen]
        if len(hits) == len(self.shape.slots[l]):
            return self.gates.true
        return self.gates.any([self.opcode[l].equals(i) for i in hits])

    def _takes(self, l: int, key: Key) -> Handle:
        k, w = key
        return self._is(l, [j for j in self.shape.slots[l] if self.shape.components[j].widths[k : k + 1] == (w,)])

    def _reads(self, l: int, number: int) -> list[Handle]:
        """Return a bit per operand position: slot ``l`` reads value ``number`` there."""
        found = []
        for key, options in self.options[l].items():
            if number in options:
                found.append(self.gates.both(self._active[l][key], self.select[l][key].equals(options.index(number))))
        return found

    def _constrain(self) -> None:
        for index in [*self.opcode, *(s for slot in self.select for s in slot.values())]:
            self.gates.require(index.constraint())
        for l in range(len(self.shape.slots)):
            self._widths_agree(l)
            self._operands(l)
        self._everything_used()
        self._order_and_duplicates()

    def _widths_agree(self, l: int) -> None:
        n = len(self.shape.inputs)
        for (k, w), options in self.options[l].items():
            for i, number in enumerate(options):
                if number >= n:
                    before = number - n
                    gives = self._is(before, [j for j in self.shape.slots[before] if self.shape.components[j].width == w])
                    self.gates.implies(self.gates.both(self._active[l][k, w], self.select[l][k, w].equals(i)), gives)

    def _operands(self, l: int) -> None:
        slot, components = self.shape.slots[l], self.shape.components
        ordered: dict[tuple[int, int, int], list[int]] = {}
        twins: dict[int, list[int]] = {}
        for j in slot:
            c = components[j]
            for a, b in symmetric_pairs(c):
                ordered.setdefault((a, b, c.widths[a]), []).append(j)
            if trivial_twins(c):
                twins.setdefault(c.widths[0], []).append(j)
        for (a, b, w), js in ordered.items():
            x, y = self.select[l][a, w], self.select[l][b, w]
            self.gates.implies(self._is(l, js), self.gates.at_most(x.handle, x.width, y.handle, y.width))
        for w, js in twins.items():
            x, y = self.select[l][0, w], self.select[l][1, w]
            self.gates.forbid([self._is(l, js), self.gates.same(x.handle, x.width, y.handle, y.width)])
        self._some_variable(l)

    def _some_variable(self, l: int) -> None:
        constant = [n for n in range(len(self.shape.leaves), len(self.shape.inputs))]
        if not constant:
            return
        bits = []
        for key, options in self.options[l].items():
            count = sum(n in constant for n in options)
            if count == len(options):
                continue
            s = self.select[l][key]
            low = self.gates.session.inline(const(count, s.width), {})
            bits.append(self.gates.both(self._active[l][key], self.gates.at_most(low, s.width, s.handle, s.width)))
        self.gates.require(self.gates.any(bits))

    def _everything_used(self) -> None:
        depth, n = len(self.shape.slots), len(self.shape.inputs)
        for l in range(depth - 1):
            self.gates.require(self.gates.any([r for later in range(l + 1, depth) for r in self._reads(later, n + l)]))
        for number in self.shape.essential:
            self.gates.require(self.gates.any([r for l in range(depth) for r in self._reads(l, number)]))

    def _order_and_duplicates(self) -> None:
        depth, n = len(self.shape.slots), len(self.shape.inputs)
        rank = bits_for(len(self.shape.components))
        ranks = []
        for l, slot in enumerate(self.shape.slots):
            chosen = self.opcode[l].choose([self.session.inline(const(j, rank), {}) for j in slot], rank)
            assert chosen is not None
            ranks.append(chosen)
        for l in range(depth - 1):
            dependent = self.gates.any(self._reads(l + 1, n + l))
            self.gates.require(self.gates.any([dependent, self.gates.at_most(ranks[l], rank, ranks[l + 1], rank)]))
            for later in range(l + 1, depth - 1):
                self._differ(l, later, self.gates.same(ranks[l], rank, ranks[later], rank))

    def _differ(self, l: int, later: int, same_component: Handle) -> None:
        equal = []
        for key, s in self.select[l].items():
            t = self.select[later].get(key)
            if t is not None:
                same = self.gates.same(s.handle, s.width, t.handle, t.width)
                equal.append(self.gates.any([self.gates.inverse(self._active[l][key]), same]))
        self.gates.forbid([same_component, *equal])

    # Once for every example.

    def add_example(self, values: Sequence[int], target: Expr) -> None:
        """Require that the program gives the literal ``target`` when the leaves have ``values``."""
        literal = [const(v, e.width) for v, e in zip(values, self.shape.leaves, strict=True)]
        known: dict[tuple[int, int], Handle] = {}
        for i, e in enumerate([*literal, *self.shape.constants]):
            known[i, e.width] = self.session.inline(e, {})
        n, last = len(self.shape.inputs), len(self.shape.slots) - 1
        for l in range(last + 1):
            for w, out in self._slot(l, known).items():
                known[n + l, w] = out
        x = var("a", target.width)
        self.session.require_handle(self.session.inline(eq(x, target), {x: known[n + last, target.width]}))

    def _slot(self, l: int, known: dict[tuple[int, int], Handle]) -> dict[int, Handle]:
        operand: dict[Key, Handle] = {}
        for (k, w), options in self.options[l].items():
            value = self.select[l][k, w].choose([known[i, w] for i in options], w)
            assert value is not None
            operand[k, w] = value
        slot, components = self.shape.slots[l], self.shape.components
        outs: dict[int, list[Handle | None]] = {}
        for i, j in enumerate(slot):
            c = components[j]
            value = self.session.inline(c.fn, {x: operand[k, x.width] for k, x in enumerate(c.formals)})
            outs.setdefault(c.width, [None] * len(slot))[i] = value
        result: dict[int, Handle] = {}
        for w, values in outs.items():
            chosen = self.opcode[l].choose(values, w)
            assert chosen is not None
            result[w] = chosen
        return result

    # The answer.

    def program(self) -> tuple[Line, ...]:
        """Return component and operand numbers of each step in the model."""
        lines: list[Line] = []
        for l, slot in enumerate(self.shape.slots):
            j = slot[self.session.value(self.opcode[l].handle)]
            numbers = []
            for k, w in enumerate(self.shape.components[j].widths):
                numbers.append(self.options[l][k, w][self.session.value(self.select[l][k, w].handle)])
            lines.append((j, tuple(numbers)))
        return tuple(lines)

    def exclude(self, lines: Sequence[Line]) -> None:
        """Forbid one program."""
        bits = []
        for l, (j, numbers) in enumerate(lines):
            bits.append(self.opcode[l].equals(self.shape.slots[l].index(j)))
            for k, number in enumerate(numbers):
                key = (k, self.shape.components[j].widths[k])
                bits.append(self.select[l][key].equals(self.options[l][key].index(number)))
        self.gates.forbid(bits)
