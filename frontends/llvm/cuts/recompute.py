"""A function that computes anew, in each pass of a loop, what another one carries from the pass
before: lanes of what that has computed of what it has loaded.

``%p = phi [ %a, … ], [ %x, … ]``, where ``%x`` is computed lane by lane of vectors that the block
loads at addresses which move by a constant in each pass, is in each pass but the first what the
same operations make of the same bytes; nothing writes these, as nothing that comes before a pass
writes what the addresses lead to (:meth:`frontends.llvm.cuts.alias.Writes.never`).  In the first
pass it is if ``%a`` is the same operations of loads at the addresses of a pass before the first.
Lanes at which nobody looks are not loaded.

So the function that carries refines the one that loads again (which may see other values of bytes
that are undef), and that one has the phis of a source that carries nothing.  The loads before the
loop go with the phi: the first pass, which surely follows, reads these bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from frontends.llvm.cuts.addresses import Address, Addresses
from frontends.llvm.cuts.alias import Writes
from frontends.llvm.cuts.carried import HARMLESS
from frontends.llvm.cuts.counting import edges_of, is_value
from frontends.llvm.cuts.graph import Graph
from frontends.llvm.cuts.left import Left, require
from frontends.llvm.limits import RECOMPUTE_MOST, RECOMPUTE_PASSES
from frontends.llvm.text.ast import Block, Function, Instr, IntType, Literal, Operand, VectorType
from frontends.llvm.text.layout import to_signed
from frontends.llvm.text.parse import parse_instruction
from frontends.llvm.text.rewording import literal_text, rename, spell
from frontends.llvm.text.syntax import integer_shape
from frontends.llvm.text.view import View, incoming, labels

_LANEWISE = frozenset((
    "add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "zext", "sext", "trunc",
))  # fmt: skip
_EXTREMES = frozenset(("llvm.umax", "llvm.umin", "llvm.smax", "llvm.smin"))
_HARMLESS = HARMLESS - {"noundef"}  # a pass later nothing is undefined by it


def recompute(graph: Graph) -> Function | None:
    """Return a function that this one refines and that carries less, None where it carries nothing
    of the kind.
    """
    found: Function | None = None
    names = (f"isel.again.{n}" for n in count())
    while (fewer := _without_one(graph, names)) is not None:
        found, graph = fewer, Graph(fewer, graph.contents, graph.sizes)
    return found


def _without_one(graph: Graph, names: Iterator[str]) -> Function | None:
    """Return a function with a phi less."""
    view = graph.function.view
    for b in view.blocks:
        loop = loop_of(graph, b.label)
        for phi in graph.phis(b.label) if loop is not None else ():
            assert loop is not None
            try:
                return _Recomputing(loop, phi, names).function()
            except Left:
                continue
    return None


def loop_of(graph: Graph, label: str) -> Loop | None:
    """Return the loop that a block is, None where it is none."""
    view = graph.function.view
    edges = edges_of(view, label)
    if edges is None or edges[1] != label:
        return None
    surely = labels(view.end(view.numbers[edges[0]])) == [label]
    return Loop(graph, label, edges[0], Addresses(graph)) if surely else None


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of one block, surely entered at the end of the block before it."""

    graph: Graph
    label: str
    before: str
    addresses: Addresses

    @property
    def view(self) -> View:
        """The function looked at from all sides."""
        return self.graph.function.view

    def after(self, address: Address, label: str) -> Address:
        """Return an address with the phis of the loop replaced by what an edge gives them."""
        given = {i.name: incoming(i)[label] for i in self.graph.phis(self.label)}
        found = self.addresses.replaced(address, given)
        if found is None:
            raise Left("an address is not followed")
        return found

    def step(self, address: Address) -> int:
        """Return the bytes that an address moves by in each pass."""
        after = self.after(address, self.label)
        require((after.base, after.atoms) == (address.base, address.atoms), "it moves by no number")
        return to_signed(after.offset - address.offset, address.bits)

    def place(self, i: Instr) -> Address:
        """Return where a plain vector is loaded."""
        plain = i.opcode == "load" and i.known and not i.flags and isinstance(i.type, VectorType)
        at = self.addresses.of(i.operands[0]) if plain else None
        if at is None or not {kind for kind, _ in i.metadata} <= _HARMLESS:
            raise Left("it is no plain load")
        return at

    def own(self, o: Operand) -> Instr:
        """Return the instruction of the block that gives an operand."""
        i = self.view.definition(o)
        if i is None or self.view.label(i.name) != self.label:
            raise Left("it is computed of what is not loaded")
        return i


