"""The shipped files of rules."""

from __future__ import annotations

import hashlib
from collections import ChainMap
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import PurePath
from typing import Final

from isel.rules.limits import KEPT_BOOKS
from isel.rules.parse import Reader, parse_rules
from isel.rules.proofs import LEARNED, home, proofs
from isel.rules.syntax import Book, Rule, Sizes

DERIVED: Final = "derived"
RULED: Final = (DERIVED, "axioms", "spellings")  # of graphs of equal terms
FITS: Final = ("fits.u", "fits.s")  # of every class, by no rule of a table
COMMON: Final = "common"  # the learned book of all targets


@cache
def book(subject: str, *, whole: bool = False) -> Book:
    """Return the rules of a subject, or of a learned book, in which derived operations stay what
    they are where they are left ``whole``; raises :class:`isel.errors.SyntaxProblem`.
    """
    known = {} if subject == DERIVED else book(DERIVED, whole=whole).definitions
    found = parse_rules(_text(subject), f"isel/rules/{subject}.rules", known, whole=whole)
    if not whole and "/" not in subject and not all(map(proofs().listed, found.rules)):
        from isel.rules.small import check  # a shipped list has them all

        check(found, proofs())
    return found


@lru_cache(KEPT_BOOKS)
def _text(name: str) -> str:
    return home().joinpath(f"{name}.rules").read_text(encoding="utf-8")


def stamp(name: str) -> str:
    """Return a hash of what a book says, with the operations that it may use."""
    said = "".join(map(_text, dict.fromkeys((DERIVED, name))))
    return hashlib.sha256(said.encode()).hexdigest()[:16]


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


def definitions() -> Mapping[str, Rule]:
    """Return the derived operations, by name."""
    return book(DERIVED).definitions


def rule_of(name: str, rule: str, *, whole: bool = True) -> Rule:
    """Return a rule of a book for graphs; raises :class:`KeyError`."""
    return _reader(name, whole=whole)[rule]


def rule_named(rule: str) -> Rule:
    """Return the rule for graphs of a name, of any book; raises :class:`KeyError`."""
    return _every()[rule]


@cache
def _every() -> Mapping[str, Rule]:
    return ChainMap(*(_reader(name, whole=True) for name in (*RULED, *every_learned())))


@lru_cache(KEPT_BOOKS)
def _reader(name: str, *, whole: bool) -> dict[str, Rule]:
    if name == DERIVED:
        return {r.name: r for r in book(name, whole=whole).rules}
    known = book(DERIVED, whole=whole).definitions
    return Reader(_text(name), f"isel/rules/{name}.rules", known, whole=whole)


def holds(rule: Rule, sizes: Sizes) -> bool:
    """Tell whether a rule of graphs was proved at given widths, or is now; a learned one was."""
    known = proofs()  # a rule that is left whole has the same text, and so the same proofs
    if sizes in known.known(rule):
        return True
    name = PurePath(rule.file).stem
    return not rule.is_learned and known.holds(rule_of(name, rule.name, whole=False), sizes)
