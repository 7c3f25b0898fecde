"""The verifier's core: identity, refutation, giving up, certificates, and who may say that
something is proved.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isel.ir import build as b
from isel.ir.expr import Expr, const, elem, var
from isel.model.verdict import Proved, Refuted, Unknown
from isel.model.window import Leaf, Root, Window
from isel.rules import derived as d
from isel.smt.query import Answer, GaveUp, Query, Sat
from isel.verify.prove import IDENTITY, Obligation, prove
from isel.verify.recorded import Recorded
from isel.verify.windows import prove_window

_X, _Y, _Z = (var(n, 16) for n in "xyz")
_YES = const(1, 1)
_PACKAGES = ("isel", "frontends", "semantics", "equiv_classes")


class _GivesUp:
    def check(self, query: Query) -> Answer:
        return GaveUp("told to")


class _Counts:
    """A checker that says no counterexample exists, and counts."""

    def __init__(self) -> None:
        self.asked: list[Query] = []

    def check(self, query: Query) -> Answer:
        self.asked.append(query)
        return GaveUp("only counting")


def _equal(a: Expr, c: Expr, premise: Expr = _YES) -> Obligation:
    return Obligation(premise, a, c, "here")


def test_identity_needs_no_solver() -> None:
    """Equal terms after simplification."""
    verdict = prove([_equal(b.add(_X, _Y), b.add(_Y, _X))], checker=_GivesUp())
    assert isinstance(verdict, Proved) and verdict.certificate.queries == (IDENTITY,)


def test_a_solver_proves_and_leaves_a_certificate() -> None:
    """The certificate names the query by hash, and replays."""
    average = b.bor(b.band(_X, _Y), b.band(b.bor(_X, _Y), const(0x5A5A, 16)))
    wide = b.bor(b.band(b.bor(_X, const(0x5A5A, 16)), _Y), b.band(_X, const(0x5A5A, 16)))
    verdict = prove([_equal(average, wide)])
    assert isinstance(verdict, Proved)
    again = prove([_equal(average, wide)], checker=Recorded(verdict.certificate, 1))
    assert again == verdict


def test_refuted_with_a_model_that_differs() -> None:
    """The model is a counterexample."""
    verdict = prove([_equal(b.lshr(b.add(_X, _Y), const(1, 16)), d.uavg(_X, _Y))])
    assert isinstance(verdict, Refuted)
    assert {_X, _Y} <= set(verdict.model) and verdict.where == "here"


def test_a_solver_that_gives_up_means_unknown() -> None:
    """Unknown is never yes."""
    a = b.mul(b.add(_X, _Y), _Z)
    c = b.add(b.mul(_X, _Z), b.mul(_Y, _Z))
    assert isinstance(prove([_equal(a, c)], checker=_GivesUp()), Unknown)


def test_facts_are_assumptions() -> None:
    """What is false without the fact is proved with it, and the counterexample obeys the facts."""
    wrong = _equal(b.band(_X, const(255, 16)), _X)
    assert isinstance(prove([wrong]), Refuted)
    assert isinstance(prove([wrong], [b.ult(_X, const(256, 16))]), Proved)
    verdict = prove([wrong], [b.ult(_X, const(300, 16)), b.ult(const(270, 16), _X)])
    assert isinstance(verdict, Refuted) and 270 < verdict.model[_X] < 300


def test_facts_reach_through_each_other() -> None:
    """x is below y, which the query does not mention, and y below z, which is below 3; w has
    nothing to do with it.
    """
    w = var("w", 16)
    facts = [b.ult(_Z, const(3, 16)), b.ult(_Y, _Z), b.ult(_X, _Y), b.ult(w, const(9, 16))]
    for known in (facts, facts[::-1]):
        assert isinstance(
            prove([_equal(b.lshr(b.mul(_X, _X), const(1, 16)), const(0, 16))], known), Proved
        )
        assert isinstance(
            prove([_equal(b.lshr(b.mul(_X, _X), const(1, 16)), const(0, 16))], known[1:3]), Refuted
        )


def test_premises_are_assumptions() -> None:
    """A lane that is not defined may be anything."""
    small = b.ult(_X, const(256, 16))
    assert isinstance(prove([_equal(b.band(_X, const(255, 16)), _X, small)]), Proved)


def test_equal_lanes_are_asked_once() -> None:
    """One query per distinct lane up to renaming: eight lanes ask what one does."""
    asked: list[list[Query]] = []
    for n in (1, 8):
        lanes = [(elem("a", 16 * i, 16), elem("b", 16 * i, 16)) for i in range(n)]
        counter = _Counts()
        cubes = ((b.mul(b.mul(x, x), y), b.mul(b.mul(x, x), x), x, y) for x, y in lanes)
        same = [_equal(b.mul(b.mul(x, x), b.add(y, x)), b.add(p, q)) for p, q, x, y in cubes]
        assert isinstance(prove(same, checker=counter), Unknown)
        asked.append(counter.asked)
    assert asked[0] and asked[0] == asked[1]


def _window(lane: Expr, defined: Expr = _YES) -> Window:
    return Window((Leaf("a", 16, 1),), (Root(16, (lane,), (defined,)),))


def test_a_quotient_inside_a_product_is_merged_under_all_its_inputs() -> None:
    # a row of the correctness suite stayed open: 16 bits are few, but a divider beside a multiplier
    # is hard for solvers
    x, y = elem("x", 0, 16), elem("y", 0, 16)
    sign = b.ashr(y, const(15, 16))
    magnitude = b.bxor(y, sign)
    divided = b.bxor(b.make("udiv", (magnitude, const(3, 16))), sign)
    high = b.extract(b.mul(b.zext(magnitude, 32), const(43691, 32)), 16, 16)
    doubled = b.band(b.bxor(high, sign), const(0xFFFE, 16))
    wanted = b.extract(
        b.ashr(
            b.add(b.mul(b.sext(x, 32), b.sext(b.shl(divided, const(1, 16)), 32)), const(16384, 32)),
            const(15, 32),
        ),
        0,
        16,
    )
    assert isinstance(prove([Obligation(const(1, 1), wanted, d.smulhrs(doubled, x))]), Proved)
    odd = b.bor(doubled, const(1, 16))
    assert isinstance(prove([Obligation(const(1, 1), wanted, d.smulhrs(odd, x))]), Refuted)


def test_windows() -> None:
    """A lane that the program leaves undefined fails unless the window does not use it."""
    a = elem("a", 0, 16)
    assert isinstance(prove_window(_window(b.add(a, a)), [(b.shl(a, const(1, 16)),)]), Proved)
    assert isinstance(prove_window(_window(b.add(a, a)), [(None,)]), Unknown)
    assert isinstance(prove_window(Window((), (Root(16, (None,), (_YES,)),)), [(None,)]), Proved)
    assert isinstance(prove_window(_window(a, const(0, 1)), [(const(3, 16),)]), Proved)
    assert prove_window(_window(a), [(a, a)]) == Unknown("root 0 has 1 lanes, the program gives 2")
    with pytest.raises(ValueError, match="shorter"):
        prove_window(_window(a), [])  # a root without a value is not proved by having no lanes


class _Lies:
    """A solver with a counterexample that is none."""

    def check(self, query: Query) -> Answer:
        return Sat("liar", {})


def test_a_counterexample_is_looked_at() -> None:
    """One that does not satisfy the query refutes nothing: the answer is unknown, also where a
    later lane is proved.
    """
    average = b.bor(b.band(_X, _Y), b.band(b.bor(_X, _Y), const(0x5A5A, 16)))
    wide = b.bor(b.band(b.bor(_X, const(0x5A5A, 16)), _Y), b.band(_X, const(0x5A5A, 16)))
    assert isinstance(prove([_equal(average, wide)]), Proved)
    verdict = prove([_equal(average, wide), _equal(_X, _X)], checker=_Lies())
    assert verdict == Unknown("a solver's counterexample does not satisfy the query")


_TERMS = st.recursive(
    st.sampled_from([var("x", 4), var("y", 4), const(0, 4), const(9, 4)]),
    lambda inner: st.tuples(
        st.sampled_from(["add", "sub", "mul", "and", "or", "xor", "shl", "lshr"]), inner, inner
    ).map(lambda t: b.make(t[0], t[1:])),
    max_leaves=6,
)


@given(_TERMS, _TERMS)
def test_verdicts_agree_with_all_inputs(left: Expr, right: Expr) -> None:
    """At four bits every input can be tried."""
    from isel.ir.canon import instantiate

    values = [
        {var("x", 4): const(i, 4), var("y", 4): const(j, 4)} for i in range(16) for j in range(16)
    ]
    same = all(instantiate(left, v) is instantiate(right, v) for v in values)
    assert isinstance(prove([_equal(left, right)]), Proved if same else Refuted)


def _python_files() -> Iterator[Path]:
    root = Path(__file__).parents[2]
    for package in _PACKAGES:
        yield from (
            p
            for p in (root / package).rglob("*.py")
            if p.relative_to(root).parts[:2] != ("isel", "verify")
        )


def _makes_proofs(path: Path) -> bool:
    calls = (n.func for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call))
    return any(
        (isinstance(f, ast.Name) and f.id == "Proved")
        or (isinstance(f, ast.Attribute) and f.attr == "Proved")
        for f in calls
    )


def test_only_the_verifier_makes_proofs() -> None:
    """No other package constructs a Proved."""
    files = list(_python_files())
    assert len(files) > 20
    assert not [str(p) for p in files if _makes_proofs(p)]


def test_the_check_above_sees_a_proof(tmp_path: Path) -> None:
    """It is a check that can fail."""
    bad = tmp_path / "bad.py"
    bad.write_text("from isel.model.verdict import Proved\nx = Proved(None)\n")
    assert _makes_proofs(bad)


@pytest.mark.parametrize("module", ["prove", "choices", "invert", "recorded"])
def test_the_verifier_knows_nothing_of_the_search(module: str) -> None:
    text = (Path(__file__).parents[2] / "isel" / "verify" / f"{module}.py").read_text()
    names = [n.module or "" for n in ast.walk(ast.parse(text)) if isinstance(n, ast.ImportFrom)]
    assert names
    assert [n for n in names if n.startswith("isel.synth")] == []
