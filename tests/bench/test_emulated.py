"""Kernels for AArch64 in the emulator: what is exact and what is not, and what it executes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bench import emulated as bench
from bench.executed import make_plugin
from bench.harness.clang import ir_with
from bench.kernels import KERNELS
from frontends.halide import generic, load_pipeline, object_of, resolve
from semantics import isa_named
from semantics.emulated import Emulated

TARGET = resolve("arm")
BY_NAME = {k.name: k for k in KERNELS}


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> bench.Runner:
    emulated = isa_named("arm").executor()
    assert isinstance(emulated, Emulated)
    return bench.Runner(emulated, TARGET, make_plugin(tmp_path_factory.mktemp("plugin")), 1)


@pytest.mark.tools
def test_a_pipeline_is_compared_with_numpy(runner: bench.Runner) -> None:
    kernel = BY_NAME["dilate3x3"]
    _, pipeline = load_pipeline(f"{kernel.source}:{kernel.entry}")
    code = object_of(generic(pipeline, TARGET).text, TARGET)
    found = runner.way(kernel, "x", code, "")
    assert found.wrong == "" and 1_000 < found.executed < 10_000_000
    assert runner.way(kernel, "x", code, "") == found
    other = replace(kernel, reference=lambda given: np.zeros(kernel.output[0], np.uint8))
    assert runner.way(other, "x", code, "").wrong == "differs from numpy"
    missing = runner.way(replace(kernel, entry="nothing"), "x", code, "")
    assert "undefined symbol: nothing_argv" in missing.wrong


@pytest.mark.tools
def test_c_without_vectors_executes_more(runner: bench.Runner) -> None:
    kernel = BY_NAME["c_saturating_add"]
    counts: list[int] = []
    for flag in ("-O3", "-fno-vectorize"):
        text = ir_with(kernel.source, ["-target", "aarch64-linux-musl", flag, "-fno-slp-vectorize"])
        found = runner.way(kernel, "x", object_of(text, TARGET, optimise=False), "")
        assert found.wrong == ""
        counts.append(found.executed)
    assert counts[1] > 4 * counts[0]


def test_a_line_of_the_table_shows_only_what_is_exact() -> None:
    way = bench.Way("own", "", 1500, "2/4")
    assert bench.row("add", [way, replace(way, wrong="it dies")]) == "| add | 1,500 (2/4) | - |"
