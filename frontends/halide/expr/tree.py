"""Typed trees of expressions: one kind of node, told apart by its operation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from frontends.halide.expr.types import BOOL, INT32, Type


@dataclass(frozen=True, slots=True)
class Node:
    """An operation on ``args``; ``at`` is its place in the text and no part of what it is.

    ``const`` has its value in ``numbers`` (lanes equal), ``var`` and ``load`` a ``name`` (a load's
    one argument is its index).  ``reduce`` has the kind of reduction in ``name``; its arguments are
    the body and the variable, its numbers the first and the last value of the variable.  ``let``
    binds the variable ``name`` to its first argument in its second.  ``shuffle`` has the element of
    each lane in ``numbers``, ``ramp`` and ``broadcast`` the number of repetitions.  A ``sub`` with
    the name ``wrapping`` wraps at any width.  Every other operation is a row of the table of
    operations.
    """

    op: str
    type: Type
    args: tuple[Node, ...] = ()
    name: str = ""
    numbers: tuple[int, ...] = ()
    at: int = field(default=0, compare=False, repr=False)


def constant(value: int, type_: Type) -> Node:
    """Return a constant, wrapped to its type."""
    return Node("const", type_, numbers=(type_.wrapped(value),))


def cast(type_: Type, a: Node) -> Node:
    """Convert the elements of ``a``."""
    wanted = type_.of(a.type.lanes)
    return a if a.type == wanted else Node("cast", wanted, (a,))


def binary(op: str, a: Node, b: Node) -> Node:
    """Return an operation whose result has the type of its operands."""
    return Node(op, a.type, (a, b))


def compare(op: str, a: Node, b: Node) -> Node:
    """Return a comparison."""
    return Node(op, BOOL.of(a.type.lanes), (a, b))


def select(c: Node, a: Node, b: Node) -> Node:
    """Choose ``a`` where ``c`` holds, ``b`` elsewhere."""
    return Node("select", a.type, (c, a, b))


def matched(a: Node, b: Node) -> tuple[Node, Node]:
    """Return operands where an integer literal beside a vector of integers is in all of its lanes,
    if it fits.
    """
    if b.op == "const":
        return a, _literal_as(b, a.type)
    return (_literal_as(a, b.type), b) if a.op == "const" else (a, b)


def _literal_as(a: Node, type_: Type) -> Node:
    n = type_.lanes
    if n == 1 or a.type != INT32 or type_.is_float:
        return a
    if not type_.low <= a.numbers[0] <= type_.high:
        return a
    one = Node("const", type_.of(1), numbers=a.numbers, at=a.at)
    return Node("broadcast", type_, (one,), numbers=(n,), at=a.at)


def vector_input(name: str, type_: Type, at: int) -> Node:
    """Return neighbouring elements of an input from its first on, as many as the type has lanes."""
    first, step = (Node("const", INT32, numbers=(k,), at=at) for k in (0, 1))
    n = type_.lanes
    index = Node("ramp", INT32.of(n), (first, step), numbers=(n,), at=at)
    return Node("load", type_, (index,), name=name, at=at)


def nodes(root: Node) -> Iterator[Node]:
    """Return every node, operands after users."""
    stack = [root]
    while stack:
        n = stack.pop()
        yield n
        stack.extend(reversed(n.args))
