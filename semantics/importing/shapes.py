"""Formulas without their numbers, so that formulas of many lanes can be compared and made one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from isel.spec.sem_syntax import (
    Binary,
    Call,
    Choice,
    Element,
    Fold,
    Name,
    Node,
    Number,
    Pick,
    Unary,
)

Shape = tuple[object, ...]


@lru_cache(maxsize=1 << 15)
def shape(node: Node) -> Shape:
    """Return everything of a formula but its numbers."""
    match node:
        case Number():
            return ("#",)
        case Name(name=n):
            return ("name", n)
        case Unary(op=op, arg=a):
            return (op, shape(a))
        case Binary(op=op, left=a, right=b):
            return (op, shape(a), shape(b))
        case Choice(condition=c, yes=a, no=b):
            return ("?", shape(c), shape(a), shape(b))
        case Element(operand=o, index=i):
            return ("element", o, shape(i))
        case Call(function=f, args=args):
            return ("call", f, *(shape(a) for a in args))
        case Fold(op=op, variable=v, count=n, body=b):
            return ("fold", op, v, shape(n), shape(b))
        case Pick(table=t, base=b, count=n, index=i):
            return ("pick", t, shape(b), shape(n), shape(i))


def numbers(node: Node) -> list[int]:
    """Return the numbers of a formula, from left to right."""
    found: list[int] = []
    _collect(node, found)
    return found


def _collect(node: Node, found: list[int]) -> None:
    if isinstance(node, Number):
        found.append(node.value)
    for child in children(node):
        _collect(child, found)


def children(node: Node) -> tuple[Node, ...]:
    """Return the operands of a node."""
    match node:
        case Number() | Name():
            return ()
        case Unary(arg=a):
            return (a,)
        case Binary(left=a, right=b):
            return a, b
        case Choice(condition=c, yes=a, no=b):
            return c, a, b
        case Element(index=i):
            return (i,)
        case Call(args=args):
            return args
        case Fold(count=n, body=b):
            return n, b
        case Pick(base=b, count=n, index=i):
            return b, n, i


def filled(node: Node, values: Sequence[Node]) -> Node:
    """Return a formula with its numbers, from left to right, replaced."""
    return _filled(node, iter(values))


def _filled(node: Node, values: Iterator[Node]) -> Node:
    match node:
        case Number():
            return next(values)
        case Name():
            return node
        case Unary(op=op, arg=a):
            return Unary(op, _filled(a, values))
        case Binary(op=op, left=a, right=b):
            left = _filled(a, values)
            return tidy(Binary(op, left, _filled(b, values)))
        case Choice(condition=c, yes=a, no=b):
            test, yes = _filled(c, values), _filled(a, values)
            return Choice(test, yes, _filled(b, values))
        case Element(operand=o, index=i):
            return Element(o, _filled(i, values))
        case Call(function=f, args=args):
            return _tidy_call(Call(f, tuple(_filled(a, values) for a in args)))
        case Fold(op=op, variable=v, count=n, body=b):
            count = _filled(n, values)
            return Fold(op, v, count, _filled(b, values))
        case Pick(table=t, base=b, count=n, index=i):
            base, count = _filled(b, values), _filled(n, values)
            return Pick(t, base, count, _filled(i, values))


def _tidy_call(call: Call) -> Node:
    """Return a slice of low bits as a truncation."""
    if call.function == "extract" and isinstance(call.args[1], Number) and call.args[1].value == 0:
        return Call("trunc", (call.args[0], call.args[2]))
    return call


def tidy(node: Node) -> Node:
    """Return the sum or product without its neutral operand."""
    if not isinstance(node, Binary):
        return node
    a, b = node.left, node.right
    if isinstance(a, Number) and isinstance(b, Number) and node.op in ("+", "*"):
        return Number(a.value + b.value if node.op == "+" else a.value * b.value)
    if isinstance(b, Number) and (
        (node.op in ("+", "-", ">>") and b.value == 0) or (node.op == "*" and b.value == 1)
    ):
        return a
    if isinstance(a, Number) and a.value == 0 and node.op == "+":
        return b
    if isinstance(b, Number) and b.value < 0 and node.op == "+":
        return Binary("-", a, Number(-b.value))
    if (
        node.op == "+"
        and isinstance(b, Number)
        and isinstance(a, Binary)
        and a.op == "+"
        and isinstance(a.right, Number)
    ):
        return tidy(Binary("+", a.left, Number(a.right.value + b.value)))
    return node
