"""Values on which terms are told apart: they satisfy the facts, counterexamples among them."""

from __future__ import annotations

import numpy as np

from isel.interp.evaluate import evaluate_all
from isel.ir.build import add
from isel.ir.canon import formal
from isel.ir.expr import const, elem
from isel.ir.text import parse
from isel.model.window import Root
from isel.synth.cegis.samples import SIZE, bank, essential
from isel.synth.values.counterexamples import samples_of, value_in
from isel.synth.values.questions import Question
from isel.synth.values.samples import ALGEBRA, samples

X, Y = formal(0, 16), formal(1, 16)
SUM = parse("(add x0:16 x1:16)")


def asked(*facts: str, rows: tuple[tuple[int, ...], ...] = ()) -> Question:
    return Question(SUM, tuple(map(parse, facts)), (), rows, deep=False)


def test_samples_satisfy_the_facts() -> None:
    """Few of all values are as small as these, and not all samples are the same."""
    fact = "(ult (add (zext 17 x0:16) (zext 17 x1:16)) 1024:17)"
    found = samples(asked(fact))
    assert evaluate_all([parse(fact)], found, ALGEBRA)[parse(fact)].all()
    assert len(set(found[X].tolist())) > 8
    free = samples(asked())
    assert not evaluate_all([parse(fact)], free, ALGEBRA)[parse(fact)].all()


COUNT = parse("(add (zext 16 (eq x0:8 10:8)) (zext 16 (eq x1:8 x2:8)))")


def test_samples_meet_what_is_compared() -> None:
    """Two bytes are equal by chance in one sample of 256."""
    found = samples(Question(COUNT, (), (), (), deep=False))
    x, y, z = (found[formal(k, 8)] for k in range(3))
    for equal in (x == 10, y == z):
        assert 8 < equal.sum() < len(equal) // 2
    assert ((x == 10) & (y == z)).any()


def test_samples_that_meet_satisfy_the_facts() -> None:
    fact = parse("(ult x0:8 10:8)")
    found = samples(Question(COUNT, (fact,), (), (), deep=False))
    assert (found[formal(0, 8)] < 10).all()
    same = parse("(ule x1:8 x0:8)")
    found = samples(Question(COUNT, (same,), (), (), deep=False))
    assert (found[formal(0, 8)] >= found[formal(1, 8)]).all()
    assert (found[formal(0, 8)] == 10).sum() > 4


def test_facts_that_no_value_satisfies_leave_samples_as_they_are() -> None:
    never, free = samples(asked("(ult x0:16 0:16)")), samples(asked())
    assert all(np.array_equal(never[x], free[x]) for x in (X, Y))


def test_counterexamples_come_first() -> None:
    found = samples(asked(rows=((7, 65535), (1, 2))))
    assert found[X][:2].tolist() == [7, 1] and found[Y][:2].tolist() == [65535, 2]
    assert len(found[X]) == len(samples(asked())[X])


def test_a_counterexample_of_a_window_is_one_of_its_lanes() -> None:
    a, b = elem("a", 8, 8), elem("b", 0, 8)
    lanes = (add(a, b), None, add(elem("c", 0, 8), elem("c", 8, 8)))
    root = Root(8, lanes, (const(1, 1),) * 3)
    model = {elem("a", 0, 32): 0x04030201, elem("b", 0, 8): 255}
    ((term, rows),) = samples_of([root], model).items()
    assert term is parse("(add x0:8 x1:8)")
    values = [(r[formal(0, 8)], r[formal(1, 8)]) for r in rows]
    assert values[0] in ((2, 255), (255, 2)) and len(set(values)) == 4
    assert value_in(elem("a", 24, 8), model) == 4
    assert value_in(elem("a", 28, 8), model) is None and value_in(elem("c", 0, 8), model) is None


def test_a_bank_holds_samples_on_which_the_premise_is_true() -> None:
    lane, premise = parse("(add a:8 b:8)"), parse("(ult a:8 4:8)")
    over = (parse("a:8"), parse("b:8"))
    found = bank(lane, premise, over)
    assert 0 < found.size < SIZE and int(found.inputs[0].max()) < 4
    assert bank(lane, const(1, 1), over).size == SIZE and not bank(lane, const(0, 1), over).size
    assert found.mismatch(parse("(add b:8 a:8)")) is None
    wrong = found.mismatch(parse("(or a:8 b:8)"))
    assert wrong is not None
    a, b = found.example(wrong)
    assert (a + b) % 256 != a | b
    more = found.extended(lane, [{over[0]: 3, over[1]: 1}])
    assert more.example(found.size) == (3, 1) and int(more.target[-1]) == 4


def test_leaves_that_a_lane_needs() -> None:
    over = tuple(parse(x) for x in ("a:8", "b:8", "c:8"))
    true = const(1, 1)
    lane = parse("(add a:8 (and b:8 0:8))")
    assert essential(lane, bank(lane, true, over), true) == (over[0],)
    lane = parse("(ite (ult c:8 a:8) b:8 a:8)")
    assert essential(lane, bank(lane, true, over), true) == over
