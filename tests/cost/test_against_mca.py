"""The table model against full runs of llvm-mca: where it says that code is faster, the
simulation says so too.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.costs.corrections import corrections
from bench.costs.x86 import MCA
from frontends.llvm.linked.worker import LlvmWorker
from isel.cost.block import block_cost
from isel.cost.prices import Prices
from semantics.x86.costs import TABLES, prices_for
from tests.cost.against_mca import compare, compile_ways, sign
from tests.cost.static import block_throughput
from tests.fuzz.generate import generate
from tests.suites import SUITES

TIE = 0.02  # the gate's least gain: less than that is no difference
SEEDS = range(70)

pytestmark = pytest.mark.tools


def _modules(cpu: str) -> list[tuple[str, str, str]]:
    windows = sorted((SUITES / "windows/x86").glob("*.ll"))
    assert windows, "no windows"
    found = [(w.stem, w.read_text(), w.stem) for w in windows]
    if cpu == "haswell":
        found = [
            (
                name,
                text.replace('"min-legal-vector-width"="512"', "").replace(
                    '"prefer-vector-width"="512"', ""
                ),
                f,
            )
            for name, text, f in found
        ]
    return [*found, *((f"seed {seed}", generate(seed, rows=0).text, "f") for seed in SEEDS)]


def as_mca(cpu: str) -> Prices:
    """Return the prices without what llvm-mca knows nothing of."""
    return replace(prices_for(cpu), closed=None, likened=None)


UNCORRECTED = sorted({*TABLES} - {c.cpu for c in corrections()})


@pytest.mark.parametrize("cpu", UNCORRECTED)
def test_same_sign(cpu: str) -> None:
    with LlvmWorker() as worker:
        groups = [
            list(compile_ways(worker, name, text, function, cpu))
            for name, text, function in _modules(cpu)
        ]
    found = compare(groups, as_mca(cpu))
    claims = [c for c in found if sign(c.ours, TIE)]
    confirmed = [c for c in claims if sign(c.ours, TIE) == sign(c.theirs, TIE)]
    both = [c for c in claims if sign(c.theirs, TIE)]
    assert len(claims) >= 150
    assert len(confirmed) >= 0.95 * len(both), "of the pairs that differ in both models"
    assert len(confirmed) >= 0.93 * len(claims), (
        "of the pairs that differ in ours, ties of the simulation counted against us"
    )


@pytest.mark.parametrize("cpu", ["sapphirerapids", "icelake-server"])
def test_block_throughput_of_the_suites_is_llvm_mca_s(cpu: str) -> None:
    """The static figure, which the headers of the windows quote, follows exactly from the
    tables; the cost is never below it.
    """
    prices = as_mca(cpu)
    with LlvmWorker() as worker:
        samples = [s for w in _modules(cpu)[:12] for s in compile_ways(worker, *w, cpu)]
    theirs = MCA.block_throughputs([s.lines for s in samples], cpu)
    for sample, figure in zip(samples, theirs, strict=True):
        cost = block_cost(sample.block, prices)
        assert block_throughput(sample.block, prices) == pytest.approx(figure, rel=0.02), (
            sample.name
        )
        assert cost.cycles >= figure - 1e-6
