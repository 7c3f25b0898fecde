"""Campaigns: what is generated, that they go on where they were stopped, and the page that is
written of them.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from tests.fuzz import state
from tests.fuzz.__main__ import FLAGS
from tests.fuzz.campaign import ROOT, Campaign, batches, run_campaign
from tests.fuzz.case import IN_PLACE, MISALIGNED, OVERLAP, REDUCTION, STRIDED
from tests.fuzz.generators import GENERATORS, make, sizes
from tests.fuzz.guarded import Code, run
from tests.fuzz.report import ABOUT, section
from tests.fuzz.state import Row

ROW = Row(
    "c", 7, "abc", "--effort=0", "haswell", 24, 3, 2, {"in place": 1}, exits={"0": 1}, seconds=2.4
)


def _quiet(line: str) -> None:
    return None


def test_batches_follow_from_the_seed_and_reach_the_count(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, 100, 5, ("small", "c"), FLAGS)
    planned = list(batches(campaign))
    assert planned[:3] == [("small", 5), ("c", 6), ("small", 7)]
    assert sum(sizes()[name] for name, _ in planned) >= 100
    assert list(batches(replace(campaign, count=200)))[: len(planned)] == planned


def test_a_line_cut_short_is_done_again(tmp_path: Path) -> None:
    state.append(tmp_path, ROW)
    with (tmp_path / state.STATE).open("a") as out:
        out.write('{"generator": "c", "seed": 8, "comm')
    state.append(tmp_path, replace(ROW, seed=9))
    state.append(tmp_path, replace(ROW, seed=9))
    assert state.read(tmp_path) == [ROW, replace(ROW, seed=9)]


def test_exits_are_told_apart() -> None:
    row = replace(ROW, exits={"0": 3, "1": 1, "70": 2, "late": 1, "signal SIGSEGV": 1})
    assert (row.wrong_exits, row.late) == (3, 1)


def test_the_section() -> None:
    text = section([ROW, replace(ROW, generator="small", seed=8)])
    assert "| c | 24 | 3 | 2 | 0 | 0 | 0 | 0 | 0.10 |" in text and "| small |" in text
    assert "| abc | `--effort=0` | haswell | 7 to 8 | 2 | 48 |" in text


def test_c_functions_are_well_defined_and_of_all_kinds() -> None:
    """LLVM's -O0 and -O3 of what clang makes agree, between guard pages, and every kind of
    memory occurs.
    """
    kinds: Counter[str] = Counter()
    with LlvmWorker() as worker:
        for seed in range(3):
            batch = make("c", seed)
            assert make("c", seed) == batch
            text = binding.normalise(batch.text)
            plain, best = (
                run(worker, text, batch.cases, code) for code in (Code(0), Code(3, pipeline=True))
            )
            assert not isinstance(plain, WorkerFailed) and plain == best, seed
            kinds.update(k for c in batch.cases for k in c.kinds)
    assert {IN_PLACE, OVERLAP, REDUCTION, STRIDED, MISALIGNED} <= kinds.keys()


def test_a_campaign_that_was_killed_comes_to_the_same_totals(tmp_path: Path) -> None:
    whole = Campaign(tmp_path / "whole", 60, 3, ("small", "c"), FLAGS)
    assert run_campaign(whole, _quiet)
    rows = state.read(whole.folder)
    assert state.total(rows)["rewritten"] > 0
    words = [
        sys.executable,
        "-m",
        "tests.fuzz",
        "run",
        "--out",
        str(tmp_path / "cut"),
        "--count",
        "60",
        "--seed",
        "3",
        "--generators",
        "small,c",
    ]
    cut = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, start_new_session=True)
    for _ in range(1200):
        if state.read(tmp_path / "cut"):
            break
        time.sleep(0.1)
    os.killpg(cut.pid, signal.SIGKILL)
    cut.wait()
    assert 0 < len(state.read(tmp_path / "cut")) < len(rows)
    said: list[str] = []
    assert run_campaign(replace(whole, folder=tmp_path / "cut"), said.append)
    assert "1 of them done before" in said[0]
    assert [_timeless(r) for r in state.read(tmp_path / "cut")] == [_timeless(r) for r in rows]


def _timeless(row: Row) -> Row:
    return replace(row, seconds=0.0)


def test_every_generator_is_described() -> None:
    assert ABOUT.keys() == GENERATORS.keys()
