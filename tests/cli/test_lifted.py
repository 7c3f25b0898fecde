"""``isel opt --emit=lifted``, the report and ``isel explain`` say what lanes are."""

from __future__ import annotations

import json
from pathlib import Path

from frontends.llvm.report.tried import ModuleReport
from isel.cli.lifted import lifted_text
from tests.cli.modules import Run

NEST = """target triple = "x86_64-unknown-linux-gnu"
define <16 x i8> @nest(<16 x i8> %p, <16 x i8> %q, <16 x i8> %r) "target-cpu"="sapphirerapids" {
  %x = zext <16 x i8> %p to <16 x i16>
  %y = zext <16 x i8> %q to <16 x i16>
  %s = add <16 x i16> %x, %y
  %t = add <16 x i16> %s, splat (i16 1)
  %u = lshr <16 x i16> %t, splat (i16 1)
  %z = zext <16 x i8> %r to <16 x i16>
  %v = sub <16 x i16> %u, %z
  %w = call <16 x i16> @llvm.smax.v16i16(<16 x i16> %v, <16 x i16> zeroinitializer)
  %o = trunc <16 x i16> %w to <16 x i8>
  ret <16 x i8> %o
}
declare <16 x i16> @llvm.smax.v16i16(<16 x i16>, <16 x i16>)
"""
SAID = "usub_sat(uavg(%p, %q), %r)"


def test_windows_are_said_as_what_they_are(isel: Run, tmp_path: Path) -> None:
    path = tmp_path / "nest.ll"
    path.write_text(NEST)
    stats = tmp_path / "stats.json"
    ran = isel("opt", str(path), "-S", "--emit=lifted", "--report", "-stats-json", str(stats))
    assert ran.out == f"@nest\n  %o = {SAID}\n"
    assert f"  lifted: {SAID}\n" in ran.err
    (window,) = json.loads(stats.read_text())["windows"]
    assert window["lifted"] == [SAID]


def test_a_module_without_windows_says_nothing(isel: Run, tmp_path: Path) -> None:
    path = tmp_path / "none.ll"
    path.write_text("define i32 @f(i32 %x) {\n  ret i32 %x\n}\n")
    assert isel("opt", str(path), "-S", "--emit=lifted").out == ""
    assert lifted_text(ModuleReport("none.ll")) == ""


def test_lifted_forms_are_text(isel: Run, tmp_path: Path) -> None:
    path = tmp_path / "nest.ll"
    path.write_text(NEST)
    ran = isel("opt", str(path), "--emit=lifted", "-o", str(tmp_path / "nest.o"))
    assert ran.code == 1
    assert "--emit=lifted writes text" in ran.err


def test_instructions_are_explained_as_what_they_are(isel: Run) -> None:
    assert "  lifted     uavg(b, a)\n" in isel("explain", "_mm_avg_epu8").out
