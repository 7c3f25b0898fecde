"""``isel.optimize``: kinds, rows, limits, what cannot be obeyed."""

from __future__ import annotations

import contextlib
import io
import re
import threading
from pathlib import Path

import llvmlite.binding as llvm
import pytest

import isel
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.report.tried import Outcome
from isel.api.asked import check_numbers, check_pattern
from isel.api.modules import same_kind
from isel.cli import main
from isel.deadline import REACHED
from isel.errors import BadModule, UnknownName, UsageProblem
from tests.api.modules import CPU, DOT4, PLAIN, SCALAR


def optimize(module: str, only: str | None = None) -> isel.Result[str]:
    return isel.optimize(module, cpu=CPU, cache=False, time_limit=None, only=only)


def test_text_is_rewritten_and_told_as_the_command_tells_it(tmp_path: Path) -> None:
    done = optimize(DOT4)
    assert "@llvm.x86.avx512.vpdpbusd.512" in done.module
    (window,) = done.windows
    assert done.rewritten == (window,) and window.outcome is Outcome.REWRITTEN
    assert (window.place.function, window.place.root, window.place.line) == ("dot4", "s3", 19)
    assert window.cost_before and window.cost_after and window.cost_before > window.cost_after
    assert "no counterexample" in window.proof and window.reason == ""
    (function,) = done.functions
    assert (function.name, function.skipped, function.in_windows) == ("dot4", "", 11)
    assert function.cost is not None and not done.limited
    (tmp_path / "in.ll").write_text(DOT4)
    said = io.StringIO()
    words = ["opt", tmp_path / "in.ll", f"-mcpu={CPU}", "--cache=off", "-j1", "-o", "-", "--report"]
    with (
        contextlib.redirect_stderr(said),
        contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())),
    ):
        assert main([*map(str, words), "-S"]) == 0
    assert _timeless(said.getvalue()).replace(str(tmp_path / "in.ll"), "<module>") == _timeless(
        str(done)
    )


def _timeless(report: str) -> str:
    return re.sub(r"time: .*? s,", "time:", report)


def test_the_same_kind_comes_out_and_what_is_given_stays() -> None:
    module = llvm.parse_assembly(DOT4)
    module.name = "mine"
    before = str(module)
    done = isel.optimize(module, cpu=CPU, cache=False)
    assert isinstance(done.module, llvm.ModuleRef) and done.module is not module
    assert "vpdpbusd" in str(done.module) and done.module.name == "mine"
    assert str(module) == before
    made = isel.optimize(module.as_bitcode(), cpu=CPU, cache=False).module
    assert isinstance(made, bytes) and "vpdpbusd" in str(llvm.parse_bitcode(made))


@pytest.mark.parametrize(
    ("text", "asked", "why"),
    [
        (PLAIN, {}, ""),
        (SCALAR, {}, "no value of the module is a vector of integers"),
        (DOT4, {"time_limit": 0}, REACHED),
        (DOT4, {"only": "dot"}, "not selected"),
    ],
)
def test_what_is_not_rewritten_is_what_was_given(
    text: str, asked: dict[str, float], why: str
) -> None:
    module = llvm.parse_assembly(text)
    done = isel.optimize(module, cpu=CPU, cache=False, **asked)  # type: ignore[arg-type]
    assert done.module is module and not done.rewritten
    assert [f.skipped for f in done.functions] == [why]
    assert done.limited == (why is REACHED)
    assert ("the time limit was reached" in str(done)) == done.limited


def test_a_limit_that_is_met_is_said_and_what_was_proved_is_kept() -> None:
    done = isel.optimize(DOT4, cpu=CPU, cache=False, time_limit=1e-9)
    assert done.module is DOT4 and done.limited


@pytest.mark.parametrize("limit", [float("inf"), 1e300])
def test_a_limit_beyond_all_clocks_is_none(limit: float) -> None:
    before, threading.excepthook = threading.excepthook, lambda told: lost.append(told.exc_type)
    lost: list[type[BaseException]] = []
    try:
        done = isel.optimize(DOT4, cpu=CPU, cache=False, time_limit=limit)
    finally:
        threading.excepthook = before
    assert done.rewritten and not done.limited and not lost


def test_only_whole_names_count() -> None:
    assert optimize(DOT4, only="dot.").rewritten


def test_functions_say_themselves_what_they_are_for() -> None:
    """As the command has it: the features of the base where nobody names any."""
    assert "x86.avx512" not in isel.optimize(DOT4, cache=False).module
    text = DOT4.replace("nounwind", f'nounwind "target-cpu"="{CPU}"')
    assert "vpdpbusd" in isel.optimize(text, cache=False).module


