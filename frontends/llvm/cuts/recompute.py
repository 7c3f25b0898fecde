"""A function that computes anew, in each pass of a loop, what another one carries from the pass
before: lanes of what that has computed of what it has loaded.

``%p = phi [ %a, … ], [ %x, … ]``, where ``%x`` is computed of vectors that the block loads at
addresses which move by a constant in each pass, is in each pass but the first what ``%x`` is of the
same bytes; nothing writes these, as nothing that comes before a pass writes what the addresses lead
to (:meth:`frontends.llvm.cuts.alias.Writes.never`).  Let ``%a`` be computed of loads at the
addresses of a pass before the first: if ``%x`` refines what ``%a`` is of the same bytes, whichever
they are, the phi refines that in each pass.  Where other phis hand ``%x`` on for some passes, what
these begin with has to refine it as well: the phi is that in the passes after the first.  Lanes at
which nobody looks are not loaded.

So the function that carries refines the one that loads again (which may see other values of bytes
that are undef), and that one has the phis of a source that carries nothing.  The loads before the
loop go with the phi: the first pass, which surely follows, reads these bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final, TypeAlias

from frontends.llvm.cuts.addresses import Address, Addresses
from frontends.llvm.cuts.alias import Writes
from frontends.llvm.cuts.carried import HARMLESS
from frontends.llvm.cuts.graph import Graph, Kind
from frontends.llvm.limits import RECOMPUTE_MOST, RECOMPUTE_PASSES
from frontends.llvm.passes.counting import edges_of, is_value
from frontends.llvm.passes.left import Left, require
from frontends.llvm.text.ast import (
    Argument,
    Block,
    Function,
    Instr,
    Local,
    Operand,
    Type,
    VectorType,
)
from frontends.llvm.text.layout import to_signed
from frontends.llvm.text.parse import parse_instruction
from frontends.llvm.text.rewording import rename, spell
from frontends.llvm.text.syntax import integer_shape
from frontends.llvm.text.view import View, incoming, labels

_Near: TypeAlias = tuple[Local, int]  # a load, and bytes behind its address
Refines: TypeAlias = Callable[[Function, Function], bool]

_COMPUTED: Final = (Kind.FUNCTION, Kind.CHOICE, Kind.LOAD)
_HARMLESS = HARMLESS - {"noundef"}  # a pass later nothing is undefined by it


def recompute(graph: Graph, refines: Refines) -> Function | None:
    """Return a function that this one refines and that carries less, None where it carries nothing
    of the kind; ``refines`` tells of functions without memory whether the second refines the first.
    """
    found: Function | None = None
    names = graph.function.view.free_names("isel.again")
    while (fewer := _without_one(graph, refines, names)) is not None:
        found, graph = fewer, Graph(fewer, graph.contents, graph.sizes)
    return found


def _without_one(graph: Graph, refines: Refines, names: Iterator[str]) -> Function | None:
    """Return a function with a phi less."""
    loops = (loop_of(graph, b.label) for b in graph.function.view.blocks)
    for loop in filter(None, loops):
        for phi in graph.phis(loop.label):
            try:
                return _Recomputing(loop, phi, refines, names).function()
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


@dataclass(frozen=True, slots=True)
class _Begin:
    """Lanes ``start`` of what a phi begins with: what computes it before the loop (``cone``), which
    load of the loop has what each of its ``loads`` reads, and a function that computes it of these
    (``alone``).
    """

    start: Operand
    cone: Sequence[Instr]
    loads: Mapping[str, _Near]
    alone: Function


@dataclass(slots=True)
class _Recomputing:
    """What is written in place of a phi of a loop."""

    loop: Loop
    phi: Instr
    refines: Refines
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
        name = self._write_again(self._first_pass(first, few))
        if few < shape[0]:
            whole = self._before_loop(incoming(self.phi)[self.loop.before])
            self.gone[whole.name] = whole
            name = self._spread(name, first, few, shape)
        gone = {self.phi.line, *(i.line for i in self.gone.values())}
        before = (u.line for i in self.gone.values() for u in self.loop.view.used_by(i.name))
        require(gone.issuperset(before), "it is used before")
        at = min(u.line for u in users)
        require(self.latest < at, "an address is computed behind a use")
        return self._write(at, name[1:], gone)

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

    def _first_pass(self, first: int, few: int) -> _Begin:
        """Return what the phi begins with, of which it was shown that it is this in each pass."""
        value, others = self._source()
        phis, mine = (self.phi, *others), self._cone(value, self.loop.label)
        begin, *later = (
            self._begin(mine, phi, len(phis) - n, first, few) for n, phi in enumerate(phis)
        )
        own = Local(next(self.names), begin.start.type)
        lines = [*_operations(mine), f"%{own.name} = {_shuffle(value, first, few)}"]
        for given in (self._alone(own, mine, lines), *(x.alone for x in later)):
            require(self.refines(begin.alone, given), "it is given something else")
        return begin

    def _begin(
        self, mine: Sequence[Instr], phi: Instr, passes: int, first: int, few: int
    ) -> _Begin:
        """Return some lanes of what a phi begins with that is given what a cone computes so many
        passes before, as computed of what lies there in that pass.
        """
        start, shape = incoming(phi)[self.loop.before], integer_shape(phi.type)
        if shape is not None and few < shape[0]:
            start = self._part(start, first, few)
        theirs = self._cone(start, self.loop.before)
        loads = {j.name: self._before_of(j, mine, passes, first, few) for j in theirs if _loads(j)}
        parts = [f"%{j} = {_shuffle(near, first, few)}" for j, (near, _) in loads.items()]
        alone = self._alone(start, mine, [*parts, *_operations(theirs)])
        return _Begin(start, theirs, loads, alone)

    def _write_again(self, begin: _Begin) -> str:
        """Write what is computed before the loop, of what lies in the loop; return how it is
        spelled.
        """
        called: dict[str, str] = {}
        for j in begin.cone:
            self.gone[j.name] = j
            called[j.name] = next(self.names)
            if j.name in begin.loads:
                self._load(*begin.loads[j.name], j, called[j.name])
            else:
                self.lines.append(rename(j.text.strip(), called))
        start = begin.start
        return f"%{called[start.name]}" if isinstance(start, Local) else spell(start)

    def _cone(self, o: Operand, label: str) -> list[Instr]:
        """Return what an operand is computed of in a block, down to what is loaded, in order."""
        graph = self.loop.graph
        found: dict[str, Instr] = {}
        waiting = [o]
        while waiting:
            o = waiting.pop()
            if not isinstance(o, Local) or o.name in found:
                continue
            place = graph.places.get(o.name)
            if place is None or place.block != label or place.kind not in _COMPUTED:
                raise Left("it is computed of what is not loaded")
            require(len(found) < RECOMPUTE_MOST, "it is computed of too much")
            found[o.name] = place.instr
            waiting += place.instr.operands if place.kind is not Kind.LOAD else ()
        return sorted(found.values(), key=lambda i: i.line)

    def _alone(self, value: Operand, cone: Sequence[Instr], lines: Sequence[str]) -> Function:
        """Return a function that computes a value of what a cone loads."""
        text = (*lines, f"ret {value.type} {spell(value)}")
        block = Block("entry", tuple(parse_instruction(x, n) for n, x in enumerate(text)))
        loads = tuple(Argument(i.name, i.type) for i in cone if _loads(i))
        own = self.loop.graph.function
        return Function(own.name, value.type, loads, (block,), own.attributes, 0, 0)

    def _before_of(
        self, j: Instr, mine: Sequence[Instr], passes: int, first: int, few: int
    ) -> _Near:
        """Return the load of the loop some lanes of which, so many passes before the first, are
        what is loaded before the loop, and how many bytes behind its address they lie.
        """
        given, loop = self.loop.place(j), self.loop
        for i in mine:
            if _loads(i) and _has_lanes(i.type, j.type, first, few):
                place = loop.place(i)
                at = first * _bytes_of(j.type) - passes * loop.step(place)
                if loop.after(place, loop.before).moved(at) == given:
                    return Local(i.name, i.type), at
        raise Left("it begins elsewhere")

    def _load(self, near: Local, at: int, j: Instr, name: str) -> None:
        """Write a load of so many bytes behind another one of the loop."""
        loop, i = self.loop, self.loop.own(near)
        pointer = i.operands[0]
        writes = Writes(loop.graph, loop.addresses)
        require(j.align == 1 and writes.never(loop.label, loop.place(i)), "it may be written")
        step = loop.view.definition(pointer)
        self.latest = max(self.latest, step.line if step is not None else -1)
        place = next(self.names)
        self.lines.append(f"%{place} = getelementptr i8, {pointer.type} {spell(pointer)}, i64 {at}")
        self.lines.append(f"%{name} = load {j.type}, {pointer.type} %{place}, align 1")

    def _write(self, at: int, name: str, gone: set[int]) -> Function:
        """Return the function with the new lines at the phi's first use, without those ``gone``."""
        line, blocks = count(), list[Block]()
        for b in self.loop.view.blocks:
            text: list[str] = []
            for i in b.instrs:
                text += self.lines if i.line == at else []
                text += [] if i.line in gone else [rename(i.text.strip(), {self.phi.name: name})]
            blocks.append(Block(b.label, tuple(parse_instruction(x, next(line)) for x in text)))
        return replace(self.loop.graph.function, blocks=tuple(blocks))


def _loads(i: Instr) -> bool:
    return i.opcode == "load"


def _operations(cone: Sequence[Instr]) -> list[str]:
    """Return what of a cone is not loaded, as text."""
    return [i.text.strip() for i in cone if not _loads(i)]


def _has_lanes(kind: Type, part: Type, first: int, few: int) -> bool:
    """Tell whether a vector is a few lanes of another kind of vector, and that has these."""
    if not (isinstance(kind, VectorType) and isinstance(part, VectorType)):
        return False
    return part == VectorType(few, kind.elem) and first + few <= kind.count


def _bytes_of(kind: Type) -> int:
    """Return the bytes of a lane."""
    _, width = integer_shape(kind) or (0, 0)
    require(width > 0 and width % 8 == 0, "it is no load of bytes")
    return width // 8


def _shuffle(o: Operand, first: int, few: int) -> str:
    """Return the shuffle that takes lanes of a vector."""
    part, lanes = f"{o.type} {spell(o)}", ", ".join(f"i32 {k}" for k in range(first, first + few))
    return f"shufflevector {part}, {part}, <{few} x i32> <{lanes}>"
