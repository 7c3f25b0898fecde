"""Memory of straight-line code: pointer arguments plus constant offsets, cut into units of whole
bytes.

Offsets are those of the module's data layout, modulo the index width.  A unit is as wide as every
access of its region allows.  What cannot be followed raises
:class:`frontends.llvm.meaning.lanes.Cannot` with a reason that starts with ``memory``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd

from frontends.llvm.meaning.border import Rule, rule_of, says_nothing
from frontends.llvm.meaning.choice import Chooser
from frontends.llvm.meaning.lanes import NO, Cannot, Value, recast
from frontends.llvm.paths.inputs import World, poison_bit, undef_mask
from frontends.llvm.text.ast import Function, Instr, Literal, Local, Operand, PtrType, VectorType
from frontends.llvm.text.identity import Contents, Pairing
from frontends.llvm.text.layout import NotSized, Sizes, to_signed
from frontends.llvm.text.syntax import integer_shape, shape_of
from isel.ir.expr import Expr, elem


@dataclass(frozen=True, slots=True)
class Promise:
    """A flag of a getelementptr: from ``start`` to ``end``, bytes behind argument ``base``.

    ``way`` is empty for one step that cannot wrap by itself, else what is added one after the other
    and from which indices.
    """

    base: int
    start: int
    end: int
    flag: str
    way: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Pointer:
    """Argument ``base`` plus ``offset`` bytes; ``promises`` are the flagged steps that led there.

    ``space`` is the address space.
    """

    base: int
    offset: int
    space: int = 0
    promises: frozenset[Promise] = frozenset()


@dataclass(frozen=True, slots=True)
class Access:
    """A load or store of ``size`` bytes at ``align``; ``tags`` is metadata that the target may not
    have alone.
    """

    at: Pointer
    size: int
    align: int
    store: bool
    tags: tuple[tuple[str, str], ...] = ()

    def units(self, unit: int) -> Iterator[int]:
        """Yield the units that are touched, ``unit`` bytes each."""
        yield from range(self.at.offset // unit, (self.at.offset + self.size) // unit)

    def meets(self, other: Access) -> bool:
        """Tell whether it touches bytes that another one touches."""
        apart = other.at.offset - self.at.offset
        return self.at.base == other.at.base and -other.size < apart < self.size


def _is_one_way(moves: Sequence[int], bits: int) -> bool:
    """Tell whether what lies between is in bounds and no sum wraps, if that holds of the ends."""
    one_way = min(moves, default=0) >= 0 or max(moves) <= 0
    return one_way and all(to_signed(x, bits) == x for x in moves)


def step(instr: Instr, pointers: Mapping[str, Pointer], sizes: Sizes) -> Pointer:
    """Return the address that a getelementptr gives."""
    if isinstance(instr.type, VectorType):
        raise Cannot("memory: a vector of addresses")
    base = _pointer(instr.operands[1], pointers)
    bits = sizes.layout.space(base.space).index_bits
    try:
        steps, fit = sizes.walk(instr, base.space)
    except NotSized as reason:
        raise Cannot(f"memory: {reason}") from None
    to = to_signed(base.offset + sum(steps), bits)
    moves = [x for x in steps if x]
    plain = fit and base.offset + sum(moves) == to and _is_one_way(moves, bits)
    way = (
        steps,
        tuple((str(o.type), o.lanes) for o in instr.operands[2:] if isinstance(o, Literal)),
    )
    flags = sorted(instr.flags) if moves or not fit else []
    odd = {flag for flag in flags if not plain or (flag == "nuw" and min(moves) < 0)}
    new = {Promise(base.base, base.offset, to, flag, way if flag in odd else ()) for flag in flags}
    return Pointer(base.base, to, base.space, base.promises | new)


def _pointer(o: Operand, pointers: Mapping[str, Pointer]) -> Pointer:
    found = pointers.get(o.name) if isinstance(o, Local) else None
    if found is None:
        raise Cannot("memory: an address that is not a constant offset from an argument")
    return found


def access(instr: Instr, pointers: Mapping[str, Pointer], sizes: Sizes) -> Access:
    """Return what a load or store touches."""
    store = instr.opcode == "store"
    kind = instr.operands[0].type if store else instr.type
    shape = integer_shape(kind)
    if shape is None:
        raise Cannot(
            "floating point"
            if any(x in str(kind) for x in ("float", "double", "half"))
            else f"memory: an access of type {kind}"
        )
    if shape[1] % 8:
        raise Cannot("memory: elements that are no whole bytes")
    at, size = _pointer(instr.operands[1 if store else 0], pointers), shape[0] * shape[1] // 8
    if at.offset + size > 1 << (sizes.layout.space(at.space).index_bits - 1):
        raise Cannot("memory: an access across the end of the address space")
    where, bound = f"metadata of a {instr.opcode}", (Rule.SOURCE, Rule.DROPPED)
    tags = (m for m in instr.metadata if rule_of(where, m[0]) in bound)
    return Access(at, size, instr.align, store, tuple(tags))


def argument_pointers(function: Function) -> dict[str, Pointer]:
    """Return the addresses that are arguments."""
    return {
        a.name: Pointer(k, 0, a.type.space)
        for k, a in enumerate(function.arguments)
        if isinstance(a.type, PtrType)
    }


def units(*sides: tuple[Function, Sizes]) -> dict[int, int]:
    """Return the bytes of a unit of each argument's region, over all accesses of the functions."""
    found: dict[int, int] = {}
    for function, sizes in sides:
        pointers = argument_pointers(function)
        for i in (i for i in function.view if i.known):
            if i.opcode == "getelementptr":
                pointers[i.name] = step(i, pointers, sizes)
            elif i.opcode in ("load", "store"):
                a = access(i, pointers, sizes)
                width = shape_of(i.operands[0].type if a.store else i.type)[1]
                found[a.at.base] = gcd(found.get(a.at.base, 0), width // 8, a.at.offset)
    return found


@dataclass
class Memory:
    """What one side has read and written."""

    unit: Mapping[int, int]
    noalias: frozenset[int]
    sizes: Sizes
    accesses: list[Access] = field(default_factory=list)
    written: dict[tuple[int, int], tuple[Expr, Expr]] = field(default_factory=dict)
    read: set[tuple[int, int]] = field(default_factory=set)

    def load(
        self, instr: Instr, pointers: Mapping[str, Pointer], chooser: Chooser, world: World
    ) -> Value:
        """Return what a load reads."""
        a = self._note(access(instr, pointers, self.sizes))
        unit = self.unit[a.at.base]
        units = [(a.at.base, u) for u in a.units(unit)]
        return recast(self.contents(units, 8 * unit, chooser, world), shape_of(instr.type)[1])

    def contents(
        self, keys: Sequence[tuple[int, int]], width: int, chooser: Chooser, world: World
    ) -> Value:
        """Return units of ``width`` bits as one look at all of them sees them: what depends on
        one undefined value does so everywhere.
        """
        new = {
            key: self._initial(key, chooser, world)
            for key in keys
            if key not in self.written and key not in self.read
        }
        self.read |= new.keys() if world.undefs else set()
        old = [key for key in keys if key not in new]
        seen = [self.written.get(key) or self._initial(key, chooser, world) for key in old]
        again = chooser.again(Value.of(width, seen))
        known = {**new, **dict(zip(old, again.rows, strict=True))}
        return Value.of(width, (known[key] for key in keys))

    def _initial(self, key: tuple[int, int], chooser: Chooser, world: World) -> tuple[Expr, Expr]:
        base, unit = key
        what, width = f"m{base}", 8 * self.unit[base]
        x, p = elem(what, unit * width, width), poison_bit(what, unit)
        if world.defined:
            return x, NO
        if world.undefs:
            x = chooser.undef(what, unit * width, width, undef_mask(what, unit, width), x)
        return x, p

    def store(
        self, instr: Instr, value: Value, pointers: Mapping[str, Pointer], chooser: Chooser
    ) -> None:
        """Write the lanes of a value."""
        a = self._note(access(instr, pointers, self.sizes))
        unit = self.unit[a.at.base]
        parts = recast(value, unit * 8)
        for u, row in zip(a.units(unit), parts.rows, strict=True):
            self.written[a.at.base, u] = row

    def place(self, k: int) -> tuple[int, int, int, bool, int]:
        """Return what an access touches and how, and how many have written some of it before: what
        one says of what it reads it says of no later one.
        """
        a = self.accesses[k]
        before = sum(x.store and x.meets(a) for x in self.accesses[:k])
        return a.at.base, a.at.offset, a.size, a.store, before

    def _note(self, a: Access) -> Access:
        for other in self.accesses:
            apart = other.at.base != a.at.base
            if apart and (other.store or a.store) and not {a.at.base, other.at.base} & self.noalias:
                raise Cannot("memory: arguments that may alias")
        self.accesses.append(a)
        return a


def compatible(source: Memory, target: Memory, pairing: Pairing) -> str:
    """Return why the target's accesses are not covered by the source's; empty if they are."""
    mine = {(a.at.base, u) for a in source.accesses for u in a.units(source.unit[a.at.base])}
    licensed = frozenset[Promise]().union(*(a.at.promises for a in source.accesses))
    places = [source.place(n) for n in range(len(source.accesses))]
    for k, a in enumerate(target.accesses):
        if not {(a.at.base, u) for u in a.units(target.unit[a.at.base])} <= mine:
            return "memory: the target accesses bytes that the source does not"
        tags = [m for m in a.tags if not says_nothing(*m, pairing.target)]
        own = target.place(k) if tags else None
        there = (x for x, at in zip(source.accesses, places, strict=True) if at == own)
        if tags and not any(pairing.says(x.tags, tags) for x in there):
            return "memory: metadata of an access that the source does not have"
        if not _is_aligned(a, source):
            return "memory: the target accesses at an alignment that the source does not have"
        if not all(p in licensed or _is_inside(p, source.accesses) for p in a.at.promises):
            return "memory: flags of an address that the source does not have"
    if not set(target.written) <= set(source.written):
        return "memory: the target writes bytes that the source does not"
    return ""


def _is_inside(p: Promise, accesses: Sequence[Access]) -> bool:
    """Tell whether a step stays between bytes that are accessed behind its argument, which are of
    one object: it is in bounds, and no sum of it wraps.
    """
    ends = [x for a in accesses if a.at.base == p.base for x in (a.at.offset, a.at.offset + a.size)]
    return bool(ends) and not p.way and all(min(ends) <= x <= max(ends) for x in (p.start, p.end))


def doubt(memory: Memory, source: Function) -> str:
    """Return why accesses of the source may be undefined behaviour for a reason that is not
    modelled, empty if they are not.
    """
    if any(p.way for a in memory.accesses for p in a.at.promises):
        return "the flags of an address of the source may be broken"
    known = _promised_places(source)
    for k, a in enumerate(memory.accesses):
        largest = 1 << (memory.sizes.layout.space(a.at.space).index_bits - 1)
        for x in (x for x in (*known, *memory.accesses[:k]) if x.at.base == a.at.base):
            apart = x.at.offset - a.at.offset
            if apart % max(min(x.align, a.align), 1):
                return "the alignments of the source's accesses contradict each other"
            if abs(apart) + x.size + a.size >= largest:
                return "the source's accesses are farther apart than an object is large"
    return ""


def doubt_of_types(memory: Memory, contents: Contents) -> str:
    """Return why types of accesses may contradict each other, empty if those behind each argument
    are of one, which may be that of what lies there before.
    """
    tags = ((a.at.base, x) for a in memory.accesses for x in a.tags if x[0] == "tbaa")
    said = {(base, x[1]) for base, x in tags if not says_nothing(*x, contents)}
    plain = all(contents.named.get(text, text).count(",") == 2 for _, text in said)
    return "" if plain and len(dict(said)) == len(said) else "what breaks '!tbaa' is not modelled"


def _promised_places(source: Function) -> list[Access]:
    """Return the arguments whose alignment is promised, as accesses of no bytes."""
    said = ((k, t) for k, argument in enumerate(source.arguments) for t in argument.attributes)
    aligned = [(k, int(t.split()[1])) for k, t in said if t.startswith("align ")]
    return [Access(Pointer(k, 0), 0, align, store=False) for k, align in aligned]


def _is_aligned(a: Access, source: Memory) -> bool:
    known = (x for x in source.accesses if x.at.base == a.at.base)
    return a.align > 0 and (
        a.align == 1
        or any(x.align >= a.align and (x.at.offset - a.at.offset) % a.align == 0 for x in known)
    )


def conditions(
    source: Memory, target: Memory, s: Chooser, t: Chooser, world: World
) -> Iterator[tuple[str, tuple[Expr, Expr], tuple[Expr, Expr]]]:
    """Yield the final content of each unit that either side wrote: where, the source's, the
    target's.
    """
    for base in sorted({base for base, _ in source.written}):
        keys = sorted(key for key in source.written if key[0] == base)
        width = 8 * source.unit[base]
        a, b = source.contents(keys, width, s, world), target.contents(keys, width, t, world)
        for (_, unit), mine, theirs in zip(keys, a.rows, b.rows, strict=True):
            yield f"byte {unit * source.unit[base]} of argument {base}", mine, theirs
