"""Instructions of LLVM IR written: what they compute, a function a kind, of operands with types.

Nobody else writes one as text (``tests/test_written_instructions.py`` counts who does).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from frontends.llvm.text.ast import (
    Instr,
    IntType,
    Literal,
    Local,
    Operand,
    PtrType,
    Symbol,
    Type,
    VectorType,
)
from frontends.llvm.text.rewording import spell
from frontends.llvm.text.syntax import element


@dataclass(frozen=True, slots=True)
class Body:
    """An instruction as it is spelled behind the name of its result, which has a ``type``."""

    text: str
    type: Type

    def line(self, name: str, behind: str = "") -> str:
        """Return its line, with metadata that stands ``behind`` it."""
        return f"%{name} = {self.text}{behind}"


def integers(lanes: int, bits: int) -> IntType | VectorType:
    """Return the type of an integer where there is one lane, else of a vector of some."""
    return IntType(bits) if lanes == 1 else VectorType(lanes, IntType(bits))


def constant(lanes: Sequence[int | str], bits: int) -> Literal:
    """Return an integer where there is one lane, else a vector of some."""
    return Literal(integers(len(lanes), bits), tuple(lanes))


def integer(value: int, bits: int = 64) -> Literal:
    """Return an integer."""
    return Literal(IntType(bits), (value,))


def poison(kind: Type) -> Symbol:
    """Return a value of which nothing is known."""
    return Symbol("poison", kind)


def result(i: Instr) -> Local:
    """Return what an instruction gives."""
    return Local(i.name, i.type)


def typed(o: Operand) -> str:
    """Return an operand with its type."""
    return f"{o.type} {spell(o)}"


def wide(kind: Type, count: int) -> VectorType:
    """Return the type of so many integers of the type of a lane."""
    of = element(kind)
    assert not isinstance(of, VectorType)
    return VectorType(count, of)


def binary(said: str, a: Operand, b: Operand) -> Body:
    """Write what has two operands and a result of one type: its opcode and what it promises."""
    return Body(f"{said} {typed(a)}, {spell(b)}", a.type)


def plain(said: str, given: Sequence[Operand], kind: Type) -> Body:
    """Write what is said of operands: of one type, or each with its own where it is a choice."""
    if said == "select":
        return each(said, given, kind)
    return Body(f"{said} {given[0].type} {', '.join(map(spell, given))}", kind)


def each(opcode: str, given: Iterable[Operand], kind: Type) -> Body:
    """Write what has operands, each with its own type."""
    return Body(f"{opcode} {', '.join(map(typed, given))}", kind)


def compare(predicate: str, a: Operand, b: Operand) -> Body:
    """Write a comparison of integers, lane by lane."""
    kind = wide(IntType(1), a.type.count) if isinstance(a.type, VectorType) else IntType(1)
    return Body(f"icmp {predicate} {typed(a)}, {spell(b)}", kind)


def select(condition: Operand, a: Operand, b: Operand) -> Body:
    """Write a choice."""
    return Body(f"select {typed(condition)}, {typed(a)}, {typed(b)}", a.type)


def cast(said: str, a: Operand, kind: Type) -> Body:
    """Write a conversion to a type."""
    return Body(f"{said} {typed(a)} to {kind}", kind)


def freeze(a: Operand) -> Body:
    """Write what chooses something for what is not known."""
    return Body(f"freeze {typed(a)}", a.type)


def load(kind: Type, pointer: Operand, align: int, behind: str = "") -> Body:
    """Write a load, aligned to bytes, with metadata ``behind`` it."""
    return Body(f"load {kind}, {typed(pointer)}, align {align}{behind}", kind)


def address(pointer: Operand, by: Operand) -> Body:
    """Write an address so many bytes behind another one."""
    return Body(f"getelementptr i8, {typed(pointer)}, {typed(by)}", pointer.type)


def insert(vector: Operand, one: Operand, lane: int) -> Body:
    """Write a vector with another lane."""
    return Body(f"insertelement {typed(vector)}, {typed(one)}, i64 {lane}", vector.type)


def extract(vector: Operand, lane: Operand) -> Body:
    """Write a lane of a vector."""
    return Body(f"extractelement {typed(vector)}, {typed(lane)}", element(vector.type))


def shuffle(a: Operand, mask: Iterable[int | None], b: Operand | None = None) -> Body:
    """Write lanes of two vectors of a type, of the first if there is one; None is poison."""
    lanes = [f"i32 {'poison' if k is None else k}" for k in mask]
    said = f"shufflevector {typed(a)}, {typed(b or poison(a.type))}"
    kind = wide(a.type, len(lanes))
    return Body(f"{said}, <{len(lanes)} x i32> <{', '.join(lanes)}>", kind)


def phi(kind: Type, edges: Iterable[tuple[Operand, str]]) -> Body:
    """Write what a block gets, and from which others."""
    return Body(f"phi {kind} {', '.join(f'[ {spell(o)}, %{x} ]' for o, x in edges)}", kind)


def call(callee: str, kind: Type, given: Iterable[Operand]) -> Body:
    """Write a call."""
    return Body(f"call {kind} @{callee}({', '.join(map(typed, given))})", kind)


def declaration(callee: str, kind: Type, given: Iterable[Operand], behind: str = "") -> str:
    """Return the line that declares what is called."""
    return f"declare {kind} @{callee}({', '.join(str(o.type) for o in given)}){behind}"


def slot(size: int, align: int) -> Body:
    """Write so many bytes of the stack, aligned to bytes."""
    return Body(f"alloca [{size} x i8], align {align}", PtrType())


def store(value: Operand, pointer: Operand, align: int) -> str:
    """Return the line of a store, aligned to bytes."""
    return f"store {typed(value)}, {typed(pointer)}, align {align}"


def go(label: str) -> str:
    """Return the line of a branch to a block."""
    return f"br label %{label}"


def branch(test: Operand, yes: str, no: str, behind: str = "") -> str:
    """Return the line of a branch to one of two blocks."""
    return f"br {typed(test)}, label %{yes}, label %{no}{behind}"


def give(value: Operand) -> str:
    """Return the line that ends a function with a value."""
    return f"ret {typed(value)}"
