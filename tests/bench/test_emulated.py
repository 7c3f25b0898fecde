"""Pipelines for AArch64 in the emulator: what is exact and what is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bench import emulated as bench
from bench.kernels import HALIDE
from frontends.halide import generic, load_pipeline, object_of, resolve
from semantics import isa_named
from semantics.emulated import Emulated


@pytest.mark.tools
def test_a_pipeline_is_compared_with_numpy() -> None:
    (kernel,) = (k for k in HALIDE if k.name == "dilate3x3")
    target = resolve("arm")
    emulated = isa_named("arm").executor()
    assert isinstance(emulated, Emulated)
    _, pipeline = load_pipeline(f"{kernel.source}:{kernel.entry}")
    code = object_of(generic(pipeline, target).text, target)
    assert bench.wrong(kernel, code, emulated, target, seed=1) == ""
    other = replace(kernel, reference=lambda given: np.zeros(kernel.output[0], np.uint8))
    assert bench.wrong(other, code, emulated, target, seed=1) == "differs from numpy"
    missing = replace(kernel, entry="nothing")
    assert "undefined symbol: nothing_argv" in bench.wrong(missing, code, emulated, target, seed=1)


def test_a_line_of_the_table_shows_only_what_is_exact() -> None:
    way = bench.Way("own", "", ((("f", 0), 3.0), (("f", 1), 1.5)), "2/4")
    assert bench.row("add", [way, replace(way, wrong="it dies")]) == "| add | 1.5 (2/4) | - |"
