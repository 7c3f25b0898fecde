"""Narrowed terms are equal, bounds of bits hold, and merging proves what solvers alone do not."""

from __future__ import annotations

import random

import pytest

from isel.interp.evaluate import evaluate, evaluate_all
from isel.interp.integer import Integer
from isel.ir import build as b
from isel.ir.expr import Expr, const, leaves, var
from isel.model.verdict import Proved, Refuted, Unknown
from isel.rules import derived as d
from isel.smt.query import Answer, GaveUp, Query
from isel.verify import stepwise
from isel.verify.narrow import Narrower
from isel.verify.prove import Obligation, prove
from isel.verify.sweep import sweep

_SEED = 11


def _term(rng: random.Random, depth: int, w: int) -> Expr:
    if depth == 0 or rng.random() < 0.1:
        return rng.choice([const(rng.getrandbits(w), w), var(f"{rng.choice('ab')}{w}", w)])
    match rng.randrange(6):
        case 0 if w > 2:
            return b.make(
                rng.choice(["zext", "sext"]), (_term(rng, depth - 1, rng.randrange(1, w)),), (w,)
            )
        case 1:
            wide = w + rng.randrange(1, 6)
            return b.extract(_term(rng, depth - 1, wide), rng.randrange(wide - w + 1), w)
        case 2:
            compare = b.make(
                rng.choice(["eq", "ult", "ule", "slt", "sle"]),
                (_term(rng, depth - 1, 4), _term(rng, depth - 1, 4)),
            )
            return b.ite(compare, _term(rng, depth - 1, w), _term(rng, depth - 1, w))
        case 3:
            return b.make(
                rng.choice(["lshr", "ashr", "shl"]),
                (_term(rng, depth - 1, w), const(rng.randrange(min(w + 2, 1 << w)), w)),
            )
        case 4:
            return b.make(rng.choice(["not", "neg"]), (_term(rng, depth - 1, w),))
        case _:
            return b.make(
                rng.choice(["add", "sub", "mul", "and", "or", "xor"]),
                (_term(rng, depth - 1, w), _term(rng, depth - 1, w)),
            )


@pytest.mark.parametrize("part", range(4))
def test_narrowed_terms_are_equal(part: int) -> None:
    """On random terms and inputs; many must change, or nothing was tested."""
    rng = random.Random(_SEED + part)
    changed = 0
    for _ in range(400):
        e = _term(rng, 5, rng.choice([1, 2, 3, 5, 8, 9]))
        n = Narrower().narrow(e)
        changed += n is not e
        for _ in range(8):
            env = {
                x: rng.choice([0, (1 << x.width) - 1, rng.getrandbits(x.width)])
                for x in leaves(e, n)
            }
            value = evaluate_all([e, n], env, Integer())
            assert value[e] == value[n], (
                f"seed {_SEED + part}: {e} became {n}, which differs for {env}"
            )
    assert changed > 100


def _absolute_differences(count: int) -> tuple[Expr, Expr]:
    """Return a sum of absolute differences over 16-bit numbers, and over bytes in another order."""
    pairs = [(var(f"x{i}", 8), var(f"y{i}", 8)) for i in range(count)]
    wide, narrow = const(0, 16), const(0, 64)
    for x, y in pairs:
        wide = b.add(wide, d.sabs(b.sub(b.zext(x, 16), b.zext(y, 16))))
    for x, y in reversed(pairs):
        narrow = b.add(b.zext(d.uabsdiff(y, x), 64), narrow)
    return b.zext(wide, 64), narrow


@pytest.fixture
def without_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave to solvers what steps prove."""
    monkeypatch.setattr(stepwise, "by_steps", lambda *_: None)


@pytest.mark.usefixtures("without_steps")
def test_merging_proves_a_sum_of_absolute_differences() -> None:
    """Bit-blasting the whole takes a solver more than a minute."""
    left, right = _absolute_differences(8)
    verdict = prove([Obligation(const(1, 1), left, right)])
    assert isinstance(verdict, Proved)
    assert {"narrowing", "enumeration"} >= {*verdict.certificate.solvers}


def test_merging_does_not_hide_a_difference() -> None:
    """One more bit set in a single term."""
    left, right = _absolute_differences(8)
    assert isinstance(
        prove([Obligation(const(1, 1), b.bor(left, const(2048, 64)), right)]), Refuted
    )


def test_nothing_is_merged_without_proof() -> None:
    """If nothing is ever shown, both sides stay as they are."""
    left, right = _absolute_differences(3)
    assert sweep(left, right, lambda bit: False) == (left, right)


class _GivesUp:
    def check(self, query: Query) -> Answer:
        return GaveUp("told to")


@pytest.mark.usefixtures("without_steps")
def test_nothing_is_proved_by_narrowing_alone() -> None:
    """A solver has to confirm it: one that always gives up yields nothing."""
    x, y, z = (var(n, 16) for n in "xyz")
    left = b.lshr(b.add(b.zext(x, 64), b.zext(y, 64)), const(1, 64))
    right = b.zext(b.lshr(b.add(b.zext(y, 17), b.zext(x, 17)), const(1, 17)), 64)
    obligations = [Obligation(const(1, 1), b.add(left, b.zext(z, 64)), b.add(b.zext(z, 64), right))]
    assert isinstance(prove(obligations, checker=_GivesUp()), Unknown)
    assert isinstance(prove(obligations), Proved)


def test_a_truncation_is_not_moved_through_any_number_of_operations() -> None:
    """Python's stack is finite; what is left as it is is equal all the same."""
    x = [b.zext(var(f"x{k}", 8), 32) for k in range(400)]
    e = x[0]
    for k in range(1, 400):
        e = b.ite(b.ult(x[k], x[k - 1]), b.sub(e, x[k]), b.bxor(e, x[k]))
    low = b.trunc(e, 16)
    rng = random.Random(1)
    env = {leaf: rng.randrange(256) for leaf in leaves(low)}
    assert evaluate(Narrower().narrow(low), env, Integer()) == evaluate(low, env, Integer())
