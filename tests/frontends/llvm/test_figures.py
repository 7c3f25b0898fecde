"""Each figure of a report is that of the thing beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.gate import Gate
from frontends.llvm.pipeline.judge import Choice, Refusal
from frontends.llvm.pipeline.planned import NOTHING
from frontends.llvm.report.phrases import became, cycles
from frontends.llvm.report.tried import Outcome, Place, WindowReport, per_pass
from frontends.llvm.splicing.write import Rewrite
from frontends.llvm.text.syntax import TWICE
from isel.cost.block import BlockCost
from isel.cost.code import Block, Code
from isel.cost.judgement import Judgement, Priced, compare
from isel.cost.runs import Runs
from isel.model.answer import Candidate
from isel.model.program import Program
from isel.model.verdict import Certificate, Proved
from semantics import target_named
from tests.frontends.llvm.miscompiled import rounded_and_plain

Row = tuple[str, int, float, float]  # a block of LLVM IR, loops around it, cycles, how often


def code(*rows: Row, dispatch: float = 0.0, path: float = 0.0) -> Priced:
    """Return machine code of a block for each block of LLVM IR."""
    blocks = tuple(Block(f"b{k}", (), d, d > 0, x) for k, (x, d, _, _) in enumerate(rows))
    costs = tuple(BlockCost(c, dispatch, 0, path or c, (), ()) for _, _, c, _ in rows)
    runs = {x: Runs(n) for x, _, _, n in rows}
    return Priced(Code("f", blocks), costs, costs, 0, runs)


def test_a_loop_that_would_be_slower_is_told_by_its_own_cycles() -> None:
    """It was "would be slower (60.3 -> 43.5 cycles)": those of the function, which is faster."""
    old = code(("%a", 1, 50.0, 10.0), ("%b", 1, 10.0, 10.0))
    new = code(("%a", 1, 32.0, 10.0), ("%b", 1, 11.5, 10.0))
    found = compare(old, new)
    assert found.slower and "b1" in found.reason and (found.before, found.after) == (60.0, 43.5)
    assert found.told == (10.0, 11.5)


PARTS = st.tuples(st.integers(0, 2), st.floats(0.25, 60.0), st.floats(0.25, 60.0))


@given(
    st.lists(PARTS, min_size=1, max_size=4), st.floats(0.1, 9.0), st.floats(0.1, 9.0),
    st.floats(1, 99), st.floats(1, 99),
)  # fmt: skip
def test_what_would_be_slower_has_figures_that_grow(
    parts: list[tuple[int, float, float]], work: float, more: float, path: float, longer: float
) -> None:
    names = [(f"%{k}", d, 10.0**d) for k, (d, _, _) in enumerate(parts)]
    old, new = (
        code(
            *((x, d, p[at], n) for (x, d, n), p in zip(names, parts, strict=True)),
            dispatch=w,
            path=long,
        )
        for at, w, long in ((1, work, path), (2, more, longer))
    )
    found = compare(old, new)
    assert found.slower == bool(found.told)
    if found.slower:
        before, after = found.told
        assert before <= after, found


def test_a_block_has_its_own_figures() -> None:
    """The cycles of the function stood beside a window of a loop for the rest."""
    old = code(("%a", 1, 20.0, 10.0), ("%b", 1, 9.5, 5.0), ("%c", 0, 3.0, 1.0))
    new = code(("%a", 1, 20.0, 10.0), ("%b", 1, 4.75, 5.0), ("%c", 0, 3.0, 1.0))
    found = compare(old, new)
    assert found.accept and (found.before, found.after) == (25.05, 22.675)
    assert [found.cycles(k) for k in range(3)] == [(20.0, 20.0), (9.5, 4.75), (3.0, 3.0)]
    assert found.cycles(0, 1) == (24.75, 22.375)  # a loop of both
    assert found.cycles(3) == (25.05, 22.675)  # of no block of these


def test_code_without_a_name_is_of_the_block_ahead() -> None:
    old = code(("%a", 1, 20.0, 10.0), ("%b", 1, 10.0, 10.0))
    blocks = replace(old.code, blocks=(old.code.blocks[0], replace(old.code.blocks[1], source="")))
    unsaid = replace(old, code=blocks)
    assert compare(unsaid, unsaid).cycles(0) == (30.0, 30.0)


def test_two_passes_as_one_are_told_for_one_pass() -> None:
    """A block of which a pass does what two did is part of what that ahead of it became."""
    wide = f"%{TWICE}1"
    old = code(("%entry", 0, 1.0, 1.0), ("%loop", 1, 20.0, 10.0), ("%out", 0, 1.0, 1.0))
    new = code(
        ("%entry", 0, 1.0, 1.0),
        ("%loop", 1, 0.0, 10.0),
        (wide, 1, 24.0, 5.0),
        ("%out", 0, 1.0, 1.0),
    )
    assert compare(old, new).cycles(1) == (20.0, 12.0)
    four = code(("%entry", 0, 1.0, 1.0), ("%loop", 1, 60.0, 2.5), ("%out", 0, 1.0, 1.0))
    assert compare(old, four).cycles(1) == (20.0, 15.0)
    window = WindowReport(Place("f", "r", 1), Outcome.REWRITTEN, (), (), 60.0, 40.0)
    told = per_pass(window, 4)
    assert (told.cost_before, told.cost_after) == (15.0, 10.0)
    assert per_pass(replace(window, cost_before=None), 4).cost_after == 40.0
    assert not NOTHING.lines


def test_what_has_no_price_has_no_figures() -> None:
    """It was "0.0 -> inf cycles"."""
    for j in (Judgement(False, "it cannot be written: <4 x i16> seen as <8 x i16>"),):
        assert j.cycles(0) is None
    kept = WindowReport(
        Place("f", "r", 1), Outcome.KEPT, (), reason="it cannot be written", chosen="vpaddb (ymm)"
    )
    assert became(kept).endswith("vpaddb (ymm), was not taken: it cannot be written")


def test_code_that_is_wrong_has_no_cycles_before() -> None:
    """It was "0.0 -> 2.0 cycles"."""
    assert cycles(0.0, 2.0) == "2.0 cycles where LLVM's code is wrong"
    before, after = rounded_and_plain()
    with LlvmWorker() as worker:
        triple = "hexagon-unknown-linux-musl"
        gate = Gate(worker, target_named("hvx"), "hexagonv66", "+hvxv66,+hvx-length128b", triple)
        found = gate.judge(before, after, "f")
    assert found.accept and found.cycles(0) == (0.0, found.after) and found.after > 0


@pytest.mark.parametrize("count", [2, 3])
def test_windows_that_are_judged_together_say_how_many(count: int) -> None:
    row = WindowReport(
        Place("f", "r", 1), Outcome.REWRITTEN, (), (), 12.0, 4.0, operations=2, chosen="vpaddb (ymm)",
        beside=count - 1,
    )  # fmt: skip
    others = "1 other" if count == 2 else "2 others"
    assert became(row) == (
        f"2 operations -> vpaddb (ymm), 12.0 -> 4.0 cycles with {others}, proved for all inputs"
    )


def test_a_window_that_gains_nothing_has_the_figures_of_the_code_beside_it() -> None:
    """It had those of all windows together, which are faster."""
    program = Program((), (0,))
    rewrite = Rewrite(None, program)  # type: ignore[arg-type]  # no site
    candidate = Candidate(program, Proved(Certificate((), ())))
    whole = Choice(rewrite, candidate, Judgement(True, "faster", 60.0, 40.0), 1, 5)
    beside = Judgement(False, "not faster", 40.0, 40.0)
    lost = whole.among(2, beside, drops=True)
    assert lost == Refusal("no gain beside the other windows", beside, 1, program)
    kept = whole.among(2, beside, drops=False)
    assert isinstance(kept, Choice) and (kept.judgement, kept.beside) == (beside, 1)
