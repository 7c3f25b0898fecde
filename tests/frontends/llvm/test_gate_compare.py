"""Judgements of priced blocks: the costs that they show are the costs that decided."""

from __future__ import annotations

from dataclasses import replace

import pytest

from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.gate import Gate
from frontends.llvm.report.phrases import cycles
from isel.cost.block import BlockCost
from isel.cost.code import Block, Code
from isel.cost.judgement import Judgement, Priced, compare, same_shape
from isel.cost.runs import Runs
from semantics import target_named


def priced(*blocks: tuple[int, float, float]) -> Priced:
    """Blocks of some depth, with their cycles and the cycles of their longest path."""
    code = Code("f", tuple(Block(f"b{k}", (), d, d > 0) for k, (d, _, _) in enumerate(blocks)))
    costs = tuple(BlockCost(c, 0, 0, path, (), ()) for _, c, path in blocks)
    return Priced(code, costs, costs, 0)


def judged(old: tuple[int, float, float], new: tuple[int, float, float]) -> Judgement:
    return compare(priced(old), priced(new))


def test_a_longest_path_counts_where_there_is_no_loop() -> None:
    assert judged((0, 4.0, 10), (0, 3.0, 12)).accept
    assert judged((0, 4.0, 10), (0, 3.5, 15)).accept
    longer = judged((0, 4.0, 10), (0, 3.5, 16))
    assert not longer.accept and longer.slower and "longest path" in longer.reason
    assert judged((1, 4.0, 10), (1, 3.5, 14)).accept


def test_the_passes_of_a_loop_save_more_than_one_of_them_takes_longer() -> None:
    """AccumulateSSE of libwebp was 0.93 of clang: ten passes saved 3 cycles, one took 8 more."""
    longer = judged((1, 6.0, 16), (1, 5.7, 24))
    assert not longer.accept and longer.slower and "one pass" in longer.reason
    assert judged((1, 6.0, 16), (1, 5.0, 24)).accept
    assert judged((1, 6.0, 16), (1, 5.7, 16)).accept
    old = replace(priced((1, 6.0, 16)), runs={"b0": Runs(40.0)})
    old = replace(old, code=Code("f", (replace(old.code.blocks[0], source="b0"),)))
    assert compare(old, replace(old, costs=priced((1, 5.7, 24)).costs)).accept
    outer, inner = (0, 1.0, 1), (1, 1.0, 1)
    assert not compare(
        priced(outer, inner, (2, 6.0, 16)), priced(outer, inner, (2, 5.7, 24))
    ).accept


@pytest.mark.parametrize(
    ("cycles", "work", "accept"), [(7.8, 5.0, True), (7.6, 6.0, True), (7.8, 6.0, False)]
)
def test_a_loop_that_does_the_rest_is_slower_or_more_work_but_not_both(
    cycles: float, work: float, accept: bool
) -> None:
    """Three windows of rgb_to_yuv (2.5 of clang) were dropped for the operations of its rest."""

    def priced_with(main: float, rest: float, dispatch: float) -> Priced:
        found = priced((1, main, 0), (1, rest, 0))
        blocks = [replace(b, source=b.label) for b in found.code.blocks]
        costs = found.costs[0], replace(found.costs[1], dispatch=dispatch, ports=rest)
        runs = {"b0": Runs(10.0), "b1": Runs(3.5, True)}
        return replace(found, code=Code("f", tuple(blocks)), costs=costs, runs=runs)

    old = priced_with(50.0, 7.7, 5.0)
    assert compare(old, priced_with(23.0, cycles, work)).accept is accept
    assert not compare(old, priced_with(50.0, 7.6, 6.0)).accept


def test_the_cost_that_is_shown_is_of_all_blocks() -> None:
    """A gain around a loop shows as what it is of one pass through the loop."""
    old = priced((0, 10.0, 0), (1, 4.0, 0), (2, 4.0, 0), (0, 1.0, 0))
    new = priced((0, 10.0, 0), (1, 4.0, 0), (2, 4.0, 0), (0, 0.5, 0))
    found = compare(old, new)
    assert found.accept and (found.before, found.after) == (4.51, 4.505)
    assert cycles(found.before, found.after) == "4.51 -> 4.50 cycles"
    assert (old.pass_cycles, new.pass_cycles) == (found.before, found.after)


