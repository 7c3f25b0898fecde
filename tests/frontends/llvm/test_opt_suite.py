"""The x86 windows of tests/suites, end to end: proved, never costlier than LLVM's, near the
best known cost, always the same bytes.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from bench.costs.x86 import MCA
from frontends.llvm.linked.binding import normalise
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Rewritten
from frontends.llvm.report.tried import Outcome
from isel.api.tools import make_tools
from isel.cost.block import block_cost
from semantics.x86.costs import prices_for
from tests.cost.against_mca import Sample, deepest_block
from tests.runs import digest, ways
from tests.suites import SUITES

SUITE: Final = SUITES / "windows/x86"
REWRITTEN: Final = (
    "absd_u8",
    "dot4_u8i8_acc",
    "havg_u8",
    "mulhrs_i16_wrap",
    "pairs_u8_w12",
    "qadd_win",
    "rmulshr31_i32_sat",
    "sat_u16_u8",
    "sobel_win",
)
OTHERS: Final = ("avg_rnd_u8", "dot2_i16_sep", "sat_sub_u8_max")
CPU: Final = "sapphirerapids"
TRIPLE: Final = "x86_64-pc-linux-gnu"
ROUNDED: Final = 0.05  # the headers give one decimal
_HEADER: Final = re.compile(r"LLVM 22 ([\d.]+), best sequence known so far ([\d.]+)")


def path_of(name: str) -> Path:
    path = SUITE / f"{name}.ll"
    return path


def header(name: str) -> tuple[float, float]:
    """Return the costs that the first line gives: of LLVM 22, and the best known."""
    found = _HEADER.search(path_of(name).read_text().splitlines()[0])
    assert found is not None, name
    return float(found[1]), float(found[2])


@cache
def rewritten(name: str, effort: int = 1) -> Rewritten:
    path = path_of(name)
    options = Options(cpu=CPU, effort=effort)
    with LlvmWorker() as worker, make_tools(worker, options, "off") as tools:
        return rewrite_module(path.read_text(), options, tools, path.name)


def code(worker: LlvmWorker, name: str, text: str) -> Sample:
    """Return the machine code after LLVM's -O3 pipeline."""
    optimised = worker.optimise(text, triple=TRIPLE, cpu=CPU, features="")
    assert not isinstance(optimised, WorkerFailed), optimised
    assembly = worker.assembly(optimised, triple=TRIPLE, cpu=CPU, features="")
    assert not isinstance(assembly, WorkerFailed), assembly
    found = deepest_block(name, assembly, name)
    assert found is not None, name
    return found


def before_and_after(name: str) -> tuple[Sample, Sample]:
    result = rewritten(name)
    with LlvmWorker() as worker:
        return code(worker, name, result.before), code(worker, name, result.text)


def throughputs(names: tuple[str, ...]) -> dict[str, tuple[float, float]]:
    """Return llvm-mca's block reciprocal throughput before and after."""
    samples = [s for name in names for s in before_and_after(name)]
    figures = iter(MCA.block_throughputs([s.lines for s in samples], CPU))
    return {name: (next(figures), next(figures)) for name in names}


def test_the_suite_is_the_one_that_is_listed() -> None:
    assert sorted(p.stem for p in SUITE.glob("*.ll")) == sorted((*REWRITTEN, *OTHERS)), (
        f"in {SUITE}"
    )


@pytest.mark.parametrize("name", [*REWRITTEN, *OTHERS])
def test_proved_and_never_costlier(name: str) -> None:
    result = rewritten(name)
    assert normalise(result.text, result.report.file) == result.text
    for w in result.report.rewritten:
        assert w.proof
        assert w.cost_before is not None
        assert w.cost_after is not None
        assert w.cost_after < w.cost_before
    if not result.report.rewritten:
        assert result.text == result.before
    before, after = before_and_after(name)
    prices = prices_for(CPU)
    costs = [block_cost(s.block, prices) for s in (before, after)]
    assert not costs[0].missing
    assert not costs[1].missing
    assert costs[1].cycles <= costs[0].cycles


@pytest.mark.parametrize("name", REWRITTEN)
def test_rewritten(name: str) -> None:
    assert [w.outcome for w in rewritten(name).report.windows] == [Outcome.REWRITTEN]


@pytest.mark.parametrize("effort", [2, 4])
@pytest.mark.parametrize("name", [*REWRITTEN, *OTHERS])
def test_more_effort_is_never_dearer(name: str, effort: int) -> None:
    """By what the gate weighs, with the source's cost for what was not rewritten."""
    costs = [[f.cost for f in rewritten(name, e).report.functions if f.cost] for e in (1, effort)]
    less, more = (sum(after - before for before, after in c) for c in costs)
    assert more <= less


@pytest.mark.tools
def test_costs_by_llvm_mca() -> None:
    """None is worse than LLVM, by what is measured here and by the headers; most reach the best
    known within a tenth.
    """
    figures = throughputs((*REWRITTEN, *OTHERS))
    for name, (before, after) in figures.items():
        assert before <= header(name)[0] + ROUNDED, name
        assert after <= before, name
    better = {name: best for name in figures for llvm, best in [header(name)] if best < llvm}
    assert len(better) == 8
    reached = [name for name, best in better.items() if figures[name][1] <= 1.1 * best]
    assert len(reached) >= 5, {name: (best, *figures[name]) for name, best in better.items()}


@pytest.mark.parametrize("name", [*REWRITTEN, *OTHERS])
def test_the_same_bytes_however_it_is_run(name: str, tmp_path: Path) -> None:
    found = {run: digest(path_of(name), run, tmp_path) for run in ways(tmp_path / "cache")}
    assert len(set(found.values())) == 1, found
