"""`isel verify` over intrinsics of HVX: what nearly is the vector IR is never proved to be it, what
is it always is.
"""

from __future__ import annotations

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved, Refuted
from semantics import target_named
from tests.semantics.hvx.pairs import FAMILIES
from tests.verdicts import verify_modules

PAIRS = [pair for family in FAMILIES for pair in family.modules()]


@pytest.mark.parametrize(
    ("right", "text"), [(r, t) for r, _, t in PAIRS], ids=[n for _, n, _ in PAIRS]
)
def test_pair(right: bool, text: str) -> None:
    ((_, verdict),) = verify_modules(
        parse_module(normalise(text, "pair.ll")), None, target_named("hvx")
    )
    assert isinstance(verdict, Proved if right else Refuted), verdict


def test_there_are_enough() -> None:
    assert sum(right for right, _, _ in PAIRS) >= 10
    assert sum(not right for right, _, _ in PAIRS) >= 40
    assert len({text for _, _, text in PAIRS}) == len(PAIRS)
