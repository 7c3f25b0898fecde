"""LLVM IR being written: values of known lanes or of a name, and the instructions that make new
ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from frontends.halide.expr.places import NotLowered
from frontends.halide.expr.types import BOOL, Type
from frontends.llvm.text import build
from frontends.llvm.text.ast import Literal, Operand
from frontends.llvm.text.ast import Type as Kind
from frontends.llvm.text.lines import Lines as Draft
from frontends.llvm.text.lines import tree
from frontends.llvm.text.syntax import shape_of


@dataclass(frozen=True, slots=True)
class Value:
    """A value of ``type`` (with its lanes), and what it is in IR."""

    type: Type
    operand: Operand

    @property
    def lanes(self) -> int:
        """How many lanes there are; one stands for any number of equal ones."""
        return self.type.lanes

    @property
    def known(self) -> tuple[int, ...]:
        """The lanes where they are known."""
        lanes = self.operand.lanes if isinstance(self.operand, Literal) else ()
        return tuple(x for x in lanes if isinstance(x, int))

    def read_as(self, type_: Type) -> Value:
        """Return its bits as elements of another type of as many."""
        made = type_.of(self.lanes)
        return literal(made, self.known, whole=True) if self.known else Value(made, self.operand)


def ir_type(type_: Type) -> Kind:
    """Return a type of LLVM; raises :class:`NotLowered` for floating point."""
    if type_.is_float:
        raise NotLowered("floating point is not selected")
    return build.integers(type_.lanes, type_.bits)


def literal(type_: Type, lanes: Sequence[int], *, whole: bool = False) -> Value:
    """Return known lanes as a value; equal ones as a single lane, if not as a ``whole``."""
    values = tuple(type_.wrapped(v) for v in lanes)
    if len(set(values)) == 1 and not whole:
        values = values[:1]
    return Value(type_.of(len(values)), build.constant(values, type_.bits))


@dataclass(slots=True)
class Lines:
    """The body of a function, and the declarations it needs."""

    draft: Draft = field(init=False)

    def __post_init__(self) -> None:
        self.draft = Draft(self._names())

    def _names(self) -> Iterator[str]:
        while True:
            yield f"v{len(self.draft.lines)}"

    def make(self, type_: Type, body: build.Body) -> Value:
        """Add an instruction; return its result."""
        return Value(type_, self.draft.add(body))

    def cut(self) -> None:
        """Begin a block: windows are searched within one, so that what was made before is an
        input of what follows.
        """
        label = f"b{len(self.draft.lines)}"
        self.draft.lines += (build.go(label), f"{label}:")

    def spread(self, a: Value, lanes: int) -> Value:
        """Return ``a`` with ``lanes`` lanes."""
        if a.lanes == lanes:
            return a
        if a.known:
            return literal(a.type, a.known * lanes, whole=True)
        return Value(a.type.of(lanes), self.draft.gather([a.operand] * lanes))

    def together(self, *values: Value) -> tuple[Value, ...]:
        """Return values with as many lanes as the longest."""
        lanes = max(v.lanes for v in values)
        return tuple(self.spread(v, lanes) for v in values)

    def binary(self, op: str, a: Value, b: Value) -> Value:
        """Add an instruction of two operands."""
        a, b = self.together(a, b)
        return self.make(a.type, build.binary(op, a.operand, b.operand))

    def compare(self, predicate: str, a: Value, b: Value) -> Value:
        """Add a comparison."""
        a, b = self.together(a, b)
        return self.make(BOOL.of(a.lanes), build.compare(predicate, a.operand, b.operand))

    def select(self, c: Value, a: Value, b: Value) -> Value:
        """Add a choice; one condition may choose whole vectors."""
        a, b = self.together(a, b)
        if c.lanes > a.lanes:
            a, b = self.spread(a, c.lanes), self.spread(b, c.lanes)
        return self.make(a.type, build.select(c.operand, a.operand, b.operand))

    def call(self, name: str, type_: Type, *args: Value, flags: Sequence[int] = ()) -> Value:
        """Add a call of a lanewise intrinsic; ``flags`` are its truth values."""
        args = self.together(*args)
        given = [*(a.operand for a in args), *(build.constant([f], 1) for f in flags)]
        return Value(type_.of(args[0].lanes), self.draft.call(name, given))

    def total(self, name: str, a: Value) -> Value:
        """Add the reduction of all lanes to one."""
        made = a.type.of(1)
        return Value(made, self.draft.call(f"vector.reduce.{name}", [a.operand], ir_type(made)))

    def build(self, values: Sequence[Value]) -> Value:
        """Return a vector of single values."""
        made = values[0].type.of(len(values))
        return Value(made, self.draft.chain([v.operand for v in values]))

    def shuffle(self, a: Value, lanes: Sequence[int]) -> Value:
        """Return some lanes of ``a``, in any order."""
        if a.known:
            return literal(a.type, [a.known[0 if a.lanes == 1 else k] for k in lanes])
        if a.lanes == 1 or tuple(lanes) == tuple(range(a.lanes)):
            return a
        if len(lanes) == 1:
            return self.make(a.type.of(1), build.extract(a.operand, lanes[0]))
        return self.make(a.type.of(len(lanes)), build.shuffle(a.operand, lanes))

    def concatenated(self, values: Sequence[Value]) -> Value:
        """Return vectors of equal lanes one after the other."""
        made = values[0].type.of(sum(v.lanes for v in values))
        if all(v.known for v in values):
            return literal(made, [k for v in values for k in v.known], whole=True)
        return Value(made, tree([v.operand for v in values], self._pair))

    def _pair(self, a: Operand, b: Operand) -> Operand:
        """Return vectors one after the other, known lanes with zeros behind them."""
        (x, _), (y, _) = shape_of(a.type), shape_of(b.type)
        n = max(x, y)
        mask = [*range(x), *range(n, n + y)]
        return self.draft.shuffle(self._fill(a, n), mask, self._fill(b, n))

    def _fill(self, o: Operand, lanes: int) -> Operand:
        if not isinstance(o, Literal):
            return self.draft.widen(o, lanes)
        return build.constant((o.lanes + (0,) * lanes)[:lanes], shape_of(o.type)[1])
