"""Windows of integer vector code in a function: which instructions, over which leaves, giving which
lanes.

A window is the expression DAG of one vector value inside one basic block, and of what it reads that
its loop does not change (:mod:`frontends.llvm.windows.invariants`): that says how few bits values
have.
Everything that is not understood (loads, phis, arguments, calls, other values of other blocks) is a
leaf; what is used by anything outside (stores, other blocks, unknown instructions) is a root.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Final

from frontends.llvm.limits import SCENE_MOST, SCENE_WIDEST
from frontends.llvm.meaning.lanes import NO, Cannot, Value
from frontends.llvm.meaning.lower import literal_value, meaning_of
from frontends.llvm.text import build
from frontends.llvm.text.ast import Function, Instr, Literal, Local, Module, Operand, VectorType
from frontends.llvm.text.layout import sizes_of
from frontends.llvm.text.syntax import REDUCTION, integer_shape, shape_of
from frontends.llvm.windows.invariants import Invariants
from frontends.llvm.windows.knowledge import Knowledge
from frontends.llvm.windows.leaves import Leaves, leaf_value, narrow, operand_key
from frontends.llvm.windows.regions import Input, Regions, scalar_of
from isel.deadline import NEVER, Deadline
from isel.ir.build import bnot
from isel.ir.expr import postorder
from isel.model.window import Root, Window
from isel.spec.target import Target

MOVES: Final = frozenset(("bitcast", "shufflevector", "insertelement", "extractelement", "freeze"))
_CHEAP: Final = MOVES | {"add", "sub", "and", "or", "xor", "zext", "sext", "trunc"}
_PURE: Final = _CHEAP | {
    "mul", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem", "icmp", "select", "call",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a window may grow: instructions, lanes over all its values, and sources of
    leaves; and the bits of a register.

    One that only sums products may have ``sums`` times as many instructions and lanes: the search
    takes it apart term by term.
    """

    nodes: int = 400
    lanes: int = 24_000
    leaves: int = 160
    root_lanes: int = 1024
    register: int = 512
    sums: int = 4


@dataclass(frozen=True, slots=True)
class Site:
    """A window and where it is: ``nodes`` in program order, the roots among them.

    Those in ``given`` are computed outside of the window's loop; what the new code computes there
    goes before the line ``home``.
    """

    function: str
    block: int
    roots: tuple[Instr, ...]
    nodes: tuple[Instr, ...]
    inputs: tuple[Input, ...]
    window: Window
    given: frozenset[str] = frozenset()
    home: int | None = None

    @property
    def line(self) -> int:
        """The index of the line before which new code goes."""
        return min(r.line for r in self.roots)


