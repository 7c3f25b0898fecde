"""Solving a source lane for one of its choices, so that it gives the target's lane: a guess,
checked by proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from isel.ir import build as b
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, leaves

_DEPTH: Final = 10


def solve(
    source: Expr,
    wanted: Expr,
    choices: frozenset[Expr],
    base: Mapping[Expr, Expr],
    found: dict[Expr, Expr],
    depth: int = _DEPTH,
) -> None:
    """Add to ``found`` what choices must be for ``source`` to be ``wanted``, where a short chain of
    invertible operations leads to them.

    ``base`` gives the choices met beside the way.
    """
    if depth == 0:
        return
    if source in choices:
        found.setdefault(source, wanted)
        return
    open_args = [i for i, a in enumerate(source.args) if not choices.isdisjoint(leaves(a))]
    if not open_args:
        return
    if source.op == "ite":
        for way in (i for i in open_args if i):
            solve(source.args[way], wanted, choices, base, found, depth - 1)
        return
    if source.op == "concat":
        hi, lo = source.args
        solve(hi, b.extract(wanted, lo.width, hi.width), choices, base, found, depth - 1)
        solve(lo, b.extract(wanted, 0, lo.width), choices, base, found, depth - 1)
        return
    if source.op == "extract" and source.int_attr(0):
        wanted = between(wanted, source.int_attr(0), instantiate(source.args[0], dict(base)))
        solve(source.args[0], wanted, choices, base, found, depth - 1)
        return
    step = _INVERSES.get(source.op)
    if step is None:
        return
    k = open_args[0]
    others = [instantiate(a, dict(base)) for i, a in enumerate(source.args) if i != k]
    solve(
        source.args[k],
        step(wanted, k, others, source.args[k].width),
        choices,
        base,
        found,
        depth - 1,
    )


def between(wanted: Expr, low: int, whole: Expr) -> Expr:
    """Return a term with some of its bits replaced, from ``low`` on."""
    mask, w = ((1 << wanted.width) - 1) << low, whole.width
    return b.bor(b.band(whole, const(~mask, w)), b.shl(b.zext(wanted, w), const(low, w)))


def _minus(wanted: Expr, k: int, others: list[Expr], width: int) -> Expr:
    return b.sub(wanted, others[0])


def _plus(wanted: Expr, k: int, others: list[Expr], width: int) -> Expr:
    return b.add(wanted, others[0]) if k == 0 else b.sub(others[0], wanted)


def _over(wanted: Expr, factor: Expr) -> Expr:
    """Divide by a factor that is no constant: its inverse modulo the word has twice as many bits
    right each time that it is corrected.
    """
    two = b.band(factor, b.neg(factor))
    odd, rest = (b.make("udiv", (x, two)) for x in (factor, wanted))
    inverse = odd
    for _ in range(wanted.width.bit_length()):
        inverse = b.mul(inverse, b.sub(b.lit(2, odd), b.mul(odd, inverse)))
    return b.mul(rest, inverse)


def _times(wanted: Expr, k: int, others: list[Expr], width: int) -> Expr:
    """Divide by the odd part modulo the word, and by the power of two with a shift."""
    if not others[0].is_const:
        return _over(wanted, others[0])
    value = others[0].value
    if value == 0:
        return wanted
    twos = (value & -value).bit_length() - 1
    inverse = pow(value >> twos, -1, 1 << width)
    return b.mul(b.lshr(wanted, const(twos, width)), const(inverse, width))


_INVERSES: Final[Mapping[str, Callable[[Expr, int, list[Expr], int], Expr]]] = {
    "add": _minus,
    "sub": _plus,
    "mul": _times,
    "xor": lambda wanted, k, others, width: b.bxor(wanted, others[0]),
    "or": lambda wanted, k, others, width: wanted,
    "and": lambda wanted, k, others, width: wanted,
    "not": lambda wanted, k, others, width: b.bnot(wanted),
    "neg": lambda wanted, k, others, width: b.neg(wanted),
    "zext": lambda wanted, k, others, width: b.trunc(wanted, width),
    "sext": lambda wanted, k, others, width: b.trunc(wanted, width),
    "extract": lambda wanted, k, others, width: b.zext(wanted, width),
    "shl": lambda wanted, k, others, width: b.lshr(wanted, others[0]) if k == 0 else wanted,
    "lshr": lambda wanted, k, others, width: b.shl(wanted, others[0]) if k == 0 else wanted,
    "ashr": lambda wanted, k, others, width: b.shl(wanted, others[0]) if k == 0 else wanted,
}
