"""The index of rules: as the books are, and nothing is parsed that cannot apply."""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.egraph.graph import Graph
from isel.egraph.outline import rows_of, text
from isel.egraph.saturate import add, saturate
from isel.egraph.tables import INDEX, rules
from isel.errors import SyntaxProblem
from isel.ir.text import parse
from isel.rules.books import RULED, book, books_of, every_learned, rule_named
from isel.rules.proofs import home
from tests.rules.learned import listed, shelved
from tests.rules.test_learned import GOOD, LEFT, RIGHT, same


def test_the_index_is_of_the_books_as_they_are() -> None:
    """After a change of a rule run ``make prove-rules``."""
    assert home().joinpath(INDEX).read_text() == text()


def test_a_rule_is_read_by_its_name_as_with_the_book() -> None:
    for name in (*RULED, *every_learned()):
        for rule in book(name, whole=True).rules:
            found = rule_named(rule.name)
            assert (found.text, found.at, found.file) == (rule.text, rule.at, rule.file)
    with pytest.raises(KeyError):
        rule_named("bits.none")


def test_what_cannot_apply_is_not_parsed() -> None:
    table = rules()[0]
    for ready in table.rules:
        vars(ready).pop("rule", None)
    g = Graph()
    add(g, parse("(xor a:8 b:8)"), {})
    saturate(g)
    assert sum("rule" in vars(r) for r in table.rules) < len(table.rules) // 4


def test_a_book_that_was_changed_is_read_as_it_is(tmp_path: Path) -> None:
    with shelved(tmp_path, {"common.rules": GOOD, "common.proved": listed(GOOD)}):
        stale = text().replace(rows_of("learned/common")[0], "other as says or - 1 any or")
        (tmp_path / INDEX).write_text(stale)
        (tmp_path / "learned" / "common.rules").write_text(f"# again\n{GOOD}")
        assert same(LEFT, RIGHT, books_of("toy"))


def test_a_name_is_that_of_one_rule(tmp_path: Path) -> None:
    books = {"common.rules": GOOD, "toy.rules": f"\n{GOOD}"}
    with shelved(tmp_path, books), pytest.raises(SyntaxProblem, match="another rule 'plain'"):
        text()
