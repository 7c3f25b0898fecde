"""Instructions written by hand, before the vendor's text was imported, against those that it
gives: a second opinion.
"""

from __future__ import annotations

import numpy as np
import pytest

from isel.ir.canon import instantiate
from isel.ir.expr import const, elem, leaves
from isel.model.verdict import Proved
from isel.spec.instruction import Instruction, Operand
from isel.verify.prove import Obligation, prove
from semantics.meaning import results
from semantics.samples import immediate_choices, operand_values
from semantics.x86.target import target
from tests.semantics.by_hand import by_hand, pairs

YES = const(1, 1)
# Sums of four or two products with one saturation at the end: sampled, for the proof takes longer
# than a test may.
SAMPLED = ("vpdpbusds", "vpdpwssds")
# Predicates as scalars, a table as bytes: the same bits as elements of another width.
OTHER_SHAPES = {
    i
    for s in ("", "s", "us")
    for i in (
        f"vpmov{s}{k}_{bits}_k"
        for k in ("wb", "db", "dw", "qb", "qw", "qd")
        for bits in (128, 256, 512)
    )
}
OTHER_SHAPES |= {f"vpmultishiftqb_{bits}" for bits in (128, 256, 512)}


def shape(o: Operand | Instruction) -> tuple[int, int]:
    return o.lanes, o.width


def immediates(mine: Instruction, most: int) -> list[tuple[dict[str, int], dict[str, int]]]:
    """Return values of the immediates that both have, by the names of either."""
    theirs = target().by_name[next(p[1] for p in pairs() if p[0] == mine.name)]
    chosen = immediate_choices(mine.immediates, most, 3)
    both = [
        (c, dict(zip((m.name for m in theirs.immediates), c.values(), strict=True))) for c in chosen
    ]
    return [(a, b) for a, b in both if all(b[m.name] in m.values for m in theirs.immediates)]


def agree(name: str, imported: str, operands: tuple[str, ...], most: int) -> bool:
    """Prove every lane equal, the operands of the imported one renamed."""
    mine, theirs = by_hand()[name], target().by_name[imported]
    names = dict(zip(operands, mine.operands, strict=True))
    obligations = []
    for a, b in immediates(mine, most):
        for i in range(mine.lanes):
            lane = theirs.lane(i, b)
            renamed = instantiate(
                lane, {x: elem(names[x.source].name, x.offset, x.width) for x in leaves(lane)}
            )
            obligations.append(Obligation(YES, mine.lane(i, a), renamed, f"{name} {a} lane {i}"))
    return bool(obligations) and isinstance(prove(obligations, (), 1), Proved)


def test_all_of_them_are_accounted_for() -> None:
    paired = {name for name, _, _ in pairs()}
    missing = {n for n in by_hand() if n not in target().by_name and n not in paired}
    assert len(paired) >= 740 and missing <= OTHER_SHAPES
    assert not paired & set(target().by_name)


def test_pairs_have_the_same_shapes() -> None:
    for name, imported, operands in pairs():
        mine, theirs = by_hand()[name], target().by_name[imported]
        assert shape(mine) == shape(theirs) and len(mine.immediates) == len(theirs.immediates), name
        assert [shape(theirs.operand(n)) for n in operands] == [shape(o) for o in mine.operands], (
            name
        )
        assert immediates(mine, 4), name


def test_what_stayed_is_what_it_was() -> None:
    """The views that the search needs were taken over as they were written."""
    for name, mine in by_hand().items():
        kept = target().by_name.get(name)
        if kept is not None:
            assert (kept.operands, kept.width, kept.lanes, kept.features) == (
                mine.operands,
                mine.width,
                mine.lanes,
                mine.features,
            ), name
            chosen = {m.name: m.values[-1] for m in mine.immediates}
            assert all(kept.lane(i, chosen) is mine.lane(i, chosen) for i in (0, mine.lanes - 1)), (
                name
            )


@pytest.mark.parametrize("start", range(4))
def test_some_agree(start: int) -> None:
    some = [p for p in pairs()[start * 5 :: 23] if not p[0].startswith(SAMPLED)]
    assert some
    assert not [p[0] for p in some if not agree(*p, most=2)]


def test_every_one_agrees() -> None:
    assert not [p[0] for p in pairs() if not p[0].startswith(SAMPLED) and not agree(*p, most=6)]


def test_long_sums_agree_on_samples() -> None:
    some = [p for p in pairs() if p[0].startswith(SAMPLED)]
    assert len(some) >= 10
    for name, imported, operands in some:
        mine, theirs = by_hand()[name], target().by_name[imported]
        values = {o.name: operand_values(o, 300, 5, name, k) for k, o in enumerate(mine.operands)}
        given = {n: values[o.name] for n, o in zip(operands, mine.operands, strict=True)}
        assert np.array_equal(results(mine, {}, values, 300), results(theirs, {}, given, 300)), name
