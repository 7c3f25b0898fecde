"""One side of a comparison by cuts: its instructions by kind, where they stand, and what they
say apart from their operands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from frontends.llvm.meaning.border import FLAGS, TABLE, Rule, says_nothing
from frontends.llvm.meaning.intrinsics import LANEWISE, rounds
from frontends.llvm.meaning.lanes import Cannot
from frontends.llvm.text.ast import Block, Function, Instr, Local, Operand, PtrType
from frontends.llvm.text.identity import DEBUG, Contents, Pairing, tokens
from frontends.llvm.text.layout import Sizes
from frontends.llvm.text.syntax import element, intrinsic_of, shape_of
from frontends.llvm.text.view import labels

INTEGERS: Final = (
    "add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "icmp", "select", "trunc",
    "zext", "sext", "bitcast",
)  # fmt: skip
_MOVES: Final = ("shufflevector", "insertelement", "extractelement", "extractvalue", "insertvalue")
_POINTERS: Final = ("getelementptr", "ptrtoint", "ptrtoaddr", "inttoptr", "addrspacecast")
# as what others do to a pointer that is no stable integer shows in it
_OF_PLACES: Final = ("ptrtoint", "ptrtoaddr", "inttoptr", "addrspacecast", "icmp")
_FLOATS: Final = (
    "fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "fcmp", "fptrunc", "fpext", "fptoui",
    "fptosi", "uitofp", "sitofp",
)  # fmt: skip
WHOLE: Final = (8, 16, 32, 64)  # bits of integers that are their bytes in memory
_SPREADING: Final = ("add", "sub", "mul", "xor", "trunc", "zext", "sext", "icmp")  # any poison
_UNWINDING: Final = frozenset(("invoke", "resume"))  # effects that end a block
_PURE: Final = frozenset(
    ("memory(none)", "nounwind", "willreturn")
)  # it computes a value and does nothing else
SPECULATABLE: Final = frozenset(("speculatable",))  # nor is it undefined behaviour
_STAYING: Final = frozenset(("notail",))  # flags that the target may not drop either
_ALIGNED: Final = {"load": {"align"}}  # of which the target may have less
_OPERAND: Final = "_"


class Kind(Enum):
    """What executing an instruction does beside giving a value."""

    PHI = "nothing: its value is that of an edge"
    END = "it ends its block"
    SILENT = "nothing at all"
    FUNCTION = "nothing, and equal operands give equal results"
    CHOICE = "nothing, but twice it may give two results"
    DIVISION = "it may be undefined behaviour"
    LOAD = "it reads memory, or is undefined behaviour"
    EFFECT = "anything: others see it, or it may not come back"


_KINDS: Final = {
    "phi": Kind.PHI,
    "load": Kind.LOAD,
    **dict.fromkeys(("br", "switch", "ret", "unreachable"), Kind.END),
    **dict.fromkeys((*INTEGERS, *_MOVES, *_POINTERS), Kind.FUNCTION),
    # the bits of a NaN, for instance
    **dict.fromkeys(("freeze", *_FLOATS), Kind.CHOICE),
    **dict.fromkeys(("udiv", "sdiv", "urem", "srem"), Kind.DIVISION),
}


@dataclass(frozen=True, slots=True)
class Shape:
    """What an instruction says apart from its operands and metadata; ``key`` leaves out what
    modules number.
    """

    key: tuple[str, ...]
    rest: tuple[str, ...]
    operands: tuple[str, ...]
    flags: frozenset[str]
    metadata: tuple[tuple[str, str], ...]

    def allows(self, other: Shape, pairing: Pairing) -> bool:
        """Tell whether ``other``, of the target, says the same, or promises less."""
        if (
            self.key != other.key
            or len(self.operands) != len(other.operands)
            or not other.flags <= self.flags
        ):
            return False
        return self.promises(other, pairing) and pairing.same(self.rest, other.rest)

    def says(self, other: Shape) -> bool:
        """Tell whether two instructions of one function are the same but for their operands."""
        mine, theirs = ((x.rest, x.flags, x.metadata) for x in (self, other))
        return mine == theirs

    def promises(self, other: Shape, pairing: Pairing) -> bool:
        """Tell whether the metadata of ``other``, of the target, says nothing that this one's
        does not.
        """
        return pairing.says(self.metadata, other.metadata)


@dataclass(frozen=True, slots=True)
class Place:
    """An instruction, the label of its block, and how many effects come before it there."""

    instr: Instr
    block: str
    segment: int
    kind: Kind

    @property
    def accesses(self) -> bool:
        """Whether it is a plain load or store."""
        i = self.instr
        plain = i.known and not i.flags and i.align > 0
        return plain and (self.kind is Kind.LOAD or i.opcode == "store")


class Graph:
    """The reachable instructions of a function."""

    def __init__(self, function: Function, contents: Contents, sizes: Sizes) -> None:
        self.function = function
        self.contents = contents
        self.sizes = sizes
        self.arguments = {a.name: k for k, a in enumerate(function.arguments)}
        self.body: dict[str, tuple[Place, ...]] = {
            x.label: tuple(self._places(x)) for x in function.view.blocks
        }
        self.effects = {  # what others see of a block, in order
            label: [p for p in body if p.kind is Kind.EFFECT] for label, body in self.body.items()
        }
        self.places: dict[str, Place] = {
            p.instr.name: p for body in self.body.values() for p in body if p.instr.name
        }
        self.numbers = {name: n for n, name in enumerate((*self.arguments, *self.places))}
        if any(f"%{name}" in contents.types for name in function.view.names):
            raise Cannot("a value or block that is called as a type is")
        self._shapes: dict[int, Shape] = {}
        self._first: dict[str, str] = {}

    def _places(self, block: Block) -> list[Place]:
        found: list[Place] = []
        effects = 0
        for i in block.instrs:
            kind = self._kind(i)
            found.append(Place(i, block.label, effects, kind))
            effects += kind is Kind.EFFECT
        return found

    def place(self, o: Operand | None) -> Place | None:
        """Return where an operand is made, None for an argument or a constant."""
        return self.places.get(o.name) if isinstance(o, Local) else None

    def first(self, name: str) -> str:
        """Return the first value that is the same function of the same as one in a block that was
        asked what it offers: a value that refines one of them may refine all, for what is undef to
        each is its own choice.
        """
        return self._first.get(name, name)

    def offered(self, label: str) -> Mapping[tuple[object, ...], Sequence[Place]]:
        """Return what a block computes, by what it says of first values."""
        found: dict[tuple[object, ...], list[Place]] = {}
        for p in self.body[label]:
            if p.kind in (Kind.FUNCTION, Kind.CHOICE, Kind.DIVISION, Kind.LOAD):
                shape = self.shape(p.instr)
                alike = found.setdefault((shape.key, tuple(map(self.first, shape.operands))), [])
                alike.append(p)
                if p.kind is Kind.FUNCTION:
                    same = (x.instr.name for x in alike if self.shape(x.instr).says(shape))
                    self._first[p.instr.name] = next(same)
        return found

    def phis(self, label: str) -> list[Instr]:
        """Return the phis of a block."""
        return [p.instr for p in self.body[label] if p.kind is Kind.PHI]

    def _kind(self, i: Instr) -> Kind:
        if i.opcode == "dbg" or i.callee in DEBUG:
            return Kind.SILENT
        if i.opcode == "call":
            return self._kind_of_call(i)
        kind = _KINDS.get(i.opcode, Kind.EFFECT)
        unread = kind in (Kind.PHI, Kind.END, Kind.LOAD) and not i.known
        unstable = kind is Kind.FUNCTION and self._unstable(i)
        return Kind.EFFECT if unread or unstable else kind

    def _kind_of_call(self, i: Instr) -> Kind:
        if not i.known or not self.declared(i.callee, _PURE):
            return Kind.EFFECT
        # a promise of a result, or a product that does not fit, may be undefined behaviour
        plain = (
            intrinsic_of(i) in LANEWISE
            and not rounds(i)
            and "mul.fix" not in i.callee
            and all(a[:1] == "#" or _is_kept(i, a) for a in i.attributes)
        )
        return Kind.FUNCTION if plain else Kind.CHOICE

    def _unstable(self, i: Instr) -> bool:
        """Tell whether an instruction sees where a pointer points that a collector may move."""
        kinds = [element(k) for k in (i.type, *(o.type for o in i.operands))]
        unstable = self.sizes.layout.unstable
        return i.opcode in _OF_PLACES and any(
            isinstance(k, PtrType) and k.space in unstable for k in kinds
        )

    def declared(self, callee: str, wanted: frozenset[str]) -> bool:
        """Tell whether the module declares an intrinsic with these attributes, and as nothing
        that depends on its place.
        """
        head = tokens(self.contents.named.get(f"@{callee}", ""))
        said = [
            self.contents.group(t).split() for t in head if t[0] == "#" and t in self.contents.named
        ]
        return callee.startswith(("llvm.", "autollvm.")) and any(
            set(words) >= wanted and "convergent" not in words for words in said
        )

    def shape(self, i: Instr) -> Shape:
        """Return what an instruction says apart from its operands."""
        found = self._shapes.get(i.line)
        if found is None:
            found = self._shapes[i.line] = self._shape(i)
        return found

    def _shape(self, i: Instr) -> Shape:
        flags = FLAGS.get(i.opcode, frozenset()) & i.flags - _STAYING if i.known else frozenset()
        said = [t for t in _words(i) if t not in flags]
        names = [t[1:] for t in said if self._is_local(t)]
        rest = [_OPERAND if self._is_local(t) else t for t in said]
        key = tuple(t[0] if t[0] in "#!" else t for t in rest)
        return Shape(key, tuple(rest), tuple(names), flags | _alignments(i), self._metadata(i))

    def _metadata(self, i: Instr) -> tuple[tuple[str, str], ...]:
        return tuple(m for m in _metadata(i) if not says_nothing(*m, self.contents))

    def _is_local(self, token: str) -> bool:
        return token[0] == "%" and token[1:] in self.numbers

    def dominates(self, upper: str, lower: str) -> bool:
        """Tell whether every path to block ``lower`` goes through block ``upper``."""
        view = self.function.view
        return view.dominates(view.numbers[upper], view.numbers[lower])

    def chosen_in_time(self, s: Place, t: Place, block: str) -> bool:
        """Tell whether ``s`` chooses after ``t`` of the target, which stands in what is ``block``
        here, or with it, each time that it does: there, or where every path has been through it.

        What both choose about was made before the target chose, and whenever it is made anew the
        target chooses anew before ``s`` is reached.  A call may demand something, which comes no
        sooner.
        """
        if block == s.block:
            return in_time(s, t)
        return s.instr.opcode != "call" and self.dominates(block, s.block)

    def conditions(self, p: Place, label: str) -> frozenset[str]:
        """Return what is not poison where a block, all of whose effects come before ``p``, ends in
        a test, or that is undefined behaviour.
        """
        end, found = self.body[label][-1], set[str]()
        waiting = [*end.instr.operands[:1]] if p.segment == end.segment else []
        while waiting:
            o = waiting.pop()
            place = self.place(o)
            found |= {o.name} if isinstance(o, Local) else set()
            waiting += place.instr.operands if place and place.instr.opcode in _SPREADING else ()
        return frozenset(found)

    def end(self, label: str) -> Instr:
        """Return the instruction that a block ends with; raise :class:`Cannot` for one that is
        not followed.
        """
        last = self.body[label][-1]
        if last.kind is not Kind.END and last.instr.opcode not in _UNWINDING:
            raise Cannot(f"'{last.instr.opcode}'")
        return last.instr


def _alignments(i: Instr) -> frozenset[str]:
    """Return each alignment that a load has, which are all where it names none."""
    count = (i.align.bit_length() or 64) if i.known and i.opcode == "load" else 0
    return frozenset(f"align {1 << k}" for k in range(count))


def _words(i: Instr) -> list[str]:
    """Return an instruction's tokens without its name, and without its metadata where it was
    understood.
    """
    said = tokens(i.text)[2 if i.name else 0 :]
    kinds = (
        {f"!{kind}" for kind, _ in i.metadata} | _ALIGNED.get(i.opcode, set()) if i.known else ()
    )
    end = (k for k in range(1, len(said)) if said[k] in kinds and said[k - 1] == ",")
    said = said[: next(end, len(said) + 1) - 1]
    if i.opcode == "invoke":  # what these labels are is known where blocks are paired
        at = max(k for k, t in enumerate(said) if said[k : k + 2] == ["to", "label"])
        del said[at : at + 6]
    return said


def _metadata(i: Instr) -> tuple[tuple[str, str], ...]:
    """Return the metadata of an instruction that says something of what it does."""
    table = TABLE[f"metadata of a {i.opcode}" if i.opcode in ("load", "store") else "metadata"]
    return tuple(x for x in i.metadata if i.known and table.get(x[0]) is not Rule.TRUE)


def pair_blocks(source: Graph, target: Graph) -> dict[str, str]:
    """Return for each reachable block of the target the block of the source that it is, entry
    first, predecessors mostly before.

    Raises :class:`Cannot` where the control flow differs.
    """
    start = (source.function.blocks[0].label, target.function.blocks[0].label)
    found: dict[str, str] = {}
    order: list[tuple[str, str]] = []
    waiting: list[tuple[tuple[str, str], bool]] = [(start, False)]
    while waiting:
        (a, b), left = waiting.pop()
        if left:
            order.append((a, b))
            continue
        if b in found:
            if found[b] != a:
                raise Cannot(f"block %{b} of the target is two blocks of the source")
            continue
        found[b] = a
        waiting.append(((a, b), True))
        x, y = source.end(a), target.end(b)
        mine, theirs = labels(x), labels(y)
        if (x.opcode, len(mine), len(x.operands)) != (y.opcode, len(theirs), len(y.operands)):
            raise Cannot(f"block %{a} ends in another way in the target")
        waiting.extend((pair, False) for pair in zip(mine, theirs, strict=True))
    if len(set(found.values())) != len(found):
        raise Cannot("two blocks of the target are one of the source")
    return {b: a for a, b in reversed(order)}


def goes_on(p: Place) -> bool:
    """Tell whether what follows an instruction is executed, unless it is undefined behaviour."""
    store = p.instr.opcode == "store" and p.instr.known and not p.instr.flags
    return store or p.kind is not Kind.EFFECT


def operands(graph: Graph, i: Instr, names: tuple[str, ...]) -> list[Operand]:
    """Return the values that an instruction mentions, in the order of its text; literals are
    part of what it says.
    """
    types = {o.name: o.type for o in i.operands if isinstance(o, Local)}
    return [Local(n, types.get(n, i.type)) for n in names]


def in_time(s: Place, t: Place) -> bool:
    """Tell whether what ``t`` does was done by ``s`` before in the same block: loads see the
    same memory, undefined behaviour comes no sooner.
    """
    return s.kind is t.kind and (
        s.segment == t.segment
        if s.kind is Kind.LOAD
        else s.kind is Kind.FUNCTION or s.segment <= t.segment
    )


def _is_kept(i: Instr, promise: str) -> bool:
    """Tell whether a call cannot break a promise: bits that are counted are at most all."""
    bits = shape_of(i.type)[1]
    return intrinsic_of(i) == "ctpop" and promise == f"range(i{bits} 0, {bits + 1})"
