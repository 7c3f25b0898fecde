"""Patterns are found among the nodes of a graph: sums by parts, whatever their order, and literals."""

from __future__ import annotations

import pytest

from isel.egraph.graph import Graph
from isel.egraph.match import maker, matcher
from isel.egraph.parts import parts_of, root_of
from isel.egraph.saturate import add
from isel.egraph.store import commutes
from isel.ir.text import parse
from isel.rules.parse import parse_rules
from isel.rules.syntax import Rule

FOUND = {
    "operands that swap": ("(and x:w (not y:w)) => x", "(and (not a:8) b:8)", ["b", "a"]),
    "a difference": ("(sub x:w y:w) => x", "(add (neg a:8) b:8)", ["b", "a"]),
    "the rest of a sum": ("(add (not y:w) x:w) => x", "(add (add a:8 (not b:8)) c:8)", ["b", None]),
    "a literal part": ("(add x:w {2**(w-1)}:w) => x", "(sub a:8 128:8)", ["a"]),
    "another literal": ("(add x:w {2**(w-1)}:w) => x", "(add a:8 127:8)", []),
    "a factor": ("(add (mul x:w C:w) y:w) => x", "(add (shl a:8 2:8) b:8)", ["a", "b", 4]),
    "an exponent": ("(shl x:w {k}:w) => x if 0 < k", "(mul a:8 16:8)", ["a"]),
    "a width from a slice": ("(extract k w x:v) => (extract 0 w x) if v == k + 5", "(extract 3 2 a:8)", ["a"]),
    "the same twice": ("(or x:w (lshr x {k}:w)) => x", "(or a:8 (lshr b:8 3:8))", []),
    "no slice": ("(extract k n (add x:w (zext w (extract {k+8} {w-8} x)))) => x", "(extract 0 8 (add a:16 b:16))", []),
    "a range": ("(zext v x:w) => (sext v x) if 0 <= lo(x)", "(zext 16 (lshr a:8 1:8))", [None]),
    "a range too wide": ("(zext v x:w) => (sext v x) if 0 <= lo(x)", "(zext 16 a:8)", []),
}  # fmt: skip


def rule(text: str) -> Rule:
    return parse_rules(f"r: {text}", "r.rules").rules[0]


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found(name: str) -> None:
    text, term, wanted = FOUND[name]
    g = Graph()
    done: dict[object, int] = {}
    root = add(g, parse(term), done)  # type: ignore[arg-type]
    g.rebuild()
    named = {g.find(n): str(e).split(":")[0] for e, n in done.items() if not e.args}  # type: ignore[attr-defined]
    r = rule(text)
    match = matcher(r, r.left)
    found = [m for n in g.every(root) for m in match(g, n)]
    assert bool(found) == bool(wanted)
    values = [[named.get(t, g.value(t)) for t in terms] for _, terms in found]
    assert not wanted or wanted in values


def test_what_was_found_is_made_again() -> None:
    g = Graph()
    root = add(g, parse("(add (shl a:8 2:8) b:8)"), {})
    r = rule("(add (mul x:w C:w) y:w) => (sub (mul x {C + 1}:w) (sub x y))")
    found = [m for n in tuple(g.every(root)) for m in matcher(r, r.left)(g, n)]
    assert found
    for sizes, terms in found:
        assert g.find(maker(r, r.left)(g, sizes, terms)) == g.find(root)
        made = maker(r, r.right)(g, sizes, terms)
        g.rebuild()
        assert g.find(made) == g.find(root)  # sums are one node, whatever they are made of


def test_operands_that_may_be_swapped() -> None:
    assert [op for op in ("add", "sub", "uavg", "uhsub", "ult", "umax") if commutes(op)] == [
        "add", "uavg", "umax",
    ]  # fmt: skip


def test_a_sum_is_its_parts() -> None:
    left = rule("(sub (add x:w C:w) (shl (neg y:w) {k}:w)) => x").left
    found = parts_of(left)
    assert found is not None and root_of(left) == "sum"
    assert [(x.sign, x.is_constant, x.shifts) for x in found] == [
        (1, False, False),
        (1, True, False),
        (-1, False, True),
    ]
