"""Programs as LLVM IR lines.

Values of one lane are scalars (``iN``), all others vectors.  Emitted instructions carry no flags,
every leaf is frozen once at its own type unless it is provably neither poison nor undef, and
undefined values are ``freeze poison``, undefined parts of registers zero.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, assert_never

from frontends.llvm.splicing.planes import Part, parts_of, steps_needed
from frontends.llvm.text.ast import Local, Operand, VectorType
from frontends.llvm.text.parse import parse_instruction
from frontends.llvm.text.rewording import shuffle
from frontends.llvm.windows.regions import Input, Made
from isel.model.program import Program, Step, invariant_steps
from isel.spec.emission import emitted
from isel.spec.instruction import Instruction, Instructions

_TOKEN: Final = re.compile(r"(?<![\w@%$.])([%$])([A-Za-z_][\w.]*)")
_WHOLE: Final = 512  # bits of the widest register of which LLVM leaves half undefined for nothing


class EmissionError(Exception):
    """A program cannot be written as it stands: what does not fit."""


@dataclass(frozen=True, slots=True)
class Emitted:
    """Lines in order without indentation, the type and text of each root's value, and the
    declarations needed by name.

    ``placed`` holds lines that have places of their own: each goes behind the line of the module
    with that index.  ``hoisted`` are those that a loop does not change: they go before it.
    """

    lines: tuple[str, ...]
    roots: tuple[tuple[str, str], ...]
    declarations: Mapping[str, str]
    placed: tuple[tuple[int, str], ...] = ()
    hoisted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Value:
    """A vector or a scalar: how it is spelled, its lanes and the width of each, and those that are
    ``known``.
    """

    text: str
    lanes: int
    width: int
    known: tuple[int, ...] = ()

    @property
    def type(self) -> str:
        """Its type."""
        return type_text(self.lanes, self.width)

    @property
    def typed(self) -> str:
        """Its type and how it is spelled."""
        return f"{self.type} {self.text}"


def tree(values: Sequence[Value], two: Callable[[Value, Value], Value]) -> Value:
    """Return what values are together, neighbours first."""
    while len(values) > 1:
        pairs = [values[k : k + 2] for k in range(0, len(values), 2)]
        values = [two(*p) if len(p) == 2 else p[0] for p in pairs]
    return values[0]


def type_text(lanes: int, width: int) -> str:
    """Return the IR type of a value of a program."""
    return f"i{width}" if lanes == 1 else f"<{lanes} x i{width}>"


def _constant(lanes: Sequence[int], width: int) -> Value:
    return Value(constant_text(lanes, width), len(lanes), width, tuple(lanes))


def operand_text(operand: Operand) -> str:
    """Return an operand as it is spelled in IR, without its type."""
    if isinstance(operand, Local):
        return f"%{operand.name}"
    text = getattr(operand, "text", "")
    if not text:
        raise EmissionError("a constant as a leaf")
    return str(text)


def constant_lanes(values: Sequence[int | None]) -> tuple[int, ...]:
    """Fix the lanes that may be anything to the commonest value, which favours splats."""
    known = [v for v in values if v is not None]
    fill = max(sorted(set(known)), key=known.count) if known else 0
    return tuple(fill if v is None else v for v in values)


def constant_text(lanes: Sequence[int], width: int) -> str:
    """Return a constant as it is spelled in IR, without its type."""
    if len(lanes) == 1:
        return str(lanes[0])
    if not any(lanes):
        return "zeroinitializer"
    return "<" + ", ".join(f"i{width} {v}" for v in lanes) + ">"


@dataclass
class _Writer:
    given: Sequence[Input]
    instructions: Instructions
    fresh: Callable[[], str]
    loop: list[str] = field(default_factory=list)
    hoisted: list[str] = field(default_factory=list)
    declarations: dict[str, str] = field(default_factory=dict)
    leaves: dict[str, Value] = field(default_factory=dict)
    planes: dict[tuple[str, int], Value] = field(default_factory=dict)
    placed: list[tuple[int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.inputs = {x.leaf.name: x for x in self.given}
        self.lines = self.loop  # where the next line goes

    def define(self, body: str, lanes: int, width: int) -> Value:
        name = self.fresh()
        self.lines.append(f"%{name} = {body}")
        return Value(f"%{name}", lanes, width)

    def step(self, s: Step, args: list[Value]) -> Value:
        match s.kind:
            case "leaf":
                return self.view(self.leaf(s.name), s.lanes, s.width)
            case "const":
                return _constant(constant_lanes(s.values), s.width)
            case "undef":
                return self.define(f"freeze {type_text(s.lanes, s.width)} poison", s.lanes, s.width)
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

    def leaf(self, name: str) -> Value:
        found = self.leaves.get(name)
        if found is None:
            x = self.inputs[name]
            found = self.leaves[name] = self._scalar(x) if x.leaf.scalar else self._leaf(x)
        return found

    def part(self, p: Part, s: Step) -> Value:
        """Return elements of a plane of a leaf, which is frozen by itself: no element is in two."""
        key = (p.leaf, p.plane)
        plane = self.planes.get(key)
        x = self.inputs[p.leaf]
        if plane is None:
            whole = Value(operand_text(x.operand), x.leaf.lanes, x.leaf.width)
            mask = range(p.plane, whole.lanes, x.planes)
            plane = self.shuffle(whole, mask)
            if not x.fixed:
                plane = self.define(f"freeze {plane.typed}", plane.lanes, plane.width)
            self.planes[key] = plane
        first = p.elements[0]
        if p.elements == tuple(range(first, first + s.lanes)):
            return self.slice(plane, first, s.lanes)
        return self.shuffle(plane, p.elements)

    def _scalar(self, x: Input) -> Value:
        """Freeze a scalar, then repeat it."""
        lanes, width = x.leaf.lanes, x.leaf.width
        first = self.padded(self.frozen(x, Value(operand_text(x.operand), 1, width)), lanes)
        return self.shuffle(first, [0] * lanes)

    def _leaf(self, x: Input) -> Value:
        lanes, width = x.leaf.lanes, x.leaf.width
        value = (
            Value(operand_text(x.operand), lanes, width)
            if x.made is None
            else self._make(x.made, lanes, width)
        )
        value = self.frozen(x, value)
        written = str(x.operand.type)
        if isinstance(x.operand.type, VectorType) and lanes == 1:
            value = self.define(f"bitcast {written} {value.text} to i{width}", lanes, width)
        return value

    def frozen(self, x: Input, value: Value) -> Value:
        if not x.fixed:
            body = f"freeze {x.operand.type} {value.text}"
            value = self.define(body, value.lanes, value.width)
        return value

    def _make(self, m: Made, lanes: int, width: int) -> Value:
        """Add a load behind those that it is made of, and repeat what it gives."""
        value = Value(f"%{self.fresh()}", m.count, width)
        place = f"{m.pointer.type} {operand_text(m.pointer)}"
        if m.offset:
            moved = f"%{self.fresh()}"
            line = f"{moved} = getelementptr i8, {place}, i64 {m.offset}"
            self.placed.append((m.after, line))
            place = f"{m.pointer.type} {moved}"
        self.placed.append((m.after, f"{value.text} = load {value.type}, {place}, align 1"))
        if m.count == lanes:
            return value
        repeated = [k % m.count for k in range(lanes)]
        return self.shuffle(value, repeated)

    def view(self, a: Value, lanes: int, width: int) -> Value:
        if a.lanes * a.width != lanes * width:
            raise EmissionError(f"{a.type} seen as {type_text(lanes, width)}")
        if a.lanes == lanes:
            return a
        if a.known:
            bits = sum(v << (k * a.width) for k, v in enumerate(a.known))
            return _constant(
                [(bits >> (k * width)) & ((1 << width) - 1) for k in range(lanes)], width
            )
        return self.define(f"bitcast {a.typed} to {type_text(lanes, width)}", lanes, width)

    def operand(self, a: Value, lanes: int, width: int) -> Value:
        """See a value as an operand of which it is a part, or that is its low part: what nothing
        reads is poison, as the last proof has to show.
        """
        count = lanes * width // a.width
        if 0 < count < a.lanes:
            a = self.slice(a, 0, count)
        return self.view(self.padded(a, max(count, a.lanes)), lanes, width)

    def slice(self, a: Value, first: int, lanes: int) -> Value:
        if first + lanes > a.lanes:
            raise EmissionError(f"elements {first} to {first + lanes - 1} of {a.type}")
        if lanes == a.lanes:
            return a
        if a.known:
            return _constant(a.known[first : first + lanes], a.width)
        if lanes == 1:
            return self.define(f"extractelement {a.typed}, i64 {first}", 1, a.width)
        return self.shuffle(a, range(first, first + lanes))

    def shuffle(self, a: Value, mask: Sequence[int | None], other: str = "poison") -> Value:
        return self.define(shuffle(a.type, a.text, other, mask), len(mask), a.width)

    def join(self, parts: list[Value]) -> Value:
        if all(p.known for p in parts):
            return _constant([v for p in parts for v in p.known], parts[0].width)
        if all(p.lanes == 1 for p in parts) and len(parts) > 1:
            return self.build(parts)
        return tree(parts, self.pair)

    def beside(self, parts: list[Value]) -> Value:
        """Return integers side by side as one."""
        width, found = sum(p.width for p in parts), list[Value]()
        for k, p in enumerate(parts):
            if p.known != (0,):
                low = self.define(f"zext {p.typed} to i{width}", 1, width)
                by = k * p.width
                found.append(self.define(f"shl {low.typed}, {by}", 1, width) if by else low)
        return tree(
            found or [_constant([0], width)],
            lambda a, b: self.define(f"or disjoint {a.typed}, {b.text}", 1, width),
        )

    def build(self, parts: list[Value]) -> Value:
        value = Value("poison", len(parts), parts[0].width)
        for k, p in enumerate(parts):
            value = self.define(
                f"insertelement {value.typed}, {p.typed}, i64 {k}", value.lanes, value.width
            )
        return value

    def pair(self, a: Value, b: Value) -> Value:
        n = max(a.lanes, b.lanes, 2)
        mask = [*range(a.lanes), *range(n, n + b.lanes)]
        return self.shuffle(self.padded(a, n), mask, self.padded(b, n).text)

    def padded(self, a: Value, lanes: int) -> Value:
        if a.lanes == lanes:
            return a
        if a.lanes == 1:
            return self.define(
                f"insertelement {type_text(lanes, a.width)} poison, {a.typed}, i64 0",
                lanes,
                a.width,
            )
        return self.shuffle(a, [*range(a.lanes), *[None] * (lanes - a.lanes)])

    def apply(
        self, instruction: Instruction, args: list[Value], immediates: Mapping[str, int]
    ) -> Value:
        names: dict[str, str] = {}
        for o, a in zip(instruction.operands, args, strict=True):
            names[o.name] = self.operand(a, o.lanes, o.width).text
        result = ""
        for line in emitted(instruction.emission, immediates):
            target, _, body = line.partition("=")
            if not target.strip().startswith("%") or not body:
                raise EmissionError(f"emission of {instruction.name}: '{line}'")
            text = _TOKEN.sub(
                lambda m: _replacement(m, names, immediates, instruction.name), body.strip()
            )
            result = names[target.strip()[1:]] = f"%{self.fresh()}"
            self.lines.append(f"{result} = {text}")
            self.declare(text)
        return Value(result, instruction.lanes, instruction.width)

    def declare(self, text: str) -> None:
        i = parse_instruction(f"%x = {text}", 0)
        types = ", ".join(str(o.type) for o in i.operands)
        if i.callee:
            self.declarations.setdefault(i.callee, f"declare {i.type} @{i.callee}({types})")


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
    program: Program, inputs: Sequence[Input], instructions: Instructions, fresh: Callable[[], str]
) -> Emitted:
    """Write a program; ``fresh`` gives unused names.

    Raise :class:`EmissionError` for what does not fit.
    """
    program = _with_integers(_fill(program))
    writer = _Writer(inputs, instructions, fresh)
    values: list[Value] = []
    fixed = invariant_steps(program, {x.leaf.name for x in inputs if x.leaf.invariant})
    needed = steps_needed(program)
    parts = parts_of(program, needed, inputs, instructions)
    for k in needed:
        while len(values) < k:
            values.append(Value("", 0, 0))
        s, part = program.steps[k], parts.get(k)
        writer.lines = writer.hoisted if k in fixed else writer.loop
        if k not in parts:
            values.append(writer.step(s, [values[a] for a in s.args]))
        else:
            values.append(Value("", 0, 0) if part is None else writer.part(part, s))
    return Emitted(
        tuple(writer.loop),
        tuple((values[r].type, values[r].text) for r in program.roots),
        writer.declarations,
        tuple(writer.placed),
        tuple(writer.hoisted),
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