@dataclass(eq=False)
class Scene:
    """The instructions of one function, who uses them, and which of them windows may hold.

    Raises :class:`isel.deadline.OutOfTime`, as everything does that lowers instructions.
    """

    module: Module
    function: Function
    target: Target
    assume_defined: bool = field(default=False, kw_only=True)
    deadline: Deadline = field(default=NEVER, kw_only=True)
    reasons: dict[int, str] = field(default_factory=dict)
    _lowered: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        module, self.view = self.module, self.function.view
        self.knowledge = Knowledge(module, self.function, assume_defined=self.assume_defined)
        for i in self.view:
            self.deadline.check()
            reason = self._why_not(i)
            if reason:
                self.reasons[i.line] = reason
        self.regions = Regions(self.function, self.inner, sizes_of(module.layout, module.lines))
        self.invariants = Invariants(self.view, self._lowers)

    def planes(self, operand: Operand) -> int:
        """Return into how many vectors all users of a load take it apart, where the target has a
        load that does so; 1 for anything else.
        """
        load = self.view.definition(operand)
        if load is None or load.opcode != "load" or not isinstance(load.type, VectorType):
            return 1
        masks = [i.mask for i in self.view.used_by(load.name)]
        counts = {load.type.count // len(m) if m else 1 for m in masks}
        count = counts.pop() if len(counts) == 1 else 1
        if not 1 < count <= self.target.planes:
            return 1
        apart = all(len({k % count for k in m if k is not None}) == 1 for m in masks)
        return count if apart else 1

    def inner(self, i: Instr) -> bool:
        """Tell whether windows may hold this instruction."""
        return i.line not in self.reasons

    def _why_not(self, i: Instr) -> str:
        if not i.known:
            return f"'{i.opcode}' in a form that is not understood"
        if i.opcode not in _PURE:
            return f"'{i.opcode}' is outside of windows"
        if odd := _odd_types(i):
            return odd
        if scalar_of(i, self.view.defs.get) is not None:
            return "a scalar in all lanes"  # its register is in order as it is: it is a leaf
        if i.opcode != "freeze":
            return self._refuse_unsupported(i)
        free = not self.knowledge.defined(i.operands[0])
        return "'freeze' of a value that may be poison or undef" if free else ""

    def _refuse_unsupported(self, i: Instr) -> str:
        key = _VALUE.sub("%", i.text.partition(", !")[0])  # without names: operands are not known
        if key not in self._lowered:
            self._lowered[key] = ""
            try:
                lower(i, [self._opaque(k, o) for k, o in enumerate(i.operands)], self.target)
            except Cannot as why:
                self._lowered[key] = str(why)
        return self._lowered[key]

    def _lowers(self, i: Instr) -> bool:
        """Tell whether a scalar instruction may be computed once more, in all lanes."""
        shapes = [integer_shape(t) for t in (i.type, *(o.type for o in i.operands))]
        return (
            i.known
            and i.opcode in _PURE
            and i.opcode != "freeze"
            and all(s is not None and s[0] <= SCENE_MOST and s[1] <= SCENE_WIDEST for s in shapes)
            and not self.freezes(i)
            and not self._refuse_unsupported(i)
        )

    def works(self, i: Instr, block: int) -> bool:
        """Tell whether a window of ``block`` computes ``i`` with each pass of its loop, and for its
        own sake.
        """
        return self.inner(i) and not self.invariants.holds(i, block)

    def repeats(self, i: Instr) -> bool:
        """Tell whether ``i`` puts a scalar in all lanes, and is in windows for that scalar's
        sake.
        """
        return is_root_type(i) and not self.inner(i)

    def _opaque(self, k: int, operand: Operand) -> Value:
        if isinstance(operand, Literal):
            return literal_value(operand)
        return leaf_value(f"o{k}", shape_of(operand.type))

    def freezes(self, i: Instr) -> bool:
        """Tell whether computing ``i`` twice may give two results: target instructions take
        frozen arguments.
        """
        if i.opcode != "call" or self.target.by_call(i.callee) is None:
            return False
        return not all(self.knowledge.defined(o) for o in i.operands)

    def masks(self, i: Instr) -> bool:
        """Tell whether an integer is made of the bits of a vector, each at a place of its own."""
        of_bits = i.opcode == "bitcast" and shape_of(i.operands[0].type)[1] == 1
        scalar = self.inner(i) and not isinstance(i.type, VectorType)
        return scalar and (of_bits or i.callee.startswith(f"{REDUCTION}or."))

    def tests(self, i: Instr) -> bool:
        """Tell whether nothing is done with a vector but that of each lane one bit is tested."""
        users = self.view.used_by(i.name)
        return bool(users) and all(
            u.opcode == "and"
            and isinstance(mask := u.operands[-1], Literal)
            and all(isinstance(x, int) and x.bit_count() == 1 for x in mask.lanes)
            for u in users
        )

    def escapes(self, i: Instr, block: int) -> bool:
        """Tell whether something outside of windows uses this value."""
        return any(
            self.view.places[u.line] != block
            or not self.inner(u)
            or not (isinstance(u.type, VectorType) or self.masks(u) or not self.escapes(u, block))
            for u in self.view.used_by(i.name)
        )


_VALUE: Final = re.compile(r'%(?:"(?:[^"\\]|\\.)*"|[-A-Za-z$._0-9]+)')


def lower(i: Instr, operands: list[Value], target: Target | None) -> Value:
    """Return the lanes of a source instruction that cannot have undefined behaviour; a freeze of a
    defined value is the value.  Raises :class:`Cannot`.
    """
    if i.opcode == "freeze":
        return operands[0]
    found = meaning_of(i, operands, target)
    if found.undefined is not NO and i.opcode != "call":
        raise Cannot(f"'{i.opcode}' may have undefined behaviour")
    # a fixed-point product out of range: poison promises less than undefined behaviour
    return (
        found.value
        if found.undefined is NO
        else found.value.poison_where(lambda _: found.undefined)
    )


def roots_of(scene: Scene, block: int) -> tuple[Instr, ...]:
    """Return the vector values of a block that windows compute and others use, in program order."""
    return tuple(
        i
        for i in scene.view.blocks[block].instrs
        if i.name and scene.inner(i) and (is_root_type(i) or scene.masks(i))
        if scene.escapes(i, block)
    )


def is_root_type(i: Instr) -> bool:
    """Tell whether an instruction gives a vector of several lanes."""
    return isinstance(i.type, VectorType) and i.type.count > 1


def make_site(
    scene: Scene,
    block: int,
    nodes: tuple[Instr, ...],
    roots: tuple[Instr, ...],
    register: int = 512,
    *,
    overlapping: bool = False,
) -> Site | Instr:
    """Lower ``nodes`` over their leaves; return the instruction that cannot be, if there is one.

    Loads that merely overlap are one memory where that is asked for.
    """
    env: dict[str, Value] = {}
    given: set[str] = set()
    leaves = Leaves(block, register, env, scene.knowledge, scene.invariants)
    repeated = {operand_key(i.operands[0]) for i in nodes if scene.repeats(i)}
    for i in nodes:
        scene.deadline.check()
        bits = i.opcode == "bitcast" and shape_of(i.type)[1] == 1
        alike = not scene.inner(i) or f"%{i.name}" in repeated or bits
        values = [leaves.operand(o, alike=alike) for o in i.operands]
        try:
            result = lower(i, values, scene.target)
        except Cannot:
            return i
        if scene.invariants.holds(i, block) and i.opcode not in MOVES and not narrow(result):
            # nothing is learned from what it is computed by, and it is there already
            result = leaves.operand(build.result(i), alike=alike)
            given.add(i.name)
        env[i.name] = result
    if given:
        needed = _need(nodes, roots, given)
        return make_site(scene, block, needed, roots, register, overlapping=overlapping)
    made = tuple(_root(env[r.name]) for r in roots)
    used = _sources(made)
    read = [x for x in leaves.inputs.values() if x.leaf.name in used]
    facts = tuple(f for x in read for f in scene.knowledge.facts(x.operand, x.leaf.name))
    shared = scene.regions.shared(read, register, sum(r.width * len(r.lanes) for r in made))
    neighbours = any(x.made for x in shared) or overlapping
    kept = shared if neighbours else tuple(read)  # what merely overlaps is found sooner so
    kept = tuple(replace(x, planes=scene.planes(x.operand)) for x in kept)
    window = Window(tuple(x.leaf for x in kept), made, facts)
    outside = frozenset(i.name for i in nodes if scene.invariants.holds(i, block))
    home = scene.invariants.line(block) if any(x.leaf.invariant for x in kept) else None
    return Site(scene.function.name, block, roots, nodes, kept, window, outside, home)


def _need(
    nodes: Sequence[Instr], roots: Sequence[Instr], given: Container[str]
) -> tuple[Instr, ...]:
    """Return the nodes that ``roots`` are computed by, without those that are ``given``."""
    wanted = {r.name for r in roots}
    for i in reversed(nodes):
        if i.name in wanted and i.name not in given:
            wanted.update(o.name for o in i.operands if isinstance(o, Local))
    return tuple(i for i in nodes if i.name in wanted and i.name not in given)


def _root(value: Value) -> Root:
    lanes = tuple(None if p.is_const and p.value else e for e, p in value.rows)
    return Root(value.width, lanes, tuple(bnot(p) for p in value.poison))


def _sources(roots: tuple[Root, ...]) -> frozenset[str]:
    terms = [e for r in roots for e in r.lanes if e is not None] + [
        d for r in roots for d in r.defined
    ]
    return frozenset(e.source for e in postorder(terms) if e.is_leaf)


def trivial(nodes: Sequence[Instr], register: int) -> bool:
    """Tell whether there is nothing to gain: moves of no more than two registers of so many bits,
    or one cheap operation.
    """
    moves = (i for i in nodes if i.opcode in ("shufflevector", "insertelement"))
    moved = sum(max(prod(shape_of(t)) for t in (i.type, i.operands[0].type)) for i in moves)
    if all(i.opcode in MOVES for i in nodes):
        return moved <= 2 * register or [i.opcode for i in nodes] == ["insertelement"]
    return len(nodes) == 1 and nodes[0].opcode in _CHEAP


def _odd_types(i: Instr) -> str:
    """Say which type of an instruction windows do not hold, nothing if they hold all."""
    kinds = [i.type, *(o.type for o in i.operands)]
    shapes = [shape for shape in map(integer_shape, kinds) if shape is not None]
    if integer_shape(i.type) is None:
        return f"'{i.opcode}' of a type other than integers"
    if len(shapes) < len(kinds):
        return f"'{i.opcode}' with operands other than integers"
    if not any(isinstance(kind, VectorType) for kind in kinds):
        return "scalar code"
    if max(width for _, width in shapes) > SCENE_WIDEST:
        return f"lanes of more than {SCENE_WIDEST} bits"
    if max(lanes for lanes, _ in shapes) > SCENE_MOST:
        return f"vectors of more than {SCENE_MOST} lanes"
    return ""
