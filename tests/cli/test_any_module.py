"""Modules of any compiler: what of one cannot be taken costs itself only."""

from __future__ import annotations

import json
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


ALIAS = (BORDER / "00_alias_anywhere.ll").read_text()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("@al = alias void (), ptr @g", "@al = ifunc void (), ptr @r\n{r}"),
        ("@f(", "@0("),
        ("@f(", '@"\\01f"('),
        ("define void @g() {", 'define void @g() {\n  call void asm "nop", ""()'),
    ],
    ids=["alias", "ifunc", "unnamed", "exact", "assembly"],
)
def test_what_stands_beside_a_window_does_not_cost_it(
    isel: Run, tmp_path: Path, old: str, new: str
) -> None:
    resolver = "define internal ptr @r() {\n  ret ptr @g\n}"
    text = ALIAS.replace(old, new.replace("{r}", resolver))
    ran = isel("opt", written(tmp_path / "a.ll", text), "-S", "-o", "-", "-cache", "off")
    assert ran.code == 0
    assert "call <16 x i16> @llvm.x86.avx2.pmul.hr.sw" in ran.out


CALLED = """\
target triple = "x86_64-unknown-linux-gnu"
define void @f(ptr %p, i64 %n) "target-cpu"="haswell" personality ptr @other {
  %a = invoke <16 x i16> @made()
          to label %1 unwind label %4
1:
  br label %2
2:
  %i = phi i64 [ 0, %1 ], [ %j, %2 ]
  %at = getelementptr i16, ptr %p, i64 %i
  %b = load <16 x i16>, ptr %at, align 1
  %x = sext <16 x i16> %a to <16 x i32>
  %y = sext <16 x i16> %b to <16 x i32>
  %s = mul nsw <16 x i32> %x, %y
  %t = add nsw <16 x i32> %s, splat (i32 16384)
  %u = lshr <16 x i32> %t, splat (i32 15)
  %v = trunc <16 x i32> %u to <16 x i16>
  store <16 x i16> %v, ptr %at, align 1
  %j = add i64 %i, 16
  %c = icmp ult i64 %j, %n
  br i1 %c, label %2, label %3
3:
  ret void
4:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
declare <16 x i16> @made()
declare i32 @other(...)
"""


@pytest.mark.parametrize("into", ["1", "2"])
def test_a_leaf_may_end_its_block(isel: Run, tmp_path: Path, into: str) -> None:
    text = CALLED
    if into == "2":  # the loop is entered by the call itself
        text = text.replace("label %1 unwind", "label %2 unwind").replace("1:\n  br label %2\n", "")
        text = text.replace("[ 0, %1 ]", "[ 0, %0 ]").replace("%2", "%1").replace("2:", "1:")
        text = text.replace("%3", "%2").replace("3:", "2:").replace("%4", "%3").replace("4:", "3:")
    ran = isel("opt", written(tmp_path / "a.ll", text), "-S", "-o", "-", "-cache", "off")
    assert ran.code == 0
    assert "call <16 x i16> @llvm.x86.avx2.pmul.hr.sw" in ran.out
    assert ran.out.index("freeze <16 x i16> %a") > ran.out.index("\n1:")


ARM = """\
target triple = "aarch64-unknown-linux-gnu"
define <8 x i16> @f(<8 x i16> %a, <8 x i16> %b) "target-cpu"="neoverse-v2" "target-features"="+neon,+sve2p1" {
  %r = call <8 x i16> @llvm.aarch64.neon.sqrdmulh.v8i16(<8 x i16> %a, <8 x i16> %b)
  ret <8 x i16> %r
}
declare <8 x i16> @llvm.aarch64.neon.sqrdmulh.v8i16(<8 x i16>, <8 x i16>)
"""


@pytest.mark.parametrize(
    ("version", "cpu"), [(15, "generic"), (18, "neoverse-v2"), (21, "neoverse-v2")]
)
def test_older_compilers_get_aarch64(isel: Run, tmp_path: Path, version: int, cpu: str) -> None:
    ran = isel("opt", written(tmp_path / "a.ll", ARM), "-S", "-o", "-", f"--llvm-version={version}")
    assert ran.code == 0
    assert "@llvm.aarch64.neon.sqrdmulh.v8i16" in ran.out
    assert f'"target-cpu"="{cpu}"' in ran.out


def test_what_is_not_rewritten_has_its_reason(isel: Run, tmp_path: Path) -> None:
    text = WINDOW.replace(
        "define void @f",
        "define void @s() strictfp {\n  ret void\n}\n"
        "define void @t() strictfp {\n  ret void\n}\ndefine void @f",
    )
    path, stats = written(tmp_path / "a.ll", text), tmp_path / "s.json"
    ran = isel("opt", path, "-S", "-o", "-", "--report", "--stats-json", stats, "--effort=0")
    assert "       2 functions skipped: it is strictfp\n" in ran.err
    counts = json.loads(stats.read_text())
    assert counts["functions_skipped"] == {"s": "it is strictfp", "t": "it is strictfp"}
    assert counts["functions_skipped_by_reason"] == {"it is strictfp": 2}
    assert counts["functions_unchanged"] == counts["functions_skipped"]


def test_scalable_loops_have_a_hint(isel: Run) -> None:
    path = ROOT / "tests" / "suites" / "reports" / "a64_loops_are_sve.ll"
    ran = isel("opt", path, "-S", "-o", "-", "--report")
    assert "  function @udot64w: its vectors are scalable, compile with +nosve" in ran.err
