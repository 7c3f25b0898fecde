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
    found = instance(form, root)
    return found if found is not None and len(set(found)) == len(found) else None


def instance(form: Expr, root: Expr) -> tuple[Expr, ...] | None:
    """Return for each leaf of ``form`` the leaf of ``root`` that it stands for, if ``root`` is
    ``form`` with these leaves, of which some may be the same; else None.
    """
    image: dict[Expr, Expr] = {}
    stack = [(form, root)]
    while stack:
        f, e = stack.pop()
        leaf = f.is_leaf and e.is_leaf and e.width == f.width
        same = leaf or e is f or (f.args and (f.op, f.attr) == (e.op, e.attr))
        if image.setdefault(f, e) is not e or not same:
            return None
        stack.extend((x, y) for x, y in zip(f.args, e.args, strict=True) if image.get(x) is not y)
    return tuple(image[x] for x in leaves(form))


def rename(root: Expr, mapping: dict[Expr, Expr]) -> Expr:
    """Replace leaves, each by one of its width, without simplifying."""
    return relabel(root, mapping)


def instantiate(root: Expr, mapping: dict[Expr, Expr]) -> Expr:
    """Replace leaves and simplify."""
    return substitute(root, mapping, make, choose=True)
