"""``isel costs``: rows of the tables of prices, by instruction and by CPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.cli.forms import cycles_and_latency
from isel.cost.prices import read_prices
from semantics.pricing import pricing
from semantics.x86.costs import prices_of
from tests.cli.modules import Run


def test_show_tells_what_the_table_says(isel: Run) -> None:
    lines = isel("costs", "show", "haswell", "_mm256_sad_epu8").out.splitlines()
    row = next(line.split() for line in lines if line.startswith("vpsadbw ymm,ymm,ymm "))
    price = pricing("x86", "haswell").prices.rows["vpsadbw ymm,ymm,ymm"]
    assert row[2:] == [str(price.uops), str(price.latency), f"{price.throughput:.2f}", "HWPort0"]
    assert {line.split()[0] for line in lines[1:-1]} == {"psadbw", "vpsadbw"} and lines[
        -1
    ].startswith("haswell: ")


def test_compare_lists_what_differs(isel: Run) -> None:
    head, *rows, total = isel(
        "costs", "compare", "sapphirerapids", "znver4", "vpsadbw"
    ).out.splitlines()
    assert head.split() == ["form", "sapphirerapids", "znver4"]
    assert ["vpsadbw", "ymm,ymm,ymm", "1.00", "/", "3", "0.50", "/", "3"] in [
        row.split() for row in rows
    ]
    assert total.startswith(f"{len(rows)} of ")
    assert isel("costs", "compare", "haswell", "haswell").out.splitlines()[1].startswith("0 of ")


def test_a_cpu_says_whose_instructions_it_has(isel: Run) -> None:
    _, row, total = isel("costs", "show", "neoverse-v1", "usdot 4s,16b,1*").out.splitlines()
    assert row.split()[:3] == ["usdot", "4s,16b,16b", "1"]
    assert total.startswith("neoverse-v1: ")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show",), "isel costs takes a CPU: apple-m1, "),
        (("compare", "haswell"), "isel costs takes two CPUs: "),
        (
            ("show", "hasswell"),
            "unknown CPU with a table of prices 'hasswell', did you mean 'haswell'?",
        ),
        (("compare", "haswell", "neoverse-v1"), "haswell and neoverse-v1 have no instruction in "),
        (("show", "haswell", "zz*"), "no form is called like 'zz*'"),
        (("show", "haswell", "padb"), "unknown instruction 'padb'"),
        (("measured",), "invalid choice: 'measured'"),
        (("show", "haswell", "-o", "t.tsv"), "-o goes with isel costs measure"),
        (("measure", "haswell", "jmp*"), "none of these forms can be timed"),
    ],
)
def test_mistakes(isel: Run, words: tuple[str, ...], told: str) -> None:
    ran = isel("costs", *words)
    assert ran.code == 1 and told in ran.err and ran.err.count("\n") == 1


def test_a_table_of_this_machine(isel: Run, tmp_path: Path) -> None:
    ran = isel("costs", "measure", "haswell", "vpaddb", "vpmulld", "-o", "t.tsv")
    if ran.code == 1:  # a busy machine: said, and nothing written
        assert "timing does not settle here" in ran.err and not (tmp_path / "t.tsv").exists()
        return
    found = read_prices((tmp_path / "t.tsv").read_text())
    base = prices_of("haswell")
    assert set(found.rows) == set(base.rows) and found.ports == base.ports
    timed = {f for f in base.rows if f.split()[0] in ("vpaddb", "vpmulld")}
    others = {f: base.of(f) for f in base.rows if f not in timed}
    assert {f: found.rows[f] for f in others} == others
    assert " forms timed, 0 not on this machine, " in ran.out


def test_a_form_without_a_row_is_a_dash() -> None:
    table = pricing("x86", "znver4").prices
    assert cycles_and_latency(table, "nop zmm zmm zmm") == "-"
    assert " / " in cycles_and_latency(table, next(iter(table.rows)))
