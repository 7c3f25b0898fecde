"""A whole run over C kernels, good and bad: what fails is reported, the run goes on, the exit
code says so.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from bench.harness.__main__ import main
from bench.harness.records import Record, When, load

TOY = "tests.bench.harness.toy"


def bench(out: Path, *words: str) -> int:
    out.mkdir(exist_ok=True)
    return main(
        [
            "--registry",
            TOY,
            "--rounds",
            "3",
            "--round-ms",
            "1",
            "-j1",
            "--others",
            "all",
            "--out",
            str(out),
            *words,
        ]
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Path]:
    out = tmp_path_factory.mktemp("bench")
    return bench(out), out


def record(out: Path, name: str) -> Record:
    return load(out / "kernels" / f"{name}.json")


def test_the_exit_code_tells_of_failures(whole: tuple[int, Path]) -> None:
    assert whole[0] == 1


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (
            "differs",
            "clang differs from numpy on input 0: 1 of 200 elements differ, the first at (17,): ",
        ),
        ("rejected", "clang rejects the kernel: rejected.c:1:"),
        ("dies", "signal SIGILL"),
        ("oversteps", "clang differs from numpy on input 0: it wrote outside its buffers"),
    ],
)
def test_what_fails_says_why_and_is_not_timed(whole: tuple[int, Path], name: str, why: str) -> None:
    found = record(whole[1], name)
    assert why in found.error
    assert found.times == ()
    assert f"| {name} | " in (whole[1] / "RESULTS.md").read_text().partition("## Failed")[2]


def test_the_others_are_checked_and_timed(whole: tuple[int, Path]) -> None:
    for name in ("right", "right_again"):
        found = record(whole[1], name)
        assert (found.error, found.checks) == ("", 4)
        assert [t.version for t in found.times] == ["clang", "clang-512", "isel", "isel-512"]
        assert all(
            len(t.rounds) == 3 and t.repetitions * min(t.rounds) >= 1_000_000 for t in found.times
        )


def test_a_pipeline_is_compared_with_llvm_and_halide(whole: tuple[int, Path]) -> None:
    found = record(whole[1], "piped")
    assert (found.error, found.checks) == ("", 4)
    assert [t.version for t in found.times] == ["llvm", "halide", "isel-own", "isel"]
    assert {c.when for c in found.compiles} == set(When)


def test_compiles_are_kept_where_they_hold(whole: tuple[int, Path]) -> None:
    before = record(whole[1], "right")
    assert bench(whole[1], "--quick", "--resume") == 0
    after = record(whole[1], "right")
    assert after.compiles == before.compiles
    assert after.times != before.times


def test_the_rewriter_was_measured_in_four_states_of_the_cache(whole: tuple[int, Path]) -> None:
    by = {(c.version, c.when): c for c in record(whole[1], "right").compiles}
    assert set(by) == {(v, w) for v in ("isel", "isel-512") for w in When}
    cold, warm, others = (by["isel", w] for w in (When.COLD, When.WARM, When.OTHERS))
    assert cold.rewritten > 0
    assert cold.search_hits == 0
    assert (warm.searches, warm.judgements) == (
        0,
        0,
    )  # what was decided about the function is known
    assert warm.rewritten == cold.rewritten
    assert 0 < cold.searches == others.searches
    assert others.search_hits == others.searches  # right_again is the same kernel
    assert all(c.seconds > 0 and c.llvm_seconds > 0 and c.peak_mib > 10 for c in by.values())
    assert all(w.before and w.after and w.proof for w in record(whole[1], "right").windows)


def test_reports_are_written(whole: tuple[int, Path]) -> None:
    rows = list(csv.reader((whole[1] / "results.csv").read_text().splitlines()))
    assert {"cpu", "LLVM", "seed"} <= {r[3] for r in rows if not r[0]}
    html = (whole[1] / "report.html").read_text()
    assert html.count(">before<") == html.count(">after<") > 0
    assert "pmul.hr.sw" in html


def test_a_kernel_alone_goes_through(tmp_path: Path) -> None:
    assert bench(tmp_path, "--quick") == 0
    assert sorted(p.name for p in (tmp_path / "kernels").glob("*.json")) == ["right.json"]
    assert When.OTHERS not in {c.when for c in record(tmp_path, "right").compiles}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--kernels", "nothing"], "no kernel matches 'nothing'"),
        (["--kernels", "("], "is no regular expression"),
        (["--rounds", "0"], "take a number above 0"),
    ],
)
def test_bad_input_is_one_line(
    tmp_path: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench(tmp_path, *words) == 1
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
