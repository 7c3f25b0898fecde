"""Bodies executed over registers that hold the operands as symbols: LLVM IR in which whatever
decides an address or a branch is a number, and everything else a
:class:`~semantics.importing.values.Val`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

from frontends.llvm.text.ast import Function, Instr, Literal, Local, Operand, Symbol
from frontends.llvm.text.syntax import IntType, PtrType, integer_shape
from frontends.llvm.text.view import incoming, labels
from isel.cost.loops import dominators
from isel.ir.expr import Expr
from isel.ir.spans import within
from semantics.hvx.importer.operations import OPERATIONS, as_signed, wrap
from semantics.importing.cells import Cell, merged
from semantics.importing.functions import (
    absolute,
    leading_zeros,
    population,
    saturate,
    saturate_unsigned,
)
from semantics.importing.simplify import picked
from semantics.importing.values import (
    Inexact,
    Val,
    Value,
    infix,
    low_bits,
    select,
    span,
    truth,
    unsigned,
)

_STEPS: Final = 400_000
_ENTRIES: Final = 256  # of what an operand may choose among
_GEP: Final = re.compile(r"getelementptr (?:inbounds |nuw |nusw )*(?P<type>.+?), ptr ")
_ARRAY: Final = re.compile(r"\[(\d+) x (.+)\]$")
_SIZES: Final = {"%union.MMVector": 128, "%union.MMVectorPair": 256, "%union.MMQReg": 16}


class Branches(Exception):
    """A branch or an address that an operand decides, and that is no choice among few."""


@dataclass(eq=False)
class Object:
    """A register or a variable in memory: its bits as they are written."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Pointer:
    """An address: ``offset`` bytes into an object, and an index that an operand decides times
    ``scale`` bytes.
    """

    into: Object
    offset: int = 0
    index: Value = 0
    scale: int = 0


Operated: TypeAlias = Value | Pointer


