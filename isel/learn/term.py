"""Terms whose widths are expressions: what rules are written of, before they are rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from isel.ir.expr import Expr, term
from isel.ir.ops import OPS
from isel.rules.conditions import Assumptions
from isel.rules.derived import expanded
from isel.rules.number import evaluate, read

_TOKEN: Final = re.compile(r"[()]|(?:\{[^}]*\}|[^\s(){}:]+)(?::(?:\{[^}]*\}|\w+))?")
_NAME: Final = re.compile(r"\b[A-Za-z]\b")
_EXTENSIONS: Final = ("zext", "sext")
_SHOWN: Final = {"zext": 1, "sext": 1, "extract": 2}


SPELLED: Final = frozenset(
    (
        *("add", "sub", "mul", "and", "or", "xor", "not", "neg", "shl", "lshr", "ashr", "ite"),
        *("zext", "sext", "extract", "eq", "ult", "slt", "umin", "umax", "smin", "smax", "abs"),
        *("uadd_sat", "usub_sat", "sadd_sat", "ssub_sat", "sat_s", "sat_su", "sat_u"),
    )
)


@dataclass(frozen=True)
class Term:
    """An operation of terms, or a leaf or literal where ``op`` is empty: its only attribute is then
    the leaf's name or the literal's value.  Integers are expressions over ``w``.
    """

    op: str
    attributes: tuple[str, ...]
    args: tuple[Term, ...]
    width: str

    @cached_property
    def size(self) -> int:
        """The number of operations."""
        return bool(self.op) + sum(a.size for a in self.args)

    @cached_property
    def leaves(self) -> frozenset[str]:
        """The names of leaves, of literals without a value (in capitals), too."""
        if self.op:
            return frozenset[str]().union(*(a.leaves for a in self.args))
        found = _NAME.findall(self.attributes[0])
        return frozenset(n for n in found if n != "w")

    @cached_property
    def binds(self) -> frozenset[str]:
        """The names of leaves that stand for themselves, not in a computed literal."""
        if self.op:
            return frozenset[str]().union(*(a.binds for a in self.args))
        return self.leaves if self.is_leaf else frozenset()

    @cached_property
    def is_leaf(self) -> bool:
        """Tell whether it is a leaf, and no literal of a value."""
        return not self.op and self.attributes[0].isalpha() and self.attributes[0] != "w"

    @cached_property
    def text(self) -> str:
        """The term in the notation of rules, leaves without widths."""
        if self.is_leaf:
            return self.attributes[0]
        if not self.op:
            return f"{_number(self.attributes[0])}:{_number(self.width)}"
        parts = (*(map(_number, self.attributes)), *(a.text for a in self.args))
        return f"({' '.join((self.op, *parts))})"

    def left_text(self, bound: set[str], bit: str = "") -> str:
        """Return it in the notation of rules; leaves have their widths unless they are ``bound``,
        which they are from then on; one is a ``bit``.
        """
        if not self.op:
            name = self.attributes[0]
            if not self.is_leaf or name in bound:
                return self.text
            bound.add(name)
            return f"{name}:{1 if name == bit else _number(self.width)}"
        parts = (*(map(_number, self.attributes)), *(a.left_text(bound, bit) for a in self.args))
        return f"({' '.join((self.op, *parts))})"

    def replace(self, old: Term, new: Term) -> Term:
        """Return it with a term in the place of another; itself where that is nowhere."""
        if self == old:
            return new
        args = tuple(a.replace(old, new) for a in self.args)
        same = all(a is b for a, b in zip(args, self.args, strict=True))
        return self if same else Term(self.op, self.attributes, args, self.width)

    @cached_property
    def canonical(self) -> Term:
        """The term with its leaves named in the order in which they appear; literals without a
        value keep their names.
        """
        own = [n for n in _NAME.findall(self.text) if n in self.binds and n.islower()]
        met = list(dict.fromkeys(own))
        return self._with(dict(zip(met, sorted(met), strict=True)))

    def _with(self, names: Mapping[str, str]) -> Term:
        if self.is_leaf:
            return leaf(names.get(self.attributes[0], self.attributes[0]), self.width)
        return Term(self.op, self.attributes, tuple(a._with(names) for a in self.args), self.width)

    def operations(self) -> Iterator[str]:
        """Yield the operations, from the root."""
        if self.op:
            yield self.op
        for a in self.args:
            yield from a.operations()


def leaf(name: str, width: str = "w") -> Term:
    """Return a leaf, or a literal by its value."""
    return Term("", (name,), (), width)


def apply(op: str, *args: Term, attributes: Sequence[str] = ()) -> Term:
    """Return an operation whose result is as wide as its last operand."""
    return Term(op, tuple(attributes), args, args[-1].width)


def integer(text: str, w: int) -> int:
    """Return an expression over the width of elements at a width."""
    return evaluate(read(text), {"w": w})


def _number(text: str) -> str:
    return text if re.fullmatch(r"\w+|-\d+", text) and not text[0].isupper() else f"{{{text}}}"


def read_term(text: str) -> Term:
    """Read a term in the notation of rules; leaves without a width have ``w`` bits."""
    tokens = _TOKEN.findall(text)
    found, rest = _read(tokens, 0)
    assert rest == len(tokens), text
    return found


def _read(tokens: Sequence[str], at: int) -> tuple[Term, int]:
    token = tokens[at]
    if token != "(":
        name, _, width = token.partition(":")
        return leaf(name.strip("{}"), width.strip("{}") or "w"), at + 1
    op = tokens[at + 1]
    at += 2
    count = _SHOWN.get(op, 1 if op in _WITH_ONE else 0)
    attributes = tuple(t.strip("{}") for t in tokens[at : at + count])
    at += count
    args: list[Term] = []
    while tokens[at] != ")":
        found, at = _read(tokens, at)
        args.append(found)
    width = attributes[-1] if op in _SHOWN else args[-1].width
    return Term(op, attributes, tuple(args), width), at + 1


_WITH_ONE: Final = ("sat_s", "sat_su", "sat_u")


class Builder:
    """Terms at one width, as what is evaluated and proved; names of ``leaves`` stand for terms."""

    def __init__(self, w: int, leaves: Mapping[str, Expr]) -> None:
        self.sizes = {"w": w}
        self._leaves = dict(leaves)
        self._said = Assumptions(self.sizes, self._leaves)
        self._done: dict[Term, Expr] = {}

    def build(self, t: Term) -> Expr:
        """Return a term; raises :class:`isel.ir.ops.WidthError`."""
        found = self._done.get(t)
        if found is None:
            found = self._done[t] = self._build(t)
        return found

    def condition(self, text: str) -> Expr:
        """Return a condition of a rule as one bit."""
        return self._said.condition(read(text))

    def _build(self, t: Term) -> Expr:
        if not t.op:
            name = t.attributes[0]
            if name in self._leaves:
                return self._leaves[name]
            return self._said.value(read(name), evaluate(read(t.width), self.sizes))
        args = tuple(self.build(a) for a in t.args)
        attributes = tuple(evaluate(read(n), self.sizes) for n in t.attributes)
        if t.op in _EXTENSIONS and attributes[0] == args[0].width:
            return args[0]
        if t.op in OPS:
            return term(t.op, *args, attr=attributes)
        return expanded(t.op, args, attributes)
