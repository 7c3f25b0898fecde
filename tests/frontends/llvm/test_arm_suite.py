"""The AArch64 windows of tests/suites, end to end: proved, equal under qemu, and never costlier
than the better of LLVM's code with and without -O3.
"""

from __future__ import annotations

import math
import random
import re
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from bench.costs.arm import MCA
from frontends.llvm.linked.binding import normalise
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Rewritten
from frontends.llvm.report.tried import Outcome
from frontends.llvm.text.parse import parse_module
from isel.api.tools import make_tools
from isel.cost.block import block_cost
from semantics import isa_named
from semantics.arm.asm import DIALECT
from semantics.arm.costs import SHIPPED
from semantics.emulated import Emulated
from semantics.execution import NotRun
from tests.cost.against_mca import Sample, deepest_block
from tests.emulated import emulate
from tests.fuzz.case import Call, Case, Pointer
from tests.suites import SUITES

SUITE: Final = SUITES / "windows/aarch64"
REWRITTEN: Final = {
    "dot4_u8i8_acc": "usdot",
    "pairs_u8_w12": "usra",
    "rmulshr31_i32_sat": "sqrdmulh",
}
OTHERS: Final = (
    "absd_u8",
    "avg_rnd_u8",
    "dot2_i16_sep",
    "havg_u8",
    "mulhrs_i16_wrap",
    "qadd_win",
    "sat_sub_u8_max",
    "sat_u16_u8",
    "sobel_win",
)
CPU: Final = "neoverse-v1"
FEATURES: Final = "+dotprod,+i8mm,-sve,-sve2"
TRIPLE: Final = "aarch64-linux-gnu"
BETTER: Final = 1.20  # geometric mean of LLVM's cost over ours
_HEADER: Final = re.compile(r"LLVM 22 ([\d.]+), best sequence known so far ([\d.]+)")
_BYTES: Final = 64  # of a buffer: the widest that a window loads or stores
_INPUTS: Final = 1000


def path_of(name: str) -> Path:
    path = SUITE / f"{name}.ll"
    return path


@cache
def rewritten(name: str) -> Rewritten:
    options = Options(cpu=CPU, features=FEATURES)
    with LlvmWorker() as worker, make_tools(worker, options, "off") as tools:
        return rewrite_module(path_of(name).read_text(), options, tools, f"{name}.ll")


def codes(worker: LlvmWorker, name: str, text: str) -> list[Sample]:
    """Return the machine code without and with LLVM's -O3 pipeline."""
    optimised = worker.optimise(text, triple=TRIPLE, cpu=CPU, features=FEATURES)
    assert not isinstance(optimised, WorkerFailed), optimised
    found: list[Sample] = []
    for module in (text, optimised):
        assembly = worker.assembly(module, triple=TRIPLE, cpu=CPU, features=FEATURES)
        assert not isinstance(assembly, WorkerFailed), assembly
        sample = deepest_block(name, assembly, name, DIALECT)
        assert sample is not None, name
        found.append(sample)
    return found


@cache
def both(name: str) -> tuple[list[Sample], list[Sample]]:
    result = rewritten(name)
    with LlvmWorker() as worker:
        return codes(worker, name, result.before), codes(worker, name, result.text)


def test_the_suite_is_the_one_that_is_listed() -> None:
    assert sorted(p.stem for p in SUITE.glob("*.ll")) == sorted((*REWRITTEN, *OTHERS)), (
        f"in {SUITE}"
    )


@pytest.mark.parametrize("name", [*REWRITTEN, *OTHERS])
def test_proved_and_never_costlier(name: str) -> None:
    result = rewritten(name)
    assert normalise(result.text, result.report.file) == result.text
    assert all(w.proof for w in result.report.rewritten)
    if not result.report.rewritten:
        assert result.text == result.before
    prices = SHIPPED.prices_for(CPU)
    costs = [[block_cost(s.block, prices) for s in side] for side in both(name)]
    assert not any(c.missing for side in costs for c in side)
    before, after = (min(c.cycles for c in side) for side in costs)
    assert after < before if name in REWRITTEN else after <= before


@pytest.mark.parametrize("name", REWRITTEN)
def test_rewritten(name: str) -> None:
    assert [w.outcome for w in rewritten(name).report.windows] == [Outcome.REWRITTEN]
    assert any(line.split()[0] == REWRITTEN[name] for line in both(name)[1][0].lines)


@pytest.mark.tools
def test_costs_by_llvm_mca() -> None:
    """Each window costs at most what the better of LLVM's codes costs, in all a fifth less."""
    ratios: dict[str, float] = {}
    for name in (*REWRITTEN, *OTHERS):
        before, after = (
            min(MCA.block_throughputs([s.lines for s in side], CPU)) for side in both(name)
        )
        assert after <= before, (name, before, after)
        found = _HEADER.search(path_of(name).read_text().splitlines()[0])
        assert found is not None and before <= float(found[1]) + 0.05, name
        ratios[name] = before / after
    assert math.exp(sum(map(math.log, ratios.values())) / len(ratios)) >= BETTER, ratios


@pytest.mark.tools
@pytest.mark.parametrize("name", REWRITTEN)
def test_both_versions_do_the_same_under_qemu(name: str) -> None:
    result = rewritten(name)
    (function,) = (f for f in parse_module(result.before).functions if f.blocks)
    pointers = len(function.arguments)
    rng = random.Random(name)
    corners = [
        bytes.fromhex(x) * (_BYTES // 4) for x in ("00000000", "00000080", "ffffff7f", "ff807f01")
    ]
    calls = [tuple(row) for row in product(corners, repeat=min(pointers, 3))]
    calls = [(*row, *[corners[0]] * (pointers - len(row))) for row in calls]
    calls += [tuple(rng.randbytes(_BYTES) for _ in range(pointers)) for _ in range(_INPUTS)]
    emulated = isa_named("arm").executor()
    assert isinstance(emulated, Emulated)
    given = tuple(Pointer(k) for k in range(pointers))
    case = Case(name, tuple(Call(row, given, high=False) for row in calls))
    mine, yours = (
        emulate(emulated, text, [case], cpu=CPU, features=FEATURES)
        for text in (result.before, result.text)
    )
    assert not isinstance(mine, NotRun), mine
    assert mine == yours
