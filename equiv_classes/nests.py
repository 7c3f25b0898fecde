"""Alignment of loop nests: a loop that one instruction runs at once is split where its relatives
have two.

With one block a register, a loop over blocks runs once and its step says nothing; a loop over all
lanes may as well be one over the lanes of a block and one over blocks.  Of all ways to write a
shallow nest as deep as the deepest of its group, that is taken which leaves the fewest parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from equiv_classes.form import Column, Form

_TEMPLATES: Final = 6
_MOST_WAYS: Final = 64


def aligned(forms: Sequence[Form], parameters: Callable[[Sequence[Form]], int]) -> list[Form]:
    """Return the forms of one group with nests of equal depth; ``parameters`` counts those of a
    class.
    """
    found = list(forms)
    for kind in range(len(forms[0].kinds)):
        depths = [_depth(f, kind) for f in found]
        deepest = max(depths)
        if (
            deepest < 2
            or min(depths) == deepest
            or any(c[0] in ("radix", "stride") and c[1] == kind for c, _, _ in forms[0].driven)
        ):
            continue
        templates = [f for f, d in zip(found, depths, strict=True) if d == deepest][:_TEMPLATES]
        known: dict[tuple[tuple[Column, int], ...], Form] = {}
        for i, (f, d) in enumerate(zip(found, depths, strict=True)):
            if d == deepest:
                continue
            key = tuple(f.columns.items())
            if key not in known:
                ways = list(_ways(f, kind, deepest))[:_MOST_WAYS]
                known[key] = min(ways, key=lambda way: parameters([*templates, way]))
            found[i] = replace(f, columns=known[key].columns)
    return found


def _depth(form: Form, kind: int) -> int:
    return max((c[3] + 1 for c in form.columns if c[0] == "radix" and c[1] == kind), default=0)


def _ways(form: Form, kind: int, depth: int) -> Iterator[Form]:
    """Yield a form with the loops of a kind split into ``depth``, steps of one included; first
    the form as it is.
    """
    yield form
    loops = [(form.columns["radix", kind, 0, d], d) for d in range(_depth(form, kind))]
    for cuts in product(*(list(_factors(r)) for r, _ in loops)):
        every = zip(cuts, loops, strict=True)
        parts = [(factor, d, before) for factors, (_, d) in every for factor, before in factors]
        spare = depth - len(parts)
        if spare < 0:
            continue
        for gaps in _gaps(len(parts), spare):
            pairs = zip(gaps, [*parts, None], strict=True)
            spaced = [p for gap, part in pairs for p in (*([None] * gap), part)]
            yield _split(form, kind, spaced[:-1])


def _factors(n: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield ``n`` as one factor or two, each with the product of those before it."""
    yield ((n, 1),)
    for first in range(2, n // 2 + 1):
        if n % first == 0:
            yield (first, 1), (n // first, first)


def _gaps(parts: int, spare: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to put ``spare`` loops of one step before, between and after ``parts``
    loops.
    """
    for gaps in product(range(spare + 1), repeat=parts + 1):
        if sum(gaps) == spare:
            yield gaps


def _split(form: Form, kind: int, loops: Sequence[tuple[int, int, int] | None]) -> Form:
    own = ("radix", "stride")
    columns = {c: v for c, v in form.columns.items() if c[1] != kind or not c[0].startswith(own)}
    strides = [c for c in form.columns if c[1] == kind and c[0].startswith("stride") and c[3] == 0]
    for d, loop in enumerate(loops):
        columns["radix", kind, 0, d] = 1 if loop is None else loop[0]
        if loop is not None:
            for what, _, slot, _ in strides:
                columns[what, kind, slot, d] = form.columns[what, kind, slot, loop[1]] * loop[2]
    return replace(form, columns=columns)
