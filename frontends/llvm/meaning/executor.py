"""One executor of instructions on terms with poison: the values of one side of a proof.

What an instruction makes of its operands is said here for all proofs.  Each says for itself what
its leaves are, whether a value is looked at anew by a second use, and what a freeze and an
instruction of the machine choose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm.meaning.choice import Chooser
from frontends.llvm.meaning.lanes import NO, Cannot, Meaning, Side, Value
from frontends.llvm.meaning.limits import TERMS_INSTRUCTIONS, TERMS_LANES
from frontends.llvm.meaning.lower import literal_value, meaning_of
from frontends.llvm.text.ast import Instr, Literal, Local, Operand
from isel.ir.build import ite
from isel.ir.expr import Expr, elem
from isel.spec.instruction import Instruction
from isel.spec.target import Target

EVERY: Final = slice(None)


@dataclass
class Executor:
    """Values by name, and when what was executed is undefined behaviour."""

    side: Side
    isa: Target | None
    chooser: Chooser
    done: dict[str, Value] = field(default_factory=dict)
    defs: Mapping[str, Instr] = field(default_factory=dict)  # what computes those that are no leaf
    used: set[str] = field(default_factory=set)
    lanes: int = 0
    undefined: Expr = NO

    def value(self, o: Operand, lanes: slice = EVERY) -> Value:
        """Return an operand, or lanes of it, as this use of it sees it."""
        if isinstance(o, Literal):
            return self._literal(o).of_lanes(lanes)
        if not isinstance(o, Local):
            raise Cannot(f"the operand {o.text}")
        self.compute(o.name)
        found = self.done[o.name].of_lanes(lanes)
        if o.name in self.used and self.looks_again(o.name):
            return self.chooser.again(found)
        self.used.add(o.name)
        return found

    def compute(self, name: str) -> None:
        """Execute what a value is computed by, operands first."""
        waiting = [name]
        while waiting:
            top = waiting[-1]
            if (found := self.done.get(top) or self._leaf(top)) is not None:
                self.done[top] = found
                waiting.pop()
                continue
            i = self._instruction(top)
            todo = [o.name for o in i.operands if isinstance(o, Local) and o.name not in self.done]
            waiting += todo
            if not todo:
                found = self.execute(i)
                self.lanes += len(found.lanes)
                if len(self.done) > TERMS_INSTRUCTIONS or self.lanes > TERMS_LANES:
                    raise Cannot("it is computed by too many instructions")
                self.done[top] = found

    def execute(self, i: Instr) -> Value:
        """Return the result of an instruction whose operands were computed."""
        operands: Sequence[Value] = self._operands(i)
        if i.opcode == "freeze":
            return self._freeze(i, operands[0])
        return self._result(i, operands if self.machine(i) is None else self._choose(i, operands))

    def machine(self, i: Instr) -> Instruction | None:
        """Return the instruction of the machine that a call is."""
        return self.isa.by_call(i.callee) if i.opcode == "call" and self.isa is not None else None

    def looks_again(self, name: str) -> bool:
        """Tell whether a value that was used is looked at anew by the next use."""
        return True

    def _instruction(self, name: str) -> Instr:
        if name not in self.defs:
            raise Cannot(f"%{name} is neither a leaf nor written by the rewrite")
        return self.defs[name]

    def _leaf(self, name: str) -> Value | None:
        """Return a value that is not followed, None where it is."""

    def _literal(self, o: Literal) -> Value:
        """Return a constant; each of its lanes that is undef may be any value."""
        value = literal_value(o)
        if "undef" not in o.lanes:
            return value
        w, what = value.width, f"undef{self.chooser.fresh('undef', 'l').rpartition('l')[2]}"
        rows = enumerate(zip(o.lanes, value.lanes, strict=True))
        anything = self.chooser.anything
        lanes = (anything(what, i * w, w) if x == "undef" else e for i, (x, e) in rows)
        return Value(w, tuple(lanes), value.poison)

    def _operands(self, i: Instr) -> list[Value]:
        return [self.value(o) for o in i.operands]

    def _choose(self, i: Instr, operands: Sequence[Value]) -> Sequence[Value]:
        """Return the operands of an instruction that chooses what undef is once and for all."""
        return operands

    def _freeze(self, i: Instr, value: Value) -> Value:
        """Return a value frozen: where a lane is poison it is anything."""
        (settled,), free = self._choose(i, [value]), self.chooser.fresh("freeze", self._mark(i))
        lanes = list[Expr]()
        for k, (old, (e, p)) in enumerate(zip(value.lanes, settled.rows, strict=True)):
            chosen = p is NO or self._is_free(old, p)
            lanes.append(e if chosen else ite(p, elem(free, k * value.width, value.width), e))
        return Value(value.width, tuple(lanes), (NO,) * len(lanes))

    def _mark(self, i: Instr) -> str:
        """Return what tells the choices of an instruction apart from those of others."""
        return f"f{i.line}_"

    def _is_free(self, value: Expr, poison: Expr) -> bool:
        """Tell whether a lane that is frozen is anything where it is poison."""
        return False

    def _result(self, i: Instr, operands: Sequence[Value]) -> Value:
        """Return what an instruction makes of its operands; a lane that a shuffle reads twice is
        looked at twice.
        """
        found = self._meaning(i, operands)
        self._note_undefined(i, found.undefined)
        moved = i.opcode == "shufflevector"
        return self.chooser.apart(i.mask, *operands) if moved else found.value

    def _meaning(self, i: Instr, operands: Sequence[Value]) -> Meaning:
        return meaning_of(i, operands, self.isa, self.side)

    def _note_undefined(self, i: Instr, when: Expr) -> None:
        if when is not NO:
            raise Cannot(f"'{i.opcode}' may have undefined behaviour")
