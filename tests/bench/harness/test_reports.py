"""Figures and reports from made-up records: known means, one figure a line, nothing unescaped,
the same text each time.
"""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from pathlib import Path

import pytest

from bench.harness import plots
from bench.harness.markdown import markdown
from bench.harness.measure import slower
from bench.harness.page import page
from bench.harness.records import Record, load, save
from bench.harness.summary import best, geomean, speed_up, summarise
from bench.harness.table import HEADER, csv_text
from bench.harness.versions import BEST, COMPARED
from isel.timing import Times, ratio
from tests.bench.harness.records import a_run
from tests.cli.test_opt_page import measured


def test_a_ratio_is_the_median_of_paired_rounds() -> None:
    assert ratio((10.0, 40.0, 30.0), (10.0, 10.0, 10.0)) == 3.0
    assert ratio((), ()) is None
    assert ratio((1.0, 2.0), (1.0,)) is None


def test_geometric_means() -> None:
    assert geomean([]) is None
    assert math.isclose(geomean([2.0, 8.0]) or 0.0, 4.0)


def test_a_group_counts_once() -> None:
    found = {s.comparison.base: s for s in summarise(a_run().records)}
    assert set(found) == {"llvm", "halide"}
    llvm = found["llvm"]
    assert (llvm.kernels, llvm.groups) == (3, 2)
    assert math.isclose(llvm.mean, (2 * 8 * 0.9) ** (1 / 3))
    assert math.isclose(llvm.group_mean, (4 * 0.9) ** (1 / 2))
    assert (llvm.least, llvm.most) == ((0.9, "third"), (8.0, "second"))
    assert llvm.below == (("third", 0.9, False),)
    assert found["halide"].below == ()


def test_what_is_slower_in_one_of_two_runs_is_noise() -> None:
    third = a_run().records[2]
    for again, below, noisy in ((80.0, ("third",), ()), (99.0, (), ("third",))):
        times = Times("llvm", 100, (again,)), Times("isel", 100, (100.0,))
        (found,) = (
            s for s in summarise([replace(third, again=times)]) if s.comparison.base == "llvm"
        )
        assert (tuple(name for name, _, _ in found.below), found.noisy) == (below, noisy)


def test_a_second_run_is_for_what_is_slower_on_the_same_ir() -> None:
    def times(**least: float) -> tuple[Times, ...]:
        return tuple(Times(v.replace("_", "-"), 1, (t,)) for v, t in least.items())

    assert slower(times(llvm=97.0, isel=100.0)) and slower(times(clang=1.0, isel=2.0))
    assert not slower(times(llvm=98.0, isel=100.0))
    assert not slower(times(halide=50.0, isel=100.0)) and not slower(times(llvm=1.0))


def test_csv_has_every_figure_once() -> None:
    rows = list(csv.reader(io.StringIO(csv_text(a_run()))))
    assert tuple(rows[0]) == HEADER
    keys = [tuple(r[:4]) for r in rows[1:]]
    assert len(set(keys)) == len(keys)
    values = {tuple(r[:4]): r[5] for r in rows[1:]}
    assert values["", "", "", "cpu"] == "A processor"
    assert values["first", "isel", "", "least time"] == "100.00"
    assert values["first", "isel", "", "median time"] == "125.00"
    assert values["first", "isel", "warm", "searches answered by the cache"] == "7"
    assert values["broken", "", "", "failed"].startswith("clang differs from numpy")
    assert values["", "isel over llvm", "", "geomean"] == f"{(2 * 8 * 0.9) ** (1 / 3):.4f}"


def test_markdown_and_page_say_what_was_found_and_what_failed() -> None:
    run = a_run()
    text = markdown(run, "make bench")
    assert "| first | 200 (250) | 150 (188) | - | 100 (125) | 2.00 | 1.50 | - | - | 1 |  |" in text
    assert "third 0.900" in text
    assert "1 query \\| (z3)" in text
    assert "3 of 9 elements differ" in text
    html = page(run)
    assert "<del>%9 = &lt;b&gt;</del>" in html
    assert "3 of 9 elements differ" in html
    assert (
        "2 operations -&gt; 1 instruction, 4.0 -&gt; 2.5 cycles by the model; 1 query | (z3)"
        in html
    )
    assert html.count("<svg") == html.count("</svg>") == 4  # two comparisons, compile time, memory


def test_reports_are_the_same_each_time() -> None:
    assert markdown(a_run(), "x") == markdown(a_run(), "x")
    assert csv_text(a_run()) == csv_text(a_run())
    assert page(a_run()) == page(a_run())


def test_plots_have_titles() -> None:
    assert [title for title, _ in plots.plots(a_run())][-2:] == [
        "Compile time",
        "Peak memory of the largest process, MiB",
    ]


def test_a_record_survives_the_file(tmp_path: Path) -> None:
    for record in a_run().records:
        save(record, tmp_path / "record.json")
        assert load(tmp_path / "record.json") == record


def test_the_best_candidate_is_chosen_and_timed_in_different_rounds() -> None:
    times = (
        Times("halide", 1, (10.0,) * 6),
        Times("isel-own", 1, (5.0, 20.0) * 3),
        Times("isel", 1, (9.0, 8.0) * 3),
    )
    record = Record("k", "k", "halide", times=times)
    over = next(c for c in COMPARED if c.ours == BEST)
    assert best(record) == "isel-own"
    assert speed_up(record, over) == 0.5
    assert best(Record("k", "k", "halide", times=times[:2])) is None
    assert speed_up(Record("k", "k", "halide", times=times[:2]), over) is None


@pytest.mark.tools
def test_the_page_is_no_wider_than_a_phone(tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(page(a_run()))
    needed, window = measured(tmp_path / "report.html", tmp_path)
    assert needed <= window <= 360
