"""Expressions as LLVM IR: a function whose arguments are the vectors that the expression reads.

The function is exact: 8- and 16-bit and unsigned arithmetic wraps, int32 and int64 arithmetic
carries ``nsw`` (Halide leaves its overflow undefined), and arguments are ``noundef``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from frontends.halide.expr.bounds import Bounds, inside
from frontends.halide.expr.expand import EXPANSIONS
from frontends.halide.expr.lines import Lines, Value, ir_type, literal
from frontends.halide.expr.lower_ops import OPS, STEPS, converted, past_the_end
from frontends.halide.expr.meaning import apply
from frontends.halide.expr.places import Input, Inputs, Known, NotLowered, Places, places, repeated
from frontends.halide.expr.respell import OTHERWISE, scaled
from frontends.halide.expr.tree import Node, nodes
from frontends.halide.expr.types import INT32, Type
from frontends.llvm.text import build
from frontends.llvm.text.ast import Local, PtrType

LANE: Final = "x"
_MOST: Final = 4096
_FEW: Final = 8  # totals that are worth a reduction each
_TOTALS: Final = {"sum": "add", "maximum": "max", "minimum": "min"}


@dataclass(frozen=True, slots=True)
class Lowered:
    """A function ``@select`` as text without a target, its result and its arguments in order."""

    text: str
    type: Type
    inputs: tuple[Input, ...]


def is_vector(node: Node) -> bool:
    """Tell whether an expression spells out its lanes, so that ``x`` is nothing special in it."""
    return any(n.type.lanes > 1 for n in nodes(node))


@dataclass(frozen=True, slots=True)
class Spelling:
    """One of several equal functions: other words for some operations, each total of a
    reduction by itself, arguments in the opposite order; or pointers to what is ``loaded``.
    """

    otherwise: bool = False
    apart: bool = False
    backwards: bool = False
    loaded: bool = False


def lower(node: Node, lanes: int = 1, spelling: Spelling | None = None) -> Lowered:
    """Lower an expression; one of single lanes is evaluated for ``x`` from 0 to ``lanes - 1``.

    Raises :class:`NotLowered` for floating point, gathers and what has no integer meaning.
    """
    frame = {} if is_vector(node) else {LANE: tuple(range(lanes))}
    inputs = Inputs()
    spelling = spelling or Spelling()
    _Writer(inputs, frame, spelling).result(node, lanes)  # finds how far each input reaches
    writer = _Writer(inputs, frame, spelling)
    result = writer.result(node, lanes)
    found = tuple(inputs.found.values())[:: -1 if spelling.backwards else 1]
    values = [Local(i.name, ir_type(i.type.of(i.size))) for i in found]
    pointers = [Local(f"{o.name}.at", PtrType()) for o in values] if spelling.loaded else []
    pairs = zip(values, pointers, strict=False)
    loads = [build.load(o.type, at, 1).line(o.name) for o, at in pairs]
    draft = writer.lines.draft
    arguments = (f"{o.type} noundef %{o.name}" for o in pointers or values)
    body = (*loads, *draft.lines, build.give(result.operand))
    lines = [
        f"define {ir_type(result.type)} @select({', '.join(arguments)}) {{",
        *(line if line.endswith(":") else f"  {line}" for line in body),
        "}",
        *draft.declarations.values(),
    ]
    return Lowered("\n".join(lines) + "\n", result.type, found)


def _divisions(n: Node) -> Iterator[Node]:
    """Yield the divisions by constants whose operands are all in scope at the root, inner ones
    first.
    """
    if n.op not in ("load", "let", "reduce"):
        for a in n.args:
            yield from _divisions(a)
        if n.op == "div" and n.args[1].op == "const":
            yield n


@dataclass(slots=True)
class _Writer:
    """Writes one expression; ``known`` holds the lanes of variables whose values are known,
    ``part`` those of them that are computed (all, if None).
    """

    inputs: Inputs
    known: Known
    spelling: Spelling
    lines: Lines = field(default_factory=Lines)
    bound: dict[str, Node] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    bounds: Bounds = field(default_factory=Bounds)
    part: tuple[int, int] | None = None
    done: dict[Node, Value] = field(default_factory=dict)

    def result(self, node: Node, lanes: int) -> Value:
        for division in _divisions(node):
            self.value(division)  # before all else: it ends a block
        wanted = max(node.type.lanes, lanes if LANE in self.known else 1)
        return self.lines.spread(self.value(node), wanted)

    def value(self, n: Node) -> Value:
        found = self.done.get(n)
        if found is None:
            found = self.done[n] = self._value(n)
        return found

    def _value(self, n: Node) -> Value:
        if n.type.is_float:
            raise NotLowered("floating point is not selected")
        match n.op:
            case "const":
                return literal(n.type, n.numbers)
            case "var":
                return self._variable(n)
            case "load":
                return self._load(n)
            case "let":
                return self._let(n)
            case "reduce":
                return self._reduce(n)
            case "ramp":
                return self._ramp(n)
            case "broadcast":
                return self._broadcast(n)
            case "shuffle":
                parts = [self.lines.spread(self.value(a), a.type.lanes) for a in n.args]
                return self.lines.shuffle(self.lines.concatenated(parts), n.numbers)
            case "vector_reduce":
                whole = self.lines.spread(self.value(n.args[0]), n.args[0].type.lanes)
                return self._steps(n, n.args[0], whole, whole.lanes // n.type.lanes)
        return self._operation(n)

    def _operation(self, n: Node) -> Value:
        again = scaled(n, self.bounds)
        if again is None and self.spelling.otherwise and n.op in OTHERWISE:
            again = OTHERWISE[n.op](n, self.bounds)
        if again is not None:
            return self.value(again)
        args = [self.value(a) for a in n.args]
        if n.op == "reinterpret" and n.args[0].type.lanes != n.type.lanes:
            whole = self.lines.spread(args[0], n.args[0].type.lanes)
            return self.lines.make(n.type, build.cast("bitcast", whole.operand, ir_type(n.type)))
        if all(a.known for a in args):
            lanes = max(a.lanes for a in args)
            rows = zip(*(repeated(a.known, lanes) for a in args), strict=True)
            types = [a.type for a in n.args]
            return literal(n.type, [apply(n.op, n.type.of(1), types, row) for row in rows])
        if n.op in EXPANSIONS:
            return self.value(EXPANSIONS[n.op](n))
        write = OPS.get(n.op)
        if write is None:
            raise NotLowered(f"'{n.op}' has no lowering")
        return write(self.lines, n, args, self.bounds)

    def _variable(self, n: Node) -> Value:
        if n.name in self.known:
            return literal(n.type, self._in_part(self.known[n.name]))
        if n.name in self.values:
            return self.values[n.name]
        return self._read(n.name, n.type, Places((), (0,)))

    def _let(self, n: Node) -> Value:
        value, body = n.args
        known = {k: v for k, v in self.known.items() if k != n.name}
        bound, values = {**self.bound, n.name: value}, {**self.values, n.name: self.value(value)}
        return replace(self, known=known, bound=bound, values=values, done={}).value(body)

    def _load(self, n: Node) -> Value:
        index, *others = (places(i, self.known, self.bound) for i in n.args)
        if any(len(o.lanes) > 1 for o in others):
            raise NotLowered("lanes along a dimension other than the first")
        rest = tuple((f"{k}: {o}", 1) for k, o in enumerate(others))
        return self._read(n.name, n.type, index, rest)

    def _read(
        self, name: str, type_: Type, at: Places, rest: tuple[tuple[str, int], ...] = ()
    ) -> Value:
        made, lanes = self.inputs.of(name, type_, at, rest)
        kind = made.type.of(made.size)
        whole = Value(kind, Local(made.name, ir_type(kind)))
        return self.lines.shuffle(whole, self._in_part(lanes))

    def _ramp(self, n: Node) -> Value:
        base, stride = (self.value(a) for a in n.args)
        inner, count = n.args[0].type.lanes, n.numbers[0]
        if not stride.known:
            raise NotLowered("a stride that is not known")
        steps = [v * i for i in range(count) for v in repeated(stride.known, inner)]
        if base.known:
            starts = repeated(base.known, inner) * count
            return literal(n.type, [a + b for a, b in zip(starts, steps, strict=True)])
        if inner > 1:
            base = self.lines.spread(base, inner)
            base = self.lines.shuffle(base, tuple(range(inner)) * count)
        return self.lines.binary("add", base, literal(n.type, steps))

    def _broadcast(self, n: Node) -> Value:
        (a,) = (self.value(a) for a in n.args)
        return a if a.lanes == 1 else self.lines.shuffle(a, tuple(range(a.lanes)) * n.numbers[0])

    def _reduce(self, n: Node) -> Value:
        width = max(map(len, self.known.values()), default=1)
        if not self.spelling.apart or self.part or not 1 < width <= _FEW or n.name not in _TOTALS:
            return self._over(n, width)
        totals: list[Value] = []
        for i in range(width):
            values = {k: self.lines.shuffle(v, (i,)) for k, v in self.values.items()}
            inner = replace(self, part=(i, i + 1), done={}, values=values)
            totals.append(inner._over(n, width))
        half = n.type.narrow
        if n.type.bits != INT32.bits or not inside(self.bounds.of(n), half):
            return self.lines.build(totals)
        # LLVM takes totals of 32 bits that it sees gathered apart again
        whole = self.lines.build([converted(self.lines, t, n.type, half) for t in totals])
        return converted(self.lines, whole, half, n.type)

    def _over(self, n: Node, width: int) -> Value:
        """Evaluate the body of a reduction with a lane for each value of its variable, the
        variable varying fastest, and combine them.
        """
        body, variable = n.args
        first, last = n.numbers
        count = last - first + 1
        if width * count > _MOST:
            raise NotLowered(f"a reduction over {count} values of {width} lanes")
        known = {
            k: tuple(x for x in v for _ in range(count)) if len(v) > 1 else v
            for k, v in self.known.items()
        }
        values = dict(self.values)
        for k, v in values.items():
            if v.lanes > 1:
                values[k] = self.lines.shuffle(v, [i // count for i in range(v.lanes * count)])
        known[variable.name] = tuple(range(first, last + 1)) * width
        part = (self.part[0] * count, self.part[1] * count) if self.part else None
        inner = replace(self, known=known, values=values, part=part, done={})
        lanes = part[1] - part[0] if part else width * count
        return self._steps(n, body, self.lines.spread(inner.value(body), lanes), count)

    def _in_part(self, lanes: tuple[int, ...]) -> tuple[int, ...]:
        return lanes if self.part is None or len(lanes) == 1 else lanes[slice(*self.part)]

    def _steps(self, n: Node, body: Node, a: Value, count: int) -> Value:
        """Combine each run of ``count`` lanes, the first lane first; what cannot saturate is a
        plain sum.
        """
        kind, type_, lanes = n.name, n.type.of(1), a.lanes // count
        low, high = reach = self.bounds.totals(kind, body, count)
        if kind == "saturating_sum":
            almost = inside(self.bounds.totals(kind, body, count - 1), type_)
            if almost and high == type_.high + 1 and low > type_.low:
                plain = self._steps(replace(n, name="sum"), body, a, count)
                return past_the_end(self.lines, type_, plain)
            kind = "sum" if inside(reach, type_) else kind
        if kind in _TOTALS and not a.known and count > 1 and lanes == 1:
            name = ("" if kind == "sum" else "s" if type_.signed else "u") + _TOTALS[kind]
            common = INT32 if kind == "sum" and inside(reach, INT32) else type_
            total = self.lines.total(name, converted(self.lines, a, type_, common))
            return converted(self.lines, total, common, type_)
        while self.spelling.otherwise and kind in _TOTALS and count > 2 and count % 2 == 0:
            halves = [self.lines.shuffle(a, range(k, a.lanes, 2)) for k in (0, 1)]
            a, count = STEPS[kind](self.lines, type_, *halves), count // 2
        parts = [self.lines.shuffle(a, range(k, a.lanes, count)) for k in range(count)]
        total = parts[0]
        for p in parts[1:]:
            total = STEPS[kind](self.lines, type_, total, p)
        return total
