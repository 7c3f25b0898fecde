"""Every rule is shown from raw terms; what is false, unknown or not on the list is not used."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from isel.egraph.terms import RuleSet
from isel.errors import SyntaxProblem
from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.expr import Expr, leaves, postorder, var
from isel.ir.text import parse
from isel.rules.books import definitions
from isel.rules.conditions import Assumptions
from isel.rules.number import evaluate as evaluate_number
from isel.rules.number import read
from isel.rules.parse import parse_rules
from isel.rules.proofs import Proofs, proofs, read_proofs
from isel.rules.prove import claim, prove
from isel.rules.record import every_rule, write_proofs
from isel.rules.small import check, check_small
from isel.rules.syntax import Rule
from isel.smt.portfolio import Portfolio
from isel.smt.query import Answer, GaveUp, Query, Sat, Unsat

RULES: Mapping[str, Rule] = {r.name: r for r in every_rule()}
_WORD = 32


class Asked:
    """A checker that keeps what it is asked and never knows."""

    def __init__(self) -> None:
        self.queries: list[Query] = []

    name = version = "asked"

    def check(self, query: Query, effort: int = 0) -> Answer:
        self.queries.append(query)
        return GaveUp("nobody knows")


@pytest.mark.parametrize("name", RULES)
def test_each_rule_holds_at_small_widths_for_all_values(name: str) -> None:
    assert check_small(RULES[name])


@pytest.mark.parametrize("name", RULES)
def test_each_rule_is_on_the_shipped_list_as_it_is(name: str) -> None:
    """After a change of a rule run ``make prove-rules``."""
    assert proofs().listed(RULES[name]) and proofs().known(RULES[name])


def test_at_most_twenty_rules_have_no_proof_at_32_bits() -> None:
    words = {n for n, r in RULES.items() if any(max(s) >= _WORD for s in proofs().known(r))}
    written = [r.name for r in RULES.values() if not r.is_learned]
    assert len({*written} - words) <= 20  # rules for 8 or 16 bits have no other widths


def test_the_list_is_read_as_it_is_written() -> None:
    rule = RULES["narrow.add"]
    text = write_proofs([(rule, [(16, 32), (8, 16)])])
    assert text.splitlines()[1].endswith(": 8,16 16,32") and text.startswith("#")
    assert Proofs(read_proofs(text)).known(rule) == {(8, 16), (16, 32)}


WRONG = {
    "commuted difference": "r: (sub x:w y:w) => (sub y x)",
    "an identity of another operation": "r: (mul x:w 0:w) => x",
    "one bound too far": "r: (sext {w+1} (neg x:w)) => (neg (sext {w+1} x))",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_rule_fails_although_it_is_switched_on(name: str) -> None:
    """Were the terms of its proof made by rules, it would make both sides the same."""
    (rule,) = parse_rules(WRONG[name] + "\n", "f", definitions()).rules
    used = RuleSet((rule,), known=Proofs(read_proofs(write_proofs([(rule, [(4,), (8,)])]))))
    claimed = claim(rule, (8,))
    assert claimed is not None and used.first(claimed.lefts[0]) is not None
    with pytest.raises(SyntaxProblem, match="is false where"):
        check_small(rule)
    assert isinstance(prove(rule, (8,), None), Sat)


def test_a_tool_with_a_wrong_rule_does_not_start() -> None:
    wrong = parse_rules("r: (sub x:w y:w) => (sub y x)\n", "f")
    with pytest.raises(SyntaxProblem):
        check(wrong, proofs())


def test_unknown_is_not_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = RULES["narrow.mul"]
    asked = Asked()
    monkeypatch.setattr("isel.rules.proofs.default_portfolio", lambda: Portfolio(((asked, 1),)))
    known = Proofs({})
    assert not known.holds(rule, (16, 32))
    once = len(asked.queries)
    assert not known.holds(rule, (16, 32))
    assert len(asked.queries) == once > 0 and known.found == []
    used = RuleSet((rule,), {"narrows": lambda whole, part: True}, known)
    assert used.first(parse("(extract 0 16 (mul x:32 y:32))")) is None


def test_a_width_that_is_not_listed_is_proved_when_it_is_met() -> None:
    rule = RULES["narrow.add"]
    known = Proofs({})
    used = RuleSet((rule,), {"narrows": lambda whole, part: True}, known)
    made = used.first(parse("(extract 0 8 (add x:21 y:21))"))
    assert made is parse("(add (extract 0 8 x:21) (extract 0 8 y:21))")
    assert known.found == [("narrow.add", (8, 21))] and known.used == {"narrow.add": 1}


def test_what_is_put_to_a_solver_is_raw() -> None:
    """Both sides are as the rule says them: constants do not fold, slices of slices stay."""
    text = "r: (extract 0 n (add (add x:w 1:w) 1:w)) => (extract 0 n (add x (add 1:w 1:w)))\n"
    (rule,) = parse_rules(text, "f").rules
    asked = Asked()
    prove(rule, (8, 32), asked)
    (query,) = asked.queries
    inside = {repr(e) for e in postorder(query.assertions)}
    assert {"(add 1:32 1:32)", "(add (add x:32 1:32) 1:32)"} <= inside


CONDITIONS = (
    "C < w", "0 < C < 2**w", "2**C < w", "lo(x) + C <= hi(y)", "ulo(x)*uhi(y) < 2**w",
    "s(C) < 0 or C == 3", "-2**(w-1) <= lo(x * y)", "lo(x - y) >= -C", "w == 3 and C != 1",
)  # fmt: skip


@pytest.mark.parametrize("text", CONDITIONS)
def test_conditions_as_terms_say_what_they_say_as_numbers(text: str) -> None:
    w = 3
    named: dict[str, Expr] = {n: var(n, w) for n in ("C", "x", "y")}
    assumed = Assumptions({"w": w}, named).condition(read(text.replace("2**C", "C*C")))
    for values in ((c, x, y) for c in range(8) for x in range(8) for y in range(8)):
        s = {n: v - 8 * (v > 3) for n, v in zip("Cxy", values, strict=True)}
        numbers = {"w": w, "C": values[0], "s(C)": s["C"]}
        for name in "xy":
            v = dict(zip("Cxy", values, strict=True))[name]
            numbers |= {f"ulo({name})": v, f"uhi({name})": v}
            numbers |= {f"lo({name})": s[name], f"hi({name})": s[name]}
        numbers |= {"lo(('*', 'x', 'y'))": s["x"] * s["y"], "lo(('-', 'x', 'y'))": s["x"] - s["y"]}
        env = {
            named[n]: v for n, v in zip("Cxy", values, strict=True) if named[n] in leaves(assumed)
        }
        wanted = evaluate_number(read(text.replace("2**C", "C*C")), numbers)
        assert evaluate(assumed, env, Integer()) == wanted, values


_TURNS = 10  # days after which each rule has been proved again; `make prove-rules` proves all
_PARTS = 4


@pytest.mark.parametrize("part", range(_PARTS))
def test_rules_are_proved_again_by_turns_at_the_widths_of_the_list(part: int) -> None:
    from isel.smt.portfolio import default_portfolio

    checker = default_portfolio()
    turn = date.today().toordinal() % _TURNS
    names = list(RULES)[turn::_TURNS][part::_PARTS]
    assert names
    for name in names:
        for sizes in proofs().known(RULES[name]):
            assert isinstance(prove(RULES[name], sizes, checker), Unsat), (name, sizes)
