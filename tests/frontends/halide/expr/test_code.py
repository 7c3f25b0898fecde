"""Instructions by the names of their tests, and what they cost at least."""

from __future__ import annotations

import pytest

from frontends.halide.expr.code import contains
from frontends.halide.expr.reference import least
from frontends.halide.expr.rows import read_rows
from semantics.pricing import pricing


@pytest.mark.parametrize(
    ("instruction", "line", "there"),
    [
        ("pabsb", "vpabsb %xmm0, %xmm0", True),
        ("pabsb", "vpabsw %xmm0, %xmm0", False),
        ("packssdw*ymm", "vpackssdw %ymm1, %ymm0, %ymm0", True),
        ("packssdw*ymm", "vpackssdw %xmm1, %xmm0, %xmm0", False),
        ("pcmp*b", "vpcmpnleub .LCPI0_0(%rip), %ymm0, %k1", True),
        ("pcmp*b", "vpcmpeqw %ymm1, %ymm0, %k1", False),
        ("vpcmp*b*zmm", "vpcmpltub %zmm0, %zmm1, %k1", True),
        ("vmov*%k", "vmovdqu8 %ymm1, %ymm0 {%k1}", True),
        ("vmov*%k", "vmovdqa %ymm1, %ymm0", False),
        ("vpdpbusds*xmm", "vpdpbusd %xmm1, %xmm0, %xmm2", False),
        ("vpaddb*zmm", "vpaddb %zmm1, %zmm0, %zmm0", True),
        ("vpdpbusd*ymm", "{vex} vpdpbusd %ymm0, %ymm1, %ymm2", True),
        ("padd", "vpaddb %zmm1, %zmm0, %zmm0", False),
    ],
)
def test_names(instruction: str, line: str, there: bool) -> None:
    assert contains([line], instruction) is there


def test_what_an_instruction_costs_at_least() -> None:
    priced = pricing("x86", "sapphirerapids")
    text = "vpaddb*ymm\t32\tuint8\t(uint8)a(x)\nvpaddb*ymm\t64\tuint8\t(uint8)a(x)\nnothing\t8\tuint8\t(uint8)a(x)\n"
    once, twice, never = (least(r, priced) for r in read_rows(text, "t.tsv"))
    assert once is not None and 0 < once < 1
    assert twice == 2 * once
    assert never is None