@dataclass(slots=True)
class _Recomputing:
    """What is written in place of a phi of a loop."""

    loop: Loop
    phi: Instr
    names: Iterator[str]
    lines: list[str] = field(default_factory=list)
    gone: dict[str, Instr] = field(default_factory=dict)  # what the first pass is given
    latest: int = -1  # line of what addresses are computed by

    def function(self) -> Function:
        """Return the function without the phi; raises :class:`Left` where it is another one."""
        users, shape = self._users(), integer_shape(self.phi.type)
        if shape is None:
            raise Left("it is no vector")
        looks = sorted(self._looks(users)) or [0, shape[0] - 1]
        first, few = looks[0], looks[-1] + 1 - looks[0]
        value, others = self._source()
        for n, phi in enumerate(others):  # they are what this one is in later passes
            self._again_of(value, phi, len(others) - n, first, few)
        self.lines.clear()
        self.gone.clear()
        name = self._again_of(value, self.phi, len(others) + 1, first, few)
        if few < shape[0]:
            name = self._spread(name, first, few, shape)
        gone = {self.phi.line, *(i.line for i in self.gone.values())}
        before = (u.line for i in self.gone.values() for u in self.loop.view.used_by(i.name))
        require(gone.issuperset(before), "it is used before")
        at = min(u.line for u in users)
        require(self.latest < at, "an address is computed behind a use")
        return self._write(at, name[1:])

    def _users(self) -> Sequence[Instr]:
        """Return what uses the phi, all of it in the block."""
        users = self.loop.view.used_by(self.phi.name)
        inner = all(u.opcode != "phi" and self._label(u) == self.loop.label for u in users)
        require(inner and bool(users), "it is used elsewhere")
        return users

    def _spread(self, few_lanes: str, first: int, few: int, shape: tuple[int, int]) -> str:
        """Write a vector with some lanes, at which alone somebody looks."""
        count, width = shape
        lanes = (k - first if first <= k < first + few else None for k in range(count))
        mask = ", ".join("i32 poison" if k is None else f"i32 {k}" for k in lanes)
        part, name = f"<{few} x i{width}> {few_lanes}", f"%{next(self.names)}"
        self.lines.append(f"{name} = shufflevector {part}, {part}, <{count} x i32> <{mask}>")
        return name

    def _label(self, i: Instr) -> str:
        view = self.loop.view
        return view.blocks[view.places[i.line]].label

    def _looks(self, users: Sequence[Instr]) -> Iterator[int]:
        """Yield the lanes that shuffles look at; none where something else looks at all."""
        if any(u.opcode != "shufflevector" or not u.known for u in users):
            return
        for u in users:
            shape = integer_shape(u.operands[0].type)
            count = shape[0] if shape is not None else 0
            for k in u.mask:
                if k is not None and is_value(u.operands[k // count], self.phi):
                    yield k % count

    def _part(self, o: Operand, first: int, few: int) -> Operand:
        """Return the vector whose lanes are some of what the first pass is given."""
        i = self._before_loop(o)
        lanes = list(i.mask[first : first + few]) if i.opcode == "shufflevector" else []
        require(lanes == list(range(few)), "it does not begin with a few lanes")
        return i.operands[0]

    def _before_loop(self, o: Operand) -> Instr:
        """Return the instruction before the loop that gives an operand."""
        i = self.loop.view.definition(o)
        if i is None or not i.known or self._label(i) != self.loop.before:
            raise Left("it is given from elsewhere")
        self.gone[i.name] = i
        return i

    def _source(self) -> tuple[Operand, list[Instr]]:
        """Return what is carried, and the phis that hand it on to this one, the last first."""
        phis: list[Instr] = []
        i = self.phi
        while len(phis) < RECOMPUTE_PASSES:
            o = incoming(i)[self.loop.label]
            i = self.loop.own(o)
            if i.opcode != "phi":
                return o, phis
            phis.append(i)
        raise Left("it is carried for too long")

    def _again_of(self, value: Operand, phi: Instr, passes: int, first: int, few: int) -> str:
        """Write what some lanes of a phi are that is given a value of so many passes before."""
        start, shape = incoming(phi)[self.loop.before], integer_shape(phi.type)
        if shape is not None and few < shape[0]:
            start = self._part(start, first, few)
        return self._again(value, start, passes, first, few)

    def _again(self, o: Operand, start: Operand, passes: int, first: int, few: int) -> str:
        """Write what some lanes of a value were so many passes before, which is what ``start`` is
        before the loop; return how it is spelled.
        """
        require(len(self.lines) < RECOMPUTE_MOST, "it is computed of too much")
        if isinstance(o, Literal) and isinstance(start, Literal):
            require(o.lanes[first : first + few] == start.lanes, "constants differ")
            return literal_text(start)
        i, j = self.loop.own(o), self._before_loop(start)
        shapes = integer_shape(i.type), integer_shape(j.type)
        count, width = shapes[0] or (0, 0)
        require(shapes == ((count, width), (few, width)) and count > 1, "types differ")
        if i.opcode == "load":
            return self._load(i, j, passes, first, VectorType(few, IntType(width)))
        op, other = _lanewise(i), _lanewise(j)
        require(op != "" and op == other and j.flags <= i.flags, "operations differ")
        pairs = zip(i.operands, j.operands, strict=True)
        parts = [self._again(x, y, passes, first, few) for x, y in pairs]
        name = f"%{next(self.names)}"
        self.lines.append(f"{name} = {_operation(i, j, parts)}")
        return name

    def _load(self, i: Instr, j: Instr, passes: int, first: int, kind: VectorType) -> str:
        """Write the load of what an earlier pass has loaded."""
        loop, pointer = self.loop, i.operands[0]
        mine, given = loop.place(i), loop.place(j)
        assert isinstance(kind.elem, IntType)
        at = first * kind.elem.bits // 8 - passes * loop.step(mine)
        require(kind.elem.bits % 8 == 0 and j.align == 1, "it is no load of bytes")
        require(loop.after(mine, loop.before).moved(at) == given, "it begins elsewhere")
        writes = Writes(loop.graph, loop.addresses)
        require(writes.never(loop.label, mine), "it may be written")
        step = loop.view.definition(pointer)
        self.latest = max(self.latest, step.line if step is not None else -1)
        place, name = f"%{next(self.names)}", f"%{next(self.names)}"
        self.lines.append(f"{place} = getelementptr i8, {pointer.type} {spell(pointer)}, i64 {at}")
        self.lines.append(f"{name} = load {kind}, {pointer.type} {place}, align 1")
        return name

    def _write(self, at: int, name: str) -> Function:
        """Return the function with the new lines in front of the first use of the phi."""
        gone, line = {i.line for i in (self.phi, *self.gone.values())}, count()
        blocks = list[Block]()
        for b in self.loop.view.blocks:
            text: list[str] = []
            for i in b.instrs:
                text += self.lines if i.line == at else []
                text += [] if i.line in gone else [rename(i.text.strip(), {self.phi.name: name})]
            blocks.append(Block(b.label, tuple(parse_instruction(x, next(line)) for x in text)))
        return replace(self.loop.graph.function, blocks=tuple(blocks))


def _lanewise(i: Instr) -> str:
    """Return what an instruction computes of each lane alone, empty for anything else."""
    if i.opcode == "call":
        name = i.callee.rpartition(".")[0]
        return name if name in _EXTREMES else ""
    return i.opcode if i.known and i.opcode in _LANEWISE else ""


def _operation(i: Instr, few: Instr, parts: Sequence[str]) -> str:
    """Return an operation on lanes, with its flags, of the types of one on a few of them."""
    kinds = [x.type for x in few.operands]
    if i.opcode == "call":
        given = ", ".join(f"{k} {x}" for k, x in zip(kinds, parts, strict=True))
        return f"call {few.type} @{few.callee}({given})"
    op = " ".join((i.opcode, *sorted(i.flags, reverse=True)))
    if len(parts) == 1:
        return f"{op} {kinds[0]} {parts[0]} to {few.type}"
    return f"{op} {few.type} {', '.join(parts)}"
