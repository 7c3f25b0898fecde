"""Functions of the halves of a byte are looked up among literals."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir import build as b
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, const, leaves
from isel.model.machine import Machine
from isel.rules.derived import popcount
from isel.synth.edges.bytewise import bytewise
from isel.synth.edges.lookups import Way, indices, lookup_edges
from isel.synth.edges.two_tables import pair_edges, set_edges
from isel.synth.instructions.library import Library, library_of
from isel.synth.lanes.analysis import analyse
from isel.synth.values.questions import Question
from semantics import target_named

X, Y = formal(0, 8), formal(1, 8)


def byte(value: int) -> Expr:
    return const(value, 8)


def one_of(x: Expr, members: str) -> Expr:
    """Return the bit that tells whether a byte is one of some characters."""
    return b.any_of(*(b.eq(x, byte(ord(c))) for c in members))


def doubled(x: Expr) -> Expr:
    """Return twice an element of GF(2^8), of the polynomial of AES."""
    return b.bxor(b.shl(x, byte(1)), b.band(b.ashr(x, byte(7)), byte(27)))


LOW = b.band(X, const(15, 8))
DIGIT = b.ite(b.ult(LOW, const(10, 8)), b.add(LOW, const(48, 8)), b.add(LOW, const(87, 8)))
TERMS = {
    "digit": DIGIT,
    "count": popcount(X),
    "twice": doubled(doubled(X)),
    "white space": b.sext(one_of(X, " \t\n\r"), 8),
    "white space as a bit": one_of(X, " \t\n\r"),
    "structural characters": b.sext(one_of(X, ",:[]{}"), 8),
    "letters of either case": b.sext(one_of(b.band(X, byte(0xDF)), "AEIOU"), 8),
    "bases of a sum": b.ite(one_of(b.add(X, Y), "ACGT"), byte(3), byte(0)),
    "value of a digit": b.add(LOW, b.mul(b.lshr(X, byte(6)), byte(9))),
}
TARGET = target_named("x86")
FEATURES = TARGET.features("haswell", "")
LIBRARY = library_of(Machine(TARGET, "haswell", FEATURES, TARGET.vector_bits(FEATURES, {})))


def values(term: Expr, given: Mapping[Expr, int]) -> int:
    return int(evaluate_all([term], given, Integer())[term])


def ways(term: Expr, library: Library = LIBRARY) -> list[Way]:
    """Return the lookups that give a term alone, else those joined with something."""
    f = bytewise(canonical(term)[0])
    if f is None:
        return []
    every = indices(library.tables.small, f)
    one = list(lookup_edges(every, f)) if term.width > 1 else []
    return one or [*set_edges(every, f, term.width), *pair_edges(every, f)]


def taken(way: Way) -> Expr:
    """Return what the last application of a way gives."""
    fn, args = way[-1]
    return fn.apply(*args)


@pytest.mark.parametrize("term", TERMS.values(), ids=TERMS)
def test_what_is_yielded_is_the_term(term: Expr) -> None:
    found = ways(term)
    assert found
    for way in found:
        given = leaves(term)
        for x in range(256):
            row = dict.fromkeys(given, x)
            assert values(taken(way), row) == values(term, row)


def test_a_digit_is_looked_up_and_counts_are_added() -> None:
    assert {fn.arity for ((fn, _),) in ways(DIGIT)} == {17}
    sums = [way for way in ways(popcount(X)) if way[-1][0].term is canonical(b.add(X, Y))[0]]
    assert 3 in {len(way) for way in sums}


@pytest.mark.parametrize(
    "term", [b.add(X, const(3, 8)), b.add(popcount(X), popcount(Y)), b.zext(X, 16)]
)
def test_little_and_what_is_no_function_of_a_byte_stay(term: Expr) -> None:
    assert ways(term) == []


def test_a_lookup_is_an_edge_of_its_own_form() -> None:
    def edges(*disabled: str) -> set[int]:
        lane = canonical(DIGIT)[0]
        question = Question(lane, (), ((0, 0),), (), deep=False, disabled=disabled)
        return {e.fn.arity for e in analyse(LIBRARY, question).edges}

    assert 17 in edges() and 17 not in edges("lookups")
    (lookup,) = LIBRARY.tables.small
    assert [f.instruction.mnemonic for f in LIBRARY.forms(lookup.fn, 256)] == ["vpshufb"]
