"""Writing IR: a growing function body with typed values to choose operands from."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from frontends.llvm.text.parse import parse_module


@dataclass(frozen=True, slots=True, order=True)
class Shape:
    """``<lanes x i(width)>``."""

    lanes: int
    width: int

    def __str__(self) -> str:
        return f"<{self.lanes} x i{self.width}>"

    @property
    def bits(self) -> int:
        """The size in bits."""
        return self.lanes * self.width

    def widened(self, factor: int = 2) -> Shape:
        """Return the shape with wider lanes."""
        return Shape(self.lanes, self.width * factor)

    def masks(self) -> Shape:
        """Return the shape of a comparison's result."""
        return Shape(self.lanes, 1)


def corners(width: int) -> tuple[int, ...]:
    """Return the values of ``width`` bits at which operations tend to go wrong, unsigned."""
    top = 1 << (width - 1)
    values = {
        0,
        1,
        2,
        3,
        top - 2,
        top - 1,
        top,
        top + 1,
        2 * top - 2,
        2 * top - 1,
        top >> 1,
        (1 << (width // 2)) - 1,
        1 << (width // 2),
    }
    return tuple(sorted(v % (2 * top) for v in values if v >= 0))


@dataclass(slots=True)
class Writer:
    """The body of one function; ``values`` maps a shape to the names of its values, oldest
    first.
    """

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    values: dict[Shape, list[str]] = field(default_factory=dict)
    declared: dict[str, str] = field(default_factory=dict)
    names: int = 0
    used: set[str] = field(default_factory=set)

    def fresh(self) -> str:
        """Return a new value name."""
        self.names += 1
        return f"%v{self.names}"

    def emit(self, shape: Shape, text: str) -> str:
        """Append ``%v = text`` and remember the value."""
        name = self.fresh()
        self.lines.append(f"  {name} = {text}")
        self.values.setdefault(shape, []).append(name)
        return name

    def scalar(self, text: str) -> str:
        """Append ``%v = text`` without remembering it as an operand."""
        name = self.fresh()
        self.lines.append(f"  {name} = {text}")
        return name

    def call(self, shape: Shape, name: str, arguments: Sequence[str]) -> str:
        """Append a call of an intrinsic; arguments come with their types."""
        text = f"call {shape} @{name}({', '.join(arguments)})"
        self.declare_for(text)
        return self.emit(shape, text)

    def declare(self, name: str, result: str, types: Sequence[str]) -> None:
        """Remember that a function must be declared."""
        self.declared[name] = f"declare {result} @{name}({', '.join(types)})"

    def declare_for(self, call: str) -> None:
        """Declare what a call calls, with the types of its operands."""
        (instr,) = parse_module(f"define void @f() {{\n  {call}\n}}").functions[0].blocks[0].instrs
        self.declare(instr.callee, str(instr.type), [str(o.type) for o in instr.operands])

    def pick(self, shape: Shape) -> str:
        """Return an operand of the shape, rather a recent one; a constant where there is none."""
        have = self.values.get(shape, [])
        if not have or self.rng.random() < 0.08:
            return self.constant(shape)
        waiting = [v for v in have if v not in self.used]
        if waiting and self.rng.random() < 0.5:
            have = waiting
        chosen = have[-1 - min(int(self.rng.expovariate(0.5)), len(have) - 1)]
        self.used.add(chosen)
        return chosen

    def constant(self, shape: Shape) -> str:
        """Return a constant vector: splat or not, corner or random values."""
        if self.rng.random() < 0.7:
            return f"splat (i{shape.width} {self.number(shape.width)})"
        return self.vector(shape, [self.number(shape.width) for _ in range(shape.lanes)])

    def vector(self, shape: Shape, lanes: Sequence[int]) -> str:
        """Return the constant with these lanes."""
        return (
            "<"
            + ", ".join(
                f"i{shape.width} {lane if shape.width > 1 else ('false', 'true')[lane]}"
                for lane in lanes
            )
            + ">"
        )

    def number(self, width: int) -> int:
        """Return a constant of ``width`` bits, often a corner, unsigned."""
        if width == 1:
            return self.rng.randrange(2)
        if self.rng.random() < 0.6:
            return self.rng.choice(corners(width))
        return (
            self.rng.randrange(1 << width)
            if self.rng.random() < 0.5
            else self.rng.randrange(min(1 << width, 64))
        )
