"""The shipped tables: sorted, unique, small, from one input, with the forms that the suites and
random code need.
"""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

import pytest

from frontends.llvm.linked.worker import LlvmWorker
from isel.cost.block import block_cost
from isel.cost.writer import write_prices
from semantics.assembly import read_functions
from semantics.x86.asm import DIALECT
from semantics.x86.costs import TABLES, prices_for, prices_of, table_for
from tests.fuzz.generate import generate
from tests.suites import SUITES

TRIPLE = "x86_64-pc-linux-gnu"


def _text(table: str) -> str:
    return files("semantics.x86.costs").joinpath(f"{table}.tsv").read_text(encoding="utf-8")


@pytest.mark.parametrize("table", TABLES)
def test_rows_are_sorted_shared_and_few(table: str) -> None:
    text = _text(table)
    rows = [line for line in text.splitlines() if not line.startswith("#")][1:]
    assert rows == sorted(set(rows))
    assert len(prices_of(table).rows) > 3000  # no form twice: the reader refuses that
    assert len(rows) < 1200 and text.isascii() and len(text) < 120_000
    assert write_prices(prices_of(table), [line[2:] for line in text.splitlines()[1:4]]) == text


def test_tables_hold_the_forms_that_their_cpu_has() -> None:
    wide = set(prices_of("sapphirerapids").rows)
    for table in ("icelake-server", "skylake-avx512", "znver4", "znver5"):
        assert set(prices_of(table).rows) == wide
    for table in ("alderlake", "haswell", "znver3"):
        assert set(prices_of(table).rows) < wide and not any(
            re.search(r"[ ,]zmm|\{k\}", form) for form in prices_of(table).rows
        )


def test_one_input_and_one_tool_made_all_tables() -> None:
    heads = [
        [line for line in _text(t).splitlines() if line.startswith(("# input:", "# tool:"))]
        for t in TABLES
    ]
    assert len(heads[0]) == 2 and heads.count(heads[0]) == len(TABLES)


@pytest.mark.parametrize("table", TABLES)
def test_rows_make_sense(table: str) -> None:
    prices = prices_of(table)
    for form, price in prices.rows.items():
        assert price.uops >= 0 and price.latency >= 0 and price.throughput >= 0, form
        assert all(0 < u.ports < 1 << len(prices.ports) and u.cycles > 0 for u in price.usages), (
            form
        )


def test_known_rows() -> None:
    spr = prices_of("sapphirerapids")
    ports = {
        form: sorted((u.ports, u.cycles) for u in price.usages) for form, price in spr.rows.items()
    }
    assert ports["vpaddw zmm,zmm,zmm"] == [(0b100001, 1)]
    assert ports["vpaddw ymm,ymm,ymm"] == [(0b100011, 1)]
    assert ports["vpermd zmm,zmm,zmm"] == [(0b100000, 1)]
    assert spr.rows["vpaddw zmm,zmm,mem"].uops == 2
    assert "vpaddw zmm,zmm,zmm" not in prices_of("haswell").rows


def test_products_of_zen_4_run_at_the_rate_of_products() -> None:
    zen = prices_of("znver4")
    for operands in ("xmm,xmm,xmm", "ymm,ymm,ymm", "zmm,zmm,zmm", "zmm{k},zmm,zmm"):
        product, dot = zen.of(f"vpmaddwd {operands}"), zen.of(f"vpdpwssd {operands}")
        assert product is not None and dot is not None
        assert (dot.throughput, dot.usages) == (product.throughput, product.usages)
        assert dot.latency == 4
        assert zen.hundredths(f"vpdpwssd {operands}") == zen.hundredths(f"vpmaddwd {operands}")
    assert zen.of("vpdpwssd zmm,zmm,mem") == zen.rows["vpdpwssd zmm,zmm,mem"]


@pytest.mark.parametrize(
    ("cpu", "table"),
    [
        ("sapphirerapids", "sapphirerapids"),
        ("icelake-server", "icelake-server"),
        ("rocketlake", "icelake-server"),
        ("cascadelake", "skylake-avx512"),
        ("emeraldrapids", "sapphirerapids"),
        ("raptorlake", "alderlake"),
        ("znver2", "znver3"),
        ("znver5", "znver5"),
        ("skylake", "haswell"),
        ("x86-64", "haswell"),
    ],
)
def test_other_cpus_use_the_nearest_table(cpu: str, table: str) -> None:
    assert table_for(cpu) == table == prices_for(cpu).cpu


def _missing(worker: LlvmWorker, text: str, cpu: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    optimised = worker.optimise(text, triple=TRIPLE, cpu=cpu, features="")
    for module in (text, optimised):
        assert isinstance(module, str)
        assembly = worker.assembly(module, triple=TRIPLE, cpu=cpu, features="")
        assert isinstance(assembly, str), assembly
        for code in read_functions(assembly, DIALECT).values():
            for block in code.blocks:
                counts.update(
                    {
                        f: n
                        for f, n in block_cost(block, prices_for(cpu)).missing
                        if not f.startswith("call")
                    }
                )
    return counts


@pytest.mark.parametrize("cpu", TABLES)
def test_random_functions_are_priced(cpu: str) -> None:
    missing: Counter[str] = Counter()
    with LlvmWorker() as worker:
        for seed in range(1000, 1025):
            missing.update(_missing(worker, generate(seed).text, cpu))
    assert not missing, "seeds 1000 to 1024"


def test_suites_are_priced() -> None:
    windows = sorted((SUITES / "windows/x86").glob("*.ll"))
    assert windows, "no windows"
    missing: Counter[str] = Counter()
    with LlvmWorker() as worker:
        for window in windows:
            missing.update(_missing(worker, window.read_text(), "sapphirerapids"))
            missing.update(_missing(worker, window.read_text(), "znver4"))
    assert not missing
