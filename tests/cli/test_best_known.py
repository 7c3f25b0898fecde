"""What people reported is written at the cost of the best sequence that is known for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.cli.conftest import ROOT, Ran

Run: TypeAlias = Callable[..., Ran]
_REPORTS = ROOT / "tests" / "suites" / "reports"
_NESTED = """define <8 x i32> @src(<8 x i32> noundef %v) #0 {
  %a = and <8 x i32> %v, splat (i32 255)
  %a1 = mul <8 x i32> %a, splat (i32 100)
  %b = lshr <8 x i32> %v, splat (i32 8)
  %b1 = and <8 x i32> %b, splat (i32 255)
  %b2 = mul <8 x i32> %b1, splat (i32 10)
  %c = lshr <8 x i32> %v, splat (i32 16)
  %c1 = and <8 x i32> %c, splat (i32 255)
  %c2 = mul <8 x i32> %c1, splat (i32 20)
  %d = lshr <8 x i32> %v, splat (i32 24)
  %d2 = mul <8 x i32> %d, splat (i32 2)
  %e = add <8 x i32> %a1, %b2
  %f = add <8 x i32> %c2, %d2
  %r = add <8 x i32> %e, %f
  ret <8 x i32> %r
}
attributes #0 = { "target-cpu"="haswell" }
"""
_CARRY_SAVE = """define void @src(ptr noalias %ph, ptr noalias %pl, <8 x i64> noundef %a, <8 x i64> noundef %b, <8 x i64> noundef %c) #0 {
  %u = xor <8 x i64> %a, %b
  %t1 = and <8 x i64> %a, %b
  %t2 = and <8 x i64> %u, %c
  %h = or <8 x i64> %t1, %t2
  %l = xor <8 x i64> %u, %c
  store <8 x i64> %h, ptr %ph, align 64
  store <8 x i64> %l, ptr %pl, align 64
  ret void
}
attributes #0 = { "target-cpu"="znver5" }
"""

_ROUNDED = """define <8 x i16> @src(<8 x i16> noundef %a, <8 x i16> noundef %b) #0 {
  %p = sext <8 x i16> %a to <8 x i32>
  %q = sext <8 x i16> %b to <8 x i32>
  %m = mul nsw <8 x i32> %p, %q
  %t = add nsw <8 x i32> %m, splat (i32 16384)
  %s = ashr <8 x i32> %t, splat (i32 15)
  %c = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %s, <8 x i32> splat (i32 32767))
  %r = trunc nsw <8 x i32> %c to <8 x i16>
  ret <8 x i16> %r
}
declare <8 x i32> @llvm.smin.v8i32(<8 x i32>, <8 x i32>)
attributes #0 = { "target-cpu"="haswell" }
"""

# A sum and a sum of squares over the same loads, both stored where more is loaded.
_TWO = """
target triple = "x86_64-unknown-linux-gnu"
declare i32 @llvm.vector.reduce.add.v32i32(<32 x i32>)
define void @src(ptr %p, ptr %q, ptr %o) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr i8, ptr %p, i64 %i
  %qa = getelementptr i8, ptr %q, i64 %i
  %a = load <32 x i8>, ptr %pa, align 1
  %b = load <32 x i8>, ptr %qa, align 1
  %x = zext <32 x i8> %a to <32 x i32>
  %y = zext <32 x i8> %b to <32 x i32>
  %d = sub <32 x i32> %x, %y
  %m = mul <32 x i32> %d, %d
  %rs = call i32 @llvm.vector.reduce.add.v32i32(<32 x i32> %d)
  %rm = call i32 @llvm.vector.reduce.add.v32i32(<32 x i32> %m)
  %oa = getelementptr i8, ptr %o, i64 %i
  %ob = getelementptr i8, ptr %oa, i64 4
  store i32 %rs, ptr %oa, align 4
  store i32 %rm, ptr %ob, align 4
  %next = add i64 %i, 32
  %more = icmp ult i64 %next, 4096
  br i1 %more, label %loop, label %done
done:
  ret void
}
attributes #0 = { "target-cpu"="znver4" }
"""


def _written(isel: Run, path: Path, function: str = "src") -> tuple[float, str]:
    """Return the cycles of what is written for a function, and that text."""
    ran = isel(
        "opt", str(path), "-S", "-o", "out.ll", "-cache=off", f"-only-function={function}",
        "-stats-json=stats.json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    changed = json.loads(Path("stats.json").read_text())["functions_changed"]
    return changed[function]["cost_after"], Path("out.ll").read_text()


@pytest.mark.parametrize(
    ("name", "cycles"),
    [
        ("luma_rgb", 1.5),
        ("majority_vpternlog", 0.25),
        ("mul10_bytes", 1.34),
        ("pack6_fields", 2.0),
        ("round_shift_bytes_avx2", 1.25),
        ("sad_signed", 2.5),
        ("spread_bit_gf2p8affineqb", 0.5),
        ("two_sums_of_bytes", 3.5),
    ],
)
def test_reports(isel: Run, name: str, cycles: float) -> None:
    assert _written(isel, _REPORTS / f"x86_{name}.ll")[0] <= cycles


@pytest.mark.parametrize(
    ("name", "function", "cycles", "uses"),
    [
        ("i128_shift", "shl128", 1.8, "shufflevector"),
        ("count_newlines", "countn", 3.9, "psad.bw"),
    ],
)
def test_reports_of_other_names(
    isel: Run, name: str, function: str, cycles: float, uses: str
) -> None:
    cost, text = _written(isel, _REPORTS / f"x86_{name}.ll", function)
    assert cost <= cycles and uses in text


def test_a_weighted_sum_of_bytes_is_two_dot_products(isel: Run, tmp_path: Path) -> None:
    path = tmp_path / "nested.ll"
    path.write_text(_NESTED)
    cycles, text = _written(isel, path)
    assert cycles <= 2.0
    assert "pmadd.ub.sw" in text and "pmadd.wd" in text


def test_a_carry_save_adder_is_two_tables(isel: Run, tmp_path: Path) -> None:
    path = tmp_path / "adder.ll"
    path.write_text(_CARRY_SAVE)
    assert "pternlog" in _written(isel, path)[1]


def test_a_product_of_q15_that_saturates_is_three_operations(isel: Run, tmp_path: Path) -> None:
    """A product of half a register was found at 5 cycles, and could not be written."""
    path = tmp_path / "rounded.ll"
    path.write_text(_ROUNDED)
    cycles, text = _written(isel, path)
    assert cycles <= 1.0 and "pmul.hr.sw" in text and "lshr" not in text


def test_two_results_over_the_same_loads_are_rewritten_together(isel: Run, tmp_path: Path) -> None:
    path = tmp_path / "two.ll"
    path.write_text(_TWO)
    cycles, text = _written(isel, path)
    assert cycles <= 5.6
    assert "pmadd.wd" in text and ("psad.bw" in text or "vpdpbusd" in text)
