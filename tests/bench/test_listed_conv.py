"""What puts results back in order and what does not are both offered: the gate takes the better."""

from __future__ import annotations

import pytest

from bench.listed import conv3x3, module
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options
from isel.api.tools import make_tools


@pytest.mark.parametrize(("cpu", "most"), [("sapphirerapids", 18.0), ("znver4", 22.7)])
def test_a_convolution_costs_few_cycles(cpu: str, most: float) -> None:
    options = Options(cpu=cpu, jobs=1)
    with LlvmWorker() as worker, make_tools(worker, options, "off") as tools:
        done = rewrite_module(module(conv3x3), options, tools, "conv3x3.ll")
    ((_, after),) = [f.cost for f in done.report.functions if f.cost is not None]
    assert after <= most
