"""Functions of the halves of a byte are looked up among literals."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir import build as b
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, const
from isel.model.machine import Machine
from isel.rules.derived import popcount
from isel.synth.edges.lookups import lookup_edges
from isel.synth.instructions.library import library_of
from isel.synth.lanes.analysis import analyse
from isel.synth.values.questions import Question
from semantics import target_named

X, Y = formal(0, 8), formal(1, 8)
LOW = b.band(X, const(15, 8))
DIGIT = b.ite(b.ult(LOW, const(10, 8)), b.add(LOW, const(48, 8)), b.add(LOW, const(87, 8)))
TARGET = target_named("x86")
FEATURES = TARGET.features("haswell", "")
LIBRARY = library_of(Machine(TARGET, "haswell", FEATURES, TARGET.vector_bits(FEATURES, {})))


def values(term: Expr, given: Mapping[Expr, int]) -> int:
    return int(evaluate_all([term], given, Integer())[term])


@pytest.mark.parametrize("term", [DIGIT, popcount(X), b.lshr(popcount(X), const(1, 8))])
def test_what_is_yielded_is_the_term(term: Expr) -> None:
    found = list(lookup_edges(LIBRARY.lookups, term))
    for fn, args in found:
        for x in range(256):
            assert values(fn.apply(*args), {X: x}) == values(term, {X: x})
    assert bool(found) == (term is not b.lshr(popcount(X), const(1, 8)))


def test_a_digit_is_looked_up_and_counts_are_added() -> None:
    assert {fn.arity for fn, _ in lookup_edges(LIBRARY.lookups, DIGIT)} == {17}
    ((fn, args),) = lookup_edges(LIBRARY.lookups, popcount(X))
    assert fn.term is canonical(b.add(X, Y))[0]
    assert all(any(lookup_edges(LIBRARY.lookups, a)) for a in args)


@pytest.mark.parametrize("term", [b.add(X, const(3, 8)), popcount(b.band(X, Y)), b.zext(X, 16)])
def test_little_and_what_is_no_function_of_a_byte_stay(term: Expr) -> None:
    assert list(lookup_edges(LIBRARY.lookups, term)) == []


def test_a_lookup_is_an_edge_of_its_own_form() -> None:
    def edges(*disabled: str) -> set[int]:
        lane = canonical(DIGIT)[0]
        question = Question(lane, (), ((0, 0),), (), deep=False, disabled=disabled)
        return {e.fn.arity for e in analyse(LIBRARY, question).edges}

    assert 17 in edges() and 17 not in edges("lookups")
    (lookup,) = LIBRARY.lookups
    assert [f.instruction.mnemonic for f in LIBRARY.forms(lookup.fn, 256)] == ["vpshufb"]
