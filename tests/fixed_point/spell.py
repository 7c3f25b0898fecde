"""Vector IR in primitive operations: a line an operation, every value a vector of one length."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Type:
    """An integer of ``width`` bits, read as signed or not."""

    width: int
    signed: bool

    @property
    def name(self) -> str:
        return f"{'i' if self.signed else 'u'}{self.width}"

    @property
    def wide(self) -> Type:
        return Type(2 * self.width, self.signed)

    @property
    def least(self) -> int:
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def most(self) -> int:
        return (1 << (self.width - self.signed)) - 1


@dataclass(frozen=True, slots=True)
class Value:
    """What a line defines."""

    text: str
    type: Type


@dataclass(slots=True)
class Spelling:
    """The lines of one function, whose vectors have ``lanes`` lanes."""

    lanes: int
    lines: list[str] = field(default_factory=list)
    letter: str = "v"  # that names begin with

    def vector(self, width: int) -> str:
        return f"<{self.lanes} x i{width}>"

    def literal(self, value: int, t: Type) -> Value:
        return Value(f"splat (i{t.width} {value})", t)

    def _line(self, body: str, t: Type) -> Value:
        name = f"%{self.letter}{len(self.lines)}"
        self.lines.append(f"{name} = {body}")
        return Value(name, t)

    def two(self, op: str, a: Value, b: Value) -> Value:
        """Apply an operation of the IR."""
        return self._line(f"{op} {self.vector(a.type.width)} {a.text}, {b.text}", a.type)

    def add(self, a: Value, b: Value) -> Value:
        return self.two("add", a, b)

    def sub(self, a: Value, b: Value) -> Value:
        return self.two("sub", a, b)

    def mul(self, a: Value, b: Value) -> Value:
        return self.two("mul", a, b)

    def both(self, a: Value, b: Value) -> Value:
        return self.two("and", a, b)

    def left(self, a: Value, b: Value) -> Value:
        return self.two("shl", a, b)

    def right(self, a: Value, b: Value) -> Value:
        return self.two("ashr" if a.type.signed else "lshr", a, b)

    def call(self, name: str, a: Value, *more: Value) -> Value:
        """Call an intrinsic of vectors; a flag ``i1 false`` follows what LLVM's ``abs`` takes."""
        kind = self.vector(a.type.width)
        given = [f"{kind} {x.text}" for x in (a, *more)] + ["i1 false"] * (name == "abs")
        callee = f"llvm.{name}.v{self.lanes}i{a.type.width}"
        return self._line(f"call {kind} @{callee}({', '.join(given)})", a.type)

    def cast(self, a: Value, t: Type) -> Value:
        """Extend by the sign of what is extended, or truncate; the bits stay where widths are
        equal.
        """
        width = a.type.width
        if width == t.width:
            return Value(a.text, t)
        op = "trunc" if t.width < width else "sext" if a.type.signed else "zext"
        return self._line(f"{op} {self.vector(width)} {a.text} to {self.vector(t.width)}", t)

    def pick(self, how: str, a: Value, b: Value, x: Value, y: Value) -> Value:
        """Return ``x`` where ``a`` compares as ``how`` (lt, gt) with ``b``, else ``y``."""
        sign = "s" if a.type.signed else "u"
        bit = self._line(
            f"icmp {sign}{how} {self.vector(a.type.width)} {a.text}, {b.text}", Type(1, False)
        )
        kind = self.vector(x.type.width)
        return self._line(
            f"select {self.vector(1)} {bit.text}, {kind} {x.text}, {kind} {y.text}", x.type
        )

    def clamped(self, a: Value, t: Type) -> Value:
        """Clamp to the range of a type, by the bounds that can be exceeded, and convert."""
        if a.type.least < t.least:
            low = self.literal(t.least, a.type)
            a = self.pick("lt", a, low, low, a)
        if a.type.most > t.most:
            high = self.literal(t.most, a.type)
            a = self.pick("gt", a, high, high, a)
        return self.cast(a, t)

    def function(self, result: Value, *arguments: Value) -> str:
        """Return ``@select`` of its arguments."""
        given = ", ".join(f"{self.vector(a.type.width)} noundef {a.text}" for a in arguments)
        kind = self.vector(result.type.width)
        body = "".join(f"  {x}\n" for x in self.lines)
        return f"define {kind} @select({given}) {{\n{body}  ret {kind} {result.text}\n}}\n"
