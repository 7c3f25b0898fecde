"""Equal inner terms of two sides found on samples, proved one by one and merged, so that the
rest is easy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes
from isel.ir.build import ne, zext
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, leaves, postorder, var
from isel.verify.samples import columns

_TRIES = 48
_COUNT = 128
Asker = Callable[[Expr], bool]


def sweep(left: Expr, right: Expr, never: Asker) -> tuple[Expr, Expr]:
    """Return both sides with inner terms merged; ``never`` tells whether a one-bit term is 0
    for all inputs.
    """
    failed: set[tuple[Expr, Expr]] = set()
    for _ in range(_TRIES):
        pair = next((p for p in _pairs(left, right) if p not in failed), None)
        if pair is None:
            return left, right
        wide, narrow = pair
        merged = zext(narrow, wide.width)
        if not never(ne(wide, merged)):
            failed.add(pair)
            continue
        left, right = instantiate(left, {wide: merged}), instantiate(right, {wide: merged})
    return left, right


def _pairs(left: Expr, right: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield pairs of inner terms, one of each side, that agree on samples: the one to replace,
    and what with.
    """
    env = columns(leaves(left, right), _COUNT)
    values = evaluate_all([left, right], env, NumpyLanes())
    mine, theirs = (
        [e for e in postorder([x]) if e.args and 1 < e.width <= 64 and e is not x]
        for x in (left, right)
    )
    both = set(mine) & set(theirs)
    table: dict[bytes, list[Expr]] = {}
    for e in mine:
        if e not in both:
            table.setdefault(values[e].astype("u8").tobytes(), []).append(e)
    for e in theirs:
        if e in both or len(set(values[e].tolist())) < 3:
            continue
        for other in table.get(values[e].astype("u8").tobytes(), ()):
            wide, narrow = (e, other) if e.width >= other.width else (other, e)
            if wide.op == "zext" and wide.args[0].width < narrow.width:
                wide, narrow = narrow, wide.args[0]
            if zext(narrow, wide.width) is not wide and wide not in set(postorder([narrow])):
                yield wide, narrow


_GLUE = frozenset({"add", "sub", "neg", "zext", "sext", "extract", "concat", "mul", "lshr", "ashr"})


def cut(left: Expr, right: Expr) -> Expr:
    """Return whether two terms differ, with the largest terms inside both that are no sums
    replaced by unknowns.
    """
    inside = {e for e in postorder([left]) if e.op not in _GLUE and e.args} & set(
        postorder([right])
    )
    unknowns: dict[Expr, Expr] = {
        e: var(f"cut{i}", e.width)
        for i, e in enumerate(e for e in postorder([left]) if e in inside)
    }
    return ne(instantiate(left, unknowns), instantiate(right, unknowns))
