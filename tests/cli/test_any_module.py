"""Modules of any compiler: what of one cannot be taken costs itself only."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.modules import Run, written

ROOT = Path(__file__).parents[2]
BORDER = ROOT / "tests" / "suites" / "border"
NATIVE = next(
    row.split("\t")
    for row in (ROOT / "tests" / "semantics" / "compilers.tsv").read_text().splitlines()
    if row.startswith("clang-14 -march=native\t")
)
WINDOW = (BORDER / "01_evex512_llvm_version.ll").read_text()


def window(attributes: str) -> str:
    """Return a function whose window is 32 products rounded to their upper halves."""
    assert '"target-cpu"="znver5" "target-features"="-evex512"' in WINDOW
    return WINDOW.replace('"target-cpu"="znver5" "target-features"="-evex512"', attributes)


def test_features_of_an_old_compiler_cost_nothing(isel: Run, tmp_path: Path) -> None:
    _, cpu, features, *_ = NATIVE
    text = window(f'"target-cpu"="{cpu}" "target-features"="{features}"')
    ran = isel("opt", written(tmp_path / "a.ll", text), "-S", "-o", "-", "--report")
    assert ran.code == 0
    assert "@llvm.x86.avx512.pmul.hr.sw.512" in ran.out
    assert features in ran.out
    assert "no table of prices for x86-64 with these features: that of znver5 is used" in ran.err


@pytest.mark.parametrize(("version", "bits"), [(17, 512), (18, 256), (21, 256), (22, 512)])
def test_older_compilers_get_no_512_bits_without_the_feature(
    isel: Run, tmp_path: Path, version: int, bits: int
) -> None:
    path = written(tmp_path / "a.ll", WINDOW)
    ran = isel("opt", path, "-S", "-o", "-", f"--llvm-version={version}")
    assert ("call <32 x i16> @llvm.x86.avx512.pmul.hr.sw.512" in ran.out) == (bits == 512)
    assert ("call <16 x i16> @llvm.x86.avx2.pmul.hr.sw" in ran.out) == (bits == 256)
