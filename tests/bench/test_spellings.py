"""Values in several spellings: LLVM reads all, and they are one value."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from bench.jit import Jit
from bench.spellings.__main__ import module
from bench.spellings.nests import nests
from bench.spellings.values import VALUES, Value
from bench.spellings.writer import SPELLINGS

CPU = "x86-64"
LANES = 32


def results(value: Value, seed: int) -> Iterator[bytes]:
    """Yield what each spelling stores for the same inputs."""
    rng = random.Random(seed)
    inputs = [rng.randbytes(LANES * int(kind[1:]) // 8) for kind in value.inputs]
    out = bytes(LANES * int(value.result[1:]) // 8)
    for spelling in SPELLINGS:
        yield Jit(module(value, spelling, CPU), ["f"]).call("f", [*inputs, out]).buffers[-1]


@pytest.mark.parametrize("value", [*VALUES, *nests(6)], ids=lambda v: v.name)
def test_all_spellings_are_one_value(value: Value) -> None:
    assert len({*results(value, 7)}) == 1


def test_names_are_of_one_value() -> None:
    names = [v.name for v in (*VALUES, *nests())]
    assert len(names) == len({*names})
