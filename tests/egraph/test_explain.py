"""Explanations say what they need in an order in which it is true."""

from __future__ import annotations

import pytest

from isel.egraph.explain import explain
from isel.egraph.graph import Graph
from isel.egraph.saturate import add, saturate
from isel.ir.expr import Expr
from isel.ir.text import parse
from isel.model.steps import Bounded
from tests.egraph.test_saturate import SPELLINGS


@pytest.mark.parametrize("name", SPELLINGS)
def test_operands_come_before_their_users(name: str) -> None:
    first, second, *_ = SPELLINGS[name]
    g = Graph()
    done: dict[Expr, int] = {}
    a, b = add(g, parse(first), done), add(g, parse(second), done)
    saturate(g, (a, b))
    steps = explain(g, a, b)
    assert all(k < n for n, row in enumerate(steps.nodes) for k in row.kids)
    assert steps.nodes[steps.left].width == steps.nodes[steps.right].width
    assert any(isinstance(s, Bounded) for s in steps.steps) or steps.steps


def test_nodes_of_two_classes_are_not_explained() -> None:
    g = Graph()
    done: dict[Expr, int] = {}
    a, b = add(g, parse("(add a:8 b:8)"), done), add(g, parse("(add a:8 c:8)"), done)
    saturate(g, (a, b))
    with pytest.raises(AssertionError, match="two classes"):
        explain(g, a, b)
