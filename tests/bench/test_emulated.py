"""Kernels in an emulator: what is exact and what is not, and what it executes."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import halide
import numpy as np
import pytest

from bench import emulated as bench
from bench.executed import make_plugin
from bench.harness.clang import ir_with
from bench.inputs import VECTOR
from bench.kernels import KERNELS
from frontends.halide import generic, load_pipeline, natural_bytes, object_of, resolve
from frontends.llvm.linked import binding
from semantics import isa_named
from semantics.emulated import Emulated

BY_NAME = {k.name: k for k in KERNELS}
FIELDS = (
    "device",
    "device_interface",
    "host",
    "flags",
    "type.code",
    "type.bits",
    "type.lanes",
    "dimensions",
    "dim",
    "padding",
)
HEADER = '#include "HalideRuntime.h"\n#include <stddef.h>\nconst unsigned at[] = {%s, %s};\n'


@pytest.fixture(scope="module", params=["arm", "hvx"])
def runner(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[bench.Runner]:
    target = resolve(request.param)
    emulated = isa_named(target.name).executor()
    assert isinstance(emulated, Emulated)
    plugin = make_plugin(tmp_path_factory.mktemp("plugin"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VECTOR, str(natural_bytes(target.own)))
        yield bench.Runner(emulated, target, plugin, 1)


@pytest.mark.tools
def test_a_pipeline_is_compared_with_numpy(runner: bench.Runner) -> None:
    kernel, target = BY_NAME["dilate3x3"], runner.target
    _, pipeline = load_pipeline(f"{kernel.source}:{kernel.entry}")
    code = object_of(generic(pipeline, target).text, target)
    found = runner.way(kernel, "x", code, "")
    assert found.wrong == "" and 500 < found.executed < 10_000_000
    assert runner.way(kernel, "x", code, "") == found
    other = replace(kernel, reference=lambda given: np.zeros(kernel.output[0], np.uint8))
    assert runner.way(other, "x", code, "").wrong == "differs from numpy"
    missing = runner.way(replace(kernel, entry="nothing"), "x", code, "")
    assert "undefined symbol: nothing_argv" in missing.wrong


@pytest.mark.tools
@pytest.mark.parametrize("runner", ["arm"], indirect=True)
def test_c_without_vectors_executes_more(runner: bench.Runner) -> None:
    kernel = BY_NAME["c_saturating_add"]
    counts: list[int] = []
    for flag in ("-O3", "-fno-vectorize"):
        text = ir_with(kernel.source, ["-target", "aarch64-linux-musl", flag, "-fno-slp-vectorize"])
        found = runner.way(kernel, "x", object_of(text, runner.target, optimise=False), "")
        assert found.wrong == ""
        counts.append(found.executed)
    assert counts[1] > 4 * counts[0]


@pytest.mark.parametrize("name", ["arm", "hvx"])
def test_buffers_are_where_halide_has_them(name: str, tmp_path: Path) -> None:
    target = resolve(name)
    offsets = ", ".join(f"offsetof(struct halide_buffer_t, {f})" for f in FIELDS)
    source = tmp_path / "at.c"
    source.write_text(HEADER % (offsets, "sizeof(struct halide_buffer_t)"))
    machine, made = target.triple.partition("-")[0], tmp_path / "at.ll"
    command = [sys.executable, "-m", "ziglang", "cc", "-target", f"{machine}-linux-musl", "-O1"]
    command += ["-S", "-emit-llvm", f"-I{halide.install_dir()}/include", str(source)]
    subprocess.run([*command, "-o", str(made)], check=True)
    found = made.read_text().partition("@at = ")[2].partition("\n")[0]
    wanted = [int(n) for n in re.findall(r"i32 (\d+)", found)]
    assert len(wanted) == len(FIELDS) + 1
    places = [*(f"0, i32 {k}" for k, _ in enumerate(FIELDS)), "1"]
    text = "".join(
        f"@at{k} = global i64 ptrtoint (ptr getelementptr ({bench.BUFFER}, ptr null, i32 {at}) "
        "to i64)\n"
        for k, at in enumerate(places)
    )
    layout = f'target datalayout = "{binding.data_layout(target.triple)}"\n'
    folded = binding.optimise(
        f'{layout}target triple = "{target.triple}"\n{text}',
        triple=target.triple,
        cpu=target.cpu,
        features=target.features,
    )
    assert [int(n) for n in re.findall(r"global i64 (\d+)", folded)] == wanted


def test_a_line_of_the_table_shows_only_what_is_exact() -> None:
    way = bench.Way("own", "", 1500, "2/4")
    found = {"own": way, "isel": replace(way, wrong="it dies")}
    assert bench.row("add", ("own", "isel", "llvm"), found) == "| add | 1,500 (2/4) | - | - |"


def test_means_are_also_without_what_llvm_cannot_do() -> None:
    rows = [
        {"generic": 100, "own": 50, "generic + isel": 50},
        {"generic": 800, "own": 50, "generic + isel": 50},
        {"generic": 80},
    ]
    lines = list(bench.means(("generic", "own", "generic + isel"), rows))
    assert lines == [
        "generic / generic + isel: 5.657 over 2 kernels, least 2.000",
        "generic / generic + isel: 2.000 over 1 kernels, least 2.000",
        "own / generic + isel: 1.000 over 2 kernels, least 1.000",
        "own / generic + isel: 1.000 over 1 kernels, least 1.000",
    ]


def test_a_missing_emulator_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv(VECTOR, "128")
    monkeypatch.setattr(sys, "argv", ["emulated", "--target", "hvx"])
    assert bench.main() == 1
    assert capsys.readouterr().err == "this machine lacks qemu-hexagon: install qemu-user\n"
