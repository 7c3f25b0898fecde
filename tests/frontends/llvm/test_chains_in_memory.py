"""Loops that hand on values in memory: what the gate says of rewrites that were timed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.gate import Gate
from semantics import target_named

CASES = Path(__file__).parent / "chains"
TRIPLE = "x86_64-unknown-linux-gnu"


@pytest.mark.parametrize("cpu", ["sapphirerapids", "znver4"])
@pytest.mark.parametrize(
    ("case", "function", "accept"),
    [
        # Four stages in one store, behind a check: 0.43 of clang on a Sapphire Rapids.
        ("lattice4", "lat4", False),
        # Eight filters side by side in one register: 1.31.
        ("side8", "side8", True),
    ],
)
def test_a_wide_store_is_done_when_its_last_lane_is(
    case: str, function: str, accept: bool, cpu: str
) -> None:
    before, after = ((CASES / f"{case}.{x}.ll").read_text() for x in ("before", "after"))
    with LlvmWorker() as worker:
        gate = Gate(worker, target_named("x86"), cpu, "", TRIPLE)
        found = gate.judge(before, after, function)
        assert found.accept is accept, found.reason


WAYS = """
define void @f(ptr %p, ptr %q, i64 %n, i1 %c, <4 x i32> %z) {{
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %j, %latch ]
  br i1 %c, label %quick, label %slow
quick:
  %v = load <4 x i32>, ptr %p, align 4
{quick}
  store <4 x i32> %w, ptr %p, align 4
  br label %latch
slow:
  %s = load i32, ptr %q, align 4
{slow}
  store i32 %t, ptr %q, align 4
  br label %latch
latch:
  %j = add i64 %i, 1
  %end = icmp eq i64 %j, %n
  br i1 %end, label %exit, label %head
exit:
  ret void
}}
"""


@pytest.mark.parametrize(("op", "accept"), [("add", True), ("mul", False)])
def test_the_quickest_way_through_a_loop_is_not_slower(op: str, accept: bool) -> None:
    """What saves six products on one way, and has one for a sum in the chain of the other."""

    def module(products: int, op: str) -> str:
        names = ["%s", *(f"%s{k}" for k in range(products - 1)), "%t"]
        slow = "\n".join(f"  {b} = mul i32 {a}, {a}" for a, b in pairwise(names))
        return WAYS.format(quick=f"  %w = {op} <4 x i32> %v, %z", slow=slow)

    with LlvmWorker() as worker:
        gate = Gate(worker, target_named("x86"), "znver4", "", TRIPLE)
        found = gate.judge(module(12, "add"), module(6, op), "f")
    assert found.accept is accept, found.reason
    assert accept or found.reason == "the quickest way through a loop would be slower"
