"""Sums as unknowns within their bounds: what holds for all such values holds for the sums.

The mean of nine bytes has seventy-two input bits for a solver; its sum has twelve, and all its
values are soon looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import Final, TypeAlias

from isel.ir import spans
from isel.ir.build import add, all_of, extract, make, mul, ule, zext
from isel.ir.expr import Expr, const, postorder, var
from isel.ir.ops import signed
from isel.ir.ranges import range_of
from isel.ir.spans import Span

_MOST_ATOMS: Final = 32
_ORDERS: Final = {"ult": "slt", "ule": "sle", "slt": "slt", "sle": "sle"}


@dataclass(frozen=True, slots=True)
class _Atom:
    """A term read as an unsigned number, or as two's complement."""

    term: Expr
    signed: bool

    def bounds(self) -> Span:
        return range_of(self.term).read(signed=self.signed)


@dataclass(frozen=True, slots=True)
class _Form:
    """``constant`` plus the sum of factors times atoms, over the integers: a term's value
    modulo two to its width.
    """

    constant: int
    parts: dict[_Atom, int]

    def plus(self, other: _Form, factor: int = 1) -> _Form:
        parts = dict(self.parts)
        for a, c in other.parts.items():
            parts[a] = parts.get(a, 0) + factor * c
        return _Form(self.constant + factor * other.constant, {a: c for a, c in parts.items() if c})

    def times(self, factor: int) -> _Form:
        return _Form(0, {}).plus(self, factor)

    def bounds(self) -> Span:
        """Return the least and the largest value of the sum, the constant included."""
        ends = [sorted(c * b for b in a.bounds()) for a, c in self.parts.items()]
        return self.constant + sum(e[0] for e in ends), self.constant + sum(e[1] for e in ends)


_Sum: TypeAlias = "frozenset[tuple[_Atom, int]]"


def without_sums(bit: Expr, *, innermost: bool = False) -> Expr | None:
    """Return a one-bit term that can be 1 wherever ``bit`` can: its sums of two terms and more are
    new leaves, bounded.

    Sums that differ by a constant or a factor share a leaf, and the same sums are equal.  Of sums
    inside of what other sums add up, the outer ones are leaves, or the ``innermost``.  What
    compares two sums asks for the sign of their difference.  None where nothing changes.
    """
    forms = _forms(bit)
    outer = _with_sums_inside(forms) if innermost else frozenset[Expr]()
    order = {a: i for i, a in enumerate(a for f in forms.values() for a in f.parts)}
    unknowns: dict[_Sum, Expr] = {}
    bounds: list[Expr] = []
    done: dict[Expr, Expr] = {}

    def replaced(form: _Form, w: int) -> Expr:
        factor = gcd(*form.parts.values())
        if form.parts[min(form.parts, key=order.__getitem__)] < 0:
            factor = -factor
        parts = {a: c // factor for a, c in form.parts.items()}
        low, high = _Form(0, parts).bounds()
        key = frozenset(parts.items())
        if key not in unknowns:
            fresh = unknowns[key] = var(f"sum{len(unknowns)}", (high - low).bit_length())
            bounds.append(ule(fresh, const(high - low, fresh.width)))
        fresh = unknowns[key]
        value = zext(fresh, w) if fresh.width <= w else extract(fresh, 0, w)
        return add(mul(value, const(factor, w)), const(factor * low + form.constant, w))

    stack = [bit]
    while stack:
        e = stack[-1]
        if e in done:
            stack.pop()
        elif len(forms[e].parts) > 1 and e not in outer:
            done[e] = replaced(forms[e], e.width)
        elif (
            e.op in _ORDERS
            and outer.isdisjoint(e.args)
            and (difference := _difference(e, forms)) is not None
        ):
            w = e.args[0].width + 2
            done[e] = make(_ORDERS[e.op], (replaced(difference, w), const(0, w)))
        elif e.op == "eq" and forms[e.args[0]] == forms[e.args[1]]:
            done[e] = const(1, 1)
        elif missing := [a for a in e.args if a not in done]:
            stack += missing
        else:
            done[e] = make(e.op, tuple(done[a] for a in e.args), e.attr) if e.args else e
    return None if done[bit] is bit else all_of(done[bit], *bounds)


def _difference(e: Expr, forms: dict[Expr, _Form]) -> _Form | None:
    """Return the difference of two sums that are compared, where neither wraps: its sign is
    what the comparison asks for.
    """
    a, b = forms[e.args[0]], forms[e.args[1]]
    whole = spans.whole(e.args[0].width, signed=e.op in ("slt", "sle"))
    found = a.plus(b, -1)
    inside = spans.within(spans.hull(a.bounds(), b.bounds()), whole)
    return found if inside and len(found.parts) > 1 else None


def _with_sums_inside(forms: dict[Expr, _Form]) -> frozenset[Expr]:
    """Return the sums that add up what has sums inside."""
    inside: set[Expr] = set()
    for e, form in forms.items():
        if len(form.parts) > 1 or not inside.isdisjoint(e.args):
            inside.add(e)
    return frozenset(
        e
        for e, form in forms.items()
        if len(form.parts) > 1 and any(a.term in inside for a in form.parts)
    )


def _forms(root: Expr) -> dict[Expr, _Form]:
    """Return for every sub-term a linear form that it equals modulo two to its width."""
    found: dict[Expr, _Form] = {}
    for e in postorder([root]):
        form = _form(e, found)
        found[e] = (
            form
            if form is not None and len(form.parts) <= _MOST_ATOMS
            else _Form(0, {_Atom(e, signed=False): 1})
        )
    return found


def _form(e: Expr, found: dict[Expr, _Form]) -> _Form | None:
    args = [found[a] for a in e.args]
    match e.op:
        case "const":
            return _Form(signed(e.value, e.width), {})
        case "add" | "sub":
            return args[0].plus(args[1], 1 if e.op == "add" else -1)
        case "neg":
            return args[0].times(-1)
        case "mul" if e.args[1].is_const:
            return args[0].times(signed(e.args[1].value, e.width))
        case "shl" if e.args[1].is_const and e.args[1].value < e.width:
            return args[0].times(1 << e.args[1].value)
        case "extract" if e.int_attr(0) == 0:
            return args[0]
        case "zext" | "sext":
            return _extended(e, args[0])
        case _:
            return None


def _extended(e: Expr, inner: _Form) -> _Form:
    """An extension is the sum itself where the narrow term does not wrap."""
    x, signed = e.args[0], e.op == "sext"
    exact = spans.within(inner.bounds(), spans.whole(x.width, signed=signed))
    return inner if exact else _Form(0, {_Atom(x, signed): 1})
