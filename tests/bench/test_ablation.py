"""The ablation: its rows are the heuristics that they name, and a row that is stopped says so."""

from __future__ import annotations

from pathlib import Path

from bench.ablation import ROWS, Measured, dot_product, grammar_of, main, measure, table
from isel.ir.expr import leaves


def test_a_lane_of_the_dot_product() -> None:
    assert [x.width for x in leaves(dot_product())] == [32, 16, 16, 16, 16]


def test_each_heuristic_leaves_fewer_components() -> None:
    sizes = {row.name: len(grammar_of(row, "sapphirerapids").components) for row in ROWS}
    assert sizes["the 50 best by score"] == 50
    assert sizes["all instructions"] > 2 * sizes["bit-vector screening"]
    assert sizes["bit-vector screening"] > sizes["these and score-based selection"]


def test_the_best_row_finds_the_instruction() -> None:
    row = next(r for r in ROWS if r.name == "screening, lane-wise, score-based selection")
    found = measure(row, "sapphirerapids", 60)
    assert found.seconds is not None
    assert "dpwssd" in found.found
    assert measure(row, "sapphirerapids", 0).seconds is None


def test_the_table_has_the_published_seconds_beside_ours() -> None:
    results = [(row, [Measured(9, 1.25, "x"), Measured(9, None, "")]) for row in ROWS]
    text = table(results, 60)
    assert "| bit-vector screening | 236 | 9 | 1.25 | x | 9 | > 60 |  |" in text.splitlines()


def test_table_and_plot_are_written(tmp_path: Path) -> None:
    assert main(["--limit", "0", "--out", str(tmp_path)]) == 0
    assert {p.name for p in tmp_path.iterdir()} == {"ablation.md", "ablation.svg"}
    assert (tmp_path / "ablation.svg").read_text().startswith("<?xml")
