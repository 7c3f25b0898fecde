"""Conditions of rules as terms: what a proof may assume."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from isel.ir.expr import Expr, const, term
from isel.ir.ops import signed
from isel.rules.number import BOUNDS, COMPARISONS, MOST, Tree, calls, evaluate

_COMPARED: Final = {
    "<": ("slt", False),
    "<=": ("sle", False),
    ">": ("slt", True),
    ">=": ("sle", True),
}
_ARITHMETIC: Final = {"+": "add", "-": "sub", "*": "mul"}
_UNCLEAR: Final = 2
# Whether a value grows with each of its operands: 1 with larger ones, -1 with smaller ones.
_GROWS: Final = {
    "neg": (-1,),
    **dict.fromkeys(("+", "and", "or"), (1, 1)),
    **dict.fromkeys(("-", ">", ">="), (1, -1)),
    **dict.fromkeys(("<", "<="), (-1, 1)),
}


class Unsayable(Exception):
    """An expression of literals that no term says, so that no rule with it can be proved."""


def polarity(e: Tree) -> int:
    """Tell what narrower ranges do to a value: 1 they can make it larger only, -1 smaller only.

    0 where no range matters, 2 where either may be.  A condition is larger where it holds.
    """
    if isinstance(e, int | str):
        return 0
    name, *args = e
    if name in BOUNDS:
        return 1 if name in ("lo", "ulo") else -1
    like = "+" if name == "*" and all(map(_natural, args)) else name
    signs = _GROWS.get(like, (_UNCLEAR, _UNCLEAR))
    moved = {polarity(a) * sign for a, sign in zip(args, signs, strict=False)} - {0}
    return moved.pop() if moved in ({1}, {-1}) else _UNCLEAR if moved else 0


def _natural(e: Tree) -> bool:
    """Tell whether a factor is never negative: an unsigned bound, a literal, a width, a power."""
    match e:
        case int():
            return e >= 0
        case str() | ("ulo" | "uhi", _) | ("**", _, _):
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Sized:
    """A value as a term, read as two's complement, and bounds of it."""

    term: Expr
    low: int
    high: int


class Assumptions:
    """Conditions over the leaves of one instance of a rule.

    The bounds of a term are its value.  As narrower ranges only help (:func:`polarity`), what holds
    for bounds of a term holds for its value: nothing weaker can be assumed.
    """

    def __init__(self, sizes: Mapping[str, int], leaves: Mapping[str, Expr]) -> None:
        self.sizes = sizes
        self.leaves = leaves
        self.most: dict[str, int] = {}  # of literals, by the conditions so far

    def condition(self, e: Tree) -> Expr:
        """Return a one-bit term that is 1 where a condition holds."""
        static = self._static(e)
        if static is not None:
            return const(int(bool(static)), 1)
        assert isinstance(e, tuple) and len(e) == 3
        op, a, b = e
        if op == "and":
            return term("and", self.condition(a), self.condition(b))
        if op == "or":  # what one alternative says holds nowhere else
            known = dict(self.most)
            left, self.most = self.condition(a), dict(known)
            right, self.most = self.condition(b), known
            return term("or", left, right)
        assert op in COMPARISONS
        x, y = _aligned(self._sized(a), self._sized(b), 0, 0)
        self._learn(op, a, b)
        if op in _COMPARED:
            name, turned = _COMPARED[op]
            return term(name, y, x) if turned else term(name, x, y)
        equal = term("eq", x, y)
        return equal if op == "==" else term("not", equal)

    def value(self, e: Tree, width: int) -> Expr:
        """Return an integer modulo ``2**width``."""
        static = self._static(e)
        if static is not None:
            return const(static, width)
        found = self._sized(e).term
        if found.width > width:
            return term("extract", found, attr=(0, width))
        return _signed(found, width)

    def _static(self, e: Tree) -> int | None:
        if any(True for _ in calls(e)):
            return None
        try:
            return evaluate(e, self.sizes)
        except KeyError:
            return None

    def _learn(self, op: str, a: Tree, b: Tree) -> None:
        """Keep what ``C < 5`` says; what is computed with it is under the same premise."""
        bound = self._static(b)
        if isinstance(a, str) and bound is not None and op in ("<", "<="):
            most = bound - (op == "<")
            self.most[a] = min(most, self.most.get(a, most))

    def _sized(self, e: Tree) -> _Sized:
        static = self._static(e)
        if static is not None:
            return _literal(static)
        match e:
            case str():
                leaf = self.leaves[e]
                whole = (1 << leaf.width) - 1
                most = min(whole, max(self.most.get(e, whole), 0))
                return _Sized(term("zext", leaf, attr=(leaf.width + 1,)), 0, most)
            case ("neg", a):
                return self._combined("sub", _literal(0), self._sized(a))
            case ("ulo" | "uhi", str(name)):
                leaf = self.leaves[name]
                return _Sized(term("zext", leaf, attr=(leaf.width + 1,)), 0, (1 << leaf.width) - 1)
            case ("s" | "lo" | "hi", a):
                return self._exact(a)
            case ("**", _, b):
                return self._power(b)
            case (("+" | "-" | "*") as op, a, b):
                return self._combined(_ARITHMETIC[op], self._sized(a), self._sized(b))
        raise Unsayable("a number that is not known before the rule is applied")

    def _exact(self, e: Tree) -> _Sized:
        """Return what signed terms have as a sum, difference or product."""
        match e:
            case str():
                half = 1 << (self.leaves[e].width - 1)
                return _Sized(self.leaves[e], -half, half - 1)
            case (op, a, b):
                return self._combined(_ARITHMETIC[op], self._exact(a), self._exact(b))
        raise Unsayable("bounds of something else than terms")

    def _combined(self, op: str, a: _Sized, b: _Sized) -> _Sized:
        match op:
            case "add":
                low, high = a.low + b.low, a.high + b.high
            case "sub":
                low, high = a.low - b.high, a.high - b.low
            case _:
                ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
                low, high = min(ends), max(ends)
        return _Sized(term(op, *_aligned(a, b, low, high)), low, high)

    def _power(self, e: Tree) -> _Sized:
        exponent = self._sized(e)
        if exponent.high >= MOST:
            raise Unsayable("an exponent without a bound before it, like C < w")
        high = 1 << max(exponent.high, 0)
        one, by = _aligned(_literal(1), exponent, 0, high)
        negative = term("slt", by, const(0, by.width))
        return _Sized(term("ite", negative, const(0, by.width), term("shl", one, by)), 0, high)


def _literal(value: int) -> _Sized:
    return _Sized(const(value, _bits(value)), value, value)


def _bits(value: int) -> int:
    return (value if value >= 0 else ~value).bit_length() + 1


def _aligned(a: _Sized, b: _Sized, low: int, high: int) -> tuple[Expr, Expr]:
    """Return both terms in a width that holds them and values from ``low`` to ``high``."""
    width = max(a.term.width, b.term.width, _bits(low), _bits(high))
    return _signed(a.term, width), _signed(b.term, width)


def _signed(e: Expr, width: int) -> Expr:
    if e.is_const:
        return const(signed(e.value, e.width), width)
    return e if e.width == width else term("sext", e, attr=(width,))
