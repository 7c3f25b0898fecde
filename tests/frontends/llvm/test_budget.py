"""A file has so many steps: hot code spends them first, what is left is said, and nothing depends on
the order of functions, on workers or on what is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.opt import budget
from frontends.llvm.opt.budget import SPENT, Budget, budget_of, by_heat, heat
from frontends.llvm.opt.module import rewrite_module
from frontends.llvm.opt.options import Options, Rewritten
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
    steps: int | None,
    notes: Notes | None = None,
    asked: list[int] | None = None,
    jobs: int = 1,
) -> Rewritten:
    tools = replace(TOOLS, memory=notes, make=partial(noting, [] if asked is None else asked))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(budget, "BUDGET_TOGETHER", 1)  # each function by itself
        if steps is not None:
            patched.setattr(budget, "BUDGET_LEAST", steps)
            patched.setattr(budget, "BUDGET_HOT", 0)
        return rewrite_module(text, Options(jobs=jobs), tools, "in.ll")


def outcomes(done: Rewritten) -> dict[str, str]:
    return {w.place.function: w.reason or w.outcome.value for w in done.report.windows}


def test_hot_code_spends_first_wherever_it_stands() -> None:
    """There is enough for one search and its judgement, with its share for searches."""
    for names in (("cold", "hot", "icy"), ("hot", "icy", "cold"), ("icy", "cold", "hot")):
        asked: list[int] = []
        done = run(module(*names), 104, asked=asked)
        assert outcomes(done) == {"cold": SPENT, "hot": "rewritten", "icy": SPENT}
        assert asked == [32]
        assert not done.report.timed_out


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


@pytest.mark.parametrize("steps", [0, 104, 250, 400, None])
def test_what_was_left_is_remembered_as_left(steps: int | None) -> None:
    text, notes = module("cold", "hot", "icy"), Notes()
    plain, cold = run(text, steps), run(text, steps, notes)
    tools = replace(TOOLS, memory=notes, make=never)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(budget, "BUDGET_TOGETHER", 1)
        if steps is not None:
            patched.setattr(budget, "BUDGET_LEAST", steps)
            patched.setattr(budget, "BUDGET_HOT", 0)
        warm = rewrite_module(text, Options(), tools, "in.ll")
    assert plain.text == cold.text == warm.text
    assert stats(plain.report) == stats(cold.report) == stats(warm.report)
    assert notes.recalled == len(notes.kept) == 3


@pytest.mark.parametrize("steps", [104, 250, 400])
def test_workers_do_not_matter(steps: int) -> None:
    one, two = (run(module("cold", "hot", "icy"), steps, jobs=jobs) for jobs in (1, 2))
    assert one.text == two.text
    assert stats(one.report) == stats(two.report)


@pytest.mark.parametrize(("before", "then"), [(104, None), (None, 104), (104, 250), (250, 104)])
def test_what_is_remembered_of_another_budget_changes_nothing(
    before: int | None, then: int | None
) -> None:
    text, notes = module("cold", "hot", "icy"), Notes()
    run(text, before, notes)
    assert stats(run(text, then, notes).report) == stats(run(text, then).report)


def test_a_budget_is_spent_by_searches_and_judgements() -> None:
    b = Budget(1000)
    b.searched("a", 250_000)
    b.searched("a", 250_000)
    assert b.spent == 350
    b.searched("b", 10**9)
    assert b.spent == 1450
    assert not b.cut
    assert not b.may_judge()
    assert b.cut


def test_searches_leave_something_for_judgements() -> None:
    b = Budget(300)
    b.searched("a", 100_000)
    assert not b.may_search()
    assert b.may_judge()


def test_a_file_has_more_steps_where_more_code_is_hot() -> None:
    def steps(names: Sequence[str], effort: int = 1) -> int:
        return budget_of(parse_module(normalise(module(*names))).functions, effort)

    assert steps(["cold"]) == steps(["cold", "icy"]) == 45_000
    assert steps(["cold", "hot"]) == 45_000 + 40 * 8
    assert steps(["cold", "hot"], 4) == 4 * steps(["cold", "hot"])
    many = parse_module(normalise(module("hot"))).functions * 1000
    assert budget_of(many, 1) == 60_000


def test_groups_are_the_hottest_first() -> None:
    functions = parse_module(normalise(module("cold", "hot", "icy"))).functions
    ((*names,),) = [[f.name for f in group] for group in by_heat(functions)]
    assert names == ["hot", "cold", "icy"]
    assert [heat(f) for f in functions] == [(0, 6), (1, 80), (0, 6)]
