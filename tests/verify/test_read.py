"""Leaves as narrow as a query reads them."""

from __future__ import annotations

import pytest

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir.expr import leaves
from isel.ir.text import parse
from isel.verify.read import as_read


@pytest.mark.parametrize(
    ("text", "widths"),
    [
        ("(eq (and x0:6 5:6) 4:6)", [3]),
        ("(eq (extract 1 2 x0:6) (extract 0 2 x1:6))", [3, 2]),
        ("(ult (and (extract 0 4 x0:6) 3:4) (extract 0 4 x1:6))", [2, 4]),
        ("(eq (and x0:6 7:6) (and x0:6 3:6))", [3]),
    ],
)
def test_fewer_bits_say_the_same(text: str, widths: list[int]) -> None:
    key = parse(text)
    fewer, new = as_read(key)
    assert [new[x].width for x in sorted(new, key=lambda x: x.source)] == widths
    for value in range(1 << 12):
        env = {x: value >> 6 * k & 63 for k, x in enumerate(leaves(key))}
        low = {new[x]: v & ((1 << new[x].width) - 1) for x, v in env.items()}
        before = evaluate_all([key], env, Integer())[key]
        assert before == evaluate_all([fewer], low, Integer())[fewer]


@pytest.mark.parametrize(
    "text",
    ["(eq x0:6 (and x0:6 7:6))", "(eq (extract 2 4 x0:6) 1:4)", "(eq (add x0:6 x1:6) 1:6)"],
)
def test_what_is_read_whole_stays(text: str) -> None:
    key = parse(text)
    assert as_read(key) == (key, {})
