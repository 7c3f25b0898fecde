"""What each command does when all is well: outputs, reports and exit codes of the contract."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from frontends.llvm.linked import binding
from isel import __version__
from semantics import targets
from tests.cli.conftest import environment
from tests.cli.modules import CPU, EXAMPLES, PLAIN, WINDOW, Run, written

PROVED = """\
define i8 @src(i8 %a, i8 %b) {
  %r = add nsw i8 %a, %b
  ret i8 %r
}
define i8 @tgt(i8 %a, i8 %b) {
  %r = add i8 %b, %a
  ret i8 %r
}
"""
REFUTED = PROVED.replace("add nsw i8 %a", "add i8 %a").replace("add i8 %b, %a", "add nsw i8 %b, %a")
UNKNOWN = (
    PROVED.replace("add nsw i8 %a, %b", "call i8 @f(i8 %a)").replace(
        "add i8 %b, %a", "call i8 @g(i8 %a)"
    )
    + "declare i8 @f(i8)\ndeclare i8 @g(i8)\n"
)


def test_version(isel: Run) -> None:
    lines = isel("--version").out.splitlines()
    assert lines[0] == f"isel {__version__}"
    assert lines[1].startswith(f"LLVM {binding.llvm_version()} (llvmlite ")
    assert lines[2].startswith("bitwuzla ")
    assert lines[3].startswith("z3 ")
    assert lines[4:] == [f"semantics of {t.name} {t.digest[:16]}" for t in targets()]


def test_the_version_takes_less_than_a_third_of_a_second() -> None:
    """Processor time, so that a busy machine does not count; the best of three."""
    seconds = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "isel", "--version"],
            check=True,
            capture_output=True,
            env=environment(),
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(seconds) < 0.3


def test_help_is_grouped(isel: Run) -> None:
    text = isel("--help").out
    for heading in ("rewriting:", "looking things up:", "housekeeping:"):
        assert heading in text
    assert "bisecting:" in isel("opt", "--help").out


@pytest.mark.parametrize("dashes", ["-", "--"])
def test_llvm_flags_take_one_dash_or_two(isel: Run, tmp_path: Path, dashes: str) -> None:
    path = written(tmp_path / "in.ll", PLAIN)
    assert (
        isel(
            "opt",
            path,
            "-S",
            f"{dashes}mcpu=haswell",
            f"{dashes}mattr=+avx2,-avx512f",
            f"{dashes}mtriple",
            "x86_64-linux-gnu",
        ).code
        == 0
    )


def test_native(isel: Run, tmp_path: Path) -> None:
    assert isel("opt", written(tmp_path / "in.ll", PLAIN), "-S", "-mcpu=native").code == 0


def test_rewriting(isel: Run, tmp_path: Path) -> None:
    ran = isel("opt", WINDOW, "-S", CPU, "-o", tmp_path / "out.ll")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    text = (tmp_path / "out.ll").read_text()
    assert "@llvm.x86.avx512.pmul.hr.sw.512" in text
    binding.normalise(text, str(WINDOW))
    assert isel("verify", WINDOW, tmp_path / "out.ll").code == 0


def test_unchanged_modules_are_the_users_bytes(isel: Run, tmp_path: Path) -> None:
    text = PLAIN.replace("%r = add", "%r   =   add nuw ") + "; the end"
    assert isel("opt", written(tmp_path / "in.ll", text), "-S").out == text


def test_standard_streams(spawned: Run) -> None:
    ran = spawned("opt", "-", "-S", "-o", "-", stdin=PLAIN.encode())
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == PLAIN


def test_bitcode_in_and_out(isel: Run, tmp_path: Path) -> None:
    data = binding.text_to_bitcode(PLAIN)
    (tmp_path / "in.bc").write_bytes(data)
    assert isel("opt", "in.bc", "-o", "same.bc").code == 0
    assert (tmp_path / "same.bc").read_bytes() == data
    (tmp_path / "window.bc").write_bytes(binding.text_to_bitcode(WINDOW.read_text()))
    assert isel("opt", "window.bc", CPU, "-o", "out.bc").code == 0
    assert "pmul.hr.sw" in binding.bitcode_to_text((tmp_path / "out.bc").read_bytes(), "out.bc")
    assert isel("opt", "out.bc", "-o", "out.ll").code == 0
    assert (tmp_path / "out.ll").read_text().startswith("; ModuleID")


def test_outputs_keep_mode_and_follow_links(isel: Run, tmp_path: Path) -> None:
    real = written(tmp_path / "real.ll", "old")
    real.chmod(0o640)
    (tmp_path / "link.ll").symlink_to(real)
    assert isel("opt", written(tmp_path / "in.ll", PLAIN), "-o", "link.ll").code == 0
    assert (tmp_path / "link.ll").is_symlink()
    assert real.read_text() != "old"
    assert real.stat().st_mode & 0o777 == 0o640


def test_new_files_obey_the_umask(isel: Run, tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        isel("opt", written(tmp_path / "in.ll", PLAIN), "-o", "out.ll")
    finally:
        os.umask(before)
    assert (tmp_path / "out.ll").stat().st_mode & 0o777 == 0o640


def test_reports(isel: Run, tmp_path: Path) -> None:
    words = (
        "--report",
        "--remarks",
        "r.yaml",
        "--stats-json",
        "s.json",
        "--print-changed=diff",
        "--time-passes",
    )
    ran = isel("opt", WINDOW, "-S", CPU, "-o", "out.ll", *words)
    assert ran.code == 0
    for part in (
        "-> vpmulhrsw (zmm)",
        "proved for all inputs",
        "proof:",
        "+  %r = call <32 x i16>",
        "-  %r = trunc",
        "seconds by phase",
        "1 of 1 window rewritten",
    ):
        assert part in ran.err
    stats = json.loads((tmp_path / "s.json").read_text())
    assert (stats["windows_rewritten"], stats["functions"]) == (1, 1)
    text = (tmp_path / "r.yaml").read_text()
    assert text.startswith("--- !Passed\nPass:            isel\n")
    loader = type("Loader", (yaml.SafeLoader,), {})
    for tag in ("Passed", "Missed", "Analysis"):
        yaml.add_constructor(
            f"!{tag}", lambda load, node: load.construct_mapping(node, deep=True), Loader=loader
        )
    documents = list(yaml.load_all(text, Loader=loader))
    assert [d["Name"] for d in documents] == ["WindowRewritten", "Coverage"]


def test_print_changed_in_full(isel: Run) -> None:
    err = isel("opt", WINDOW, "-S", CPU, "-o", "/dev/null", "-print-changed").err
    assert err.startswith("*** IR Dump After isel on multiply_round ***\n")


def test_bisecting(isel: Run) -> None:
    path = EXAMPLES / "subtract_clamp.ll"
    counts = []
    for limit in (0, 1, 2):
        ran = isel("opt", path, "-S", "--bisect-limit", str(limit))
        assert ran.code == 0
        counts.append(
            len({line for line in ran.out.splitlines() if "= call" in line and "usub.sat" in line})
        )
    assert counts[0] == 0
    assert counts[0] < counts[1] < counts[2]


def test_only_function(isel: Run) -> None:
    assert "pmul.hr.sw" not in isel("opt", WINDOW, "-S", CPU, "--only-function", "round").out
    assert (
        "pmul.hr.sw"
        in isel("opt", WINDOW, "-S", CPU, "--only-function", "multiply_.*", "--verify-each").out
    )


def test_only_function_that_matches_nothing_is_a_line(isel: Run) -> None:
    ran = isel("opt", WINDOW, "-S", CPU, "--only-function", "nothing")
    assert ran.code == 0
    assert ran.out == WINDOW.read_text()
    assert ran.err == (
        f"isel: warning: --only-function 'nothing' matches no function of {WINDOW}\n"
    )


def test_vector_width(isel: Run) -> None:
    out = isel("opt", WINDOW, "-S", CPU, "--vector-width=256").out
    assert "avx512.pmul.hr.sw.512" not in out


@pytest.mark.parametrize(
    ("text", "code", "word"),
    [(PROVED, 0, "proved"), (REFUTED, 2, "refuted"), (UNKNOWN, 3, "unknown: ")],
)
def test_verify(isel: Run, tmp_path: Path, text: str, code: int, word: str) -> None:
    ran = isel("verify", written(tmp_path / "pair.ll", text))
    assert ran.code == code
    assert ran.err == ""
    (line,) = ran.out.splitlines()
    assert line.startswith("@")
    assert word in line
    assert word != "refuted" or " = " in line


def test_verify_wants_pairs(isel: Run, tmp_path: Path) -> None:
    ran = isel("verify", written(tmp_path / "in.ll", PLAIN))
    assert ran.code == 1
    assert "no pair of functions @src and @tgt" in ran.err


def test_verify_two_files(isel: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "a.ll", PLAIN)
    assert isel("verify", path, path).out.startswith("@f: proved")


def test_explain(isel: Run) -> None:
    for name in ("_mm_mulhrs_epi16", "vpmulhrsw", "llvm.x86.ssse3.pmul.hr.sw.128"):
        ran = isel("explain", name)
        assert ran.code == 0
        first, _, second, *_ = ran.out.splitlines()
        assert first == "_mm_mulhrs_epi16 (vpmulhrsw)"
        assert (
            second
            == "result[i], 8 lanes of 16 bits: bits 1..16 of (bits 14..30 of (s31(a[i]) * s31(b[i])) + 1)"
        )
        for part in (
            "_mm512_mask_mulhrs_epi16",
            "A alderlake",
            "instruction _mm_mulhrs_epi16",
            "lane extract(extract(",
            "emission",
            "tested ",
        ):
            assert part in ran.out


def test_explain_prices_a_cpu_that_is_named(isel: Run) -> None:
    table = [
        line.split()
        for line in isel("explain", "psadbw", "-mcpu=haswell").out.splitlines()
        if "_sad_epu8 " in line and "x" in line.split()[1]
    ]
    assert {row[0]: row[2] == "-" for row in table} == {
        "_mm_sad_epu8": False,
        "_mm256_sad_epu8": False,
        "_mm512_sad_epu8": True,
    }
    assert (
        isel("explain", "psadbw", "-mcpu=hasswell").err
        == "isel: error: unknown CPU 'hasswell', did you mean 'haswell'?\n"
    )


def test_semantics_list_filters(isel: Run) -> None:
    def names(*words: str) -> set[str]:
        found = json.loads(isel("semantics", "list", "x86", *words, "--json").out)
        assert [
            line.split()[0] for line in isel("semantics", "list", "x86", *words).out.splitlines()
        ] == [i["name"] for i in found]
        return {i["name"] for i in found}

    assert names("vpavg?", "--width", "512") == {
        f"_mm512_{mask}avg_epu{w}" for mask in ("", "mask_", "maskz_") for w in (8, 16)
    }
    assert names("vpavg?", "--feature", "avx512vl", "--feature", "avx512bw", "--width", "128") == {
        f"_mm_{mask}_avg_epu{w}" for mask in ("mask", "maskz") for w in (8, 16)
    }
    assert (
        names("--class", "uavg", "--feature", "sse2") - {"generic_uavg_32_128"}
        == names("pavgb", "pavgw", "--feature", "sse2")
        == {"_mm_avg_epu8", "_mm_avg_epu16"}
    )
    assert names("pavgb", "--width", "64") == set()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("list", "x86", "zz*"), "no instruction of x86 is called like 'zz*'"),
        (("list", "x86", "--feature", "avx3"), "unknown feature 'avx3', did you mean 'avx'?"),
        (("list", "x86", "--class", "uavgg"), "unknown class 'uavgg', did you mean 'uavg'?"),
        (("fuzz", "x86", "--width", "128"), "belong to 'isel semantics list'"),
        (("fuzz", "x86", "--json"), "--json belongs to"),
    ],
)
def test_mistakes_in_filters(isel: Run, words: tuple[str, ...], told: str) -> None:
    ran = isel("semantics", *words)
    assert ran.code == 1 and told in ran.err and ran.err.count("\n") == 1


def test_semantics(isel: Run) -> None:
    every = isel("semantics", "list", "x86").out.splitlines()
    counted = json.loads(isel("semantics", "coverage", "x86", "--json").out)
    assert len(every) == counted["instructions"]
    assert isel("semantics", "list", "x86", "_mm_avg_epu8").out.startswith("_mm_avg_epu8 ")
    assert isel("semantics", "show", "x86", "_mm_avg_epu8").out.startswith(
        "instruction _mm_avg_epu8\n"
    )
    assert "instructions: " in isel("semantics", "coverage", "x86").out


def test_semantics_fuzz(isel: Run) -> None:
    ran = isel(
        "semantics",
        "fuzz",
        "x86",
        "_mm_avg_epu8",
        "_mm_sign_epi8",
        "--samples",
        "50",
        "--seed",
        "7",
    )
    assert ran.code == 0
    assert "seed 7: 2 instructions agree, 0 disagree, 0 were not executed" in ran.out


def test_cache(isel: Run, tmp_path: Path) -> None:
    here = ("--cache", str(tmp_path / "mine"))
    assert isel("opt", WINDOW, "-S", CPU, *here).code == 0
    assert "1 results" in isel("cache", "stats", *here).out
    assert "1 results hold" in isel("cache", "check", *here).out
    assert isel("cache", "export", "rows.sqlite", *here).code == 0
    assert "removed 1 results" in isel("cache", "clear", *here).out
    assert "took" in isel("cache", "import", "rows.sqlite", *here).out
    assert "1 results" in isel("cache", "stats", *here).out


def test_import_refuses_what_is_not_proved(isel: Run, tmp_path: Path) -> None:
    from dataclasses import replace

    from isel.cache.database import Database

    here = ("--cache", str(tmp_path / "mine"))
    isel("opt", WINDOW, "-S", CPU, *here)
    database = Database(tmp_path / "mine" / "cache.sqlite")
    (row,) = database.results()
    database.add_result(
        replace(row, programs=row.programs.replace("_mm512_mulhrs_epi16", "_mm512_mulhi_epi16"))
    )
    assert isel("cache", "check", *here).code == 3
    database.seal()
    ran = isel("cache", "import", tmp_path / "mine" / "cache.sqlite", "--cache", tmp_path / "other")
    assert ran.code == 3
    assert "a program is not proved (refuted)" in ran.out
    assert "took 0 results, refused 1" in ran.out


def test_doctor(isel: Run) -> None:
    ran = isel("doctor")
    assert ran.code == 0
    for part in ("CPU: ", "bitwuzla: ", "z3: ", "llvm-mca-19: ", "halide: ", "qemu-hexagon: "):
        assert part in ran.out
    assert "\x1b" not in ran.out
