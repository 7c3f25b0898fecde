"""Templates: what immediates fill in."""

from __future__ import annotations

import pytest

from isel.spec.emission import emitted
from isel.spec.sem import read_sem

SHUFFLE = "instruction t\n  for n in 4\n  in a: n x 8\n  imm m: 8 in 0..3\n  result n x 8\n  lane a[(i + m) % n]\n  features x\n  emit {}\n"


def emission(text: str) -> tuple[str, ...]:
    return read_sem(SHUFFLE.replace("{}", text))[0].emission


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("%r = shl <4 x i8> %a, splat (i8 $m)", "%r = shl <4 x i8> %a, splat (i8 2)"),
        ("%r = add <{n} x i8> %a, splat (i8 ${8 - m})", "%r = add <4 x i8> %a, splat (i8 6)"),
        ("%r = f $[i < n: (i + m) % n]", "%r = f <4 x i32> <i32 2, i32 3, i32 0, i32 1>"),
        ("%r = f $[i < 2: i == m - 2 ? -1 : n + i]", "%r = f <2 x i32> <i32 poison, i32 5>"),
        ("%r = f $[k < n / 2: k * n]", "%r = f <2 x i32> <i32 0, i32 4>"),
    ],
)
def test_holes(text: str, filled: str) -> None:
    assert emitted(emission(text), {"m": 2}) == (filled,)


def test_masks_without_immediates_are_filled_when_read() -> None:
    assert emission("%r = f $[k < 2: k + n]") == ("%r = f <2 x i32> <i32 4, i32 5>",)


def test_an_immediate_must_be_given() -> None:
    with pytest.raises(KeyError):
        emitted(("%r = f $m",), {})
