"""Learned rules as text: what they were learned from, and the rules by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from isel.learn.general import Learned
from isel.learn.search import Count
from isel.learn.term import SPELLED
from isel.rules.books import COMMON

_PARTIAL: Final = "# A part: the search was stopped, and what was proved until then is here.\n"


def is_shared(rule: Learned, operations: frozenset[str]) -> bool:
    """Tell whether all operations that a rule's right side needs are among some."""
    return operations.union(SPELLED).issuperset(rule.right.operations())


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule in a book."""

    name: str
    rule: Learned


def text_of(entries: Sequence[Entry], head: Sequence[str], *, whole: bool) -> str:
    """Return the text of a book, with lines that say where it is from."""
    lines = "".join(f"# {line}\n" for line in head)
    rules = "\n".join(f"{e.name}: {e.rule.text}\n" for e in entries)
    return f"{lines}{'' if whole else _PARTIAL}\n{rules}"


def head_of(command: str, counts: Sequence[Count]) -> list[str]:
    """Return what a book says of how it was made."""
    return [
        f"Learned by '{command}'; the list beside it has the widths at which each rule was proved.",
        *map(str, counts),
    ]


@dataclass(slots=True)
class Shelf:
    """The books of a run: that of all targets, and what only the one at hand has operations for."""

    shared: frozenset[str]
    target: str = ""
    rules: dict[str, list[Entry]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def put(self, rule: Learned) -> str:
        """Keep a rule in its book; return the name that it has from now on."""
        book = COMMON if is_shared(rule, self.shared) else self.target
        stem = f"{book}.{rule.left.op}"
        self.counts[stem] += 1
        found = Entry(f"{stem}.{self.counts[stem]}", rule)
        self.rules.setdefault(book, []).append(found)
        return found.name

    def entries(self, book: str) -> list[Entry]:
        """Return the rules of a book by operation, in the order in which they were found."""
        return sorted(self.rules.get(book, ()), key=lambda e: e.name.rsplit(".", 1)[0])
