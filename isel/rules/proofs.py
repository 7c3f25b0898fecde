"""Which rules hold at which widths: a shipped list, and what a process finds out beyond it.

The list has of every rule a hash of its text and the widths at which it was proved; a rule whose
text has changed has none.  No rule is used at widths where it was not proved, there or now.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from isel.rules.prove import Sizes, prove
from isel.rules.syntax import Rule
from isel.smt.portfolio import Portfolio, default_portfolio
from isel.smt.query import Unsat

FILE: Final = "proved.txt"
_QUICK: Final = 2  # turns of the solvers for a proof that something waits for
_HEAD: Final = (
    "# Widths at which each rule was proved, by 'make prove-rules': the rule, a hash of its text"
)


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


def write_proofs(proved: Iterable[tuple[Rule, Iterable[Sizes]]]) -> str:
    """Return the text of a list: a line a rule, in order of names, widths in order."""
    lines = [
        f"{key(rule)}: {' '.join(','.join(map(str, s)) or '-' for s in sorted(sizes))}"
        for rule, sizes in sorted(proved, key=lambda p: p[0].name)
    ]
    return "\n".join([_HEAD, *lines]) + "\n"


def shipped() -> Proofs:
    """Return what the shipped list says."""
    path = files("isel.rules").joinpath(FILE)
    return Proofs(read_proofs(path.read_text(encoding="utf-8")) if path.is_file() else {})


@cache
def proofs() -> Proofs:
    """Return what this process knows, which begins with the shipped list."""
    return shipped()
