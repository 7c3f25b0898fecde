"""Functions of the halves of a byte are looked up among literals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

import pytest

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir import build as b
from isel.ir.canon import canonical, formal, rename
from isel.ir.expr import Expr, const, leaves
from isel.model.machine import Machine
from isel.rules.derived import popcount
from isel.synth.edges.bytewise import bytewise
from isel.synth.edges.lookups import Way, indices, lookup_edges
from isel.synth.edges.matrices import matrix_edges
from isel.synth.edges.two_tables import pair_edges, set_edges
from isel.synth.instructions.library import Library, library_of
from isel.synth.instructions.tables import Tables
from isel.synth.lanes.analysis import analyse
from isel.synth.lanes.of_bytes import byte_ways
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


def test_a_table_may_be_leaves_and_is_all_that_is_looked_for() -> None:
    table, index = [formal(k, 8) for k in range(16)], formal(16, 8)
    term = table[0]
    for k in range(1, 16):
        term = b.ite(b.eq(index, byte(k)), table[k], term)
    inside = b.ult(index, byte(16))
    lane, order = canonical(term)
    fact = rename(inside, {index: lane_leaf(order, index)})
    question = Question(lane, (fact,), tuple((0, 8 * k) for k in range(17)), (), deep=True)
    (lookup,) = LIBRARY.tables.small
    every = analyse(LIBRARY, question).edges
    for edge in every:
        assert edge.fn is lookup.fn
        entries = [a for k, a in enumerate(edge.args) if k != lookup.index]
        assert entries == [lane_leaf(order, x) for x in table[::-1]]
    assert any(e.args[lookup.index] is lane_leaf(order, index) for e in every)


def lane_leaf(order: Sequence[Expr], x: Expr) -> Expr:
    """Return the formal of a canonical term that stands for a leaf."""
    return formal(order.index(x), x.width)


def test_larger_tables_are_those_of_more_registers() -> None:
    target = target_named("arm")
    features = target.features("neoverse-v1", "-sve,-sve2")
    tables = library_of(Machine(target, "neoverse-v1", features, 128)).tables
    assert [x.entries for x in tables.small] == [8, 16]
    assert [x.entries for x in tables.large] == [32, 64]
    f = bytewise(canonical(codes(b.band(X, byte(63)), 64))[0])
    assert f is not None and not list(lookup_edges(indices(tables.small, f), f))
    assert [way[0][0].arity for way in lookup_edges(indices(tables.large, f), f)] == [65]


def codes(x: Expr, count: int) -> Expr:
    """Return an arbitrary byte for each of some bytes."""
    found = byte(1)
    for k in range(count):
        found = b.ite(b.eq(x, byte(k)), byte(k * k + 7 * k + 3), found)
    return found


def test_a_part_of_a_table_is_chosen_by_a_scalar() -> None:
    target = target_named("hvx")
    features = target.features("hexagonv66", "+hvxv66,+hvx-length128b")
    tables = Tables(
        library_of(Machine(target, "hexagonv66", features, 1024)).permutes, lambda i: 1, {}
    )
    assert {x.entries for x in tables.small} == {32} and not tables.large
    assert {dict(x.fixed).popitem()[1] for x in tables.small} == {0, 1}


def test_few_entries_are_asked_for_first_and_nothing_where_it_is_off() -> None:
    lane = canonical(DIGIT)[0]
    question = Question(lane, (), ((0, 0),), (), deep=False)
    assert {way[-1][0].arity for way in byte_ways(LIBRARY, question)} == {17}
    assert not list(byte_ways(LIBRARY, replace(question, disabled=("lookups",))))


def test_a_lookup_is_an_edge_of_its_own_form() -> None:
    def edges(*disabled: str) -> set[int]:
        lane = canonical(DIGIT)[0]
        question = Question(lane, (), ((0, 0),), (), deep=False, disabled=disabled)
        return {e.fn.arity for e in analyse(LIBRARY, question).edges}

    assert 17 in edges() and 17 not in edges("lookups")
    (lookup,) = LIBRARY.tables.small
    assert [f.instruction.mnemonic for f in LIBRARY.forms(lookup.fn, 256)] == ["vpshufb"]


def test_a_set_of_bytes_that_have_other_low_bits_is_one_comparison() -> None:
    assert any(len(way) == 2 for way in ways(TERMS["white space"]))
    assert not any(len(way) == 2 for way in ways(TERMS["structural characters"]))


def test_a_product_by_a_matrix_that_is_a_value_has_its_literal() -> None:
    rows = [formal(k, 8) for k in range(1, 9)]
    bits = [b.shl(b.band(popcount(b.band(r, X)), byte(1)), byte(k)) for k, r in enumerate(rows)]
    term = canonical(reduce(b.bxor, [*bits, byte(0x5A)]))[0]
    features = TARGET.features("znver4", "")
    machine = Machine(TARGET, "znver4", features, TARGET.vector_bits(features, {}))
    found = list(matrix_edges(library_of(machine).functions, term))
    given = {x: 29 * k + 7 & 255 for k, x in enumerate(leaves(term))}
    whole = [(fn, args) for fn, args in found if not any(a.is_const for a in args)]
    assert values(term, given) in {values(fn.apply(*args), given) for fn, args in whole}
