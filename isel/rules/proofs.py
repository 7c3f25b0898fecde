"""Which rules hold at which widths: a shipped list, and what a process finds out beyond it.

The list has of every rule a hash of its text and the widths at which it was proved; a rule whose
text has changed has none.  No rule is used at widths where it was not proved, there or now.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from isel.rules.syntax import Rule, Sizes
from isel.smt.portfolio import Portfolio, default_portfolio
from isel.smt.query import Unsat

FILE: Final = "proved.txt"
LEARNED: Final = "learned"  # the folder of books that are learned, each with a list of its own
_QUICK: Final = 2  # turns of the solvers for a proof that something waits for


class Proofs:
    """What is known of rules; ``used`` counts what was applied, ``found`` are proofs made here."""

    def __init__(self, listed: Mapping[str, str]) -> None:
        self._listed = listed
        self._known: dict[str, set[Sizes]] = {}
        self._refused: set[tuple[str, Sizes]] = set()
        self._checker: Portfolio | None = None
        self.used: Counter[str] = Counter()
        self.found: list[tuple[str, Sizes]] = []

    def listed(self, rule: Rule) -> bool:
        """Tell whether the list has the rule as it is."""
        return key(rule) in self._listed

    def known(self, rule: Rule) -> set[Sizes]:
        """Return the widths at which a rule is known to hold; grows as proofs are made."""
        found = self._known.get(rule.name)
        if found is None:
            found = self._known[rule.name] = _read_sizes(self._listed.get(key(rule), ""))
        return found

    def holds(self, rule: Rule, sizes: Sizes) -> bool:
        """Tell whether a rule was proved at given widths, now if it was not before."""
        known = self.known(rule)
        if sizes in known:
            return True
        if (rule.name, sizes) in self._refused:
            return False
        from isel.rules.prove import prove  # what no list has

        if self._checker is None:
            self._checker, _ = default_portfolio().split(_QUICK)
        if isinstance(prove(rule, sizes, self._checker), Unsat):
            known.add(sizes)
            self.found.append((rule.name, sizes))
            return True
        self._refused.add((rule.name, sizes))
        return False


def key(rule: Rule) -> str:
    """Return the name of a rule and a hash of what it says."""
    return f"{rule.name} {hashlib.sha256(rule.text.encode()).hexdigest()[:16]}"


def read_proofs(text: str) -> dict[str, str]:
    """Read a list of proved widths: the text of those of each rule."""
    lines = (line.partition(":") for line in text.splitlines() if line[:1] not in ("", "#"))
    return {name: sizes for name, _, sizes in lines}


def _read_sizes(text: str) -> set[Sizes]:
    return {tuple([int(x) for x in word.split(",") if x != "-"]) for word in text.split()}


def home() -> Traversable:
    """Return where books and lists are."""
    return files("isel.rules")


def shipped() -> Proofs:
    """Return what the shipped lists say."""
    paths = [home().joinpath(FILE)]
    if (folder := home().joinpath(LEARNED)).is_dir():
        paths += sorted((p for p in folder.iterdir() if p.name.endswith(".proved")), key=str)
    lists = (p.read_text(encoding="utf-8") for p in paths if p.is_file())
    return Proofs({name: sizes for text in lists for name, sizes in read_proofs(text).items()})


@cache
def proofs() -> Proofs:
    """Return what this process knows, which begins with the shipped list."""
    return shipped()
