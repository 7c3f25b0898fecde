"""Lines that move lanes: vectors put together, cut and transposed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from frontends.llvm.text.ast import IntType, Type, VectorType
from frontends.llvm.text.rewording import shuffle


@dataclass(slots=True)
class Lines:
    """Lines, and the types of what they give, by its name with its sign."""

    names: Iterator[str]
    lines: list[str] = field(default_factory=list)
    kinds: dict[str, Type] = field(default_factory=dict)

    def write(self, text: str, kind: Type | None = None, called: str = "") -> str:
        """Write a line, and return the name of what it gives."""
        name = f"%{called or next(self.names)}"
        self.lines.append(f"{name} = {text}")
        if kind is not None:
            self.kinds[name] = kind
        return name

    def gather(self, values: Sequence[str], kind: Type) -> str:
        """Return a vector of scalars."""
        wide = f"<{len(values)} x {kind}>"
        if len(set(values)) == 1 and len(values) > 1:
            one = self.write(f"insertelement {wide} poison, {kind} {values[0]}, i64 0")
            return self.write(shuffle(wide, one, "poison", [0] * len(values)))
        last = "poison"
        for n, x in enumerate(values):
            last = self.write(f"insertelement {wide} {last}, {kind} {x}, i64 {n}")
        return last

    def slice(self, vector: str, kind: VectorType, first: int, count: int) -> str:
        """Return so many lanes of a vector from one on; the lane itself where it is one."""
        if count == kind.count:
            return vector
        if count == 1:
            return self.write(f"extractelement {kind} {vector}, i64 {first}")
        return self.shuffle(vector, "poison", kind, range(first, first + count))

    def shuffle(self, a: str, b: str, kind: Type, lanes: Iterable[int | None]) -> str:
        """Return lanes of two vectors of one type."""
        return self.write(shuffle(kind, a, b, lanes))

    def transpose(self, rows: Sequence[str], kind: Type) -> list[str]:
        """Return the columns of rows of a type: as many vectors as a row has lanes."""
        if isinstance(kind, IntType):
            return [self.gather(rows, kind)]
        assert isinstance(kind, VectorType)
        if len(rows) == 1:
            return [self.slice(rows[0], kind, k, 1) for k in range(kind.count)]
        if len(rows) == kind.count and not kind.count & (kind.count - 1):
            return self._interleave(list(rows), kind)
        whole, wide = self._join(list(rows), kind)
        return [
            self.shuffle(whole, "poison", wide, [n * kind.count + k for n in range(len(rows))])
            for k in range(kind.count)
        ]

    def _interleave(self, rows: list[str], kind: VectorType) -> list[str]:
        """Transpose a square: perfect shuffles of both halves, as often as the logarithm says."""
        half = kind.count // 2
        low = [x for k in range(half) for x in (k, kind.count + k)]
        high = [x + half for x in low]
        for _ in range(half.bit_length()):
            pairs = zip(rows[:half], rows[half:], strict=True)
            rows = [self.shuffle(a, b, kind, x) for a, b in pairs for x in (low, high)]
        return rows

    def _join(self, rows: list[str], kind: VectorType) -> tuple[str, VectorType]:
        """Return rows as one vector, as many as the next power of two, and its type."""
        rows += ["poison"] * ((1 << (len(rows) - 1).bit_length()) - len(rows))
        while len(rows) > 1:
            both = range(2 * kind.count)
            pairs = zip(rows[::2], rows[1::2], strict=True)
            rows = [
                "poison" if a == b == "poison" else self.shuffle(a, b, kind, both) for a, b in pairs
            ]
            kind = VectorType(2 * kind.count, kind.elem)
        return rows[0], kind
