"""Loops that hand on values in memory: what the gate says of rewrites that were timed."""

from __future__ import annotations

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
