"""Solvers answer in types, within steps, and give models that hold."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from hypothesis import given, settings

from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.build import add, eq, mul, ne, sext, ult, zext
from isel.ir.expr import const, elem, term, var
from isel.smt.bitwuzla_solver import BitwuzlaSolver, Session
from isel.smt.portfolio import Portfolio, default_portfolio
from isel.smt.query import Answer, GaveUp, Query, Sat, Solver, Unsat, smtlib
from isel.smt.z3_solver import Z3Solver
from tests.ir.terms import random_term, random_values, seeds

SOLVERS: tuple[Solver, ...] = (BitwuzlaSolver(), Z3Solver())
A, B = var("a", 32), var("b", 32)


def hard() -> Query:
    """Two ways to write a 64-bit product of 32-bit values: true, and out of reach of a few
    steps.
    """
    wide = mul(sext(A, 64), sext(B, 64))
    split = add(
        mul(sext(A, 64), zext(term("extract", B, attr=(0, 16)), 64)),
        mul(mul(sext(A, 64), const(1 << 16, 64)), sext(term("extract", B, attr=(16, 16)), 64)),
    )
    return Query((ne(wide, split),))


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: str(s.name))
def test_answers(solver: Solver) -> None:
    assert isinstance(
        solver.check(Query((ne(term("add", A, B), term("add", B, A)),)), 10_000_000), Unsat
    )
    answer = solver.check(Query((eq(mul(A, A), const(49, 32)), ult(A, const(100, 32)))), 10_000_000)
    assert isinstance(answer, Sat)
    assert answer.model[A] == 7
    assert isinstance(solver.check(Query(()), 1000), Sat)


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: str(s.name))
def test_giving_up_is_neither_yes_nor_no(solver: Solver) -> None:
    assert isinstance(solver.check(hard(), 20), GaveUp)


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: str(s.name))
def test_effort_is_repeatable(solver: Solver) -> None:
    query = Query(
        (eq(mul(A, B), const(0x12345677, 32)), ult(const(1, 32), A), ult(const(1, 32), B))
    )
    answers = [solver.check(query, n) for n in (50, 500, 50, 500)]
    assert answers[:2] == answers[2:]


@given(seeds)
@settings(max_examples=40)
def test_models_hold(seed: int) -> None:
    rng = random.Random(seed)
    e = random_term(rng, 8, 3)
    wanted = evaluate(e, random_values(rng, e), Integer())
    query = Query((term("eq", e, const(wanted, 8)),))
    for solver in SOLVERS:
        answer = solver.check(query, 20_000_000)
        assert isinstance(answer, Sat)
        assert evaluate(query.assertions[0], dict(answer.model), Integer()) == 1


@given(seeds)
@settings(max_examples=40)
def test_solvers_agree(seed: int) -> None:
    rng = random.Random(seed)
    query = Query((term("eq", random_term(rng, 6, 3), random_term(rng, 6, 3)),))
    kinds = {type(s.check(query, 20_000_000)) for s in SOLVERS}
    assert len(kinds) == 1
    assert GaveUp not in kinds


def test_sessions_are_incremental() -> None:
    session = Session()
    session.require(ult(A, const(2, 32)))
    assert isinstance(session.check(10_000), Sat)
    session.require(ult(const(0, 32), A))
    answer = session.check(10_000)
    assert isinstance(answer, Sat)
    assert answer.model[A] == 1
    session.require(ne(A, const(1, 32)))
    assert isinstance(session.check(10_000), Unsat)


@dataclass(frozen=True)
class _Scripted:
    name: str
    answer: Answer
    asked: list[str]
    version: str = "0"

    def check(self, query: Query, effort: int) -> Answer:
        self.asked.append(f"{self.name}:{effort}")
        return self.answer


def test_the_portfolio_takes_the_first_answer() -> None:
    asked: list[str] = []
    lost, won, unused = (
        _Scripted("x", GaveUp("x: 5 steps"), asked),
        _Scripted("y", Unsat("y"), asked),
        _Scripted("z", Sat("z", {}), asked),
    )
    assert Portfolio(((lost, 5), (won, 7), (unused, 9))).check(Query(())) == Unsat("y")
    assert asked == ["x:5", "y:7"]


def test_the_portfolio_says_why_it_gave_up() -> None:
    asked: list[str] = []
    answer = Portfolio(
        ((_Scripted("x", GaveUp("first"), asked), 1), (_Scripted("y", GaveUp("second"), asked), 1))
    ).check(Query(()))
    assert answer == GaveUp("first; second")
    assert isinstance(Portfolio(()).check(Query(())), GaveUp)


def test_no_effort_is_little_effort() -> None:
    """z3 takes a limit of 0 for none, and needed minutes where the search was told to make no
    effort.
    """
    assert [n for _, n in default_portfolio(0).turns] == [n for _, n in default_portfolio(1).turns]
    assert isinstance(Z3Solver().check(hard(), 0), GaveUp)


def test_the_default_portfolio_proves_what_one_solver_cannot() -> None:
    a, b = var("a", 16), var("b", 16)
    commuted = Query((ne(mul(sext(a, 32), sext(b, 32)), mul(sext(b, 32), sext(a, 32))),))
    assert isinstance(default_portfolio().check(commuted), Unsat)


def test_smtlib_text() -> None:
    x, y = elem("v", 8, 8), var("y", 8)
    query = Query(
        (term("ult", term("add", x, y), term("extract", term("zext", x, attr=(16,)), attr=(4, 8))),)
    )
    assert smtlib(query) == (
        "(set-logic QF_BV)\n"
        "(declare-const |v[8]:8| (_ BitVec 8))\n"
        "(declare-const |y| (_ BitVec 8))\n"
        "(define-fun t0 () (_ BitVec 8) (bvadd |v[8]:8| |y|))\n"
        "(define-fun t1 () (_ BitVec 16) ((_ zero_extend 8) |v[8]:8|))\n"
        "(define-fun t2 () (_ BitVec 8) ((_ extract 11 4) t1))\n"
        "(define-fun t3 () (_ BitVec 1) (ite (bvult t0 t2) (_ bv1 1) (_ bv0 1)))\n"
        "(assert (= t3 (_ bv1 1)))\n"
        "(check-sat)\n"
    )


@given(seeds)
@settings(max_examples=25)
def test_z3_reads_our_smtlib_as_we_mean_it(seed: int) -> None:
    """The text that certificates hash is the question that was asked."""
    rng = random.Random(seed)
    e = random_term(rng, 5, 4)
    env = random_values(rng, e)
    value = evaluate(e, env, Integer())
    fixed = tuple(term("eq", x, const(v, x.width)) for x, v in env.items())
    agree = smtlib(Query((*fixed, term("eq", e, const(value, 5)))))
    differ = smtlib(Query((*fixed, term("not", term("eq", e, const(value, 5))))))
    assert Z3Solver().read(agree) == "sat"
    assert Z3Solver().read(differ) == "unsat"


def test_both_solvers_have_turns() -> None:
    turns = default_portfolio().turns
    assert [solver.name for solver, _ in turns] == ["bitwuzla", "z3", "bitwuzla", "z3"]
