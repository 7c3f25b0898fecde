"""LLVM IR being written: values of known lanes or of a name, and the instructions that make new
ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from frontends.halide.expr.places import NotLowered
from frontends.halide.expr.types import BOOL, Type


@dataclass(frozen=True, slots=True)
class Value:
    """A value of ``type`` (with its lanes): a name, or the lanes themselves where they are
    known.
    """

    type: Type
    text: str = ""
    known: tuple[int, ...] = ()

    @property
    def lanes(self) -> int:
        """How many lanes there are; one stands for any number of equal ones."""
        return self.type.lanes

    @property
    def spelled(self) -> str:
        """The value as an operand without its type."""
        if not self.known:
            return self.text
        if self.lanes == 1:
            return str(self.known[0])
        return "<" + ", ".join(f"i{self.type.bits} {v}" for v in self.known) + ">"

    @property
    def typed(self) -> str:
        """The value as an operand with its type."""
        return f"{ir_type(self.type)} {self.spelled}"


def ir_type(type_: Type) -> str:
    """Return a type as LLVM spells it; raises :class:`NotLowered` for floating point."""
    if type_.is_float:
        raise NotLowered("floating point is not selected")
    return f"i{type_.bits}" if type_.lanes == 1 else f"<{type_.lanes} x i{type_.bits}>"


def literal(type_: Type, lanes: Sequence[int]) -> Value:
    """Return known lanes as a value; equal ones as a single lane."""
    values = tuple(type_.wrapped(v) for v in lanes)
    if len(set(values)) == 1:
        values = values[:1]
    return Value(type_.of(len(values)), known=values)


@dataclass(slots=True)
class Lines:
    """The body of a function, and the declarations it needs."""

    body: list[str] = field(default_factory=list)
    declarations: dict[str, str] = field(default_factory=dict)

    def make(self, type_: Type, text: str) -> Value:
        """Add an instruction; return its result."""
        name = f"%v{len(self.body)}"
        self.body.append(f"{name} = {text}")
        return Value(type_, name)

    def cut(self) -> None:
        """Begin a block: windows are searched within one, so that what was made before is an
        input of what follows.
        """
        self.body.extend((f"br label %b{len(self.body)}", f"b{len(self.body)}:"))

    def spread(self, a: Value, lanes: int) -> Value:
        """Return ``a`` with ``lanes`` lanes."""
        if a.lanes == lanes:
            return a
        type_ = a.type.of(lanes)
        if a.known:
            return Value(type_, known=a.known * lanes)
        one = self.make(type_, f"insertelement {ir_type(type_)} poison, {a.typed}, i64 0")
        return self.shuffle(one, (0,) * lanes)

    def together(self, *values: Value) -> tuple[Value, ...]:
        """Return values with as many lanes as the longest."""
        lanes = max(v.lanes for v in values)
        return tuple(self.spread(v, lanes) for v in values)

    def binary(self, op: str, a: Value, b: Value, *, type_: Type | None = None) -> Value:
        """Add an instruction of two operands."""
        a, b = self.together(a, b)
        return self.make((type_ or a.type).of(a.lanes), f"{op} {a.typed}, {b.spelled}")

    def compare(self, predicate: str, a: Value, b: Value) -> Value:
        """Add a comparison."""
        return self.binary(f"icmp {predicate}", a, b, type_=BOOL)

    def select(self, c: Value, a: Value, b: Value) -> Value:
        """Add a choice; one condition may choose whole vectors."""
        a, b = self.together(a, b)
        if c.lanes > a.lanes:
            a, b = self.spread(a, c.lanes), self.spread(b, c.lanes)
        return self.make(a.type, f"select {c.typed}, {a.typed}, {b.typed}")

    def call(self, name: str, type_: Type, *args: Value, flags: Sequence[int] = ()) -> Value:
        """Add a call of a lanewise intrinsic; ``flags`` are its truth values."""
        args = self.together(*args)
        lanes = args[0].lanes
        suffix = f"v{lanes}i{type_.bits}" if lanes > 1 else f"i{type_.bits}"
        made = type_.of(lanes)
        return self._called(f"llvm.{name}.{suffix}", made, args, flags)

    def total(self, name: str, a: Value) -> Value:
        """Add the reduction of all lanes to one."""
        callee = f"llvm.vector.reduce.{name}.v{a.lanes}i{a.type.bits}"
        return self._called(callee, a.type.of(1), (a,), ())

    def build(self, values: Sequence[Value]) -> Value:
        """Return a vector of single values."""
        type_ = values[0].type.of(len(values))
        text = "poison"
        for k, v in enumerate(values):
            line = f"insertelement {ir_type(type_)} {text}, {v.typed}, i64 {k}"
            text = self.make(type_, line).text
        return Value(type_, text)

    def _called(
        self, callee: str, type_: Type, args: Sequence[Value], flags: Sequence[int]
    ) -> Value:
        types = ", ".join([*(ir_type(a.type) for a in args), *["i1"] * len(flags)])
        self.declarations[callee] = f"declare {ir_type(type_)} @{callee}({types})"
        operands = ", ".join([*(a.typed for a in args), *(f"i1 {f}" for f in flags)])
        return self.make(type_, f"call {ir_type(type_)} @{callee}({operands})")

    def shuffle(self, a: Value, lanes: Sequence[int]) -> Value:
        """Return some lanes of ``a``, in any order."""
        if a.known:
            return literal(a.type, [a.known[0 if a.lanes == 1 else k] for k in lanes])
        if a.lanes == 1 or tuple(lanes) == tuple(range(a.lanes)):
            return a
        if len(set(lanes)) == 1 and len(lanes) == 1:
            return self.make(a.type.of(1), f"extractelement {a.typed}, i64 {lanes[0]}")
        return self._picked(a, f"{ir_type(a.type)} poison", lanes)

    def _picked(self, a: Value, other: str, lanes: Sequence[int | str]) -> Value:
        """Add a shuffle of ``a`` and another vector; lanes are numbers or poison."""
        mask = f"<{len(lanes)} x i32> <{', '.join(f'i32 {k}' for k in lanes)}>"
        return self.make(a.type.of(len(lanes)), f"shufflevector {a.typed}, {other}, {mask}")

    def concatenated(self, values: Sequence[Value]) -> Value:
        """Return vectors of equal lanes one after the other."""
        if all(v.known for v in values):
            known = tuple(k for v in values for k in v.known)
            return Value(values[0].type.of(len(known)), known=known)
        found = list(values)
        while len(found) > 1:
            pairs = (found[k : k + 2] for k in range(0, len(found), 2))
            found = [self._pair(*p) if p[1:] else p[0] for p in pairs]
        return found[0]

    def _pair(self, a: Value, b: Value) -> Value:
        n = max(a.lanes, b.lanes)
        x, y = (self._padded(v, n) for v in (a, b))
        return self._picked(x, y.typed, (*range(a.lanes), *range(n, n + b.lanes)))

    def _padded(self, a: Value, lanes: int) -> Value:
        made, more = a.type.of(lanes), lanes - a.lanes
        if a.known:
            return replace(a, type=made, known=a.known + (0,) * more)
        if not more:
            return a
        if a.lanes == 1:
            return self.make(made, f"insertelement {ir_type(made)} poison, {a.typed}, i64 0")
        poison = f"{ir_type(a.type)} poison"
        return self._picked(a, poison, [*range(a.lanes), *["poison"] * more])
