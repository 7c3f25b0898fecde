"""Canonical forms of terms up to the names of their leaves."""

from __future__ import annotations

from typing import Final

from isel.ir.build import make
from isel.ir.expr import Expr, leaves, relabel, substitute, var

_FORMALS: Final[dict[tuple[int, int], Expr]] = {}
_CANONICAL: Final[dict[Expr, Expr]] = {}


def formal(i: int, width: int) -> Expr:
    """Return the ``i``-th formal leaf of a canonical term."""
    key = (i, width)
    found = _FORMALS.get(key)
    if found is None:
        found = _FORMALS[key] = var(f"x{i}", width)
    return found


def free(width: int) -> Expr:
    """Return an operand that may be anything: no leaf, and the value does not depend on it."""
    return var("free", width)


def canonical(root: Expr) -> tuple[Expr, tuple[Expr, ...]]:
    """Return ``root`` with its leaves renamed ``x0, x1, …`` in order of first use, and those
    leaves.

    Two terms that are equal up to renaming have the same (identical) canonical term.
    """
    order = leaves(root)
    found = _CANONICAL.get(root)
    if found is None:
        found = _CANONICAL[root] = rename(
            root, {e: formal(i, e.width) for i, e in enumerate(order)}
        )
    return found, order


def matched(form: Expr, root: Expr) -> tuple[Expr, ...] | None:
    """Return the leaves of ``root`` if its canonical term is ``form``, else None; no term is
    made for that.
    """
    image: dict[Expr, Expr] = {}
    stack = [(root, form)]
    while stack:
        e, f = stack.pop()
        known = image.setdefault(e, f)
        if known is not f:
            return None
        if e.is_leaf:
            if f.op != "var" or e.width != f.width:
                return None
        elif not e.args:
            if e is not f:
                return None
        elif e.op != f.op or e.attr != f.attr:
            return None
        else:
            stack.extend(
                (a, b) for a, b in zip(e.args, f.args, strict=True) if image.get(a) is not b
            )
    origin = {f: e for e, f in image.items() if e.is_leaf}
    order = leaves(form)
    return tuple(origin[f] for f in order) if len(order) == sum(e.is_leaf for e in image) else None


def rename(root: Expr, mapping: dict[Expr, Expr]) -> Expr:
    """Replace leaves, each by one of its width, without simplifying."""
    return relabel(root, mapping)


def instantiate(root: Expr, mapping: dict[Expr, Expr]) -> Expr:
    """Replace leaves and simplify."""
    return substitute(root, mapping, make, choose=True)
