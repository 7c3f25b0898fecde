"""What was written, read back, against what was executed: the same terms, or the same values on
random operands.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np

from isel.errors import IselError
from isel.interp.evaluate import evaluate
from isel.interp.lanes import NumpyLanes, pack
from isel.ir.canon import canonical
from isel.ir.expr import Expr, leaves, term
from isel.ir.ops import Lanes
from isel.spec.instruction import Immediate
from isel.spec.sem import read_sem
from isel.spec.sem_syntax import Mistake
from semantics.importing.lanes import LaneForm
from semantics.importing.lookups import expanded

_SAMPLES: Final = 48
_VALUES: Final = 4  # of immediates
_ALGEBRA: Final = NumpyLanes()


def difference(block: str, form: LaneForm) -> str:
    """Return in which lane the text of one instruction differs from the form that it was
    written from, or nothing.
    """
    try:
        (instruction,) = read_sem(block, check=False, bare=True)
    except IselError as error:
        return error.message()
    shapes = {(o.name, o.width, o.lanes) for o in instruction.operands}
    if [o.name for o in instruction.operands] != [o.name for o in form.operands] or shapes != {
        (o.name, o.width, o.lanes) for o in form.operands
    }:
        return "the operands differ"
    for chosen in some_immediates(form.immediates):
        for i in range(len(form.lanes)):
            try:
                written = instruction.lane(i, chosen)
            except Mistake as mistake:
                return f"lane {i} for {chosen}: {mistake.what}"
            if not equal(written, expanded(form.lane(i, chosen))):
                return f"lane {i} for {chosen}"
    return ""


def some_immediates(immediates: tuple[Immediate, ...]) -> list[Mapping[str, int]]:
    """Return a few assignments of the immediates, the first and last among them."""
    every = list(product(*(m.values for m in immediates)))
    step = max(1, (len(every) - 1) // (_VALUES - 1))
    chosen = every if len(every) <= _VALUES else [*every[:: step + 1], every[1], every[-1]]
    return [{m.name: v for m, v in zip(immediates, values, strict=True)} for values in chosen]


def equal(a: Expr, b: Expr) -> bool:
    """Tell whether two terms are one, or agree on random values."""
    if a is b:
        return True
    if a.width != b.width:
        return False
    pair, _ = canonical(term("eq", a, b))
    if pair not in _AGREED and _agree(a, b):
        _AGREED.add(pair)
    return pair in _AGREED


_AGREED: Final[set[Expr]] = set()  # equations that held, up to the names of their leaves


def _agree(a: Expr, b: Expr) -> bool:
    env: dict[Expr, Lanes] = {e: _values(e.width, k) for k, e in enumerate(leaves(a, b))}
    return bool(np.all(evaluate(a, env, _ALGEBRA) == evaluate(b, env, _ALGEBRA)))


@lru_cache(maxsize=4096)
def _values(width: int, seed: int) -> Lanes:
    rng = np.random.default_rng((width, seed))
    corners = [0, 1, (1 << width) - 1, 1 << (width - 1), (1 << (width - 1)) - 1]
    drawn = [
        int.from_bytes(rng.bytes((width + 7) // 8), "little") >> (-width % 8)
        for _ in range(_SAMPLES // 2)
    ]
    picked = [corners[k] for k in rng.integers(0, len(corners), _SAMPLES // 4)]
    small = [int(k) & ((1 << width) - 1) for k in rng.integers(0, 64, _SAMPLES // 4)]
    values = [*drawn, *picked, *small]
    order = rng.permutation(len(values))
    return pack([values[k] for k in order], width)
