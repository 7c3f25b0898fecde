"""A small part of ``make versions`` and ``make verify``, which take every module of the benchmark;
what clang 14 writes, too, as text with typed pointers and as bitcode.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

import pytest

from bench.kernels import C
from frontends.halide.targets import resolve
from isel.cli.halide import rewriter
from tests.modules.running import Rewriter, isel, run
from tests.modules.sources import Source, sources_of
from tests.modules.verify import over_modules
from tests.modules.versions import OURS, Clang, over_versions
from tests.planted.modules import plant
from tests.suites import SUITES

TARGET: Final = resolve("x86", cpu="haswell")
REWRITTEN: Final = ("c_audio_mix", "c_rgb_to_gray")
WINDOWS: Final = SUITES / "windows/x86"


SUMS: Final = """
int bytes(const unsigned char *a, long n) {
  int s = 0;
  for (long i = 0; i < n; i++) s += a[i];
  return s;
}
int products(const unsigned char *a, const signed char *b, int s, long n) {
  for (long i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}
"""


def modules(names: tuple[str, ...] = REWRITTEN) -> list[Source]:
    return list(sources_of([k for k in C if k.name in names], TARGET))


@pytest.mark.tools
def test_older_compilers_take_what_is_written_and_it_computes_the_same(tmp_path: Path) -> None:
    """Those compilers that .ci/run installs."""
    clangs = [Clang(v, (f"clang-{v}",)) for v in (15, 16, 19)]
    rewriter = Rewriter(TARGET, 0, tmp_path / "cache.sqlite")
    totals = [t for _, t in over_versions(modules(), clangs, rewriter, tmp_path)][-1]
    assert totals.problems == []
    assert totals.rewritten == dict.fromkeys((OURS, *(f"LLVM {c.version}" for c in clangs)), 2)
    assert set(totals.right.values()) == {2} and len(totals.right) == 5


@pytest.mark.tools
def test_older_compilers_take_aarch64(tmp_path: Path) -> None:
    target = resolve("arm", cpu="neoverse-n1")
    clangs = [Clang(v, (f"clang-{v}",)) for v in (15, 16, 19)]
    rewriter = Rewriter(target, 0, tmp_path / "cache.sqlite")
    kernel = [k for k in C if k.name == "c_audio_mix"]
    ((_, totals),) = over_versions(sources_of(kernel, target), clangs, rewriter, tmp_path)
    assert totals.problems == []
    assert set(totals.right.values()) == {1} and len(totals.right) == 5


def test_what_is_written_is_proved(tmp_path: Path) -> None:
    rewriter = Rewriter(TARGET, 0, tmp_path / "cache.sqlite")
    totals = [t for _, t in over_modules(modules(), rewriter, tmp_path)][-1]
    assert totals.problems == []
    assert (totals.rewritten, totals.proved) == (2, 2)


def test_no_change_that_shows_is_proved(tmp_path: Path) -> None:
    rewriter = Rewriter(TARGET, 0, tmp_path / "cache.sqlite")
    (module,) = (m for m in modules() if m.kernel.name == "c_rgb_to_gray")
    source, out = tmp_path / "before.ll", tmp_path / "after.ll"
    source.write_text(module.text)
    assert rewriter(source, out, "-S")[1]
    ((_, totals),) = plant([(module, out.read_text())], tmp_path, seed=1, wanted=6)
    assert (totals.shown, totals.proved) == (6, [])


def test_sums_whose_accumulators_a_window_froze_are_proved(tmp_path: Path) -> None:
    """The accumulators have other lanes, and what adds to them is an instruction of the CPU."""
    source, given, out = (tmp_path / name for name in ("sums.c", "sums.ll", "out.ll"))
    source.write_text(SUMS)
    flags = ["-target", "x86_64-linux-gnu", "-mcpu=znver4", "-O3", "-fno-sanitize=all", "-g0"]
    compiler = [sys.executable, "-m", "ziglang", "cc", *flags, "-S", "-emit-llvm"]
    assert run([*compiler, str(source), "-o", str(given)]).code == 0
    rewriter = Rewriter(resolve("x86", cpu="znver4"), 0, tmp_path / "cache.sqlite")
    done, rewritten = rewriter(given, out, "-S")
    assert (done.code, rewritten >= 2) == (0, True), done.said
    text = out.read_text()
    phis = re.findall(r"(%[\w.]+) = phi <", text)
    assert any(re.search(rf"freeze <\d+ x i\d+> {re.escape(p)}\n", text) for p in phis)
    assert "psad.bw" in text and "vpdpbusd" in text
    judged = isel("verify", given, out)
    assert judged.code == 0, judged.out


@pytest.mark.tools
@pytest.mark.parametrize(("flag", "suffix"), [("-S", "ll"), ("-c", "bc")])
def test_modules_of_clang_14(flag: str, suffix: str, tmp_path: Path) -> None:
    """Pointers with types, as text and as bitcode; what is written has none, and is proved."""
    rewriter = Rewriter(TARGET, 0, tmp_path / "cache.sqlite")
    for module in modules(("c_audio_mix", "c_dot_i16")):
        given, out = tmp_path / f"{module.name}.14.{suffix}", tmp_path / f"{module.name}.out.ll"
        flags = ["-O3", "-march=haswell", "-emit-llvm", flag, "-o", str(given)]
        assert run(["clang-14", str(module.kernel.source), *flags]).code == 0
        done, rewritten = rewriter(given, out, "-S")
        assert (done.code, rewritten > 0) == (0, True), done.said
        judged = isel("verify", given, out)
        assert judged.code == 0, judged.out
        made = tmp_path / f"{module.name}.o"
        assert rewriter(given, made)[0].code == 0
        assert module.wrong(made) == ""


def test_the_windows_of_the_suite_are_proved(tmp_path: Path) -> None:
    rewriter = Rewriter(resolve("x86"), 1, tmp_path / "cache.sqlite")
    found = 0
    for source in sorted(WINDOWS.glob("*.ll")):
        out = tmp_path / source.name
        done, rewritten = rewriter(source, out, "-S")
        assert done.code == 0, done.said
        found += rewritten > 0
        judged = isel("verify", source, out)
        assert judged.code == 0, f"{source.name}: {judged.out}"
    assert found >= 6


def test_a_cpu_whose_name_has_a_hyphen() -> None:
    """``zig cc`` spells such a name in another way."""
    kernel = next(k for k in C if k.name == "c_sad")
    modules = [*sources_of([kernel], resolve("x86", cpu="icelake-server"))]
    assert [m.version for m in modules] == ["clang", "clang-512"]
    assert all('"target-cpu"="icelake-server"' in m.text for m in modules)


def test_a_join_that_is_no_gain_alone_is_judged_with_its_windows() -> None:
    """Two stores of the main loop as one, more operations for the cycles that it saves alone: with
    what windows make of it the function takes two thirds of what it takes without.
    """
    target = resolve("x86", cpu="znver5")
    source = next(s for s in sources_of([k for k in C if k.name == "c_rgb_to_gray"], target))
    with rewriter(target, jobs=1, cache="off") as rewrite:
        done = rewrite(source.text, "f.ll")
    (function,) = done.report.functions
    assert "joined-windows" in done.report.by() and function.cost is not None
    before, after = function.cost
    assert after < 0.65 * before
