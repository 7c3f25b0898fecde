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


def _minus(wanted: Expr, k: int, others: list[Expr], width: int) -> Expr:
    return b.sub(wanted, others[0])


def _plus(wanted: Expr, k: int, others: list[Expr], width: int) -> Expr:
    return b.add(wanted, others[0]) if k == 0 else b.sub(others[0], wanted)


def _times(wanted: Expr, k: int, others: list[Expr], width: int) -> Expr:
    """Divide by a constant: by its odd part modulo the word, by its power of two with a shift."""
    if not others[0].is_const or others[0].value == 0:
        return wanted
    value = others[0].value
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
