"""The shipped files of rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from isel.rules.parse import parse_rules
from isel.rules.proofs import LEARNED, Proofs, home, proofs
from isel.rules.prove import Sizes
from isel.rules.syntax import Book, Rule

DERIVED: Final = "derived"
RULED: Final = (DERIVED, "axioms", "spellings")  # of graphs of equal terms
SUBJECTS: Final = (*RULED, "clamp", "narrow", "widen", "products")
COMMON: Final = "common"  # the learned book of all targets


@cache
def book(subject: str, *, whole: bool = False) -> Book:
    """Return the rules of a subject, or of a learned book, in which derived operations stay what
    they are where they are left ``whole``; raises :class:`isel.errors.SyntaxProblem`.
    """
    name = f"{subject}.rules"
    text = home().joinpath(name).read_text(encoding="utf-8")
    known = {} if subject == DERIVED else book(DERIVED, whole=whole).definitions
    found = parse_rules(text, f"isel/rules/{name}", known, whole=whole)
    if not whole and subject in SUBJECTS:
        check(found, proofs())
    return found


@cache
def every_learned() -> tuple[str, ...]:
    """Return the learned books that there are."""
    folder = home().joinpath(LEARNED)
    names = (p.name for p in folder.iterdir()) if folder.is_dir() else ()
    return tuple(
        sorted(f"{LEARNED}/{n.removesuffix('.rules')}" for n in names if n.endswith(".rules"))
    )


def books_of(target: str) -> tuple[str, ...]:
    """Return the learned books of a target: its own, and that of all targets."""
    return tuple(b for b in every_learned() if b in (f"{LEARNED}/{COMMON}", f"{LEARNED}/{target}"))


def check(found: Book, known: Proofs) -> None:
    """Show the rules that the list of proofs does not have at small widths, or raise."""
    for rule in found.rules:
        if not known.listed(rule):
            from isel.rules.small import check_small  # a shipped list has them all

            check_small(rule)


def definitions() -> Mapping[str, Rule]:
    """Return the derived operations, by name."""
    return book(DERIVED).definitions


def every_rule() -> tuple[Rule, ...]:
    """Return all rules, subject by subject, the learned ones last."""
    return tuple(rule for name in (*SUBJECTS, *every_learned()) for rule in book(name).rules)


@cache
def by_name() -> dict[str, Rule]:
    """Return the rules of graphs by name, the learned ones first."""
    return {r.name: r for b in (*every_learned(), *RULED) for r in book(b, whole=True).rules}


@cache
def _as_proved() -> dict[str, Rule]:
    return {r.name: r for name in RULED for r in book(name).rules}


def holds(rule: Rule, sizes: Sizes) -> bool:
    """Tell whether a rule of graphs was proved at given widths, or is now; a learned one was."""
    known = proofs()  # a rule that is left whole has the same text, and so the same proofs
    if sizes in known.known(rule):
        return True
    return not rule.is_learned and known.holds(_as_proved()[rule.name], sizes)
