"""A book says what it was learned from; a list beside it has the proofs of its rules."""

from __future__ import annotations

from pathlib import Path

from isel.cli.learning import write_book
from isel.learn.book import Shelf, head_of, text_of
from isel.learn.general import prove_at_widths
from isel.learn.samples import Given
from isel.learn.search import Count
from isel.learn.term import read_term
from isel.rules.books import DERIVED, book
from isel.rules.parse import parse_rules
from isel.rules.proofs import key, read_proofs
from isel.smt.portfolio import default_portfolio

GIVEN = Given(("x",))


def shelf() -> Shelf:
    found = Shelf(frozenset(("uavg",)), "toy")
    pair = read_term("(sat_u w (sext {2*w} x))"), read_term("(smax {-1}:w x)")
    rule = prove_at_widths(*pair, GIVEN, default_portfolio())
    assert rule is not None
    found.put(rule)
    found.put(rule)
    return found


def test_rules_have_names_of_their_own() -> None:
    assert [e.name for e in shelf().entries("common")] == ["common.sat_u.1", "common.sat_u.2"]


def test_what_is_written_reads_as_it_was_proved(tmp_path: Path) -> None:
    entries = shelf().entries("common")
    head = head_of("isel rules learn toy", [Count("toy", GIVEN, terms=12)])
    write_book(tmp_path / "toy.rules", text_of(entries, head, whole=True), entries)
    text = (tmp_path / "toy.rules").read_text()
    assert "12 terms of instructions" in text
    rules = parse_rules(text, "isel/rules/learned/toy.rules", book(DERIVED).definitions).rules
    listed = read_proofs((tmp_path / "toy.proved").read_text())
    assert [key(r) for r in rules] == list(listed)


def test_a_part_says_that_it_is_one() -> None:
    assert "# A part:" in text_of([], [], whole=False)
    assert "# A part:" not in text_of([], [], whole=True)
