"""Evaluate terms bottom-up in any algebra; shared sub-terms are evaluated once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from isel.ir.expr import Expr, unseen
from isel.ir.ops import OPS, Attr, Op

V = TypeVar("V")


class Algebra(Protocol[V]):
    """A domain in which terms can be evaluated."""

    def const(self, value: int, width: int) -> V:
        """Return the literal ``value``."""
        ...

    def apply(self, op: Op, args: Sequence[V], widths: Sequence[int], attr: Attr, width: int) -> V:
        """Apply ``op`` to operands of ``widths``; the result has ``width`` bits."""
        ...


def evaluate_all(
    roots: Sequence[Expr], env: Mapping[Expr, V], algebra: Algebra[V]
) -> dict[Expr, V]:
    """Return the value of every sub-term of ``roots``; ``env`` gives the leaves; a sub-term in it
    is not computed again.

    Raises ``KeyError`` with the leaf that ``env`` lacks.
    """
    done: dict[Expr, V] = dict(env)
    for root in roots:
        evaluate_onto(root, done, algebra)
    return done


def evaluate_onto(root: Expr, done: dict[Expr, V], algebra: Algebra[V]) -> V:
    """Return the value of ``root`` and add those of its sub-terms to ``done``, which has at
    least the leaves.
    """
    for e in unseen(root, done):
        if e.op == "const":
            done[e] = algebra.const(e.value, e.width)
        elif e.is_leaf:
            raise KeyError(e)
        else:
            done[e] = algebra.apply(
                OPS[e.op], [done[a] for a in e.args], [a.width for a in e.args], e.attr, e.width
            )
    return done[root]


def evaluate(root: Expr, env: Mapping[Expr, V], algebra: Algebra[V]) -> V:
    """Return the value of ``root``."""
    return evaluate_all([root], env, algebra)[root]
