"""Kernels by numba alone and with isel: what is compared, and how it is shown."""

from __future__ import annotations

from pathlib import Path

import llvmlite.binding as llvm
import pytest

import isel
import isel.numba
from bench.numba.__main__ import MARKS, geomean, main
from bench.numba.compare import Differs, Found, compare
from bench.numba.kernels import KERNELS
from bench.numba.plot import draw

ROWS = {row.name: row for row in KERNELS}
FASTER = Found("sad", 400.0, 100.0, 4.0, 2, 4, ("not faster",), same_code=False, limited=False)
EQUAL = Found("dot64", 600.0, 600.0, 1.0, 0, 6, (), same_code=True, limited=False)


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ISEL_CACHE", str(tmp_path / "isel"))


def test_a_kernel_is_rewritten_and_gives_the_same() -> None:
    found = compare(ROWS["mulq15"], places=1, time_limit=600.0, seed=1)
    assert found.replaced and not found.same_code and not found.limited


def test_what_stays_is_the_same_code() -> None:
    found = compare(ROWS["matrow"], places=1, time_limit=0.0, seed=1)
    assert found.same_code and found.ratio == 1.0 and found.limited


def test_other_results_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong:
        """Rewrites an average to one that is not rounded."""

        windows = rewritten = ()
        limited = False

        def __init__(self, module: object, **_: object) -> None:
            self.module = llvm.parse_assembly(str(module).replace("splat (i16 1)", "splat (i16 0)"))

    monkeypatch.setattr(isel, "optimize", Wrong, raising=False)
    with pytest.raises(Differs, match="average: results differ"):
        compare(ROWS["average"], places=1, time_limit=1.0, seed=1)
    isel.numba.disable()


def test_the_page_has_the_last_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = {"sad": FASTER, "dot64": EQUAL}
    monkeypatch.setattr("bench.numba.__main__.compare", lambda row, *_: answers[row.name])
    monkeypatch.setattr("bench.numba.__main__.second_process", lambda _: 0.125)
    page = tmp_path / "numba.md"
    page.write_text(f"before\n{MARKS[0]}\nold\n{MARKS[1]}\nafter\n")
    plot = tmp_path / "numba.svg"
    words = ["--only", "sad", "dot64", "--docs", str(page), "--plot", str(plot)]
    assert main(words) == 1  # two kernels are not nine
    text = capsys.readouterr().out
    assert "| sad | 0.400 | 0.100 | 4.00 | 2 of 4 |" in text
    assert "| dot64 | 0.600 | 0.600 | same code | 0 of 6 |" in text
    assert "takes 0.12 CPU seconds more" in text and "sad: kept: not faster" in text
    table = text[: text.index("sad: kept")]
    assert page.read_text() == f"before\n{MARKS[0]}\n{table}{MARKS[1]}\nafter\n"
    assert plot.exists()


def test_one_plot_of_the_same_figures(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        draw([FASTER, EQUAL], tmp_path / name)
    text = (tmp_path / "a.svg").read_text()
    assert text == (tmp_path / "b.svg").read_text()
    assert "same code" in text and "sad" in text


def test_means() -> None:
    assert geomean([2.0, 8.0]) == pytest.approx(4.0) and geomean([]) == 1.0
