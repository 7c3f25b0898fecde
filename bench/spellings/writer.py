"""Terms of integers as LLVM IR on vectors, in one of several spellings."""

from __future__ import annotations

from dataclasses import dataclass, field

_TYPE = {"u": "zext", "i": "sext"}


@dataclass(frozen=True, slots=True)
class Spelling:
    """The bits in which all is computed, whether the least and greatest are choices, and whether
    LLVM's passes run over it.
    """

    name: str
    bits: int
    chooses: bool = False
    passes: bool = False


SPELLINGS = (
    Spelling("plain", 32),
    Spelling("choices", 32, chooses=True),
    Spelling("long", 64),
    Spelling("long choices", 64, chooses=True),
    Spelling("after -O3", 32, chooses=True, passes=True),
)


@dataclass(eq=False)
class Writer:
    """Collects the lines of a function."""

    spelling: Spelling
    lanes: int
    lines: list[str] = field(default_factory=list)
    declared: set[str] = field(default_factory=set)

    @property
    def type(self) -> str:
        """The type in which all is computed."""
        return f"<{self.lanes} x i{self.spelling.bits}>"

    def line(self, text: str) -> str:
        """Add an instruction; return its value."""
        name = f"%t{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def number(self, n: int) -> Term:
        """Return a literal in all lanes."""
        return Term(self, f"splat (i{self.spelling.bits} {n})")

    def operation(self, op: str, a: Term, b: Term | int) -> Term:
        """Return an operation of two terms."""
        other = self.number(b) if isinstance(b, int) else b
        return Term(self, self.line(f"{op} {self.type} {a.text}, {other.text}"))

    def where(self, condition: str, yes: Term, no: Term) -> Term:
        """Return a choice."""
        bits = f"<{self.lanes} x i1>"
        return Term(
            self,
            self.line(f"select {bits} {condition}, {self.type} {yes.text}, {self.type} {no.text}"),
        )

    def _least(self, name: str, order: str, a: Term, b: Term) -> Term:
        if self.spelling.chooses:
            test = self.line(f"icmp {order} {self.type} {a.text}, {b.text}")
            return self.where(test, a, b)
        called = f"@llvm.{name}.v{self.lanes}i{self.spelling.bits}"
        self.declared.add(f"declare {self.type} {called}({self.type}, {self.type})")
        return Term(
            self,
            self.line(f"call {self.type} {called}({self.type} {a.text}, {self.type} {b.text})"),
        )

    def least(self, a: Term, b: Term) -> Term:
        """Return the smaller of two."""
        return self._least("smin", "slt", a, b)

    def most(self, a: Term, b: Term) -> Term:
        """Return the greater of two."""
        return self._least("smax", "sgt", a, b)

    def clip(self, x: Term, low: int, high: int) -> Term:
        """Return what is nearest within bounds."""
        return self.least(self.most(x, self.number(low)), self.number(high))

    def size(self, x: Term) -> Term:
        """Return the absolute value."""
        if self.spelling.chooses:
            minus = self.operation("sub", self.number(0), x)
            return self.where(
                self.line(f"icmp slt {self.type} {x.text}, zeroinitializer"), minus, x
            )
        called = f"@llvm.abs.v{self.lanes}i{self.spelling.bits}"
        self.declared.add(f"declare {self.type} {called}({self.type}, i1)")
        return Term(self, self.line(f"call {self.type} {called}({self.type} {x.text}, i1 false)"))

    def read(self, text: str, kind: str) -> Term:
        """Return an input of a kind, extended."""
        own = f"<{self.lanes} x i{kind[1:]}>"
        return Term(self, self.line(f"{_TYPE[kind[0]]} {own} {text} to {self.type}"))


@dataclass(frozen=True, slots=True)
class Term:
    """A value of all lanes."""

    writer: Writer
    text: str

    def __add__(self, other: Term | int) -> Term:
        return self.writer.operation("add", self, other)

    def __sub__(self, other: Term | int) -> Term:
        return self.writer.operation("sub", self, other)

    def __rsub__(self, other: int) -> Term:
        return self.writer.operation("sub", self.writer.number(other), self)

    def __mul__(self, other: Term | int) -> Term:
        return self.writer.operation("mul", self, other)

    def __rshift__(self, by: int) -> Term:
        return self.writer.operation("ashr", self, by)

    def __lt__(self, other: Term | int) -> str:
        o = self.writer.number(other) if isinstance(other, int) else other
        return self.writer.line(f"icmp slt {self.writer.type} {self.text}, {o.text}")

    def __gt__(self, other: Term | int) -> str:
        o = self.writer.number(other) if isinstance(other, int) else other
        return self.writer.line(f"icmp sgt {self.writer.type} {self.text}, {o.text}")
