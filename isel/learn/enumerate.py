"""All terms of a target's operations by size, each value once, and what it costs there.

Terms are made of those that are cheapest of their value, so that an equality is met once and not
in every term that has one of its sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from isel.egraph.limits import NEVER
from isel.learn.limits import KEPT_TERMS, LITERAL
from isel.learn.samples import WIDTHS, Samples, Value
from isel.learn.term import Term, leaf
from isel.learn.vocabulary import LITERALS, OF_LITERALS, Word


@dataclass(frozen=True, slots=True)
class Entry:
    """A term and its prices by width."""

    term: Term
    prices: tuple[int, ...]

    def better(self, k: int) -> tuple[int, int, str]:
        """Return what orders terms at a width: price, operations, text."""
        text = self.term.text
        return self.prices[k], self.term.size, f"{len(text):4}{text}"


@dataclass(slots=True)
class Same:
    """Terms of one value, in the order in which they were met."""

    value: Value
    entries: list[Entry] = field(default_factory=list)

    def best(self, k: int) -> Entry:
        """Return the cheapest term at a width."""
        return min(self.entries, key=lambda e: e.better(k))


@dataclass(slots=True)
class Terms:
    """Values by their hashes at all widths, and how many terms were made."""

    by_value: dict[tuple[bytes, ...], Same]
    count: int = 0

    def at(self, k: int) -> dict[bytes, list[Same]]:
        """Return the values by their hash at one width."""
        found: dict[bytes, list[Same]] = {}
        for keys, same in self.by_value.items():
            found.setdefault(keys[k], []).append(same)
        return found


def enumerate_terms(samples: Samples, words: Sequence[Word], size: int, most: int) -> Terms:
    """Make the terms of at most ``size`` operations, and no more than ``most``."""
    found = Terms({})
    levels: list[list[Same]] = [[]]
    for t in _leaves(samples):
        prices = (0 if t.is_leaf else LITERAL,) * len(WIDTHS)
        _add(found, levels[0], Entry(t, prices), samples.leaf(t))
    for n in range(1, size + 1):
        levels.append([])
        for entry, value in _level(samples, words, levels, n):
            _add(found, levels[n], entry, value)
            if found.count >= most:
                return found
    return found


def _leaves(samples: Samples) -> Iterator[Term]:
    names = samples.given.leaves
    yield from (leaf(n) for n in names if n != samples.given.bit)
    yield from map(leaf, LITERALS)
    for name in names:
        if name.isupper():
            yield from (leaf(form.format(name)) for form in OF_LITERALS)


def _level(
    samples: Samples, words: Sequence[Word], levels: list[list[Same]], n: int
) -> Iterator[tuple[Entry, Value]]:
    """Yield the terms of one size."""
    for word in words:
        for args in _operands(word, levels, n):
            yield _of(samples, word, args)


def _operands(word: Word, levels: list[list[Same]], n: int) -> Iterator[tuple[Same, ...]]:
    """Yield the operands of an operation in terms of one size; of two that may swap once."""
    if word.arity == 1:
        yield from ((a,) for a in levels[n - 1])
        return
    for i in range(n):
        for a, b in product(levels[i], levels[n - 1 - i]):
            swapped = i < n - 1 - i or (i == n - 1 - i and _order(a, b))
            if not (word.commutes and swapped):
                yield a, b


def _order(a: Same, b: Same) -> bool:
    return a.entries[0].term.text > b.entries[0].term.text


def _of(samples: Samples, word: Word, args: tuple[Same, ...]) -> tuple[Entry, Value]:
    given = [a.value for a in args]
    if word.bit:
        given.insert(0, samples.leaf(leaf(word.bit, "1")))
    if word.amount:
        given.append(samples.leaf(leaf(word.amount)))
    value = samples.apply(word.op, (), given)
    prices = tuple(
        min(word.prices[k] + sum(a.entries[0].prices[k] for a in args), NEVER)
        for k in range(len(WIDTHS))
    )
    return Entry(word.of(*(a.entries[0].term for a in args)), prices), value


def _add(found: Terms, level: list[Same], entry: Entry, value: Value) -> None:
    """Keep a term among those of its value."""
    found.count += 1
    same = found.by_value.get(value.keys)
    if same is None:
        same = found.by_value[value.keys] = Same(value)
        level.append(same)
    if len(same.entries) < KEPT_TERMS or any(
        entry.prices[k] < same.best(k).prices[k] for k in range(len(WIDTHS))
    ):
        same.entries.append(entry)
