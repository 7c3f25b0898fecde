"""Books of learned rules: who reads them, and that nothing of them is used that is not proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.egraph.graph import Graph
from isel.egraph.match import maker
from isel.egraph.saturate import add, saturate, start
from isel.egraph.tables import rules
from isel.ir.expr import Expr, const, leaves
from isel.ir.ranges import ranges_where
from isel.ir.text import parse
from isel.model.window import Root
from isel.rules.books import book, books_of, every_learned
from isel.rules.proofs import proofs
from isel.rules.raw import instance
from isel.rules.record import every_rule
from isel.rules.syntax import Rule
from isel.synth.lift import Lifts
from isel.verify.saturated import steps_of
from isel.verify.steps import replay
from tests.rules.learned import listed, shelved
from tests.synth.test_lift import LIBRARY

GOOD = "plain: (sub (or x:w y:w) (and x y)) => (xor x y)\n"
LEFT, RIGHT = "(sub (or x:8 y:8) (and x:8 y:8))", "(xor x:8 y:8)"


def same(left: str, right: str, books: tuple[str, ...]) -> bool:
    g, done = Graph(), dict[Expr, int]()
    a, b = add(g, parse(left), done), add(g, parse(right), done)
    saturate(g, (a, b), rules(books))
    return g.find(a) == g.find(b)


def lifted(text: str) -> Expr | None:
    e = parse(text)
    root = Root(e.width, (e,), (const(1, 1),))
    return Lifts(LIBRARY, ranges_where(()), [root]).roots[0].lanes[0]


def test_there_may_be_none() -> None:
    assert not same(LEFT, RIGHT, ())


def test_a_book_is_read_by_whoever_asks_for_it(tmp_path: Path) -> None:
    with shelved(tmp_path, {"common.rules": GOOD, "common.proved": listed(GOOD)}):
        assert books_of("toy") == books_of("") == every_learned() == ("learned/common",)
        assert same(LEFT, RIGHT, books_of("toy")) and not same(LEFT, RIGHT, ())
        assert not same(LEFT.replace("8", "9"), RIGHT.replace("8", "9"), books_of("toy"))


def test_a_target_reads_its_own_book_only(tmp_path: Path) -> None:
    for k, name in enumerate(("toy", "other")):
        folder = tmp_path / str(k)
        folder.mkdir()
        with shelved(folder, {f"{name}.rules": GOOD, f"{name}.proved": listed(GOOD)}):
            assert books_of("toy") == (("learned/toy",) if name == "toy" else ())
            assert (lifted(LEFT) is parse(RIGHT)) == (name == "toy")


def test_rules_go_left_to_right(tmp_path: Path) -> None:
    text = GOOD.replace("=>", "<=>")
    with shelved(tmp_path, {"common.rules": text, "common.proved": listed(text)}):
        g, done = Graph(), dict[Expr, int]()
        add(g, parse(RIGHT), done)
        saturate(g, tables=rules(books_of("")))
        assert "sub" not in g.seen and same(LEFT, RIGHT, books_of(""))


def test_any_target_may_have_shown_what_is_verified(tmp_path: Path) -> None:
    with shelved(tmp_path, {"other.rules": GOOD, "other.proved": listed(GOOD)}):
        left, right = parse(LEFT), parse(RIGHT)
        steps = steps_of(left, right, {})
        assert steps is not None and replay(steps, left, right, {}) == ""
    assert "KeyError" in replay(steps, left, right, {})


@pytest.mark.parametrize(
    "proved",
    [
        "",
        listed(GOOD, ((16,), (32,), (64,))),
        listed(GOOD.replace("xor", "or")),
        listed(GOOD.replace("plain", "plane")),
    ],
    ids=["no list", "another width", "another text", "another name"],
)
def test_what_is_not_on_the_list_is_not_used(tmp_path: Path, proved: str) -> None:
    """It is true, and would be proved if it were one of those that are written."""
    with shelved(tmp_path, {"common.rules": GOOD, "common.proved": proved}):
        assert not same(LEFT, RIGHT, books_of(""))
        assert lifted(LEFT) is not parse(RIGHT)
        assert steps_of(parse(LEFT), parse(RIGHT), {}) is None


SOME = [r for b in every_learned() for r in book(b, whole=True).rules if not r.literals][::7]


@pytest.mark.parametrize("rule", SOME, ids=lambda r: r.name)
def test_a_shipped_rule_fires_on_its_own_left_side(rule: Rule) -> None:
    """In a graph of what a window has, at a width at which it was proved."""
    (w,) = next(s for s in sorted(proofs().known(rule)) if s[0] >= 8)
    found = instance(next(r for r in every_rule() if r.name == rule.name), {"w": w})
    assert found is not None
    ranges, names = ranges_where((found.premise,)), {x.source: x for x in leaves(*found.lefts)}
    g = Graph()
    (a,) = start(g, found.lefts[:1], ((x, ranges.of(x)) for x in names.values()))
    terms = tuple(g.leaf(repr(names[n]), names[n].width) for n in rule.terms)
    b = maker(rule, rule.right)(g, (w,), terms)
    saturate(g, (a, b), rules(every_learned()))
    assert g.find(a) == g.find(b)
