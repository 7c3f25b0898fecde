"""Proofs of rules on record: what a solver leaves open is not proved."""

from __future__ import annotations

import pytest

from isel.errors import SyntaxProblem
from isel.rules.parse import parse_rules
from isel.rules.proofs import Proofs
from isel.rules.record import candidates, record
from isel.rules.syntax import Rule
from isel.smt.query import Answer, GaveUp, Query, Unsat

TWICE = "r: (not (not x:w)) => x\n"


class Says:
    """A solver that has one answer."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def check(self, query: Query) -> Answer:
        return self.answer


def rule(text: str) -> Rule:
    return parse_rules(text, "f").rules[0]


def test_what_solvers_leave_open_is_unknown() -> None:
    r = rule(TWICE)
    asked = set(candidates(r, ()))
    found = record(r, Proofs({}), Says(GaveUp("it says nothing")))
    assert set(found.proved) | set(found.unknown) == asked
    assert found.unknown and max(s[0] for s in found.proved) < min(s[0] for s in found.unknown)
    assert not record(r, Proofs({}), Says(Unsat("it"))).unknown


def test_a_false_rule_is_refused_whatever_a_solver_says() -> None:
    with pytest.raises(SyntaxProblem, match="false"):
        record(rule("r: (not (not x:w)) => (not x)\n"), Proofs({}), Says(Unsat("it")))


def test_what_was_proved_before_is_tried_again_once() -> None:
    r = rule("r: (extract 0 n (not x:w)) => (not (extract 0 n x))\n    if n < w\n")
    asked = list(candidates(r, [(3, 5), (5, 7), (8, 16)]))
    assert len(asked) == len(set(asked))
    assert {(5, 7), (8, 16)} <= set(asked) and (5, 7) not in candidates(r, [])
