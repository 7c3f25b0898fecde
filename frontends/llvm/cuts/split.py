"""A block as two behind a check: in one, that no byte which it writes is reached through another
address, what it loads comes first and each byte is written once; the other is the block as it is.

Addresses that differ by constants are an *extent*, from the first byte that the block reads or
writes there up to the last.  The check compares extents as integers, modulo the size of a pointer,
before the block reads or writes anything.  Every instruction of it is executed when its first is,
so an address that is poison is undefined behaviour in any case, and one that may be undef is not
split (each look would see another one).  Where no two extents meet, a load reads either what was
there when the block began or all of one store, and the last store to some bytes is what stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, count, groupby, takewhile
from typing import TYPE_CHECKING, Final, TypeAlias

from frontends.llvm.cuts.addresses import Address, Addresses
from frontends.llvm.cuts.alias import Writes
from frontends.llvm.cuts.graph import Graph, Kind, Place
from frontends.llvm.cuts.left import Left, require
from frontends.llvm.limits import SPLIT_BYTES, SPLIT_CHECKS, SPLIT_POINTER, SPLIT_STORED
from frontends.llvm.machine.trips import UNLIKELY
from frontends.llvm.paths.choice import Cannot
from frontends.llvm.text.ast import Block, Function, Instr, IntType, Literal, Local, Operand
from frontends.llvm.text.parse import parse_instruction
from frontends.llvm.text.rewording import literal_text, rename
from frontends.llvm.text.syntax import integer_shape
from frontends.llvm.text.view import View, labels

if TYPE_CHECKING:
    from frontends.llvm.cuts.compare import Sides

_LATE: Final = (Kind.LOAD, Kind.CHOICE, Kind.DIVISION)


def split_source(sides: Sides) -> Sides | None:
    """Return the sides with a source whose blocks are split where the target's are, None where
    none is.
    """
    try:
        found = split_as(sides.graph(0), sides.graph(1))
    except (Cannot, Left):
        return None
    return None if found is None else replace(sides, source=found)


def split_as(source: Graph, target: Graph) -> Function | None:
    """Return a function that refines the source, of which the blocks are split that are so in the
    target; None where there are none.  Raises :class:`Left` for one that is not to be split.
    """
    names = (f"isel.split.{n}" for n in count())
    found = {a: split(source, a, names) for a in _split_blocks(source, target)}
    return _join(source.function, found) if found else None


def _split_blocks(source: Graph, target: Graph) -> Iterator[str]:
    """Yield the blocks of the source that the target has twice, behind a branch."""
    waiting, seen = [tuple(g.function.blocks[0].label for g in (source, target))], set[str]()
    while waiting:
        a, b = waiting.pop()
        if b in seen:
            continue
        seen.add(b)
        behind = _behind(target.function.view, b)
        if behind and not _behind(source.function.view, a):
            yield a
            b = behind
        mine, theirs = labels(source.end(a)), labels(target.end(b))
        waiting += zip(mine, theirs, strict=False)


def _behind(view: View, label: str) -> str:
    """Return where two blocks meet that only a branch leads to and that only go there; empty where
    a block does not end so.
    """
    k = view.numbers[label]
    arms = view.successors[k]
    if view.end(k).opcode != "br" or len(arms) != 2:
        return ""
    ends = {view.successors[x] for x in arms}
    alone = all(view.predecessors[x] == (k,) for x in arms)
    (behind, *others) = ends
    one = not others and len(behind) == 1 and set(view.predecessors[behind[0]]) == set(arms)
    return view.blocks[behind[0]].label if alone and one else ""


@dataclass(slots=True, eq=False)
class Extent:
    """Bytes ``low`` up to ``high`` behind an address, whether one is loaded, and the numbers of the
    stores to it.
    """

    address: Address
    low: int
    high: int
    loaded: bool = False
    stores: list[int] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return self.high - self.low


_Slot: TypeAlias = tuple[Extent, int, int]  # that an access is in, its first byte, and its size


@dataclass(slots=True)
class Split:
    """A block of a graph as two: ``check`` are the lines that decide, the last of which says that
    extents are disjoint; ``disjoint`` and ``plain`` are the lines of both, without branches,
    ``outs`` what they give to others, with its names in each.
    """

    graph: Graph
    label: str
    labels: tuple[str, str, str]
    late: tuple[Instr, ...]
    check: tuple[str, ...]
    disjoint: list[str]
    plain: list[str]
    outs: list[tuple[Instr, str, str]]

    @property
    def end(self) -> Instr:
        """What the block ends with."""
        return self.graph.end(self.label)

    def branch(self) -> str:
        """Return the branch to both blocks."""
        test = self.check[-1].partition(" = ")[0]
        first, second, _ = self.labels
        return f"br i1 {test}, label %{first}, label %{second}"

    def phis(self) -> Iterator[str]:
        """Yield what puts together what both blocks give."""
        first, second, _ = self.labels
        for i, x, y in self.outs:
            yield f"%{i.name} = phi {i.type} [ %{x}, %{first} ], [ %{y}, %{second} ]"


def split(graph: Graph, label: str, names: Iterator[str]) -> Split:
    """Return a block as two; raises :class:`Left` for one that is none."""
    body = [p for p in graph.body[label] if p.kind not in (Kind.PHI, Kind.SILENT, Kind.END)]
    require(all(map(_is_plain, body)), "it does more than load, compute and store")
    late = tuple(_late(body))
    values = [i.name for i in late if i.name]
    extents = _Extents(graph, body, set(values))
    first, second, behind = next(names), next(names), next(names)
    check = tuple(extents.check(names))
    plain, disjoint = (dict(zip(values, names, strict=False)) for _ in range(2))
    return Split(
        graph,
        label,
        (first, f"{UNLIKELY}{second.rpartition('.')[2]}", behind),
        late,
        check,
        _Disjoint(extents, disjoint, names).lines(late),
        [rename(i.text.strip(), plain) for i in late],
        [(i, disjoint[i.name], plain[i.name]) for i in outputs(graph.function.view, late)],
    )


def outputs(view: View, instrs: Sequence[Instr]) -> Iterator[Instr]:
    """Yield what others use of what instructions give."""
    inner = {i.line for i in instrs}
    for i in instrs:
        if i.name and not {u.line for u in view.used_by(i.name)} <= inner:
            yield i


def _is_plain(p: Place) -> bool:
    """Tell whether an instruction computes, loads or stores, and comes back."""
    i = p.instr
    if p.kind is Kind.LOAD or i.opcode == "store":
        return i.known and not i.flags and i.align > 0
    return p.kind in (Kind.FUNCTION, Kind.CHOICE, Kind.DIVISION)


def _late(body: Sequence[Place]) -> Iterator[Instr]:
    """Yield what is done in both blocks: accesses, and what is computed of what was loaded."""
    names = set[str]()
    for p in body:
        of = {o.name for o in p.instr.operands if isinstance(o, Local)}
        if p.kind in _LATE or p.instr.opcode == "store" or not of.isdisjoint(names):
            names.add(p.instr.name)
            yield p.instr


class _Extents:
    """What a block reads and writes."""

    def __init__(self, graph: Graph, body: Sequence[Place], late: set[str]) -> None:
        self.addresses = Addresses(graph)
        self._writes = Writes(graph, self.addresses)
        self.slots: dict[int, _Slot] = {}  # by line
        found: dict[tuple[object, ...], Extent] = {}
        for p in body:
            if p.kind is not Kind.LOAD and p.instr.opcode != "store":
                continue
            i, value = p.instr, p.instr.operands[0] if p.instr.opcode == "store" else None
            at, size = self._address(i.operands[-1], late), _bytes(i, value)
            new = Extent(at, at.offset, at.offset + size)
            s = found.setdefault((at.base, at.atoms), new)
            s.low, s.high = min(s.low, at.offset), max(s.high, at.offset + size)
            s.loaded |= value is None
            s.stores += [len(self.slots)] if value is not None else []
            self.slots[i.line] = (s, at.offset, size)
        self.pairs = [x for x in combinations(found.values(), 2) if self._may_meet(*x)]
        require(all(s.size <= SPLIT_BYTES for s in found.values()), "its accesses lie far apart")
        require(bool(self.pairs), "nothing that it writes may be read through another address")
        require(len(self.pairs) <= SPLIT_CHECKS, "too many addresses may meet")

    def _address(self, o: Operand, late: set[str]) -> Address:
        at = self.addresses.of(o)
        known = at is not None and str(o.type) == "ptr" and at.bits == SPLIT_POINTER
        require(known, "an address is not known")
        assert at is not None
        require(late.isdisjoint(at.names), "an address is loaded")
        settled = all(map(self.addresses.settled.holds, at.names))
        require(settled, "an address may be undef")
        return at

    def _may_meet(self, one: Extent, other: Extent) -> bool:
        """Tell whether it matters that two extents meet, which they may."""
        read = bool(one.stores and other.loaded) or bool(other.stores and one.loaded)
        both = bool(one.stores and other.stores)
        mixed = both and one.stores[0] < other.stores[-1] and other.stores[0] < one.stores[-1]
        meet = not self._writes.lie_apart(one.address.base, other.address.base)
        return (read or mixed) and meet

    def check(self, names: Iterator[str]) -> Iterator[str]:
        """Yield lines that compute whether no two extents meet."""
        known = dict[Extent, str]()
        last = ""
        for one, other in self.pairs:
            for s in (one, other):
                if s not in known:
                    yield from _integer(s, names, known)
            gap, moved, test = (next(names) for _ in range(3))
            by = other.low - one.low - one.size
            yield f"%{gap} = sub i64 %{known[other]}, %{known[one]}"
            yield f"%{moved} = add i64 %{gap}, {by}"
            yield f"%{test} = icmp ult i64 %{moved}, {1 - one.size - other.size}"
            if last:
                both = next(names)
                yield f"%{both} = and i1 %{last}, %{test}"
                test = both
            last = test


def _integer(s: Extent, names: Iterator[str], known: dict[Extent, str]) -> Iterator[str]:
    """Yield lines that compute an extent's address, without its bytes, as an integer; note its
    name.
    """
    total, at = next(names), s.address
    base = at.base if at.base[0] == "%" else at.base.removeprefix("ptr ")
    yield f"%{total} = ptrtoint ptr {base} to i64"
    for (name, bits), factor in at.atoms:
        if bits < SPLIT_POINTER:
            wide = next(names)
            yield f"%{wide} = sext i{bits} %{name} to i64"
            name = wide
        by, new = next(names), next(names)
        yield f"%{by} = mul i64 %{name}, {factor}"
        yield f"%{new} = add i64 %{total}, %{by}"
        total = new
    known[s] = total


def _bytes(i: Instr, value: Operand | None) -> int:
    shape = integer_shape(i.type if value is None else value.type)
    require(shape is not None and shape[1] % 8 == 0, "it is no integers of whole bytes")
    assert shape is not None
    return shape[0] * shape[1] // 8


@dataclass(slots=True)
class _Disjoint:
    """What a block does where no two extents meet: the loads first, and what is written once."""

    extents: _Extents
    names: dict[str, str]  # of its values then
    fresh: Iterator[str]
    kept: dict[_Slot, Instr] = field(default_factory=dict)

    def lines(self, late: Sequence[Instr]) -> list[str]:
        """Return the lines; raise :class:`Left` where accesses share some of their bytes."""
        loads, work = list[str](), list[str]()
        for i in late:
            if i.opcode == "store":
                self._overlap(i)
                self.kept[self.extents.slots[i.line]] = i
            elif i.opcode == "load" and self._overlap(i):
                self._forward(i)
            else:
                line = rename(i.text.strip(), self.names)
                (loads if i.opcode == "load" else work).append(line)
        slots = sorted(self.kept, key=lambda x: (x[0].stores[0], x[1]))
        rows = groupby(slots, key=lambda x: x[0])
        stores = (x for _, row in rows for x in self._stores(list(row)))
        return [*loads, *work, *stores]

    def _overlap(self, i: Instr) -> bool:
        """Tell whether the bytes of an access were written before, all of them at once."""
        slot = extent, low, size = self.extents.slots[i.line]
        over = [x for x in self.kept if x[0] == extent and x[1] < low + size and low < x[1] + x[2]]
        require(over in ([], [slot]), "accesses share some of their bytes")
        return bool(over)

    def _forward(self, load: Instr) -> None:
        value = self.kept[self.extents.slots[load.line]].operands[0]
        same = isinstance(value, Local) and value.type == load.type
        require(same, "a constant or a value of another type is loaded again")
        self.names[load.name] = self._name(value)

    def _name(self, o: Operand) -> str:
        require(isinstance(o, Local), "an address is stored")
        assert isinstance(o, Local)
        return self.names.get(o.name, o.name)

    def _stores(self, slots: Sequence[_Slot]) -> Iterator[str]:
        """Yield the stores of one extent: neighbours as vectors of as many lanes as two to some
        power.
        """
        at = 0
        while at < len(slots):
            most = self._run(slots[at:])
            size = 1 << most.bit_length() - 1
            yield from self._row([self.kept[x] for x in slots[at : at + size]])
            at += size

    def _run(self, slots: Sequence[_Slot]) -> int:
        """Return how many values of one type follow each other, at most those of a register."""
        _, low, size = slots[0]
        kind = self.kept[slots[0]].operands[0].type
        if not isinstance(kind, IntType):
            return 1
        near = (
            x[1:] == (low + n * size, size) and self.kept[x].operands[0].type == kind
            for n, x in enumerate(slots[: max(SPLIT_STORED // size, 1)])
        )
        return sum(1 for _ in takewhile(bool, near))

    def _row(self, row: Sequence[Instr]) -> Iterator[str]:
        if len(row) == 1:
            yield rename(row[0].text.strip(), self.names)
            return
        kind = row[0].operands[0].type
        vector, last = f"<{len(row)} x {kind}>", "poison"
        for n, i in enumerate(row):
            new, value = f"%{next(self.fresh)}", i.operands[0]
            lane = literal_text(value) if isinstance(value, Literal) else f"%{self._name(value)}"
            yield f"{new} = insertelement {vector} {last}, {kind} {lane}, i64 {n}"
            last = new
        where = row[0].text.strip().partition(", ptr ")[2].partition(", !")[0]  # its own promises
        yield f"store {vector} {last}, ptr {rename(where, self.names)}"


def _join(function: Function, found: dict[str, Split]) -> Function:
    """Return a function with blocks split."""
    at, blocks = count(), list[Block]()
    moved = {a: s.labels[2] for a, s in found.items()}

    def block(label: str, texts: Sequence[str]) -> None:
        blocks.append(Block(label, tuple(parse_instruction(t, next(at)) for t in texts)))

    for b in function.blocks:
        texts = [
            rename(i.text.strip(), moved) if i.opcode == "phi" else i.text.strip() for i in b.instrs
        ]
        s = found.get(b.label)
        if s is None:
            block(b.label, texts)
            continue
        gone = {i.line for i in (*s.late, s.end)}
        head = [t for i, t in zip(b.instrs, texts, strict=True) if i.line not in gone]
        disjoint, plain, behind = s.labels
        block(b.label, [*head, *s.check, s.branch()])
        block(disjoint, [*s.disjoint, f"br label %{behind}"])
        block(plain, [*s.plain, f"br label %{behind}"])
        block(behind, [*s.phis(), texts[-1]])
    return replace(function, blocks=tuple(blocks))
