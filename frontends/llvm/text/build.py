"""Instructions of LLVM IR written: what they compute, a function a kind, of operands with types.

Nobody else writes one as text (``tests/test_written_instructions.py`` counts who does).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

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
)  # fmt: skip
from frontends.llvm.text.rewording import spell
from frontends.llvm.text.syntax import element

_SAID: Final = re.compile(
    r'\s*(?:%(?:"[^"]*"|\S+) = )?([a-z ]+?) (?=[<\[]|i\d|ptr|half|bfloat|float|double)'
)
_OVERLOAD: Final = re.compile(r"\.v\d+i\d+$")
_CASTS: Final = frozenset((
    "zext", "sext", "trunc", "bitcast", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp",
))  # fmt: skip
_EACH: Final = frozenset(("select", "freeze", "fneg", "insertelement", "extractelement"))


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


def poison(kind: Type) -> Symbol:
    """Return a value of which nothing is known."""
    return Symbol("poison", kind)


def result(i: Instr) -> Local:
    """Return what an instruction gives."""
    return Local(i.name, i.type)


def typed(o: Operand | int) -> str:
    """Return an operand with its type; a number has 64 bits."""
    return f"i64 {o}" if isinstance(o, int) else f"{o.type} {spell(o)}"


def wide(kind: Type, count: int) -> VectorType:
    """Return the type of so many integers of the type of a lane."""
    of = element(kind)
    assert not isinstance(of, VectorType)
    return VectorType(count, of)


def binary(said: str, a: Operand, b: Operand | int) -> Body:
    """Write what has two operands and a result of one type: its opcode and what it promises."""
    return Body(f"{said} {typed(a)}, {b if isinstance(b, int) else spell(b)}", a.type)


def said_of(i: Instr) -> str:
    """Return opcode, promises and predicate of an instruction that gives a value as they are
    written; all of it where they cannot be told.
    """
    found = _SAID.match(i.text)
    return found[1] if found else i.text


def overload(callee: str, kind: Type) -> str:
    """Return what an intrinsic of vectors is called for those of another type."""
    assert isinstance(kind, VectorType)
    return _OVERLOAD.sub(f".v{kind.count}{kind.elem}", callee)


def like(
    i: Instr,
    given: Sequence[Operand],
    kind: Type,
    said: str = "",
    mask: Iterable[int | None] = (),
) -> Body:
    """Write an instruction of other operands, which gives ``kind``; ``said`` is its opcode where
    it is to promise less, and ``mask`` what a shuffle moves where that is something else.
    """
    if i.opcode == "load":
        return load(kind, given[0], i.align)
    said = said or said_of(i)
    if i.opcode == "call":
        return call(overload(i.callee, kind), kind, given, said)
    if i.mask:
        return shuffle(given[0], mask or i.mask, given[1])
    if i.opcode in _CASTS:
        return cast(said, given[0], kind)
    if i.opcode in _EACH:
        return Body(f"{said} {', '.join(map(typed, given))}", kind)
    return Body(f"{said} {given[0].type} {', '.join(map(spell, given))}", kind)


def compare(predicate: str, a: Operand, b: Operand | int) -> Body:
    """Write a comparison of integers, lane by lane."""
    kind = wide(IntType(1), a.type.count) if isinstance(a.type, VectorType) else IntType(1)
    return Body(binary(f"icmp {predicate}", a, b).text, kind)


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


def address(pointer: Operand, by: Operand | int) -> Body:
    """Write an address so many bytes behind another one."""
    return Body(f"getelementptr i8, {typed(pointer)}, {typed(by)}", pointer.type)


def insert(vector: Operand, one: Operand, lane: int) -> Body:
    """Write a vector with another lane."""
    return Body(f"insertelement {typed(vector)}, {typed(one)}, i64 {lane}", vector.type)


def extract(vector: Operand, lane: Operand | int) -> Body:
    """Write a lane of a vector."""
    return Body(f"extractelement {typed(vector)}, {typed(lane)}", element(vector.type))


def shuffle(a: Operand, mask: Iterable[int | None], b: Operand | None = None) -> Body:
    """Write lanes of two vectors of a type, of the first if there is one; None is poison."""
    lanes = [f"i32 {'poison' if k is None else k}" for k in mask]
    said = f"shufflevector {typed(a)}, {typed(b or poison(a.type))}"
    kind = wide(a.type, len(lanes))
    return Body(f"{said}, <{len(lanes)} x i32> <{', '.join(lanes)}>", kind)


def phi(kind: Type, edges: Iterable[tuple[str, str]], promises: str = "") -> Body:
    """Write what a block gets, as it is spelled, and from which others."""
    return Body(f"phi {promises}{kind} {', '.join(f'[ {o}, %{x} ]' for o, x in edges)}", kind)


def call(callee: str, kind: Type, given: Iterable[Operand], said: str = "call") -> Body:
    """Write a call, with what it promises."""
    return Body(f"{said} {kind} @{callee}({', '.join(map(typed, given))})", kind)


def declaration(callee: str, kind: Type, given: Iterable[Operand], behind: str = "") -> str:
    """Return the line that declares what is called."""
    return f"declare {kind} @{callee}({', '.join(str(o.type) for o in given)}){behind}"


def slot(size: int, align: int) -> Body:
    """Write so many bytes of the stack, aligned to bytes."""
    return Body(f"alloca [{size} x i8], align {align}", PtrType())


def store(value: Operand, pointer: Operand, align: int) -> str:
    """Return the line of a store, aligned to bytes, or as its type is where these are 0."""
    return f"store {typed(value)}, {typed(pointer)}" + (f", align {align}" if align else "")


def go(label: str) -> str:
    """Return the line of a branch to a block."""
    return f"br label %{label}"


def branch(test: str, yes: str, no: str, behind: str = "") -> str:
    """Return the line of a branch to one of two blocks, by a flag as it is spelled."""
    return f"br i1 {test}, label %{yes}, label %{no}{behind}"


def give(value: Operand) -> str:
    """Return the line that ends a function with a value."""
    return f"ret {typed(value)}"
