"""Rules of graphs by what a term needs for them: an index beside the books, so that only what can
apply is parsed and compiled.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache
from mmap import ACCESS_READ, mmap
from typing import Final, TypeAlias

from isel.egraph.limits import KEPT_TABLES
from isel.egraph.match import Make, Match, maker, matcher, terms_of_bounds
from isel.rules.books import RULED, rule_of, stamp
from isel.rules.proofs import home
from isel.rules.syntax import Rule

INDEX: Final = "index.txt"


class Ready:
    """A rule in one direction, as a row of the index says: its name, whether it is turned, whether
    it only spells what is known, the operations of its root and of the first operand, how deep it
    looks, whether only for what a register may hold, and all operations that it needs.

    It is parsed and compiled when it is first of use.
    """

    def __init__(self, book: str, row: str) -> None:
        name, way, kind, op, below, depth, plain, needs = row.split(" ")
        self.name, self.op, self.below, self.depth = name, op, below.strip("-"), int(depth)
        self.turned, self.spells, self.natural = way == "turned", kind == "spells", plain == "plain"
        self.needs = needs
        self._book = book

    @cached_property
    def rule(self) -> Rule:
        """The rule."""
        return rule_of(self._book, self.name)

    @cached_property
    def match(self) -> Match:
        """What looks for one side at a node."""
        return matcher(self.rule, self.rule.right if self.turned else self.rule.left)

    @cached_property
    def make(self) -> Make:
        """What makes the other side."""
        return maker(self.rule, self.rule.left if self.turned else self.rule.right)

    @cached_property
    def again(self) -> Make:
        """What makes the side that was matched."""
        return maker(self.rule, self.rule.right if self.turned else self.rule.left)

    @cached_property
    def asks(self) -> tuple[str, ...]:
        """The terms whose ranges its conditions ask about."""
        return terms_of_bounds(self.rule)


# A node by operation, how far it is from what changed, whether a register may hold it, and by the
# operations that its first operand is.
_Kind: TypeAlias = tuple[str, int, bool, frozenset[str]]
Tables: TypeAlias = "tuple[Table, Table]"


class Table:
    """Rules in order, and those all of whose operations a graph has."""

    def __init__(self, some: Iterable[Ready]) -> None:
        self.rules = tuple(some)
        rows: dict[str, list[int]] = {}
        for k, ready in enumerate(self.rules):
            rows.setdefault(ready.needs, []).append(k)
        self._rows = [(frozenset(needs.split(",")), some) for needs, some in rows.items()]
        self._fitting: dict[frozenset[str], Fitting] = {}

    def fitting(self, seen: frozenset[str]) -> Fitting:
        """Return the rules for graphs that have some operations."""
        found = self._fitting.get(seen)
        if found is None:
            rows = sorted(k for needs, some in self._rows if needs <= seen for k in some)
            found = self._fitting[seen] = Fitting(self.rules[k] for k in rows)
        return found


class Fitting(dict[_Kind, tuple[Ready, ...]]):
    """Rules by the kind of nodes that they may apply to, found when these are first met."""

    def __init__(self, some: Iterable[Ready]) -> None:
        self._rules: dict[str, list[Ready]] = {}
        for ready in some:
            self._rules.setdefault(ready.op, []).append(ready)

    def __missing__(self, kind: _Kind) -> tuple[Ready, ...]:
        op, far, plain, below = kind
        found = self[kind] = tuple(
            r
            for r in self._rules.get(op, ())
            if r.depth >= far and (plain or not r.natural) and (not r.below or r.below in below)
        )
        return found


@lru_cache(KEPT_TABLES)
def rules(learned: tuple[str, ...] = ()) -> Tables:
    """Return the rules that say what a term is, and those that spell it in other ways, of learned
    books as well.
    """
    found = [ready for book in (*RULED, *learned) for ready in _ready(book)]
    return Table(r for r in found if not r.spells), Table(r for r in found if r.spells)


@lru_cache(KEPT_TABLES)
def _ready(book: str) -> tuple[Ready, ...]:
    """Return the rules of a book as the index says, if it is of the book as it is now."""
    rows = _section(f"@ {book} {stamp(book)}\n")
    if rows is None:
        from isel.egraph.outline import rows_of  # a book that was written just now

        rows = rows_of(book)
    return tuple(Ready(book, row) for row in rows)


def _section(head: str) -> list[str] | None:
    path = home().joinpath(INDEX)
    if not path.is_file():
        return None
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as text:
        at = text.find(head.encode())
        end = text.find(b"@", at + 1)
        return None if at < 0 else text[at + len(head) : end].decode().splitlines()
