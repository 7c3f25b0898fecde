"""The price of a window's present code."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.alone import name_of, windows_text
from frontends.llvm.machine.gate import Gate
from frontends.llvm.text.parse import parse_module
from frontends.llvm.text.rewording import locals_in
from frontends.llvm.windows.places import places
from frontends.llvm.windows.scene import Limits, Scene
from isel.cost.work import Work
from semantics.x86.target import target

TRIPLE = "x86_64-pc-linux-gnu"
NUMBERED = """
define void @f(ptr %0, ptr %1, ptr %2) #0 {
  %4 = load <32 x i16>, ptr %1, align 2
  %5 = load <32 x i16>, ptr %0, align 2
  %6 = add <32 x i16> %5, %4
  %7 = load <32 x i16>, ptr %1, align 1, !tbaa !0
  %8 = mul <32 x i16> %7, %6
  store <32 x i16> %8, ptr %2, align 2
  ret void
}
attributes #0 = { "prefer-vector-width"="512" "min-legal-vector-width"="512" }
!0 = !{!1, !1, i64 0}
!1 = !{!"short", !2}
!2 = !{!"root"}
"""


# The block that computes a difference stands before the one that loads and extends what it is of.
TURNED = """
define void @f(ptr %p, ptr %q, ptr %o) #0 {
entry:
  br label %loop
last:
  %d = sub nsw <16 x i16> %x, %y
  %m = mul <16 x i16> %d, %d
  store <16 x i16> %m, ptr %o, align 2
  ret void
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %at = getelementptr i8, ptr %p, i64 %i
  %a = load <16 x i8>, ptr %at, align 1
  %x = sext <16 x i8> %a to <16 x i16>
  %b = load <16 x i8>, ptr %q, align 1
  %y = zext <16 x i8> %b to <16 x i16>
  %n = add i64 %i, 16
  %c = icmp eq i64 %n, 64
  br i1 %c, label %last, label %loop
}
attributes #0 = { "target-cpu"="haswell" }
"""


@pytest.fixture(scope="module")
def gate() -> Iterator[Gate]:
    with LlvmWorker() as worker:
        yield Gate(worker, target(), "sapphirerapids", "", TRIPLE)


def _prices(gate: Gate, text: str) -> list[int | None]:
    module = parse_module(normalise(text))
    function = module.functions[0]
    sites = [p.sites[0] for p in places(Scene(module, function, target()), Limits())]
    return [
        w.price
        for w in gate.work(
            windows_text(module, function, sites), [name_of(k) for k in range(len(sites))]
        )
    ]


def test_blocks_may_lie_in_any_order(gate: Gate) -> None:
    assert all(price is not None for price in _prices(gate, TURNED))


def test_loads_and_stores_are_left_out_and_numbers_need_not_ascend(gate: Gate) -> None:
    (price,) = _prices(gate, NUMBERED)
    (sum_,) = _prices(gate, NUMBERED.replace("mul <32 x i16> %7, %6", "xor <32 x i16> %7, %6"))
    assert sum_ is not None and price is not None
    assert 50 <= sum_ <= 110  # an add and a logic instruction on two ports each
    assert sum_ < price < 2 * sum_


def test_a_window_that_llvm_cannot_compile_has_no_price(gate: Gate) -> None:
    assert gate.work("define void @g() {\n  ret void\n}\n", [name_of(0)]) == [Work()]


def test_a_name_within_a_name_is_no_value() -> None:
    assert locals_in('"%28":') == locals_in('call void @"a, %b"()') == []
    assert locals_in('%28 = phi ptr [ %x, %"%28" ], [ %"a, %b", %0 ]') == [
        "28", "x", '"%28"', '"a, %b"', "0"
    ]  # fmt: skip