def test_what_is_faster_costs_less_in_every_digit_that_is_kept() -> None:
    found = compare(priced((0, 1.0, 0), (6, 4.0, 0)), priced((0, 0.5, 0), (6, 4.0, 0)))
    assert not found.accept and found.before == found.after


@pytest.mark.parametrize(("aligned", "accept"), [(9.0, True), (10.0, False), (11.0, False)])
def test_a_loop_has_to_be_faster_where_memory_is_aligned_as_well(
    monkeypatch: pytest.MonkeyPatch, aligned: float, accept: bool
) -> None:
    old, new = (replace(priced((1, c, c)), aligned=priced((1, a, a)).costs) for c, a in
                ((14.0, 10.0), (9.0, aligned)))  # fmt: skip
    monkeypatch.setattr(Gate, "_made", lambda self, module, f: {"old": old, "new": new}[module])
    with LlvmWorker() as worker:
        gate = Gate(worker, target_named("x86"), "haswell", "", "x86_64-unknown-linux-gnu")
        found = gate.judge("old", "new", "f")
    assert found.accept is accept
    assert found.reason.startswith("where memory is aligned, ") is not accept
    assert (found.before, found.after) == (14.0, 9.0)


def counted(name: str, passes: float, cycles: float) -> Priced:
    """A loop of one block, after a block of LLVM IR that runs so often."""
    made = priced((0, 1.0, 1), (1, cycles, 1), (0, 1.0, 1))
    source = [replace(b, source=name) if b.depth else b for b in made.code.blocks]
    runs = {name: Runs(passes)}
    return replace(made, code=Code("f", tuple(source)), runs=runs)


def test_codes_are_compared_block_by_block_whatever_blocks_are_called() -> None:
    assert same_shape(counted("%7", 64, 4.0), counted("%9", 64, 4.0))
    slower = compare(counted("%7", 64, 4.0), counted("%9", 64, 5.0))
    assert "loop block b1" in slower.reason


def test_passes_that_do_more_are_compared_by_how_often_they_run() -> None:
    one, four = counted("%7", 64, 4.0), counted("%7", 16, 12.0)
    assert not same_shape(one, four) and compare(one, four).accept
    assert not compare(one, counted("%7", 16, 17.0)).accept


def test_a_loop_before_another_is_paid_by_that_one() -> None:
    before = priced((0, 1.0, 1), (1, 1.0, 1), (2, 90.0, 1), (0, 1.0, 1))
    after = priced((0, 1.0, 1), (1, 1.0, 1), (1, 90.0, 1), (2, 9.0, 1), (0, 1.0, 1))
    dearer = priced((0, 1.0, 1), (1, 1.0, 1), (1, 900.0, 1), (2, 9.0, 1), (0, 1.0, 1))
    assert compare(before, after).accept and not compare(before, dearer).accept


def test_what_is_around_a_loop_is_paid_by_the_loop_where_its_passes_do_more() -> None:
    """A product of matrices on Neoverse V1: sums are spilled around a loop of half the cycles."""

    def nest(passes: float, around: float, cycles: float) -> Priced:
        found = priced((0, 1.0, 1), (1, around, 1), (2, cycles, 1), (0, 1.0, 1))
        source = [replace(b, source=f"%{b.depth}") for b in found.code.blocks]
        runs = {"%1": Runs(16.0), "%2": Runs(16.0 * passes)}
        return replace(found, code=Code("f", tuple(source)), runs=runs)

    old = nest(64, 40.0, 32.0)
    assert not same_shape(old, nest(16, 50.0, 60.0))
    assert compare(old, nest(16, 50.0, 60.0)).accept
    assert compare(old, nest(16, 50.0, 130.0)).reason == "the loops of depth 2 would be slower"
    assert compare(old, nest(16, 2000.0, 60.0)).reason == "a loop nest would be slower"
