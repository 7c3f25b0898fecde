"""Long sums become chains of dot products, from IR to IR, whatever the order of their terms."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options
from isel.api.tools import make_tools
from tests.frontends.llvm.sums import filter_row, tile_row

DOTS = {(8, 512): "vpdpbusd.512", (16, 512): "vpdpwssd.512", (16, 256): "pmadd.wd"}
CPUS = {512: "sapphirerapids", 256: "znver3"}


def calls(text: str, cpu: str) -> Counter[str]:
    options = Options(cpu=cpu)
    with LlvmWorker() as worker, make_tools(worker, options, "off") as tools:
        written = rewrite_module(text, options, tools, "row.ll").text
    return Counter(re.findall(r"call [^@]*@llvm\.x86\.\w+\.([\w.]+)\(", written))


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize(("width", "bits"), DOTS)
@pytest.mark.parametrize("k", [1, 6, 16, 32])
def test_a_row_of_a_tile_is_as_many_dot_products(
    k: int, width: int, bits: int, repeated: bool
) -> None:
    text = tile_row(k, width=width, bits=bits, repeated=repeated, seed=k)
    assert calls(text, CPUS[bits]) == {DOTS[width, bits]: k}


def test_a_constant_decides_nothing_wherever_it_is_added() -> None:
    found = [calls(filter_row(3, constant=True, first=f), CPUS[512]) for f in (True, False)]
    assert found[0] == found[1] and found[0]["vpdpbusd.512"] == 3
    plain = calls(filter_row(3, constant=False, first=True), CPUS[512])
    assert plain["vpdpbusd.512"] == 3


def test_a_filter_of_seven_rows_is_two_dot_products_a_row() -> None:
    assert calls(filter_row(7, constant=False, first=True), CPUS[512])["vpdpbusd.512"] == 14
