"""Normal forms and formulas equal what they were made from, on values."""

from __future__ import annotations

import random

import pytest

from equiv_classes.affine import Field, fields, nest
from equiv_classes.formula import number, tree_of
from equiv_classes.normal import Normalizer
from isel.errors import SyntaxProblem
from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.build import concat, extract, make
from isel.ir.expr import Expr, const, elem, leaves, term
from isel.ir.ops import OPS
from isel.rules import derived

import numpy as np  # isort: skip

SEED = 20261121
NORMAL = Normalizer({"a": 0, "b": 1})


def values(e: Expr, a: int, b: int) -> int:
    """Evaluate over two operands of 64 bits, whose slices agree with each other."""
    env = {x: ({"a": a, "b": b}[x.source] >> x.offset) & ((1 << x.width) - 1) for x in leaves(e)}
    return evaluate(e, env, Integer())


def agree(e: Expr, rng: random.Random, rounds: int = 40) -> None:
    n = NORMAL(e)
    assert n.width == e.width
    for _ in range(rounds):
        a, b = (
            rng.choice(
                (
                    rng.getrandbits(64),
                    rng.getrandbits(64) & rng.getrandbits(64),
                    0,
                    2**64 - 1,
                    0x8080808080808080,
                )
            )
            for _ in range(2)
        )
        assert values(n, a, b) == values(e, a, b), f"seed {SEED}: {e} became {n}"


def random_term(rng: random.Random, depth: int, width: int) -> Expr:
    if depth == 0 or rng.random() < 0.1:
        if rng.random() < 0.2:
            return const(rng.choice((0, 1, -1, 5, 1 << (width - 1))), width)
        return elem(rng.choice("ab"), rng.randrange(65 - width), width)
    op = rng.choice([*OPS, "extract", "ite", "and", "add", "concat"])
    if op in ("zext", "sext"):
        return (
            make(op, (random_term(rng, depth - 1, width // 2),), (width,))
            if width > 1
            else random_term(rng, depth - 1, width)
        )
    if op == "extract":
        wide = min(2 * width, 16)
        return extract(random_term(rng, depth - 1, wide), rng.randrange(wide - width + 1), width)
    if op == "concat":
        return (
            concat(random_term(rng, depth - 1, width - 1), random_term(rng, depth - 1, 1))
            if width > 1
            else random_term(rng, depth - 1, 1)
        )
    if op == "ite":
        return term(
            op,
            random_term(rng, depth - 1, 1),
            *(random_term(rng, depth - 1, width) for _ in range(2)),
        )
    if OPS[op].boolean:
        if width > 1:
            return derived.mask_of(random_term(rng, depth, 1), width)
        wide = rng.choice((2, 8))
        return term(op, *(random_term(rng, depth - 1, wide) for _ in range(2)))
    return term(op, *(random_term(rng, depth - 1, width) for _ in range(OPS[op].arity)))


def test_random_terms_keep_their_values() -> None:
    rng = random.Random(SEED)
    for _ in range(400):
        agree(random_term(rng, 4, rng.choice((1, 4, 8))), rng)


@pytest.mark.parametrize("name", [*derived.BINARY, *derived.UNARY])
def test_derived_operations_keep_their_values(name: str) -> None:
    a, b = elem("a", 8, 16), elem("b", 24, 16)
    e = derived.BINARY[name](a, b) if name in derived.BINARY else derived.UNARY[name](a)
    agree(e, random.Random(SEED))


def test_orders_and_slices_do_not_matter() -> None:
    a, b = elem("a", 0, 16), elem("b", 0, 16)
    assert NORMAL(term("add", a, b)) is NORMAL(term("add", b, a))
    assert NORMAL(derived.smin(a, b)) is NORMAL(derived.smin(b, a))
    assert NORMAL(extract(a, 8, 8)) is elem("a", 8, 8)
    assert NORMAL(concat(elem("a", 8, 8), elem("a", 0, 8))) is elem("a", 0, 16)
    assert NORMAL(term("extract", term("lshr", concat(a, b), const(12, 32)), attr=(4, 16))) is a
    assert NORMAL(
        term("extract", term("lshr", concat(a, b), const(24, 32)), attr=(8, 16))
    ) is const(0, 16)
    assert NORMAL(term("sle", a, b)) is not NORMAL(term("slt", a, b))


def test_loop_nests() -> None:
    rows = np.array([[0, 8, 64, 72, 128, 136, 192, 200], [5] * 8], np.int64)
    found = nest(rows)
    assert found is not None
    assert (found.radices, found.base, found.strides) == ((2, 4), (0, 5), ((8, 0), (64, 0)))
    assert nest(np.array([[0, 1, 3, 2]], np.int64)) is None


def test_fields_of_an_immediate() -> None:
    settings = np.arange(256, dtype=np.int64).reshape(-1, 1)
    values = np.stack(
        [3 + 32 * ((settings[:, 0] >> 4) & 3), 7 - settings[:, 0], np.full(256, 9)], axis=1
    )
    assert fields(settings, values) == [(3, Field(0, 32, 4, 2)), (7, Field(0, -1, 0, 0)), (9, None)]
    assert fields(settings, settings**2) is None


@pytest.mark.parametrize(
    "text", ["__import__('os')", "w.x", "w if n else 1", "[1]", "w =", "w == 1", "f(w)"]
)
def test_numbers_are_sums_and_products_only(text: str) -> None:
    with pytest.raises(SyntaxProblem):
        number(text)


@pytest.mark.parametrize("text", ["(add a b", "a) b", "", "a b"])
def test_terms_are_balanced(text: str) -> None:
    with pytest.raises(SyntaxProblem):
        tree_of(text)
