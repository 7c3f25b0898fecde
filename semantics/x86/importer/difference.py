"""The difference of two index expressions, by their text: what of it does not cancel."""

from __future__ import annotations

from semantics.x86.importer.syntax import (
    Apply,
    Expression,
    Infix,
    Num,
    Prefix,
    Slice,
    Ternary,
    Var,
    View,
)  # fmt: skip


def difference(high: Expression, low: Expression) -> list[tuple[Expression, int]]:
    """Return the terms of ``high - low`` that do not cancel."""
    left: list[tuple[Expression, int]] = []
    for e, sign in (*_terms(high, 1), *_terms(low, -1)):
        key = _shape(e)
        match = next((k for k, (o, s) in enumerate(left) if s == -sign and _shape(o) == key), None)
        if match is None:
            left.append((e, sign))
        else:
            del left[match]
    return left


def _terms(e: Expression, sign: int) -> list[tuple[Expression, int]]:
    if isinstance(e, Infix) and e.op in ("+", "-"):
        return _terms(e.left, sign) + _terms(e.right, sign if e.op == "+" else -sign)
    return [(e, sign)]


def _shape(e: Expression) -> tuple[object, ...]:
    """Return an expression without its positions."""
    match e:
        case Num(value=v):
            return (v,)
        case Var(name=n):
            return (n,)
        case Slice(base=b, high=h, low=l):
            return ("slice", _shape(b), _shape(h), _shape(l))
        case View(base=b, width=w, index=i):
            return ("view", _shape(b), w, _shape(i) if i is not None else ())
        case Infix(op=op, left=a, right=b):
            return (op, _shape(a), _shape(b))
        case Prefix(op=op, arg=a):
            return (op, _shape(a))
        case Ternary(test=t, yes=y, no=n):
            return ("?", _shape(t), _shape(y), _shape(n))
        case Apply(name=n, args=args):
            return (n, *(_shape(a) for a in args))
