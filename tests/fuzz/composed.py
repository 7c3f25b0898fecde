"""Nests of fixed-point operations, two to four deep, each in a spelling drawn by chance, over loaded
vectors of 8, 16 and 32 bits.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Final

from tests.fixed_point.spell import Spelling, Type, Value
from tests.fuzz.generate import INPUT_BYTES, OUTPUT_BYTES, Generated
from tests.fuzz.small import function, load
from tests.fuzz.spellings import operations
from tests.fuzz.writer import Shape, Writer

_WIDTHS: Final = (8, 8, 8, 16, 16, 16, 32)
_BITS: Final = (64, 128, 128, 256)
_POINTERS: Final = ("%a0", "%a1", "%a2")
_BRANCHES: Final = 0.45  # of operands beside the deepest one, how many are operations as well
_SHARED: Final = 0.2  # of operands, how many have occurred before


@dataclass(slots=True)
class Nest:
    """A function while it grows; ``values`` has what was loaded and what was computed."""

    writer: Writer
    spelling: Spelling
    offset: str
    values: dict[Type, list[Value]] = field(default_factory=dict)

    def operation(self, t: Type, depth: int) -> Value:
        """Write an operation of a type so many levels deep; return its result."""
        rng = self.writer.rng
        chosen = rng.choice([o for o in operations(t) if depth > 1 or o.name != "extension"])
        deepest = rng.randrange(len(chosen.takes))
        operands = [
            self.operation(x, depth - 1)
            if depth > 1 and (k == deepest or rng.random() < _BRANCHES)
            else self.leaf(x)
            for k, x in enumerate(chosen.takes)
        ]
        result = rng.choice(chosen.spellings)(self.spelling, *operands)
        return self.kept(Value(result.text, t))

    def leaf(self, t: Type) -> Value:
        """Return a value that was there before, a literal, or a vector from memory."""
        rng, w = self.writer.rng, self.writer
        shape = Shape(self.spelling.lanes, t.width)
        kind = rng.random()
        if kind < _SHARED and t in self.values:
            return rng.choice(self.values[t])
        if kind > 0.93:
            return Value(w.constant(shape), t)
        more = rng.choice((0, 0, 0, 1, 2, 16, shape.bits // 8))
        name = load(w, shape, rng.choice(_POINTERS), self.offset, more)
        return self.kept(Value(name, t))

    def kept(self, value: Value) -> Value:
        """Remember a value as an operand of others."""
        self.values.setdefault(value.type, []).append(value)
        return value


def append(w: Writer, spelling: Spelling) -> None:
    """Write the lines of a spelling, and declare what they call."""
    for line in spelling.lines:
        w.lines.append(f"  {line}")
        if " call " in line:
            w.declare_for(line)


def composed(seed: int, *, loops: bool = True) -> Generated:
    """Return the function of a seed."""
    rng = random.Random(f"composed {seed}")
    w = Writer(rng)
    t = Type(rng.choice(_WIDTHS), rng.random() < 0.5)
    kind = Shape(rng.choice(_BITS) // t.width, t.width)
    size = kind.bits // 8
    loop = loops and rng.random() < 0.4
    offset = w.scalar(f"mul i64 %i, {size}") if loop else ""
    nest = Nest(w, Spelling(kind.lanes, letter="n"), offset)
    result = nest.operation(t, rng.choice((2, 2, 3, 3, 4)))
    append(w, nest.spelling)
    rounds = INPUT_BYTES // 2 // size + 1 if loop else 0
    sizes = (INPUT_BYTES,) * len(_POINTERS) + (OUTPUT_BYTES,)
    return Generated(seed, function(w, list(_POINTERS), result.text, kind, rounds), sizes)
