"""Addresses as numbers, under random values of what they are computed from: two that differ by a
constant under several of them nearly certainly do.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from frontends.llvm.limits import NUMBERS_MASK
from frontends.llvm.text.ast import Instr, IntType, Literal, Local, Operand, VectorType
from frontends.llvm.text.layout import NotSized, Sizes, to_signed
from frontends.llvm.text.view import incoming


@dataclass(slots=True)
class Numbers:
    """Values as numbers: what is not computed from others is drawn at random."""

    defs: Mapping[str, Instr]
    sizes: Sizes
    sample: int
    known: dict[str, int] = field(default_factory=dict)

    def after(self, phis: Sequence[Instr], label: str) -> Numbers:
        """Return the numbers when a block has been entered by an edge."""
        given = {i.name: incoming(i).get(label) for i in phis}
        known = {name: self.of(o) for name, o in given.items() if o is not None}
        return Numbers(self.defs, self.sizes, self.sample, known)

    def of(self, o: Operand) -> int:
        """Return a value as an unsigned number."""
        if isinstance(o, Literal):
            return o.lanes[0] if isinstance(o.lanes[0], int) else 0
        name = o.name if isinstance(o, Local) else o.text
        if name not in self.known:
            i = self.defs.get(name) if isinstance(o, Local) else None
            value = None if i is None or not i.known else self._make(i)
            if value is None:
                value = random.Random(f"{self.sample} {name}").getrandbits(64)
            mask = (1 << o.type.bits) - 1 if isinstance(o.type, IntType) else NUMBERS_MASK
            self.known[name] = value & mask
        return self.known[name]

    def _make(self, i: Instr) -> int | None:
        if isinstance(i.type, VectorType):
            return None
        if i.opcode == "getelementptr":
            return self._step(i)
        if i.opcode not in ("add", "sub", "mul", "shl", "or", "zext", "sext", "trunc"):
            return None
        if i.opcode == "or" and "disjoint" not in i.flags:
            return None
        x, *rest = (self.of(o) for o in i.operands)
        if i.opcode == "sext":
            kind = i.operands[0].type
            return to_signed(x, kind.bits) if isinstance(kind, IntType) else None
        if not rest:
            return x
        (y,) = rest
        return {"add": x + y, "or": x + y, "sub": x - y, "mul": x * y, "shl": x << (y & 63)}[
            i.opcode
        ]

    def _step(self, i: Instr) -> int | None:
        total = self.of(i.operands[1])
        try:
            for o, at, step in self.sizes.steps(i, 64):
                if not isinstance(o.type, IntType):
                    return None
                total += step * (to_signed(self.of(o), o.type.bits) if at is None else 1)
        except NotSized:
            return None
        return total
