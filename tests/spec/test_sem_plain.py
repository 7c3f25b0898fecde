"""Lanes told to a reader: one line each, no instruction without them."""

from __future__ import annotations

import pytest

from isel.spec.sem import read_sem
from isel.spec.sem_plain import plain

HEAD = "instruction x\n  in a, b: 4 x 16\n  imm m: 8 in 0..3\n  result 4 x 16\n"
TAIL = "  features one\n  emit %r = freeze <4 x i16> %a\n"


@pytest.mark.parametrize(
    ("lane", "told"),
    [
        ("a[i] + b[i] * a[0]", "a[i] + b[i] * a[0]"),
        ("(a[i] + b[i]) * a[0]", "(a[i] + b[i]) * a[0]"),
        ("a[i] - (b[i] - a[0])", "a[i] - (b[i] - a[0])"),
        ("usub_sat(a[i] + b[i], b[0])", "(a[i] + b[i]) - b[0] saturated, unsigned"),
        ("uabsdiff(a[i], b[i])", "|a[i] - b[i]|"),
        (
            "trunc(fold(+, k < 2, sext(a[k * 2], 32) * sext(b[k], 32)), 16)",
            "low 16 bits of (sum of s32(a[k * 2]) * s32(b[k]) for k < 2)",
        ),
        ("fold(umin, k < 4, a[k])", "umin of all a[k] for k < 4"),
        (
            "extract(zext(a[i], 17) + zext(b[i], 17) + 1, 1, 16)",
            "bits 1..16 of (u17(a[i]) + u17(b[i]) + 1)",
        ),
        ("slt(a[i], b[i]) ? a[i] : lit(7, 16)", "a[i] if a[i] <s b[i] else 7"),
        ("mask_of(eq(a[i], b[i]), 16)", "all 16 bits set if (a[i] == b[i])"),
        ("pick(a, 0, 4, trunc(b[i], 2))", "a[low 2 bits of b[i]]"),
        ("-a[i] & ~b[i]", "-a[i] & ~b[i]"),
        ("a[m]", "a[m]"),
    ],
)
def test_formulas(lane: str, told: str) -> None:
    (instruction,) = read_sem(f"{HEAD}  lane {lane}\n{TAIL}")
    assert list(plain(instruction)) == [
        f"result[i], 4 lanes of 16 bits: {told}",
        "  with m in 0..3",
    ]


def test_kinds_masks_and_loops() -> None:
    text = "instruction x_{w}\n  for w in 8\n  in a: 4 x w\n  result 4 x w\n  lane when i % 2 == 0: a[i / 2]\n  lane zext(bit(a[i], 0), w)\n"
    (instruction,) = read_sem(
        f"{text}  predication zero(k)\n  features one\n  emit %r = freeze <4 x i8> %a\n"
    )
    assert list(plain(instruction)) == [
        "result[i], 4 lanes of 8 bits:",
        "  where i % 2 == 0: a[i / 2]",
        "  elsewhere: u8(bit 0 of a[i])",
        "  where k[i] is 0: 0",
    ]
