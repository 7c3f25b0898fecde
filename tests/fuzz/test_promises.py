"""What makes an access poison belongs to it alone: random pairs, and right ones of the tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from isel.model.verdict import Proved
from tests.fuzz.promised_loads import pairs, wrongs
from tests.fuzz.promises import FORMS, LOADS, Pair, pair, verdict, wrong

_RANDOM = 160
_SHARE = 8  # of the pairs of the tests: all are looked at by `make fuzz`


def _pair(kind: str, form: str) -> Pair:
    return replace(pair(0), kind=kind, form=form, width=8, op="add", said="")


@pytest.mark.parametrize("form", FORMS)
def test_a_range_of_one_load_is_none_of_another(form: str) -> None:
    """Where a target loads once, the range of one of both loads makes both values poison."""
    one, both = frozenset("a"), frozenset("ab")
    p = replace(_pair("range", form), once=True, target=one)
    for mine in (frozenset(), one, frozenset("b"), frozenset("c"), both):
        found = verdict(replace(p, source=frozenset(mine)))
        assert isinstance(found, Proved) is (mine == both), (form, mine, found)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", LOADS)
def test_what_promises_less_is_proved(kind: str, form: str) -> None:
    p = replace(_pair(kind, form), target=frozenset())
    for mine in ("", "a", "b", "c", "ab", "abc"):
        for once in (False, True):
            found = verdict(replace(p, once=once, source=frozenset(mine)))
            assert isinstance(found, Proved), (form, mine, once, found)


def test_random_pairs() -> None:
    found = [pair(seed) for seed in range(_RANDOM)]
    assert min(sum(p.wanted is x for p in found) for x in (True, False)) >= _RANDOM // 4
    assert {p.form for p in found} == set(FORMS)
    assert not [x for x in map(wrong, found) if x]


def test_right_pairs_with_a_promise_more() -> None:
    found = [wrongs(p) for p in pairs()[::_SHARE]]
    assert sum(x is not None for x in found) >= 12
    assert not [line for lines in found for line in lines or ()]
