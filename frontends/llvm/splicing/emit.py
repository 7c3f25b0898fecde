"""Programs as LLVM IR lines.

Values of one lane are scalars (``iN``), all others vectors.  Emitted instructions carry no flags,
every leaf is frozen once at its own type unless it is provably neither poison nor undef, and
undefined values are ``freeze poison``, undefined parts of registers zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, assert_never

from frontends.llvm.splicing.planes import Part, parts_of, steps_needed
from frontends.llvm.text import build
from frontends.llvm.text.ast import IntType, Literal, Local, Operand, VectorType
from frontends.llvm.text.lines import Lines, tree
from frontends.llvm.text.parse import parse_instruction
from frontends.llvm.text.rewording import spell
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.windows.regions import Input, Made
from isel.model.program import Program, Step, invariant_steps
from isel.model.window import Leaf
from isel.spec.emission import emitted
from isel.spec.instruction import Instruction, Instructions

_TOKEN: Final = re.compile(r"(?<![\w@%$.])([%$])([A-Za-z_][\w.]*)")
_WHOLE: Final = 512  # bits of the widest register of which LLVM leaves half undefined for nothing


class EmissionError(Exception):
    """A program cannot be written as it stands: what does not fit."""


@dataclass(frozen=True, slots=True)
class Emitted:
    """Lines in order without indentation, each root's value, and the declarations needed by name.

    ``placed`` holds lines that have places of their own: each goes behind the line of the module
    with that index.  ``hoisted`` are those that a loop does not change: they go before it.
    """

    lines: tuple[str, ...]
    roots: tuple[Operand, ...]
    declarations: Mapping[str, str]
    placed: tuple[tuple[int, str], ...] = ()
    hoisted: tuple[str, ...] = ()


def constant_lanes(values: Sequence[int | None]) -> tuple[int, ...]:
    """Fix the lanes that may be anything to the commonest value, which favours splats."""
    known = [v for v in values if v is not None]
    fill = max(sorted(set(known)), key=known.count) if known else 0
    return tuple(fill if v is None else v for v in values)


def _given(o: Operand) -> Operand:
    """Return an operand that is a leaf."""
    if isinstance(o, Literal):
        raise EmissionError("a constant as a leaf")
    return o


@dataclass
class _Writer:
    given: Sequence[Input]
    instructions: Instructions
    names: Iterator[str]
    declarations: dict[str, str] = field(default_factory=dict)
    leaves: dict[str, Operand] = field(default_factory=dict)
    planes: dict[tuple[str, int], Operand] = field(default_factory=dict)
    placed: list[tuple[int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.inputs = {x.leaf.name: x for x in self.given}
        self.loop, self.hoisted = Lines(self.names), Lines(self.names)
        self.lines = self.loop  # where the next line goes

    def step(self, s: Step, args: list[Operand]) -> Operand:
        match s.kind:
            case "leaf":
                return self.view(self.leaf(s.name), s.lanes, s.width)
            case "const":
                return build.constant(constant_lanes(s.values), s.width)
            case "undef":
                return self.lines.add(build.freeze(build.poison(build.integers(s.lanes, s.width))))
            case "slice":
                return self.slice(args[0], s.first, s.lanes)
            case "join":
                return self.join(args) if s.lanes > 1 else self.beside(args)
            case "view":
                return self.view(args[0], s.lanes, s.width)
            case "apply":
                return self.apply(self.instructions[s.name], args, dict(s.immediates))
            case _:
                assert_never(s.kind)

    def leaf(self, name: str) -> Operand:
        found = self.leaves.get(name)
        if found is None:
            x = self.inputs[name]
            found = self.leaves[name] = self._scalar(x) if x.leaf.scalar else self._leaf(x)
        return found

    def part(self, p: Part, s: Step) -> Operand:
        """Return elements of a plane of a leaf, which is frozen by itself: no element is in two."""
        key = (p.leaf, p.plane)
        plane = self.planes.get(key)
        x = self.inputs[p.leaf]
        if plane is None:
            mask = range(p.plane, x.leaf.lanes, x.planes)
            plane = self.planes[key] = self.frozen(x, self.lines.shuffle(_given(x.operand), mask))
        first = p.elements[0]
        if p.elements == tuple(range(first, first + s.lanes)):
            return self.slice(plane, first, s.lanes)
        return self.lines.shuffle(plane, p.elements)

    def _scalar(self, x: Input) -> Operand:
        """Freeze a scalar, then repeat it."""
        return self.lines.gather([self.frozen(x, _given(x.operand))] * x.leaf.lanes)

    def _leaf(self, x: Input) -> Operand:
        value = _given(x.operand) if x.made is None else self._make(x.made, x.leaf)
        value = self.frozen(x, value)
        if isinstance(value.type, VectorType) and x.leaf.lanes == 1:
            return self.lines.add(build.cast("bitcast", value, IntType(x.leaf.width)))
        return value

    def frozen(self, x: Input, value: Operand) -> Operand:
        return value if x.fixed else self.lines.add(build.freeze(value))

    def _make(self, m: Made, leaf: Leaf) -> Operand:
        """Add a load behind those that it is made of, and repeat what it gives."""
        name, place = next(self.names), Lines(self.names)
        at = place.add(build.address(m.pointer, m.offset)) if m.offset else m.pointer
        value = place.add(build.load(build.integers(m.count, leaf.width), at, 1), name)
        self.placed += ((m.after, line) for line in place.lines)
        if m.count == leaf.lanes:
            return value
        return self.lines.shuffle(value, [k % m.count for k in range(leaf.lanes)])

    def view(self, a: Operand, lanes: int, width: int) -> Operand:
        old, bits = shape_of(a.type)
        if old * bits != lanes * width:
            raise EmissionError(f"{a.type} seen as {build.integers(lanes, width)}")
        if old == lanes:
            return a
        if isinstance(a, Literal):
            whole, mask = sum(int(v) << (k * bits) for k, v in enumerate(a.lanes)), (1 << width) - 1
            return build.constant([(whole >> (k * width)) & mask for k in range(lanes)], width)
        return self.lines.add(build.cast("bitcast", a, build.integers(lanes, width)))

    def operand(self, a: Operand, lanes: int, width: int) -> Operand:
        """See a value as an operand of which it is a part, or that is its low part: what nothing
        reads is poison, as the last proof has to show.
        """
        old, bits = shape_of(a.type)
        count = lanes * width // bits
        if 0 < count < old:
            a = self.slice(a, 0, count)
        return self.view(self.lines.widen(a, max(count, shape_of(a.type)[0])), lanes, width)

    def slice(self, a: Operand, first: int, lanes: int) -> Operand:
        if first + lanes > shape_of(a.type)[0]:
            raise EmissionError(f"elements {first} to {first + lanes - 1} of {a.type}")
        if isinstance(a, Literal):
            return build.constant(a.lanes[first : first + lanes], shape_of(a.type)[1])
        return self.lines.slice(a, first, lanes)

    def join(self, parts: list[Operand]) -> Operand:
        shapes = [shape_of(p.type) for p in parts]
        if all(isinstance(p, Literal) for p in parts):
            lanes = [v for p in parts if isinstance(p, Literal) for v in p.lanes]
            return build.constant(lanes, shapes[0][1])
        if all(lanes == 1 for lanes, _ in shapes) and len(parts) > 1:
            return self.lines.chain(parts)
        return tree(parts, self.lines.pair)

    def beside(self, parts: list[Operand]) -> Operand:
        """Return integers side by side as one."""
        widths, found = [shape_of(p.type)[1] for p in parts], list[Operand]()
        whole = IntType(sum(widths))
        for k, p in enumerate(parts):
            if not isinstance(p, Literal) or any(p.lanes):
                low = self.lines.add(build.cast("zext", p, whole))
                moved = build.binary("shl", low, k * widths[k])
                found.append(self.lines.add(moved) if k else low)
        found = found or [build.constant([0], whole.bits)]
        return tree(found, lambda a, b: self.lines.add(build.binary("or disjoint", a, b)))

    def apply(
        self, instruction: Instruction, args: list[Operand], immediates: Mapping[str, int]
    ) -> Operand:
        names: dict[str, str] = {}
        for o, a in zip(instruction.operands, args, strict=True):
            names[o.name] = spell(self.operand(a, o.lanes, o.width))
        found, kind = Local("", IntType(1)), build.integers(instruction.lanes, instruction.width)
        for line in emitted(instruction.emission, immediates):
            target, _, body = line.partition("=")
            if not target.strip().startswith("%") or not body:
                raise EmissionError(f"emission of {instruction.name}: '{line}'")
            text = _TOKEN.sub(
                lambda m: _replacement(m, names, immediates, instruction.name), body.strip()
            )
            found = self.lines.add(build.Body(text, kind))
            names[target.strip()[1:]] = spell(found)
            self.declare(text)
        return found

    def declare(self, text: str) -> None:
        i = parse_instruction(f"%x = {text}", 0)
        if i.callee:
            self.declarations.setdefault(i.callee, build.declaration(i.callee, i.type, i.operands))


def _replacement(
    m: re.Match[str], names: Mapping[str, str], immediates: Mapping[str, int], instruction: str
) -> str:
    sign, name = m.groups()
    if sign == "$" and name in immediates:
        return str(immediates[name])
    if sign == "%" and name in names:
        return names[name]
    raise EmissionError(f"emission of {instruction}: '{sign}{name}' stands for nothing")


def emit(
    program: Program, inputs: Sequence[Input], instructions: Instructions, names: Iterator[str]
) -> Emitted:
    """Write a program; ``names`` are unused.

    Raise :class:`EmissionError` for what does not fit.
    """
    program = _with_integers(_fill(program))
    writer, values = _Writer(inputs, instructions, names), dict[int, Operand]()
    fixed = invariant_steps(program, {x.leaf.name for x in inputs if x.leaf.invariant})
    needed = steps_needed(program)
    parts = parts_of(program, needed, inputs, instructions)
    for k in needed:
        s, part = program.steps[k], parts.get(k)
        writer.lines = writer.hoisted if k in fixed else writer.loop
        if part is not None:
            values[k] = writer.part(part, s)
        elif k not in parts:
            values[k] = writer.step(s, [values[a] for a in s.args])
    return Emitted(
        tuple(writer.loop.lines),
        tuple(values[r] for r in program.roots),
        writer.declarations,
        tuple(writer.placed),
        tuple(writer.hoisted.lines),
    )


def _with_integers(program: Program) -> Program:
    """Return a program in which integers side by side are one where they are seen as one alone."""
    steps = list(program.steps)
    other = {a for s in steps for a in s.args if s.kind != "view" or s.lanes > 1}
    for k, s in enumerate(program.steps):
        alone = s.kind == "join" and k not in other and k not in program.roots
        if alone and all(program.steps[a].lanes == 1 for a in s.args):
            steps[k] = replace(s, width=s.width * s.lanes, lanes=1)
    return replace(program, steps=tuple(steps))


def _fill(program: Program) -> Program:
    """Return a program with something in the parts of registers that may be anything.

    Zeros come with what is loaded or moved there.  LLVM builds halves of over 512 bits lane by
    lane for the machines that have these, whatever they are: such a half is repeated.
    """
    steps = program.steps
    users: dict[int, list[Step]] = {}
    for s in steps:
        for a in s.args:
            users.setdefault(a, []).append(s)

    def filled(k: int, s: Step) -> Step:
        beside = [u for u in users.get(k, ()) if u.kind != "join" or u.width * u.lanes > _WHOLE]
        if s.kind == "undef" and k not in program.roots and not beside:
            return replace(s, kind="const", values=(0,) * s.lanes)
        shapes = {(steps[a].width, steps[a].lanes) for a in s.args}
        some = next((a for a in s.args if steps[a].kind != "undef"), None)
        if s.kind != "join" or s.width * s.lanes <= _WHOLE or len(shapes) > 1 or some is None:
            return s
        return replace(s, args=tuple(some if steps[a].kind == "undef" else a for a in s.args))

    return replace(program, steps=tuple(filled(k, s) for k, s in enumerate(steps)))
