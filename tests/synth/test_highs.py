"""Edges to the high half of a product, and what they compute."""

from __future__ import annotations

import pytest

from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.canon import canonical, formal
from isel.ir.expr import leaves, show
from isel.ir.text import parse
from isel.rules.derived import smulhi, umulhi
from isel.synth.edges.highs import high_edges
from isel.synth.values.lanefn import lane_fn

HIGH = lane_fn(canonical(umulhi(formal(0, 16), formal(1, 16)))[0])
SIGNED = lane_fn(canonical(smulhi(formal(0, 16), formal(1, 16)))[0])
EDGES = {
    "(lshr (mul (zext 16 x:8) (zext 16 y:8)) 8:16)": [
        ["(concat x:8 0:8)", "(zext 16 y:8)"], ["(concat y:8 0:8)", "(zext 16 x:8)"],
        ["(shl (zext 16 x:8) 8:16)", "(zext 16 y:8)"],
        ["(shl (zext 16 y:8) 8:16)", "(zext 16 x:8)"],
    ],
    "(zext 16 (extract 8 8 (mul (zext 16 x:8) 77:16)))": [
        ["(concat x:8 0:8)", "77:16"], ["(shl (zext 16 x:8) 8:16)", "77:16"], ["19712:16", "(zext 16 x:8)"],
    ],
    "(lshr (mul x:16 y:16) 8:16)": [],
    "(ashr (mul (zext 16 x:8) (zext 16 y:8)) 8:16)": [],
    "(ashr (mul (sext 16 x:8) (sext 16 y:8)) 8:16)": [
        ["(concat x:8 0:8)", "(sext 16 y:8)"], ["(concat y:8 0:8)", "(sext 16 x:8)"],
    ],
    "(sext 16 (extract 8 8 (mul (sext 16 x:8) -255:16)))": [["(concat x:8 0:8)", "65281:16"]],
    "(ashr (mul (sext 16 x:8) -256:16) 8:16)": [],
}  # fmt: skip


@pytest.mark.parametrize("text", EDGES)
def test_edges_of_a_shifted_product(text: str) -> None:
    e = parse(text)
    found = [(fn, args) for fn, args in high_edges([HIGH, SIGNED], e)]
    told = sorted(sorted(map(show, args)) for _, args in found)
    assert told == sorted(sorted(x) for x in EDGES[text])
    for fn, args in found:
        for x, y in ((0, 0), (255, 255), (255, 1), (16, 240), (128, 127), (128, 128)):
            env = {v: {"x": x, "y": y}[v.source] for v in leaves(e)}
            made = fn.apply(*args)
            inner = {v: env[v] for v in leaves(made)}
            assert evaluate(made, inner, Integer()) == evaluate(e, env, Integer())


def test_none_where_no_instruction_gives_the_half() -> None:
    assert list(high_edges([], parse("(lshr (mul (zext 16 x:8) (zext 16 y:8)) 8:16)"))) == []