@dataclass
class Machine:
    """Executes one function over the arguments of its parameters."""

    function: Function
    arguments: Mapping[str, Operated]
    values: dict[str, Operated] = field(default_factory=dict)
    objects: list[Object] = field(default_factory=list)
    steps: int = 0

    def run(self) -> None:
        """Execute; raise :class:`Inexact` and :class:`Branches`."""
        self.values.update(self.arguments)
        self.objects.extend(p.into for p in self.arguments.values() if isinstance(p, Pointer))
        self._until(0, None)

    def _until(self, at: int, stop: int | None) -> None:
        """Execute from a block on until another is entered."""
        while at != stop:
            *work, end = self.function.blocks[at].instrs
            self.steps += len(work) + 1
            if self.steps > _STEPS:
                raise Inexact("a loop that does not end")
            for i in work:
                if i.opcode != "phi":
                    self._step(i)
            if end.opcode == "ret":
                return
            arms = [self.function.view.numbers[name] for name in labels(end)]
            at = self._case(end, at) if end.opcode == "switch" else self._branch(end, arms, at)

    def _branch(self, end: Instr, arms: Sequence[int], at: int) -> int:
        """Return the block that is entered next, with its phis."""
        test = truth(self._integer(end.operands[0])) if len(arms) > 1 else 1
        if not isinstance(test, int):
            return self._both(test, arms, at)
        following = arms[0 if test else 1]
        self._enter(following, at)
        return following

    def _case(self, end: Instr, at: int) -> int:
        value = self._integer(end.operands[0])
        if not isinstance(value, int):
            raise Branches("a branch that an operand decides")
        default, *cases = labels(end)
        numbers = [self._operand(o) for o in end.operands[1:] if isinstance(o, Literal)]
        name = dict(zip(numbers, cases, strict=True)).get(value, default)
        following = self.function.view.numbers[name]
        self._enter(following, at)
        return following

    def _enter(self, block: int, before: int) -> None:
        """Give values to the phis of a block that is entered from another."""
        label = self.function.blocks[before].label
        phis = (i for i in self.function.blocks[block].instrs if i.opcode == "phi")
        self.values.update({i.name: self._operand(incoming(i)[label]) for i in phis})

    def _both(self, test: Expr, arms: Sequence[int], at: int) -> int:
        """Execute both arms of a branch up to the block where they meet, and return that: what they
        wrote, and its phis, are choices.
        """
        meet = self._meets[at]
        if meet is None:
            raise Branches("a branch that an operand decides")
        start = [(o, o.cell) for o in self.objects]
        values = self.values
        ends: list[tuple[list[Cell], dict[str, Operated]]] = []
        for arm in arms:
            for o, cell in start:
                o.cell = cell
            self.values = dict(values)
            self._enter(arm, at)
            self._until(arm, meet)
            ends.append(([o.cell for o, _ in start], self.values))
        (cells, ours), (others, theirs) = ends
        for (o, _), a, b in zip(start, cells, others, strict=True):
            o.cell = a if a is b else merged(test, a, b)
        self.values = values
        for i in self.function.blocks[meet].instrs:
            if i.opcode == "phi":
                self.values[i.name] = _choice(test, ours[i.name], theirs[i.name])
        return meet

    @cached_property
    def _meets(self) -> Sequence[int | None]:
        """Where the paths from each block meet again: its dominator when all edges are turned."""
        view, count = self.function.view, len(self.function.blocks)
        ends = [k for k in range(count) if view.end(k).opcode == "ret"]
        turned = [ends, *([p + 1 for p in view.predecessors[k]] for k in range(count))]
        turned[0] = [k + 1 for k in ends]
        above = dominators(turned)[1:]
        return [None if a is None or a == 0 else a - 1 for a in above]

    def _operand(self, o: Operand) -> Operated:
        if isinstance(o, Local):
            return self.values[o.name]
        if isinstance(o, Literal) and isinstance(o.lanes[0], int):
            kind = o.type
            assert isinstance(kind, IntType)
            value = o.lanes[0]
            return value - (1 << kind.bits) if value >> (kind.bits - 1) and kind.bits > 1 else value
        raise Inexact(f"the operand {o}")

    def _integer(self, o: Operand) -> Value:
        return _value(self._operand(o))

    def _step(self, i: Instr) -> None:
        shape = integer_shape(i.type)
        operation = OPERATIONS.get(i.opcode)
        if operation is not None and shape is not None:
            width = shape[1]
            given = [self._integer(o) for o in i.operands]
            widths = [_width(o) for o in i.operands]
            self.values[i.name] = wrap(operation(i, given, widths, width), width)
            return
        match i.opcode:
            case "alloca" | "getelementptr":
                self.values[i.name] = self._address(i)
            case "load" if shape is not None:
                self.values[i.name] = _load(self._pointer(i.operands[0]), shape[1])
            case "store":
                value, where = self._integer(i.operands[0]), self._pointer(i.operands[1])
                _store(where, value, _width(i.operands[0]))
            case "select":
                self._select(i)
            case "call":
                self._call(i)
            case _:
                raise Inexact(f"the instruction '{i.text.strip()}'")

    def _pointer(self, o: Operand) -> Pointer:
        found = self._operand(o)
        if not isinstance(found, Pointer):
            raise Inexact("a number as an address")
        return found

    def _select(self, i: Instr) -> None:
        test = truth(self._integer(i.operands[0]))
        yes, no = (self._operand(o) for o in i.operands[1:])
        taken = (yes if test else no) if isinstance(test, int) else _choice(test, yes, no)
        self.values[i.name] = taken

    def _address(self, i: Instr) -> Pointer:
        if i.opcode == "alloca":
            self.objects.append(Object(Cell()))
            return Pointer(self.objects[-1])
        found = _GEP.search(i.text)
        if found is None:
            raise Inexact(f"the address '{i.text.strip()}'")
        kind = found["type"]
        start, *indices = (o for o in i.operands if not isinstance(o, Symbol))
        at = self._pointer(start)
        for k, o in enumerate(indices):
            index = self._integer(o)
            if k:
                array = _ARRAY.match(kind)
                if array is None:
                    if index != 0:
                        raise Inexact(f"the address '{i.text.strip()}'")
                    continue
                kind = array[2]
            at = _advance(at, index, _size(kind))
        return at

    def _copy(self, to: Operated, of: Operated, size: Operated) -> None:
        """Copy bytes; the whole of one register becomes the other."""
        assert isinstance(to, Pointer) and isinstance(of, Pointer)
        if not isinstance(size, int) or to.scale or of.scale:
            raise Branches("a copy whose place an operand decides")
        if of.offset == 0 and to.offset == 0 and not to.into.cell.pieces:
            to.into.cell = of.into.cell
            return
        for k in range(size):
            byte = _load(Pointer(of.into, of.offset + k), 8)
            _store(Pointer(to.into, to.offset + k), byte, 8)

    def _call(self, i: Instr) -> None:
        name = i.callee
        if name.startswith("llvm.lifetime"):
            return
        if name.startswith("llvm.memcpy"):
            self._copy(*(self._operand(o) for o in i.operands[:3]))
            return
        special = _CALLS.get(name)
        if special is None:
            raise Inexact(f"a call of {name}")
        found = special([self._operand(o) for o in i.operands])
        if i.name and found is not None:
            shape = integer_shape(i.type)
            assert shape is not None
            self.values[i.name] = wrap(found, shape[1])


