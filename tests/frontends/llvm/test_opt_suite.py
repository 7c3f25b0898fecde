"""The x86 windows of the shared suite, end to end: every result proved, none costlier than LLVM's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from frontends.llvm.binding import normalise
from frontends.llvm.opt import Options, Rewritten, rewrite_module
from frontends.llvm.report import Outcome
from frontends.llvm.worker import LlvmWorker
from isel.cli.tools import make_tools

SUITE = Path(os.environ.get("ISEL_SHARED", Path(__file__).parents[4] / "shared")) / "suites" / "windows" / "x86"
REWRITTEN = ("dot4_u8i8_acc", "mulhrs_i16_wrap", "pairs_u8_w12", "sat_u16_u8")
LONG = ("qadd_win", "sobel_win")
OTHERS = ("absd_u8", "avg_rnd_u8", "dot2_i16_sep", "havg_u8", "rmulshr31_i32_sat", "sat_sub_u8_max")


def rewritten(name: str, jobs: int = 1) -> Rewritten:
    path = SUITE / f"{name}.ll"
    assert path.is_file(), f"{path} is missing: set ISEL_SHARED to the folder that holds suites/"
    options = Options(cpu="sapphirerapids", jobs=jobs)
    with LlvmWorker() as worker, make_tools(worker, options, "off") as tools:
        return rewrite_module(path.read_text(), options, tools, path.name)


def assert_sound(result: Rewritten) -> None:
    assert normalise(result.text, result.report.file) == result.text
    for w in result.report.rewritten:
        assert w.proof
        assert w.cost_before is not None
        assert w.cost_after is not None
        assert w.cost_after < w.cost_before
    if not result.report.rewritten:
        assert result.text == result.before


@pytest.mark.shared
def test_the_suite_is_the_one_that_is_listed() -> None:
    assert sorted(p.stem for p in SUITE.glob("*.ll")) == sorted((*REWRITTEN, *LONG, *OTHERS)), f"in {SUITE}"


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("name", REWRITTEN)
def test_rewritten(name: str) -> None:
    result = rewritten(name)
    assert [w.outcome for w in result.report.windows] == [Outcome.REWRITTEN]
    assert_sound(result)
    assert rewritten(name, jobs=2).text == result.text


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("name", [*OTHERS, *LONG])
def test_never_costlier(name: str) -> None:
    assert_sound(rewritten(name))
