"""Edges to instructions that shift and add: they add the upper of two neighbours in memory, which
are one value of twice the width, without bringing it anywhere first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from isel.ir.build import concat
from isel.ir.expr import Expr
from isel.synth.values.lanefn import LaneFn
from isel.synth.values.linear import monomials, rebuild

_MOST: Final = 2  # times that a sum has the upper one; of more, a product is less work


def shifted_edges(
    functions: Callable[[frozenset[int]], Sequence[LaneFn]],
    term: Expr,
    order: Mapping[Expr, tuple[int, int]],
) -> Iterator[tuple[LaneFn, tuple[Expr, ...]]]:
    """Yield (function, operands) that may give a sum: what is left of it, and the two neighbours.

    ``functions`` are those of the machine with some immediates; ``order`` places the term's leaves:
    (source, offset).  The caller checks them on samples.
    """
    width = term.width
    below = {(source, at + x.width): x for x, (source, at) in order.items() if 2 * x.width == width}
    ms = monomials(term) if below else ()
    for k, m in enumerate(ms):
        (x, *others) = m.atoms or (None,)
        if x is None or others or order.get(x.term) not in below or 2 * x.term.width != width:
            continue
        if m.coefficient > _MOST:
            continue
        rest = (*ms[:k], replace(m, coefficient=m.coefficient - 1), *ms[k + 1 :])
        operands = rebuild(rest, width), concat(x.term, below[order[x.term]])
        kinds = {"add", "ashr" if x.signed else "lshr"}
        for fn in functions(frozenset({x.term.width})):
            if fn.ops == kinds and fn.widths == (width, width) and fn.width == width:
                yield from ((fn, operands), (fn, operands[::-1]))
