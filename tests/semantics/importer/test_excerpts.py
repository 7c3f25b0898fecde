"""Excerpts in the guide's language mean what Python says."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.expr import Expr, leaves
from semantics.importing.syntax import TextMistake
from semantics.importing.values import Inexact
from tests.semantics.importer.excerpts import EXCERPTS, Excerpt, Values
from tests.semantics.importer.guide import Parameter, one
from tests.semantics.importer.planted import PLANTED, Planted, planted

_BITS = {"__m128i": 128, "__mmask8": 8, "int": 32}


def _width(p: Parameter) -> int:
    """Return the width of an operand's elements."""
    kind = p[2]
    return {"MASK": 1, "IMM": 8}.get(kind) or int(kind[2:])


def _bits(rng: random.Random, p: Parameter) -> int:
    """Return a value for an operand: half of the elements are ends, their neighbours, small."""
    width, total = _width(p), 8 if p[2] == "IMM" else _BITS[p[0]]
    ends = (
        0,
        1,
        2,
        3,
        1 << (width - 1),
        (1 << (width - 1)) - 1,
        (1 << width) - 1,
        width,
        width - 1,
    )
    lanes = (
        (rng.choice(ends) if rng.random() < 0.5 else rng.getrandbits(width)) & ((1 << width) - 1)
        for _ in range(total // width)
    )
    return sum(x << (width * k) for k, x in enumerate(lanes))


def _elements(p: Parameter, bits: int) -> list[int]:
    width, total = _width(p), 8 if p[2] == "IMM" else _BITS[p[0]]
    found = [bits >> at & ((1 << width) - 1) for at in range(0, total, width)]
    half = 1 << (width - 1)
    return [(x ^ half) - half for x in found] if p[2].startswith("S") else found


def _differs(excerpt: Excerpt, trials: int) -> str:
    """Import an excerpt and return the first lane that is not what Python says, or nothing."""
    found = one(excerpt.text, *excerpt.parameters, result=excerpt.result)
    rng = random.Random(excerpt.name)
    scale = found.width // _width(excerpt.result)
    if found.width % _width(excerpt.result):
        return f"lanes of {found.width} bits"
    for _ in range(trials):
        given = {p[1]: _bits(rng, p) for p in excerpt.parameters}
        for i in found.immediates:
            given[i.name] = rng.choice(i.values)
        read: Values = {p[1]: _elements(p, given[p[1]]) for p in excerpt.parameters}
        immediates = {i.name: given[i.name] for i in found.immediates}
        for lane in range(found.lanes):
            term = found.lane(lane, immediates)
            width = _width(excerpt.result)
            wanted = sum(
                (excerpt.lane(read, lane * scale + k) & ((1 << width) - 1)) << (width * k)
                for k in range(scale)
            )
            if (is_now := evaluate(term, _env(term, given), Integer())) != wanted:
                return f"lane {lane}: {is_now:#x}, expected {wanted:#x}"
    return ""


def _env(term: Expr, given: Mapping[str, int]) -> dict[Expr, int]:
    found = {}
    for leaf in leaves(term):
        name, at = leaf.attr[:2]
        found[leaf] = given[str(name)] >> int(at) & ((1 << leaf.width) - 1)
    return found


@pytest.mark.parametrize("excerpt", EXCERPTS, ids=lambda e: e.name)
def test_an_excerpt_means_what_python_says(excerpt: Excerpt) -> None:
    assert _differs(excerpt, 40) == ""


def test_there_are_forty() -> None:
    assert len({e.name for e in EXCERPTS}) == len(EXCERPTS) >= 40


def _seen(trials: int) -> bool:
    """Tell whether an excerpt is refused or differs."""
    for excerpt in EXCERPTS:
        try:
            if _differs(excerpt, trials):
                return True
        except (AssertionError, TextMistake, Inexact):
            return True
    return False


@pytest.mark.parametrize("fault", PLANTED, ids=lambda f: f.name)
def test_a_planted_fault_is_seen(fault: Planted) -> None:
    with planted(fault):
        assert _seen(40)


def test_without_a_fault_nothing_is_seen() -> None:
    with planted(PLANTED[0]):
        pass
    assert not _seen(3)
