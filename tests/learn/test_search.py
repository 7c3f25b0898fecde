"""What is learned is new, true at the widths that are said, and used from then on."""

from __future__ import annotations

from isel.egraph.tables import rules
from isel.learn.book import Shelf
from isel.learn.general import Learned, prove_at_widths
from isel.learn.known import Candidate, Known
from isel.learn.samples import Given
from isel.learn.search import Learner
from isel.learn.sources import Sources
from isel.learn.term import read_term
from isel.learn.vocabulary import available, vocabulary
from isel.smt.portfolio import default_portfolio
from isel.workers import Pool
from tests.learn.toy import LIBRARY

PLAIN = Given(("x", "y"))
SHIFTS = "given x\nTERM = (sat_u w WIDE)\nWIDE = (sext {2*w} x) | (shl (sext {2*w} x) 1:{2*w})\n"


def learned(grammar: str, jobs: int = 1) -> list[Learned]:
    shelf = Shelf(available(LIBRARY), "toy")
    learner = Learner(rules(), Sources(grammar, "test"), 1, Pool(jobs), shelf.put)
    learner.run("toy", LIBRARY, lambda count: None)
    return [e.rule for e in shelf.entries("common")]


def rule_of(left: str, right: str, given: Given = PLAIN) -> Learned | None:
    return prove_at_widths(read_term(left), read_term(right), given, default_portfolio())


def test_operations_have_prices_where_some_instruction_does_them() -> None:
    words = {w.op: w for w in vocabulary(LIBRARY)}
    assert words["add"].commutes
    assert "popcount" not in words


def test_what_rules_know_is_not_learned() -> None:
    text = "given x y\nTERM = (extract 0 w (add (zext {2*w} x) (zext {2*w} y)))\n"
    assert not learned(text)


def test_what_is_learned_is_used_from_then_on() -> None:
    found = [r.text.split("\n")[0] for r in learned(SHIFTS)]
    assert found == ["(sat_u w (sext {2*w} x:w))", "(sat_u w (shl (sext {2*w} x:w) 1:{2*w}))"]


def test_the_same_for_any_number_of_workers() -> None:
    assert [r.text for r in learned(SHIFTS)] == [r.text for r in learned(SHIFTS, jobs=2)]


def test_what_fails_at_small_widths_says_so() -> None:
    found = rule_of("(smulhrs x {2**(w-1)}:w)", "(sub 0:w x)")
    assert found is not None
    assert "if 1 < w" in found.text
    assert (64,) in found.sizes


def test_what_holds_at_one_width_is_of_that_width() -> None:
    found = rule_of("(add x 128:w)", "(xor x 128:w)")
    assert found is not None
    assert found.text.endswith("if w == 8")
    assert found.sizes == ((8,),)


def test_what_holds_for_some_values_needs_its_condition() -> None:
    left, right = "(ashr x 1:w)", "(lshr x 1:w)"
    assert rule_of(left, right) is None
    found = rule_of(left, right, Given(("x",), ("0 <= lo(x)",)))
    assert found is not None
    assert found.text.endswith("if 0 <= lo(x)")


def test_a_side_with_other_names_is_no_rule() -> None:
    assert rule_of("(sub x x)", "(sub y y)") is None


def test_a_rule_is_used_once_it_is_known() -> None:
    known = Known(LIBRARY, rules())
    c = Candidate(
        read_term("(ite (ult x y) (add x x) (add x y))"), (read_term("(add x (umin x y))"),) * 3
    )
    found = rule_of(c.left.text, c.rights[0].text)
    assert found is not None
    assert known.lacks(c, PLAIN)
    with_it = known.with_rule(found.as_rule("toy.ite.1"), found.sizes)
    assert with_it.fires(c, c.rights[0], PLAIN)
    assert not with_it.lacks(c, PLAIN)


def test_an_extended_literal_is_a_wide_one() -> None:
    """As graphs have it: 5 extended is 5."""
    found = rule_of(
        "(sat_u w (add (zext {2*w} x) (zext {2*w} C)))", "(uadd_sat x C)", Given(("x", "C"))
    )
    assert found is not None
    assert found.text == (
        "(sat_u w (add (zext {2*w} x:w) C:{2*w}))\n    => (uadd_sat x {(C)}:w)\n    if C < 2**w"
    )
