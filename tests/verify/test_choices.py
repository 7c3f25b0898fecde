"""Refinement with choices on both sides against the game that it is, played out: for all inputs
and early choices of the target …
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from frontends.llvm.passes.guesses import HINTS
from isel.ir import build as b
from isel.ir.expr import Expr, const, elem, var
from isel.model.verdict import Proved, Refuted, Unknown
from isel.smt.query import Answer, GaveUp, Query
from isel.verify.choices import Choices, Lane, Problem, refines
from isel.verify.prove import holds

_NO = const(0, 1)
_W = 2
_X, _Y = var("x", _W), var("y", _W)
_SE, _SL, _TE, _TL = (elem(n, 0, _W) for n in ("S.f.f0", "S.u.u0", "T.f.f0", "T.u.u0"))
_PLACES = (
    "lane 0",
    "lane 1",
    "undefined behaviour of the target",
    "no choice of the source gives it",
)
_OPS = (b.add, b.sub, b.band, b.bor, b.bxor, b.mul)


def _all(leaves: Sequence[Expr]) -> Iterator[dict[Expr, int]]:
    for values in itertools.product(range(1 << _W), repeat=len(leaves)):
        yield dict(zip(leaves, values, strict=True))


def _played(p: Problem) -> bool:
    """Tell who wins: for all inputs and early choices of the target there are early ones of the
    source, and so on with the late ones.
    """
    fine = p.fine()
    return all(
        any(
            all(
                any(
                    holds(fine, {**given, **se, **tl, **sl})
                    for sl in _all(sorted(p.source.late, key=repr))
                )
                for tl in _all(sorted(p.target.late, key=repr))
            )
            for se in _all(sorted(p.source.early, key=repr))
        )
        for given in _all([_X, _Y, *sorted(p.target.early, key=repr)])
        if all(holds(f, given) for f in p.facts)
    )


def _term(rng: random.Random, leaves: Sequence[Expr], depth: int = 0) -> Expr:
    if depth >= 2 or rng.random() < 0.3:
        return (
            rng.choice([*leaves, const(rng.randrange(1 << _W), _W)])
            if rng.random() < 0.3
            else rng.choice(leaves)
        )
    if rng.random() < 0.2:
        return b.ite(
            _bit(rng, leaves, depth + 1),
            _term(rng, leaves, depth + 1),
            _term(rng, leaves, depth + 1),
        )
    return rng.choice(_OPS)(_term(rng, leaves, depth + 1), _term(rng, leaves, depth + 1))


def _bit(rng: random.Random, leaves: Sequence[Expr], depth: int = 1) -> Expr:
    return rng.choice((b.eq, b.ule, b.slt))(
        _term(rng, leaves, depth + 1), _term(rng, leaves, depth + 1)
    )


def _random(rng: random.Random) -> Problem:
    source = [x for x in (_SE, _SL) if rng.random() < 0.6]
    target = [x for x in (_TE, _TL) if rng.random() < 0.6]
    mine, theirs = [_X, _Y, *source, *source], [_X, _Y, *target]
    rare = [
        _bit(rng, leaves) if rng.random() < 0.25 else _NO for leaves in (mine, theirs, mine, theirs)
    ]
    lanes = tuple(
        Lane(f"lane {k}", _term(rng, mine), rare[0], _term(rng, theirs), rare[1])
        for k in range(rng.choice((1, 1, 2)))
    )
    fact = _bit(rng, [_X, _Y])
    facts = (
        (fact,)
        if rng.random() < 0.3 and any(holds(fact, given) for given in _all([_X, _Y]))
        else ()
    )
    twins = {_SE: _TE if _TE in target else _X, _SL: _TL if _TL in target else _X}
    choices = [
        Choices(frozenset({s} & {*side}), frozenset({u} & {*side}))
        for s, u, side in ((_SE, _SL, source), (_TE, _TL, target))
    ]
    return Problem(
        lanes, rare[2], rare[3], facts, choices[0], choices[1], (twins, {_SE: _X, _SL: _X})
    )


def _check(seed: int, count: int) -> Counter[tuple[str, bool]]:
    rng = random.Random(seed)
    found: Counter[tuple[str, bool]] = Counter()
    for k in range(count):
        p = _random(rng)
        verdict = refines(p, {}, hints=HINTS)
        won = _played(p)
        found[type(verdict).__name__, won] += 1
        assert not isinstance(verdict, Refuted if won else Proved), (seed, k, p, verdict)
        assert not isinstance(verdict, Refuted) or (
            verdict.where in _PLACES and all(holds(f, dict(verdict.model)) for f in p.facts)
        )
    return found


def test_agrees_with_the_game() -> None:
    found = _check(20261123, 60)
    assert (
        found["Refuted", False] >= 20
        and found["Proved", True] >= 10
        and sum(n for (kind, _), n in found.items() if kind == "Unknown") <= 2
    )


def test_what_serves_any_two_looks_need_not_serve_all() -> None:
    """The source gives any number but the one of three that it has chosen first: no two looks
    of the target tell, all three do.
    """
    three, zero = const(3, _W), const(0, _W)
    chosen, wanted = (b.ite(b.eq(x, three), zero, x) for x in (_SE, _TL))
    lane = Lane(
        "lane 0", b.ite(b.eq(_SL, chosen), b.add(chosen, const(1, _W)), _SL), _NO, wanted, _NO
    )
    sides = Choices(frozenset({_SE}), frozenset({_SL})), Choices(frozenset(), frozenset({_TL}))
    p = Problem((lane,), _NO, _NO, (), *sides, ({_SE: _X, _SL: _TL},))
    assert not _played(p)
    assert isinstance(refines(p, {}, hints=HINTS), Unknown)


class _GivesUp:
    def check(self, query: Query) -> Answer:
        return GaveUp("told to")


def test_without_a_solver_nothing_with_choices_is_decided() -> None:
    """Of 64 bits nothing is enumerated, and samples do not show that no choice would do."""
    x, s, t = var("x", 64), elem("S.f.f0", 0, 64), elem("T.f.f0", 0, 64)
    for source, target in ((b.mul(s, s), b.mul(t, x)), (b.mul(s, s), b.bor(t, x))):
        p = Problem(
            (Lane("lane 0", source, _NO, target, _NO),),
            _NO,
            _NO,
            (),
            Choices(frozenset({s})),
            Choices(frozenset({t})),
            ({s: t},),
        )
        assert refines(p, {}, checker=_GivesUp(), hints=HINTS) == Unknown("told to")


def test_a_counterexample_that_breaks_a_fact_is_none() -> None:
    """A fact about another input that nobody could satisfy: whether there is a counterexample
    at all is open.
    """
    x, y, s = var("x", 64), var("y", 64), elem("S.f.f0", 0, 64)
    fact = b.eq(b.mul(y, y), const(0x1234567, 64))
    p = Problem(
        (Lane("lane 0", b.band(s, const(1, 64)), _NO, b.bor(x, const(2, 64)), _NO),),
        _NO,
        _NO,
        (fact,),
        Choices(frozenset({s})),
        Choices(),
        ({s: x},),
    )
    assert isinstance(refines(p, {}, checker=_GivesUp(), hints=HINTS), Unknown)


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_the_game_at_length(seed: int) -> None:
    _check(seed, 400)
