"""``isel costs``: rows of the tables of prices, by instruction and by CPU."""

from __future__ import annotations

import pytest

from semantics.pricing import pricing
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


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show",), "isel costs takes a CPU: alderlake, "),
        (("compare", "haswell"), "isel costs takes two CPUs: "),
        (
            ("show", "hasswell"),
            "unknown CPU with a table of prices 'hasswell', did you mean 'haswell'?",
        ),
        (("show", "haswell", "zz*"), "no form is called like 'zz*'"),
        (("show", "haswell", "padb"), "unknown instruction 'padb'"),
        (("measure",), "invalid choice: 'measure'"),
    ],
)
def test_mistakes(isel: Run, words: tuple[str, ...], told: str) -> None:
    ran = isel("costs", *words)
    assert ran.code == 1 and told in ran.err and ran.err.count("\n") == 1
