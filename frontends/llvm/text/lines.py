"""Lines in the making: instructions with fresh names; vectors put together, cut and transposed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from frontends.llvm.text import build
from frontends.llvm.text.ast import IntType, Local, Operand, Symbol, Type, VectorType
from frontends.llvm.text.rewording import narrow_kind
from frontends.llvm.text.syntax import shape_of

_OPCODES = ("add", "and", "or", "xor")


def tree(values: Sequence[Operand], two: Callable[[Operand, Operand], Operand]) -> Operand:
    """Return what values are together, neighbours first."""
    while len(values) > 1:
        pairs = [values[k : k + 2] for k in range(0, len(values), 2)]
        values = [two(*p) if len(p) == 2 else p[0] for p in pairs]
    return values[0]


@dataclass(slots=True)
class Lines:
    """Lines for one place; ``declarations`` are those that they need, by name."""

    names: Iterator[str]
    lines: list[str] = field(default_factory=list)
    declarations: dict[str, str] = field(default_factory=dict)

    def add(self, body: build.Body, called: str = "") -> Local:
        """Add a line, and return what it gives."""
        name = called or next(self.names)
        self.lines.append(body.line(name))
        return Local(name, body.type)

    def call(
        self, name: str, given: Sequence[Operand], kind: Type | None = None, called: str = ""
    ) -> Local:
        """Add a call of an intrinsic that is overloaded by its first operand, whose type its
        result has as well, if no ``kind`` is given.
        """
        of, (count, bits) = given[0].type, shape_of(given[0].type)
        callee = f"llvm.{name}.{f'v{count}' if isinstance(of, VectorType) else ''}i{bits}"
        self.declarations[callee] = build.declaration(callee, kind or of, given)
        return self.add(build.call(callee, kind or of, given), called)

    def join(self, how: str, a: Operand, b: Operand, called: str = "") -> Local:
        """Add what joins two values: by an opcode, or an intrinsic."""
        if how in _OPCODES:
            return self.add(build.binary(how, a, b), called)
        return self.call(how, (a, b), called=called)

    def total(self, how: str, values: Sequence[Operand]) -> Operand:
        """Return what some values are joined, neighbours first."""
        return tree(values, lambda a, b: self.join(how, a, b))

    def cast(self, opcode: str, o: Operand, bits: int) -> Operand:
        """Convert a value to so many bits a lane."""
        kind = narrow_kind(o.type, bits)
        return o if o.type == kind else self.add(build.cast(opcode, o, kind))

    def gather(self, values: Sequence[Operand]) -> Operand:
        """Return a vector of scalars, one of them in all lanes by a shuffle."""
        if len({*values}) > 1 or len(values) == 1:
            return self.chain(values)
        none = build.poison(build.wide(values[0].type, len(values)))
        return self.shuffle(self.add(build.insert(none, values[0], 0)), [0] * len(values))

    def chain(self, values: Sequence[Operand]) -> Operand:
        """Return a vector of scalars, each inserted by itself."""
        last: Operand = build.poison(build.wide(values[0].type, len(values)))
        for k, x in enumerate(values):
            last = self.add(build.insert(last, x, k))
        return last

    def slice(self, vector: Operand, first: int, count: int) -> Operand:
        """Return so many lanes of a vector from one on; the lane itself where it is one."""
        if count == shape_of(vector.type)[0]:
            return vector
        if count == 1:
            return self.add(build.extract(vector, first))
        return self.shuffle(vector, range(first, first + count))

    def shuffle(self, a: Operand, mask: Iterable[int | None], b: Operand | None = None) -> Local:
        """Add what has lanes of two vectors of one type, or of one."""
        return self.add(build.shuffle(a, mask, b))

    def pick(self, o: Operand, mask: Sequence[int]) -> Operand:
        """Return lanes of a vector, itself where these are all of them in order."""
        return o if [*mask] == [*range(shape_of(o.type)[0])] else self.shuffle(o, mask)

    def widen(self, o: Operand, lanes: int) -> Operand:
        """Return a vector of so many lanes that starts with those of a value."""
        old, bits = shape_of(o.type)
        if old == lanes:
            return o
        if old == 1:
            return self.add(build.insert(build.poison(build.integers(lanes, bits)), o, 0))
        return self.shuffle(o, [k if k < old else None for k in range(lanes)])

    def pair(self, a: Operand, b: Operand) -> Operand:
        """Return a vector of any number of lanes and another one behind it."""
        (x, _), (y, _) = shape_of(a.type), shape_of(b.type)
        n = max(x, y, 2)
        a, b = self.widen(a, n), self.widen(b, n)
        return self.shuffle(a, [*range(x), *range(n, n + y)], b)

    def transpose(self, rows: Sequence[Operand]) -> list[Operand]:
        """Return the columns of rows of a type: as many vectors as a row has lanes."""
        kind, count = rows[0].type, len(rows)
        if isinstance(kind, IntType):
            return [self.gather(rows)]
        assert isinstance(kind, VectorType)
        if count == 1:
            return [self.slice(rows[0], k, 1) for k in range(kind.count)]
        if count == kind.count and not kind.count & (kind.count - 1):
            return self._interleave(list(rows), kind.count)
        none = [build.poison(kind)] * ((1 << (count - 1).bit_length()) - count)
        whole = tree([*rows, *none], self._pair)
        columns = ([n * kind.count + k for n in range(count)] for k in range(kind.count))
        return [self.shuffle(whole, x) for x in columns]

    def _interleave(self, rows: list[Operand], count: int) -> list[Operand]:
        """Transpose a square: perfect shuffles of both halves, as often as the logarithm says."""
        half = count // 2
        low = [x for k in range(half) for x in (k, count + k)]
        high = [x + half for x in low]
        for _ in range(half.bit_length()):
            pairs = zip(rows[:half], rows[half:], strict=True)
            rows = [self.shuffle(a, x, b) for a, b in pairs for x in (low, high)]
        return rows

    def _pair(self, a: Operand, b: Operand) -> Operand:
        if isinstance(a, Symbol) and a == b:
            return build.poison(build.wide(a.type, 2 * shape_of(a.type)[0]))
        return self.pair(a, b)