def test_text_of_an_older_llvm_is_read() -> None:
    """As the command reads it: ``inrange`` on an index is a word of LLVM before 19."""
    old = "@t = external global [4 x i8]\ndefine ptr @f() {\n  ret ptr getelementptr inbounds ([4 x i8], ptr @t, i32 0, inrange i32 1)\n}\n"
    assert isel.optimize(old, cache=False).module == old


def test_text_keeps_its_own_lines() -> None:
    done = optimize(f"; mine\n{DOT4}")
    assert done.rewritten and done.module.startswith("; mine\n")


def test_no_cache_is_made_where_the_environment_says_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ISEL_CACHE", "off")
    monkeypatch.chdir(tmp_path)
    assert isel.optimize(DOT4, cpu=CPU, time_limit=None).rewritten
    assert not list(tmp_path.iterdir())


def test_threads_take_turns_with_one_cache(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    found: list[isel.Result[str]] = []

    def call() -> None:
        found.append(isel.optimize(DOT4, cpu=CPU, cache=tmp_path, time_limit=None))

    for _ in range(3):
        thread = threading.Thread(target=call)
        thread.start()
        thread.join()
    assert len({done.module for done in found}) == 1 and all(done.rewritten for done in found)
    assert len(found) == 3 and not caplog.records


def test_a_cache_may_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir(mode=0o700)
    first = isel.optimize(DOT4, cpu=CPU, cache=tmp_path / "own")
    assert (tmp_path / "own" / "cache.sqlite").exists()
    again = isel.optimize(DOT4, cpu=CPU, cache=str(tmp_path / "own"))
    assert again.module == first.module and again.windows == first.windows


CLOSED = llvm.parse_assembly(SCALAR)
CLOSED.close()


@pytest.mark.parametrize(
    ("module", "asked", "kind", "said"),
    [
        (CLOSED, {}, BadModule, "<module>: error: the ModuleRef is closed"),
        ("garbage", {}, BadModule, "<module>:1:1: error: expected top-level entity"),
        (b"garbage", {}, BadModule, "<module>: error: Invalid bitcode signature"),
        (b"BC\xc0\xde\x35\x14\x00\x00", {}, BadModule, "<module>: error: "),
        ("define void @f(<4 x i32> %a) {\n  %b = frob <4 x i32> %a\n  ret void\n}\n", {}, BadModule, "expected instruction opcode"),
        ("define void @f(i9* %a, i32 addrspace(1)** %b, {i8*}* %c) {\n ret i32 0\n}", {}, BadModule, "<module>:2:"),
        (DOT4, {"cpu": "sapphirerapid"}, UnknownName, "did you mean 'sapphirerapids'?"),
        (DOT4, {"features": "+avx512vni"}, UnknownName, "unknown feature 'avx512vni'"),
        (DOT4, {"only": "["}, UsageProblem, "is no regular expression"),
        (DOT4, {"effort": -1}, UsageProblem, "effort -1, expected 0 or more"),
        (DOT4, {"time_limit": float("nan")}, UsageProblem, "time limit nan"),
        (7, {}, TypeError, "expected str, bytes or llvmlite.binding.ModuleRef"),
    ],
)  # fmt: skip
def test_what_cannot_be_obeyed_raises_what_is_documented(
    module: object, asked: dict[str, object], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind) as raised:
        isel.optimize(module, cache=False, **asked)  # type: ignore[type-var, arg-type]
    assert said in str(raised.value)
    assert isinstance(raised.value, (isel.Error, TypeError))


def test_bitcode_of_what_is_no_module() -> None:
    with LlvmWorker() as worker, pytest.raises(BadModule):
        same_kind(b"", "garbage", worker)


def test_checks() -> None:
    check_pattern("a.*", "x")
    check_numbers(0, 0.0)
    with pytest.raises(UsageProblem):
        check_numbers(0, -1.0)


def test_windows_are_told_without_a_search() -> None:
    found = isel.windows(DOT4, cpu=CPU)
    (window,) = found.windows
    assert found.module is DOT4 and window.reason == "not searched" and window.steps == 0
    assert window.operations == 7 and len(window.before) == 11
    (function,) = found.functions
    assert sum(function.left_out.values()) + function.in_windows == function.instructions
    assert isel.windows(SCALAR).windows == ()
    with pytest.raises(isel.Error):
        isel.windows("garbage")
