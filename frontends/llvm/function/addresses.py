"""Addresses as linear forms over values of the source, modulo the index width of their address
space.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from frontends.llvm.meaning.limits import ADDRESSES_DEPTH
from frontends.llvm.text.ast import Function, Instr, IntType, Local, Operand, PtrType, Symbol
from frontends.llvm.text.layout import NotSized, Sizes, to_signed
from frontends.llvm.text.syntax import number

if TYPE_CHECKING:
    from frontends.llvm.function.graph import Graph

_SUMS: Final = ("add", "sub", "mul", "shl", "or", "sext")


@dataclass(frozen=True, slots=True)
class Address:
    """``base`` (a pointer of the source, or a global as it is spelled), indices of the source with
    their factors, and bytes.

    It is modulo ``bits`` bits.  ``rests`` are the values of the source that it is computed from:
    where one of them is poison, the address is.  Those that are looked at ``twice`` may be another
    value each time, if they may be undef.
    """

    base: str
    atoms: tuple[tuple[tuple[str, int], int], ...]
    offset: int
    rests: frozenset[str] = field(default=frozenset(), compare=False)
    twice: frozenset[str] = field(default=frozenset(), compare=False)
    bits: int = field(default=64, compare=False)

    def moved(self, by: int) -> Address:
        """Return the address so many bytes further."""
        return replace(self, offset=to_signed(self.offset + by, self.bits))

    @property
    def line(self) -> tuple[object, ...]:
        """What is the same of addresses that are constants from each other."""
        return self.base, self.atoms, self.bits

    def gap(self, other: Address) -> int | None:
        """Return how many bytes further another address is, None where that is no constant."""
        alike = self.line == other.line
        return to_signed(other.offset - self.offset, self.bits) if alike else None

    @property
    def names(self) -> tuple[str, ...]:
        """The values that it is a sum of."""
        base = (self.base[1:],) if self.base[0] == "%" else ()
        return (*base, *(name for (name, _), _ in self.atoms))


@dataclass(slots=True)
class Form:
    """An address while it is added up, modulo ``bits`` bits; ``numbers`` tells in which order
    values are defined.
    """

    bits: int
    numbers: Mapping[str, int]
    atoms: dict[tuple[str, int], int] = field(default_factory=dict)
    total: int = 0
    rests: set[str] = field(default_factory=set)
    twice: set[str] = field(default_factory=set)

    def add(self, key: tuple[str, int], factor: int) -> None:
        """Add a value, extended by sign from so many bits, ``factor`` times."""
        self.twice |= {key[0]} if key in self.atoms else set()
        self.atoms[key] = self.atoms.get(key, 0) + factor

    def address(self, base: str) -> Address:
        """Return the address behind ``base``."""
        atoms = sorted(self.atoms.items(), key=lambda x: (self.numbers[x[0][0]], x[0][1]))
        kept = ((key, to_signed(factor, self.bits)) for key, factor in atoms)
        return Address(
            base,
            tuple((k, f) for k, f in kept if f),
            to_signed(self.total, self.bits),
            frozenset(self.rests),
            frozenset(self.twice),
            self.bits,
        )


class Addresses:
    """Addresses of the source: what a step or a sum promises may be taken, its breach is poison
    and the access undefined behaviour.
    """

    def __init__(self, function: Function, sizes: Sizes, *, promises: bool = True) -> None:
        """Without ``promises`` only steps and sums that promise nothing are followed."""
        self._view, self._sizes, self._promises = function.view, sizes, promises
        names = (*(a.name for a in function.arguments), *self._view.defs)
        self.numbers = {name: n for n, name in enumerate(names)}

    def of(self, pointer: Operand) -> Address | None:
        """Return where a pointer points in terms of values of the source, None where that is
        not followed.
        """
        if not isinstance(pointer.type, PtrType):
            return None
        bits = self._sizes.layout.space(pointer.type.space).index_bits
        form = Form(bits, self.numbers)
        for _ in range(ADDRESSES_DEPTH):
            below = self.below(pointer, form)
            if below is not None:
                return form.address(below)
            i = self._view.definition(pointer)
            if (
                i is None
                or i.opcode != "getelementptr"
                or not self.usable(i)
                or not isinstance(i.type, PtrType)
            ):
                base = self.base(pointer, form)
                return None if base is None else form.address(base)
            self.pass_on(pointer, form, followed=True)
            if not self._step(i, form):
                return None
            pointer = i.operands[1]
        return None

    def below(self, pointer: Operand, form: Form) -> str | None:
        """Return the base of a pointer that is known without following it, with what lies
        between added.
        """
        return None

    def base(self, pointer: Operand, form: Form) -> str | None:
        """Return the name of a pointer that is not followed."""
        self.pass_on(pointer, form)
        if isinstance(pointer, Local):
            return f"%{pointer.name}"
        return f"{pointer.type} {pointer.text}" if isinstance(pointer, Symbol) else None

    def pass_on(self, o: Operand, form: Form, *, followed: bool = False) -> None:
        """Note a value that the address is computed from, but for one that promises nothing where
        what it is computed from is noted.
        """
        i = self._view.definition(o) if followed else None
        if isinstance(o, Local) and (i is None or i.flags):
            form.rests.add(o.name)

    def usable(self, i: Instr) -> bool:
        """Tell whether a step or sum may be followed."""
        return i.known and (self._promises or not i.flags)

    def replaced(self, address: Address, given: Mapping[str, Operand]) -> Address | None:
        """Return an address with operands in place of some of its values, None where that is not
        followed.
        """
        form = Form(address.bits, self.numbers, total=address.offset)
        base = address.base
        if base[0] == "%" and base[1:] in given:
            found = self.of(given[base[1:]])
            if found is None or found.bits != address.bits:
                return None
            base = found.base
            form.total += found.offset
            for key, factor in found.atoms:
                form.add(key, factor)
        for key, factor in address.atoms:
            if key[0] not in given:
                form.add(key, factor)
            elif not self.index(given[key[0]], factor, form):
                return None
        return form.address(base)

    def _step(self, i: Instr, form: Form) -> bool:
        """Add what a getelementptr adds; False if it is not followed."""
        try:
            for index, at, step in self._sizes.steps(i, form.bits):
                if at is not None:
                    form.total += step
                elif not self.index(index, step, form):
                    return False
        except NotSized:
            return False
        return True

    def index(self, index: Operand, factor: int, form: Form) -> bool:
        """Add ``factor`` times an index; False if it is not followed."""
        waiting = [(index, factor)]
        for _ in range(ADDRESSES_DEPTH):
            if not waiting:
                return True
            o, times = waiting.pop()
            if not isinstance(o.type, IntType):
                return False
            at = number(o)
            if at is not None:
                form.total += times * to_signed(at, o.type.bits)
                continue
            if not isinstance(o, Local) or o.type.bits > form.bits:
                return False
            parts = self._parts(o, times, form.bits)
            if parts is not None:
                self.pass_on(o, form, followed=True)
                waiting += parts
            elif not self.atom(o, o.type.bits, times, form):
                return False
        return False

    def atom(self, o: Local, bits: int, times: int, form: Form) -> bool:
        """Add ``times`` times a value that is no sum; False if it is not known."""
        self.pass_on(o, form)
        form.add((o.name, bits), times)
        return True

    def _parts(self, o: Local, times: int, bits: int) -> list[tuple[Operand, int]] | None:
        """Return the summands of a value, each with how often it is added; those of one of fewer
        bits, extended by sign, are such themselves where the sum does not wrap.
        """
        i = self._view.definition(o)
        if i is None or i.opcode not in _SUMS or not self.usable(i):
            return None
        if i.opcode == "sext":
            return [(i.operands[0], times)]
        own = i.type.bits if isinstance(i.type, IntType) else bits
        return _summands(i, times, own) if own == bits or "nsw" in i.flags else None


def _summands(i: Instr, times: int, bits: int) -> list[tuple[Operand, int]] | None:
    """Return the summands of a sum of so many bits, each with how often it is added."""
    x, y = i.operands
    n = number(y)
    match i.opcode:
        case "add":
            return [(x, times), (y, times)]
        case "sub":
            return [(x, times), (y, -times)]
        case "or" if "disjoint" in i.flags:
            return [(x, times), (y, times)]
        case "shl" if n is not None and n < bits:
            return [(x, times << n)]
        case "mul":
            x, n = (y, number(x)) if n is None else (x, n)
            return None if n is None else [(x, times * to_signed(n, bits))]
    return None


class TargetAddresses(Addresses):
    """Addresses of the target, by what its values are in the source; of its own steps and sums
    only those without a promise.
    """

    def __init__(
        self, graph: Graph, source: Addresses, image: Callable[[Operand], Operand | None]
    ) -> None:
        """``image`` is the operand of the source that one of the target is."""
        super().__init__(graph.function, graph.sizes, promises=False)
        self.numbers = source.numbers
        self._source = source
        self._image = image

    def below(self, pointer: Operand, form: Form) -> str | None:
        """Return the base of the source's pointer."""
        image = self._image(pointer)
        found = None if image is None else self._source.of(image)
        if image is None or found is None:
            return None
        for key, factor in found.atoms:
            form.add(key, factor)
        form.total += found.offset
        form.twice |= found.twice
        form.rests |= found.rests
        return found.base

    def base(self, pointer: Operand, form: Form) -> str | None:
        """Return nothing: a pointer of the target alone is no base."""
        return None

    def atom(self, o: Local, bits: int, times: int, form: Form) -> bool:
        """Add the source's value, and what it is a sum of."""
        found = self._image(o)
        if found is None:
            return False
        return self._source.index(found, times, form)
