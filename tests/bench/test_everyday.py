"""Everyday C: what is plain is there by hand as well."""

from __future__ import annotations

import random
import re

import pytest

from bench.everyday.__main__ import HERE
from bench.everyday.modelled import Twins, twins
from semantics import isa_named
from semantics.emulated import Emulated
from tests.emulated import emulate
from tests.fuzz.case import Call, Case, Pointer

_BYTES = 512  # what a function of vectors reads or writes of a pointer, or less
_FUNCTION = re.compile(r"^(?:void|ONE|TWO|THREE)[ (](\w+)", re.MULTILINE)


def test_each_function_is_there_by_hand() -> None:
    plain = [p for p in sorted(HERE.glob("*.c")) if "_by_hand" not in p.stem]
    names = ["blocks", "fields", "loops", "masks", "moves", "pixels", "tables"]
    assert [p.stem for p in plain] == names
    for path in plain:
        hand = path.with_stem(f"{path.stem}_by_hand")
        assert _FUNCTION.findall(path.read_text()) == _FUNCTION.findall(hand.read_text())


@pytest.mark.tools
@pytest.mark.parametrize("t", twins(), ids=lambda t: t.name)
def test_vectors_by_hand_do_the_same_in_an_emulator(t: Twins) -> None:
    pointers, rng = t.text.count("ptr noalias %") // 2, random.Random(t.name)
    rows = [[rng.randbytes(_BYTES) for _ in range(pointers)] for _ in range(4)]
    given = tuple(Pointer(k) for k in range(pointers))
    calls = tuple(Call(tuple(row), given, high=False) for row in rows)
    emulated = isa_named(t.target).executor()
    assert isinstance(emulated, Emulated)
    found = emulate(
        emulated, t.text, [Case(f, calls) for f in ("src", "tgt")], cpu=t.cpu, features=t.features
    )
    assert isinstance(found, list), found
    source, hand = found
    assert source == hand
