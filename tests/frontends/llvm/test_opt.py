"""Rewriting modules with a toy target: what is written, what stays, and that wrong guesses do
not get through.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Tools
from frontends.llvm.pipeline.printing import show_changes
from frontends.llvm.report.text import table
from frontends.llvm.report.tried import Outcome
from frontends.llvm.text.parse import parse_module
from isel.cost.judgement import Judgement
from isel.cost.work import Work
from isel.errors import BadModule, UnknownName
from tests.frontends.llvm.toy import TOOLS, Count

HERE = Path(__file__).parent / "opt"
CASES = sorted(p.stem for p in HERE.glob("*.ll"))
REWRITTEN = sorted(set(CASES) - {"untouched"})


def source(name: str) -> str:
    return (HERE / f"{name}.ll").read_text()


def rewritten(name: str, options: Options | None = None, tools: Tools = TOOLS) -> str:
    return rewrite_module(source(name), options or Options(), tools, f"{name}.ll").text


@pytest.mark.parametrize("name", CASES)
def test_text(name: str) -> None:
    golden = HERE / f"{name}.out"
    text = rewritten(name, Options(verify_each=True))
    if os.environ.get("ISEL_BLESS") == "1":
        golden.write_text(text)
    assert text == golden.read_text(), (
        f"if the new text is right, run again with ISEL_BLESS=1 to rewrite {golden.name}"
    )


@pytest.mark.parametrize("name", REWRITTEN)
def test_every_average_is_found(name: str) -> None:
    result = rewrite_module(source(name), Options(), TOOLS)
    kept = {
        (w.place.function, w.place.root) for w in result.report.windows if w.outcome is Outcome.KEPT
    }
    assert kept <= {("already", "r"), ("shared", "s")}
    assert result.report.rewritten
    assert "@llvm.x86.sse2.pavg.b" in result.text


@pytest.mark.parametrize("name", CASES)
def test_the_result_is_as_llvm_prints_it(name: str) -> None:
    text = rewritten(name)
    assert normalise(text, f"{name}.ll") == text


def test_a_module_without_a_rewrite_is_printed_as_llvm_prints_it() -> None:
    assert rewritten("untouched") == normalise(source("untouched"), "untouched.ll")


@pytest.mark.parametrize("name", CASES)
def test_rewriting_twice_changes_nothing_more(name: str) -> None:
    once = rewritten(name)
    assert rewrite_module(once, Options(), TOOLS, f"{name}.ll").text == once


def test_other_functions_keep_their_text() -> None:
    before, after = parse_module(normalise(source("kept"))), parse_module(rewritten("kept"))
    pairs = zip(before.functions, after.functions, strict=True)
    same = [
        f.name
        for f, g in pairs
        if before.lines[f.first : f.last + 1] == after.lines[g.first : g.last + 1]
    ]
    assert same == ["already"]


def test_function_attributes_and_module_metadata_stay() -> None:
    before, after = parse_module(normalise(source("kept"))), parse_module(rewritten("kept"))
    kept = ("attributes ", "!", "@", "$", "target ", "source_filename", "define ")
    assert [x for x in before.lines if x.startswith(kept)] == [
        x for x in after.lines if x.startswith(kept)
    ]


FLOOR = source("wide").replace(
    "%s1 = add nuw nsw <32 x i16> %s, splat (i16 1)", "%s1 = or <32 x i16> %s, zeroinitializer"
)


@pytest.mark.parametrize("each", [False, True])
def test_what_is_not_proved_is_not_written(each: bool) -> None:
    result = rewrite_module(FLOOR, Options(verify_each=each), TOOLS, "wide.ll")
    assert result.text == normalise(FLOOR, "wide.ll")
    (window,) = result.report.windows
    assert window.outcome is Outcome.KEPT
    assert "not proved" in window.reason


def test_a_flag_that_the_source_violates_frees_the_target() -> None:
    signed = source("wide").replace("zext", "sext").replace("add nuw nsw", "add nuw")
    result = rewrite_module(signed, Options(), TOOLS)
    assert not result.report.rewritten


def test_bisect_limit_counts_rewrites_in_order() -> None:
    text = "\n".join(
        source("wide")
        .replace("@wide", f"@f{k}")
        .replace('target triple = "x86_64-pc-linux-gnu"', "")
        for k in range(3)
    )
    names = [
        [
            w.place.function
            for w in rewrite_module(
                text, Options(triple="x86_64", bisect_limit=n), TOOLS
            ).report.rewritten
        ]
        for n in range(4)
    ]
    assert names == [[], ["f0"], ["f0", "f1"], ["f0", "f1", "f2"]]


def test_only_function() -> None:
    text = source("wide") + source("loop").replace('target triple = "x86_64-pc-linux-gnu"', "")
    report = rewrite_module(text, Options(only_function="lo.*"), TOOLS).report
    assert [w.place.function for w in report.rewritten] == ["loop"]
    assert {f.name: f.skipped for f in report.functions} == {"wide": "not selected", "loop": ""}


@pytest.mark.parametrize("word", ["optnone noinline", "strictfp", "naked"])
def test_functions_that_forbid_it_are_left_alone(word: str) -> None:
    text = f"define void @f() {word} {{\n  %r = add <16 x i8> zeroinitializer, splat (i8 1)\n  unreachable\n}}\n"
    text = 'target triple = "x86_64-pc-linux-gnu"\n' + text
    report = rewrite_module(text, Options(), TOOLS).report
    assert not report.windows
    assert report.functions[0].skipped == f"it is {word.split()[0]}"


def test_big_endian_layouts_are_left_alone() -> None:
    report = rewrite_module('target datalayout = "E"\n' + source("wide"), Options(), TOOLS).report
    assert report.functions[0].skipped == "big-endian layout"


def test_a_triple_without_a_target_copies_the_module() -> None:
    text = source("wide").replace("x86_64-pc", "sparc-unknown")
    result = rewrite_module(text, Options(), TOOLS, "x")
    assert result.text == normalise(text, "x")
    assert "sparc" in result.report.functions[0].skipped


def test_an_unknown_triple_of_the_user_is_an_error() -> None:
    with pytest.raises(UnknownName):
        rewrite_module(source("wide"), Options(triple="z80"), TOOLS)


def test_broken_modules_are_errors() -> None:
    with pytest.raises(BadModule):
        rewrite_module("define void @f( {", Options(), TOOLS)


@pytest.mark.parametrize("name", CASES)
def test_the_number_of_jobs_changes_nothing(name: str) -> None:
    one, two = (rewrite_module(source(name), Options(jobs=j), TOOLS, "x") for j in (1, 2))
    assert one == two


def test_hash_seeds_change_nothing() -> None:
    code = (
        "from frontends.llvm.report.tried import stats\n"
        "from tests.frontends.llvm.test_opt import *\n"
        "for name in CASES:\n"
        "    r = rewrite_module(source(name), Options(), TOOLS, 'x')\n"
        "    print(r.text, stats(r.report))\n"
    )
    root = Path(__file__).parents[3]
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": s},
            cwd=root,
            capture_output=True,
            check=True,
        ).stdout
        for s in "12"
    }
    assert len(texts) == 1


def test_the_time_limit_keeps_the_module() -> None:
    result = rewrite_module(source("wide"), Options(time_limit=-1.0), TOOLS, "wide.ll")
    assert result.text == normalise(source("wide"), "wide.ll")
    assert result.report.timed_out
    assert "time limit" in result.report.functions[0].skipped
    assert result.report.late == tuple(f.name for f in result.report.functions)


def test_assuming_no_undef_freezes_nothing() -> None:
    assert "freeze" in rewritten("wide")
    assert "freeze" not in rewritten("wide", Options(assume_no_undef=True))


def test_a_judge_that_refuses_keeps_the_module() -> None:
    tools = replace(TOOLS, make_judge=lambda *_: Never())
    result = rewrite_module(source("wide"), Options(), tools, "wide.ll")
    assert result.text == normalise(source("wide"), "wide.ll")
    assert result.report.windows[0].reason == "never"


class Never:
    def judge(self, before: str, after: str, function: str) -> Judgement:
        return Judgement(False, "never", 1.0, 2.0)

    def work(self, module: str, functions: Sequence[str]) -> list[Work]:
        return [Work()] * len(functions)


def test_the_report_says_what_was_left_out_and_why() -> None:
    report = rewrite_module(source("untouched"), Options(), TOOLS, "untouched.ll").report
    left = report.left_out()
    assert sum(left.values()) + sum(f.instructions for f in report.functions if f.skipped) == sum(
        f.instructions for f in report.functions
    )
    assert {f.name: f.skipped for f in report.functions if f.skipped} == {"asleep": "it is optnone"}
    text = table(report)
    assert "0 of 0 windows rewritten; 0 of 21 instructions in windows" in text
    assert "function @asleep skipped: it is optnone" in text


def test_print_changed() -> None:
    result = rewrite_module(source("kept"), Options(), TOOLS)
    before, after = parse_module(result.before), parse_module(result.text)
    whole, diff = show_changes(before, after, diff=False), show_changes(before, after, diff=True)
    assert "*** IR Dump After isel on kept ***\ndefine linkonce_odr" in whole
    assert "*** IR Dump After isel on already omitted because no change ***" in whole
    assert "-  %r = trunc <16 x i16> %h to <16 x i8>" in diff


def test_a_function_that_others_refer_to_is_judged_in_its_module() -> None:
    other = "@alias = alias void (), ptr @aliased\ndefine void @aliased() {\n  ret void\n}\n"
    result = rewrite_module(source("wide") + other, Options(), TOOLS)
    assert [w.place.function for w in result.report.rewritten] == ["wide"]


@dataclass(frozen=True)
class _Judges(Count):
    """Counts judgements; ``verdict`` is what they are but for the costs."""

    verdict: bool
    asked: list[str] = field(default_factory=list)

    def judge(self, before: str, after: str, function: str) -> Judgement:
        self.asked.append(after)
        found = super().judge(before, after, function)
        return found if self.verdict else replace(found, accept=False)


@pytest.mark.parametrize(("verdict", "rewritten", "asked"), [(True, 6, 1), (False, 0, 2)])
def test_equal_windows_are_judged_as_one(verdict: bool, rewritten: int, asked: int) -> None:
    """Accepted: all at once; refused: all at once, and one, whose answer is that of the others."""
    body = [
        f"""  %p{k} = getelementptr i8, ptr %a, i64 {16 * k}
  %x{k} = load <16 x i8>, ptr %p{k}, align 1
  %z{k} = zext <16 x i8> %x{k} to <16 x i16>
  %s{k} = add nuw nsw <16 x i16> %z{k}, %w
  %t{k} = add nuw nsw <16 x i16> %s{k}, splat (i16 1)
  %h{k} = lshr <16 x i16> %t{k}, splat (i16 1)
  %r{k} = trunc <16 x i16> %h{k} to <16 x i8>
  store <16 x i8> %r{k}, ptr %p{k}, align 1"""
        for k in range(6)
    ]
    lines = [
        "define void @f(ptr %a, <16 x i8> %b) {",
        "  %w = zext <16 x i8> %b to <16 x i16>",
        *body,
        "  ret void",
        "}",
        "",
    ]
    judge = _Judges(verdict)
    tools = replace(TOOLS, make_judge=lambda *_: judge)
    done = rewrite_module(
        "\n".join(['target triple = "x86_64-pc-linux-gnu"', *lines]), Options(), tools
    )
    assert len(done.report.rewritten) == rewritten
    assert len(judge.asked) == asked
