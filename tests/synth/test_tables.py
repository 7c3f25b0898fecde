"""Bitwise functions of three leaves are one instruction with a truth table."""

from __future__ import annotations

import pytest

from isel.ir.build import add, band, bnot, bor, bxor, ite, ult
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr
from isel.model.machine import Machine
from isel.synth.instructions.library import library_of
from isel.synth.lanes.analysis import analyse
from isel.synth.values.constants import tables_of
from isel.synth.values.questions import Question
from semantics import target_named

A, B, C = (formal(k, 32) for k in range(3))
MAJORITY = bor(band(A, B), band(bor(A, B), C))
CHOICE = bor(band(A, B), band(bnot(A), C))


@pytest.mark.parametrize(
    ("term", "tables"),
    [
        (MAJORITY, {0xE8}),
        (bxor(bxor(A, B), C), {0x96}),
        (CHOICE, {0xCA, 0xAC, 0xE2, 0xB8, 0xD8, 0xE4}),
        (band(A, add(B, C)), set()),
        (ite(ult(A, B), A, C), set()),
        (bor(bor(A, B), bor(C, formal(3, 32))), set()),
    ],
)
def test_a_table_for_every_order_of_the_leaves(term: Expr, tables: set[int]) -> None:
    assert tables_of(term) == tables


@pytest.mark.parametrize("term", [MAJORITY, CHOICE])
def test_a_table_is_an_edge_over_the_leaves(term: Expr) -> None:
    target = target_named("x86")
    features = target.features("sapphirerapids", "")
    machine = Machine(target, "sapphirerapids", features, target.vector_bits(features, {}))
    lane = canonical(term)[0]
    places = tuple((k, 0) for k in range(3))
    edges = analyse(library_of(machine), Question(lane, (), places, (), deep=True)).edges
    assert any(e.fn.arity == 3 and all(a.is_leaf for a in e.args) for e in edges)
