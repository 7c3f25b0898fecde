"""Every primitive means the same in every algebra and solver: all inputs at widths 1 to 4,
random ones above.
"""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import given

from isel.interp.evaluate import evaluate, evaluate_all
from isel.interp.integer import Integer
from isel.interp.lanes import NumpyLanes, pack
from isel.ir.expr import Expr, const, leaves, term, var
from isel.ir.ops import OPS
from isel.smt.bitwuzla_solver import BitwuzlaSolver
from isel.smt.query import Query, Solver, Unsat
from isel.smt.z3_solver import Z3Solver
from tests.ir.terms import every_application, random_term, random_values, seeds, widths


def _rows(names: tuple[Expr, ...]) -> list[tuple[int, ...]]:
    return list(itertools.product(*(range(1 << x.width) for x in names)))


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("op", OPS)
def test_integers_and_numpy_agree(op: str, width: int) -> None:
    for name, args, attr in every_application(width):
        if name != op:
            continue
        e = term(name, *args, attr=attr)
        names = leaves(e)
        rows = _rows(names)
        columns = {x: pack([r[i] for r in rows], x.width) for i, x in enumerate(names)}
        lanes = np.broadcast_to(evaluate(e, columns, NumpyLanes()), (len(rows),))
        for row, lane in zip(rows, lanes, strict=True):
            assert evaluate(e, dict(zip(names, row, strict=True)), Integer()) == int(lane), (e, row)


def _differs_somewhere(e: Expr, names: tuple[Expr, ...]) -> Expr:
    """Return a bit that is 1 where ``e`` is not what the integer algebra says, by a table of
    all inputs.
    """
    bad = const(0, 1)
    for row in _rows(names):
        here = const(1, 1)
        for x, v in zip(names, row, strict=True):
            here = term("and", here, term("eq", x, const(v, x.width)))
        value = evaluate(e, dict(zip(names, row, strict=True)), Integer())
        bad = term("or", bad, term("and", here, term("not", term("eq", e, const(value, e.width)))))
    return bad


@pytest.mark.parametrize("solver", [BitwuzlaSolver(), Z3Solver()], ids=lambda s: str(s.name))
@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("op", OPS)
def test_solvers_agree_with_integers(op: str, width: int, solver: Solver) -> None:
    for name, args, attr in every_application(width):
        if name == op:
            e = term(name, *args, attr=attr)
            assert isinstance(
                solver.check(Query((_differs_somewhere(e, leaves(e)),)), 50_000_000), Unsat
            ), e


@given(seeds, widths)
def test_random_terms_agree(seed: int, width: int) -> None:
    rng = random.Random(seed)
    e = random_term(rng, width, 5)
    envs = [random_values(rng, e) for _ in range(6)]
    names = leaves(e)
    columns = {x: pack([env[x] for env in envs], x.width) for x in names}
    lanes = np.broadcast_to(evaluate(e, columns, NumpyLanes()), (len(envs),))
    for env, lane in zip(envs, lanes, strict=True):
        assert evaluate(e, env, Integer()) == int(lane)


def test_a_missing_leaf_is_named() -> None:
    x = var("x", 8)
    with pytest.raises(KeyError) as caught:
        evaluate(term("not", x), {}, Integer())
    assert caught.value.args == (x,)


def test_given_sub_terms_are_not_computed_again() -> None:
    x = var("x", 8)
    inner = term("not", x)
    assert (
        evaluate_all([term("neg", inner)], {x: 3, inner: 1}, Integer())[term("neg", inner)] == 255
    )