def _choice(test: Expr, a: Operated, b: Operated) -> Operated:
    if a is b:
        return a
    if isinstance(a, Pointer) or isinstance(b, Pointer):
        raise Branches("an address that an operand decides")
    if isinstance(a, int) and a & 1 and _is_bit(b):
        return infix("OR", unsigned(test), b)
    if isinstance(b, int) and b == 0 and _is_bit(a):
        return infix("AND", unsigned(test), a)
    return select(test, a, b)


def _is_bit(v: Value) -> bool:
    return isinstance(v, Val) and within(v.bounds, (0, 1))


def _width(o: Operand) -> int:
    shape = None if isinstance(o.type, PtrType) else integer_shape(o.type)
    return 0 if shape is None else shape[1]


def _size(kind: str) -> int:
    array = _ARRAY.match(kind)
    if array is not None:
        return int(array[1]) * _size(array[2])
    if kind in _SIZES:
        return _SIZES[kind]
    if re.fullmatch(r"i\d+", kind):
        return int(kind[1:]) // 8
    raise Inexact(f"the type {kind}")


def _advance(at: Pointer, index: Value, size: int) -> Pointer:
    if isinstance(index, int):
        return Pointer(at.into, at.offset + index * size, at.index, at.scale)
    if at.scale:
        raise Branches("an address that two operands decide")
    return Pointer(at.into, at.offset, index, size)


def _load(at: Pointer, width: int) -> Value:
    if not at.scale:
        return at.into.cell.read(8 * at.offset, width)
    least, greatest = span(at.index)
    if least < 0 or greatest >= _ENTRIES:
        raise Branches("an address that an operand decides")
    count = (greatest).bit_length()
    entries = [
        low_bits(at.into.cell.read(8 * (at.offset + at.scale * k), width), width)
        for k in range(1 << count)
    ]
    return unsigned(picked(entries, low_bits(at.index, count)))


def _store(at: Pointer, value: Value, width: int) -> None:
    if at.scale:
        raise Branches("an address that an operand decides")
    at.into.cell = at.into.cell.written(8 * at.offset, width, value)


def _number(x: Operated) -> int:
    if isinstance(x, int):
        return x
    raise Branches("a width that an operand decides")


def _value(x: Operated) -> Value:
    if isinstance(x, Pointer):
        raise Inexact("an address as a number")
    return x


def _bits_of(given: Sequence[Operated]) -> Value:
    where, at, width = given
    assert isinstance(where, Pointer)
    return where.into.cell.read(8 * where.offset + _number(at), _number(width))


def _put_bits(given: Sequence[Operated]) -> None:
    where, at, width, value = given
    assert isinstance(where, Pointer)
    cell, n = where.into.cell, _number(width)
    where.into.cell = cell.written(8 * where.offset + _number(at), n, _value(value))


def _leading_zeros(value: Value, width: int) -> Value:
    """Return the number of leading zeros in ``width`` bits: of an extension those of what it
    extends, and its own.
    """
    term = low_bits(value, width)
    inner = term.args[0] if term.op == "zext" else term
    return infix("+", leading_zeros(unsigned(inner)), width - inner.width)


_CALLS: Final[Mapping[str, Callable[[Sequence[Operated]], Value | None]]] = {
    "isel_sat_s": lambda g: saturate(_number(g[1]), as_signed(_value(g[0]), 64)),
    "isel_sat_u": lambda g: saturate_unsigned(_number(g[1]), as_signed(_value(g[0]), 64)),
    "isel_abs": lambda g: absolute(as_signed(_value(g[0]), 64)),
    "isel_clz": lambda g: _leading_zeros(_value(g[0]), _number(g[1])),
    "isel_ctpop": lambda g: population(unsigned(low_bits(_value(g[0]), _number(g[1])))),
    "isel_get": _bits_of,
    "isel_put": _put_bits,
}
