"""The shipped files of rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from isel.rules.parse import parse_rules
from isel.rules.proofs import Proofs, proofs
from isel.rules.prove import check_small
from isel.rules.syntax import Book, Rule

DERIVED: Final = "derived"
RULED: Final = (DERIVED, "axioms", "spellings")  # of graphs of equal terms
SUBJECTS: Final = (*RULED, "clamp", "narrow", "widen", "products")


@cache
def book(subject: str, *, whole: bool = False) -> Book:
    """Return the rules of a subject, in which derived operations stay what they are where they are
    left ``whole``; raises :class:`isel.errors.SyntaxProblem`.
    """
    name = f"{subject}.rules"
    text = files("isel.rules").joinpath(name).read_text(encoding="utf-8")
    known = {} if subject == DERIVED else book(DERIVED, whole=whole).definitions
    found = parse_rules(text, f"isel/rules/{name}", known, whole=whole)
    if not whole:
        check(found, proofs())
    return found


def check(found: Book, known: Proofs) -> None:
    """Show the rules that the list of proofs does not have at small widths, or raise."""
    for rule in found.rules:
        if not known.listed(rule):
            check_small(rule)


def definitions() -> Mapping[str, Rule]:
    """Return the derived operations, by name."""
    return book(DERIVED).definitions


def every_rule() -> tuple[Rule, ...]:
    """Return all rules, subject by subject."""
    return tuple(rule for subject in SUBJECTS for rule in book(subject).rules)
