"""A function has so many steps: what is left for lack of them is said, and nothing depends on other
functions or their order, on workers or on what is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import pytest

from frontends.llvm import limits
from frontends.llvm.linked.binding import normalise
from frontends.llvm.pipeline.budget import SPENT, Budget, budget_of, by_heat, heat
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Rewritten
from frontends.llvm.pipeline.search import MakeSynthesizer
from frontends.llvm.report.tried import stats
from frontends.llvm.text.parse import parse_module
from isel.model.answer import Result, Synthesizer
from isel.model.machine import Machine
from isel.model.window import Window
from isel.workers import Pool
from tests.frontends.llvm.test_decided import Notes, never
from tests.frontends.llvm.toy import TOOLS, Guess

COLD = """\
define <{n} x i8> @{name}(<{n} x i8> %a, <{n} x i8> %b) {{
  %x = zext <{n} x i8> %a to <{n} x i16>
  %y = zext <{n} x i8> %b to <{n} x i16>
  %s = add <{n} x i16> %x, %y
  %i = add <{n} x i16> %s, splat (i16 1)
  %h = lshr <{n} x i16> %i, splat (i16 1)
  %r = trunc <{n} x i16> %h to <{n} x i8>
  ret <{n} x i8> %r
}}
"""
HOT = """\
define void @{name}(ptr %p, ptr %q, i64 %count) {{
entry:
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %pa = getelementptr <{n} x i8>, ptr %p, i64 %k
  %pb = getelementptr <{n} x i8>, ptr %q, i64 %k
  %a = load <{n} x i8>, ptr %pa, align 1
  %b = load <{n} x i8>, ptr %pb, align 1
  %x = zext <{n} x i8> %a to <{n} x i16>
  %y = zext <{n} x i8> %b to <{n} x i16>
  %s = add <{n} x i16> %x, %y
  %i = add <{n} x i16> %s, splat (i16 1)
  %h = lshr <{n} x i16> %i, splat (i16 1)
  %r = trunc <{n} x i16> %h to <{n} x i8>
  store <{n} x i8> %r, ptr %pa, align 1
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %count
  br i1 %more, label %loop, label %out

out:
  ret void
}}
"""
FUNCTIONS = {
    "cold": COLD.format(n=16, name="cold"),
    "hot": HOT.format(n=32, name="hot"),
    "icy": COLD.format(n=64, name="icy"),
}
TRIPLE = 'target triple = "x86_64-pc-linux-gnu"\n\n'


def module(*names: str) -> str:
    return TRIPLE + "\n".join(FUNCTIONS[n] for n in names)


@dataclass(frozen=True)
class Noting(Guess):
    asked: list[int] = field(default_factory=list)

    def search(self, window: Window) -> Result:
        self.asked.append(len(window.roots[0].lanes))
        return super().search(window)


def noting(asked: list[int], machine: Machine, pool: Pool | None, effort: int) -> Synthesizer:
    return Noting(asked)


def run(
    text: str,
    steps: int | None = None,
    notes: Notes | None = None,
    asked: list[int] | None = None,
    options: Options | None = None,
    make: MakeSynthesizer | None = None,
) -> Rewritten:
    """Rewrite a module whose functions have so many steps each, where they are not their own."""
    make = make or partial(noting, [] if asked is None else asked)
    tools = replace(TOOLS, memory=notes, make=make)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(limits, "BUDGET_TOGETHER", 1)  # each function by itself
        if steps is not None:
            patched.setattr(limits, "BUDGET_LEAST", steps)
            patched.setattr(limits, "BUDGET_VECTOR", 0)
        return rewrite_module(text, options or Options(), tools, "in.ll")


def outcomes(done: Rewritten) -> dict[str, str]:
    return {w.place.function: w.reason or w.outcome.value for w in done.report.windows}


def test_without_a_step_nothing_is_searched_and_all_is_said() -> None:
    asked: list[int] = []
    done = run(module("cold", "hot"), 0, asked=asked)
    assert not asked
    assert done.text == normalise(module("cold", "hot"), "in.ll")
    assert outcomes(done) == {"cold": SPENT, "hot": SPENT}


def test_with_enough_all_is_searched_the_hottest_first() -> None:
    asked: list[int] = []
    done = run(module("cold", "icy", "hot"), None, asked=asked)
    assert set(outcomes(done).values()) == {"rewritten"}
    assert asked == [32, 16, 64]


def test_equal_windows_of_two_functions_are_searched_once() -> None:
    asked: list[int] = []
    run(module("cold") + "\n" + COLD.format(n=16, name="again"), None, asked=asked)
    assert asked == [16]


@pytest.mark.parametrize("steps", [0, 1, None])
def test_what_a_function_may_spend_does_not_depend_on_its_neighbours(steps: int | None) -> None:
    """Neither hot nor equal code beside it, nor the order in which they stand."""
    alone = {name: outcomes(run(module(name), steps))[name] for name in FUNCTIONS}
    twin = FUNCTIONS["hot"].replace("@hot", "@twin")
    for names in (("cold", "hot", "icy"), ("hot", "icy", "cold"), ("icy", "cold", "hot")):
        assert outcomes(run(module(*names) + "\n" + twin, steps)) == {**alone, "twin": alone["hot"]}


@pytest.mark.parametrize("steps", [1, None])
@pytest.mark.parametrize("before", [(), ("hot",), ("icy", "cold.twin")])
def test_what_is_remembered_changes_nothing(steps: int | None, before: Sequence[str]) -> None:
    """Of none, of some and of all functions, whose windows are those of others, too."""
    twins = "\n".join(FUNCTIONS[n].replace(f"@{n}", f"@{n}.twin") for n in ("cold", "hot"))
    text, notes = module("cold", "hot", "icy") + "\n" + twins, Notes()
    plain, cold = run(text, steps), run(text, steps, notes)
    names = [f.name for f in parse_module(text).functions]
    notes.kept = {k: v for n, (k, v) in zip(names, notes.kept.items(), strict=True) if n in before}
    partly = run(text, steps, notes)
    assert notes.recalled == len(before)
    warm = run(text, steps, notes, make=never)
    assert plain.text == cold.text == partly.text == warm.text
    assert stats(plain.report) == stats(cold.report) == stats(partly.report) == stats(warm.report)


@pytest.mark.parametrize("steps", [1, 104, 250])
def test_workers_do_not_matter(steps: int) -> None:
    text = module("cold", "hot", "icy")
    one, two = (run(text, steps, options=Options(jobs=jobs)) for jobs in (1, 2))
    assert one.text == two.text
    assert stats(one.report) == stats(two.report)


def test_a_budget_is_spent_by_searches_and_judgements() -> None:
    b = Budget(1000)
    b.searched("a", 250_000)
    b.searched("a", 250_000)
    assert b.spent == 350
    b.searched("b", 10**9)
    assert b.spent == 1450
    assert not b.may_judge()


def test_searches_leave_something_for_judgements() -> None:
    b = Budget(300)
    b.searched("a", 100_000)
    assert not b.may_search()
    assert b.may_judge()


def test_a_function_has_more_steps_where_it_has_more_vector_code() -> None:
    cold, hot = parse_module(normalise(module("cold", "hot"))).functions
    assert budget_of(cold, 1).given == 8_000 + 150 * 6
    assert budget_of(hot, 1).given == 8_000 + 150 * 8
    assert budget_of(hot, 4).given == 4 * budget_of(hot, 1).given
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(limits, "BUDGET_VECTOR", 1_000_000)
        assert budget_of(hot, 1).given == 60_000


def test_groups_are_the_hottest_first() -> None:
    functions = parse_module(normalise(module("cold", "hot", "icy"))).functions
    ((*names,),) = [[f.name for f in group] for group in by_heat(functions)]
    assert names == ["hot", "cold", "icy"]
    assert [heat(f) for f in functions] == [(0, 6), (1, 80), (0, 6)]
