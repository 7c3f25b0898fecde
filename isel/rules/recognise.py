"""Derived operations recognised: what a term may be the expansion of, made again and compared.

Operands are read off where the expansion of formals has them.  Constructors simplify, so a term
need not look like that everywhere: what is made again of the operands must be the very term.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from isel.ir.build import neg, sext, trunc, zext
from isel.ir.canon import formal
from isel.ir.expr import Expr
from isel.ir.ops import OPS, WidthError
from isel.rules.books import definitions
from isel.rules.derived import expanded
from isel.rules.limits import KEPT_SHAPES
from isel.rules.syntax import Apply


@dataclass(frozen=True, slots=True)
class Use:
    """A derived operation, its attributes and its operands."""

    op: str
    attributes: tuple[int, ...]
    args: tuple[Expr, ...]


def recognised(e: Expr, ops: Sequence[str]) -> Iterator[Use]:
    """Yield the derived operations, of ``ops`` in their order, that a term is."""
    for op in ops if e.args else ():
        every = product(_sizes(e), repeat=len(definitions()[op].sizes))
        uses = (_use(form, e) for x in every if (form := _expansion(op, x)) is not None)
        yield from dict.fromkeys(use for use in uses if use is not None and _made(use) is e)


def _sizes(e: Expr) -> tuple[int, ...]:
    """Return the integers of which each of an operation is one, seen from its root."""
    attributes = (a for a in e.attr if isinstance(a, int))
    return tuple(dict.fromkeys((e.width, *(a.width for a in e.args), *attributes)))


def _made(use: Use) -> Expr | None:
    try:
        return expanded(use.op, use.args, use.attributes)
    except WidthError:
        return None


@lru_cache(maxsize=KEPT_SHAPES)
def _expansion(op: str, sizes: tuple[int, ...]) -> tuple[Expr, Use] | None:
    """Return a derived operation of formals at given sizes, None where these do not fit it."""
    rule = definitions()[op]
    assert isinstance(rule.left, Apply)
    named = dict(zip(rule.sizes, sizes, strict=True))
    args = (formal(k, rule.width_of(x).value(named)) for k, x in enumerate(rule.terms))
    use = Use(op, tuple(n.value(named) for n in rule.left.attributes), tuple(args))
    made = _made(use)
    return None if made is None else (made, use)


def _use(form: tuple[Expr, Use], e: Expr) -> Use | None:
    """Return the use of which a term may be the expansion, by that of formals."""
    root, use = form
    if root.op != e.op or root.width != e.width:
        return None
    found: dict[Expr, Expr] = {}
    _read(root, e, found)
    args = tuple([found[x] for x in use.args if x in found])
    return Use(use.op, use.attributes, args) if len(args) == len(use.args) else None


def _read(f: Expr, e: Expr, found: dict[Expr, Expr]) -> None:
    """Read terms where an expansion has formals; where the two differ it looks no further."""
    if f.is_leaf:
        found.setdefault(f, e)
    elif f.op in ("zext", "sext"):
        _read_extended(f, e, found)
    elif f.op == "sub" and e.op == "add" and e.args[1].is_const:
        _read(f.args[0], e.args[0], found)
        _read(f.args[1], neg(e.args[1]), found)
    elif f.args and f.op == e.op:
        for x, y in zip(f.args, _ordered(f, e), strict=True):
            _read(x, y, found)


def _read_extended(f: Expr, e: Expr, found: dict[Expr, Expr]) -> None:
    """Read what was extended; literals and what was narrower still are extended at once."""
    (inner,) = f.args
    if e.is_const:
        _read(inner, trunc(e, inner.width), found)
    elif e.op in ("zext", "sext") and e.args[0].width < inner.width:
        _read(inner, (zext if e.op == "zext" else sext)(e.args[0], inner.width), found)
    elif e.op == f.op:
        _read(inner, e.args[0], found)


def _ordered(f: Expr, e: Expr) -> tuple[Expr, ...]:
    """Return the operands of a term in the order of an expansion, as far as operators tell."""
    alike = (not x.args or x.op == y.op for x, y in zip(f.args, e.args, strict=True))
    return e.args if not OPS[f.op].commutes or all(alike) else e.args[::-1]
