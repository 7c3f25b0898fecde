"""Sums as unknowns within their bounds: what holds for all such values holds for the sums.

The mean of nine bytes has seventy-two input bits for a solver; its sum has twelve, and all its
values are soon looked at.
"""

from __future__ import annotations

from math import gcd
from typing import Final, TypeAlias

from isel.ir import spans
from isel.ir.build import add, all_of, extract, make, mul, ule, zext
from isel.ir.expr import Expr, const, postorder, var
from isel.ir.linear import Linear, Product, linear

_ORDERS: Final = {"ult": "slt", "ule": "sle", "slt": "slt", "sle": "sle"}


_Sum: TypeAlias = frozenset[tuple[Product, int]]


def without_sums(bit: Expr, *, innermost: bool = False) -> Expr | None:
    """Return a one-bit term that can be 1 wherever ``bit`` can: its sums of two terms and more are
    new leaves, bounded.

    Sums that differ by a constant or a factor share a leaf, and the same sums are equal.  Of sums
    inside of what other sums add up, the outer ones are leaves, or the ``innermost``.  What
    compares two sums asks for the sign of their difference.  None where nothing changes.
    """
    forms = {e: linear(e).in_fields() for e in postorder([bit])}
    outer = _with_sums_inside(forms) if innermost else frozenset[Expr]()
    order = {a: i for i, a in enumerate(a for f in forms.values() for a in f.parts)}
    unknowns: dict[_Sum, Expr] = {}
    bounds: list[Expr] = []
    done: dict[Expr, Expr] = {}

    def replaced(form: Linear, w: int) -> Expr:
        varying = {p: c for p, c in form.parts.items() if p}
        factor = gcd(*varying.values())
        if varying[min(varying, key=order.__getitem__)] < 0:
            factor = -factor
        parts = {p: c // factor for p, c in varying.items()}
        low, high = Linear(parts).bounds()
        key = frozenset(parts.items())
        if key not in unknowns:
            fresh = unknowns[key] = var(f"sum{len(unknowns)}", max((high - low).bit_length(), 1))
            bounds.append(ule(fresh, const(high - low, fresh.width)))
        fresh = unknowns[key]
        value = zext(fresh, w) if fresh.width <= w else extract(fresh, 0, w)
        return add(mul(value, const(factor, w)), const(factor * low + form.constant, w))

    stack = [bit]
    while stack:
        e = stack[-1]
        if e in done:
            stack.pop()
        elif forms[e].size > 1 and e not in outer:
            done[e] = replaced(forms[e], e.width)
        elif (
            e.op in _ORDERS
            and outer.isdisjoint(e.args)
            and (difference := _difference(e, forms)) is not None
        ):
            w = e.args[0].width + 2
            done[e] = make(_ORDERS[e.op], (replaced(difference, w), const(0, w)))
        elif e.op == "eq" and (
            forms[e.args[0]] == forms[e.args[1]] or _polynomial(e.args[0]) == _polynomial(e.args[1])
        ):
            done[e] = const(1, 1)
        elif missing := [a for a in e.args if a not in done]:
            stack += missing
        else:
            done[e] = make(e.op, tuple(done[a] for a in e.args), e.attr) if e.args else e
    return None if done[bit] is bit else all_of(done[bit], *bounds)


def _polynomial(e: Expr) -> Linear:
    """Return a term as a sum in which products of sums are multiplied out."""
    return linear(e, degree=2).modulo(e.width)


def _difference(e: Expr, forms: dict[Expr, Linear]) -> Linear | None:
    """Return the difference of two sums that are compared, where neither wraps: its sign is
    what the comparison asks for.
    """
    a, b = forms[e.args[0]], forms[e.args[1]]
    whole = spans.whole(e.args[0].width, signed=e.op in ("slt", "sle"))
    found = a.plus(b, -1)
    inside = spans.within(spans.hull(a.bounds(), b.bounds()), whole)
    return found if inside and found.size > 1 else None


def _with_sums_inside(forms: dict[Expr, Linear]) -> frozenset[Expr]:
    """Return the sums that add up what has sums inside."""
    inside: set[Expr] = set()
    for e, form in forms.items():
        if form.size > 1 or not inside.isdisjoint(e.args):
            inside.add(e)
    return frozenset(
        e
        for e, form in forms.items()
        if form.size > 1 and any(a.term in inside for p in form.parts for a in p)
    )
