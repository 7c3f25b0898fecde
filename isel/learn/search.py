"""The search for rules: equal values make candidates, the rules at hand leave out what they know,
proofs decide, and what was learned is used from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Final

from isel.egraph.tables import Tables
from isel.learn.deeper import deeper
from isel.learn.enumerate import Same, Terms, enumerate_terms
from isel.learn.general import Learned, prove_at_widths
from isel.learn.known import Candidate, Known
from isel.learn.limits import CHUNK, DEEPEST, MOST_TERMS, STEPS_A_TERM
from isel.learn.samples import WIDTHS, Given, Samples, Value
from isel.learn.sources import Sources
from isel.learn.term import Term
from isel.learn.vocabulary import Word, choice, vocabulary
from isel.smt.portfolio import Portfolio, default_portfolio
from isel.synth.instructions.library import Library
from isel.workers import Failed, Pool

TRIAL: Final = "trial"


@dataclass(slots=True)
class Count:
    """What became of the terms over some leaves for one target."""

    target: str
    given: Given
    terms: int = 0  # of instructions
    values: int = 0
    sources: int = 0
    equal: int = 0  # candidates
    new: int = 0  # of which the rules at hand do not show all
    kept: int = 0
    asked: int = 0  # of CEGIS
    by_cegis: int = 0  # rules

    def __str__(self) -> str:
        return (
            f"{self.target}, {self.given}: {self.terms} terms of instructions, {self.values} values"
            f", {self.sources} of the grammar; {self.equal} equal to what instructions compute, of"
            f" which rules lack {self.new}; {self.kept} rules; {self.by_cegis} more by CEGIS, asked"
            f" for {self.asked}"
        )


@dataclass(slots=True)
class Learner:
    """A search; ``tables`` are the rules at hand, with those that were kept so far, which ``keep``
    is given and names.
    """

    tables: Tables
    sources: Sources
    size: int
    pool: Pool
    keep: Callable[[Learned], str]
    steps: int = 0  # of CEGIS, over each kind of leaves
    instructions: bool = False  # whether left sides are terms of instructions as well
    checker: Portfolio = field(default_factory=default_portfolio)
    counts: list[Count] = field(default_factory=list)

    def run(self, target: str, library: Library, tell: Callable[[Count], None]) -> None:
        """Search over all leaves that the grammar speaks of, for what a target has."""
        words = vocabulary(library)
        known = Known(library, self.tables)
        for given in self.sources.givens:
            count = Count(target, given)
            about = {n for n in given.leaves if n == given.bit or n.isupper()}
            self.counts.append(count)
            chosen = [*words, *([choice(library, given.bit)] if given.bit else [])]
            rest: list[Term] = []
            candidates = self._candidates(chosen, given, count, rest)
            count.equal = len(candidates)
            new = self._lacking(known, [c for c in candidates if c.left.leaves >= about], given)
            count.new = len(new)
            count.kept = self._keep_new(known, new, given)
            if self.steps:
                found = self._deeper(known, rest, words, given, count)
                count.by_cegis = self._keep_new(known, found, given)
            tell(count)
        self.tables = known.tables

    def _keep_new(self, known: Known, new: Sequence[Candidate], given: Given) -> int:
        """Keep what is proved and not known; return how many rules."""
        kept = 0
        for c in new:
            for right in known.lacks(c, given):
                found = prove_at_widths(c.left, right, given, self.checker)
                kept += found is not None and self._adds(known, c, found, given)
        return kept

    def _deeper(
        self, known: Known, rest: Sequence[Term], words: Sequence[Word], given: Given, count: Count
    ) -> list[Candidate]:
        """Ask CEGIS for programs of one operation more, and of two for what costs the most."""
        prices = self._questions(known, rest, given)
        some = list(islice(prices, self.steps // STEPS_A_TERM))
        found = list(deeper(some, words, given, self.size + 1, self.pool))
        done = {c.left for c in found}
        dear = sorted((t for t in some if t not in done), key=lambda t: (-prices[t], t.text))
        found += deeper(dear[:DEEPEST], words, given, self.size + 2, self.pool)
        count.asked = len(some)
        return found

    def _questions(self, known: Known, rest: Sequence[Term], given: Given) -> dict[Term, int]:
        """Return the terms of all leaves that a program of one operation more may be cheaper than,
        with what they cost as they are spelled, one of those that differ in the names of leaves;
        first what costs the most an operation.
        """
        least = known.library.cheapest_operation * (self.size + 1)
        some = {t.canonical: t for t in reversed(rest) if t.leaves >= {*given.leaves}}.values()
        price = partial(known.price, given=given, w=WIDTHS[0], source=True, saturated=False)
        prices = {t: price(t) for t in some}
        dear = [(t, price) for t, price in prices.items() if price > least]
        return dict(sorted(dear, key=lambda x: (-x[1] // x[0].size, x[0].size, x[0].text)))

    def _adds(self, known: Known, c: Candidate, found: Learned, given: Given) -> bool:
        """Use a rule from now on if it is found where its left side is."""
        trial = known.with_rule(found.as_rule(TRIAL), found.sizes)
        if not trial.fires(c, found.right, given):
            return False
        known.tables = known.with_rule(found.as_rule(self.keep(found)), found.sizes).tables
        return True

    def _candidates(
        self, words: Sequence[Word], given: Given, count: Count, rest: list[Term]
    ) -> list[Candidate]:
        samples = Samples(given)
        terms = enumerate_terms(samples, words, self.size, MOST_TERMS)
        count.terms, count.values = terms.count, len(terms.by_value)
        found = list(self._of_sources(samples, terms, count, rest))
        if self.instructions:
            found += self._of_instructions(terms)
        return sorted(found, key=lambda c: (c.left.size, len(c.left.text), c.left.text))

    def _of_sources(
        self, samples: Samples, terms: Terms, count: Count, rest: list[Term]
    ) -> Iterator[Candidate]:
        """Yield the terms of the grammar that instructions compute; the others are the ``rest``."""
        by_width = [terms.at(k) for k in range(len(WIDTHS))]
        for t, value in self.sources.terms(samples, MOST_TERMS):
            count.sources += 1
            rights = tuple(_cheapest(by_width[k], value, k) or t for k in range(len(WIDTHS)))
            if any(r is not t for r in rights):
                yield Candidate(t, rights)
            else:
                rest.append(t)

    def _of_instructions(self, terms: Terms) -> Iterator[Candidate]:
        """Yield the terms of instructions that dearer ones are equal to."""
        for same in terms.by_value.values():
            best = [same.best(k) for k in range(len(WIDTHS))]
            for e in same.entries:
                if e.term.size and all(e.prices[k] > b.prices[k] for k, b in enumerate(best)):
                    yield Candidate(e.term, tuple(b.term for b in best))

    def _lacking(
        self, known: Known, candidates: Sequence[Candidate], given: Given
    ) -> list[Candidate]:
        """Return the candidates that rules at hand do not show."""
        chunks = [candidates[k : k + CHUNK] for k in range(0, len(candidates), CHUNK)]
        answers = self.pool.map(lambda some: [bool(known.lacks(c, given)) for c in some], chunks)
        lacks: list[bool] = []
        for chunk, answer in zip(chunks, answers, strict=True):
            lacks += [True] * len(chunk) if isinstance(answer, Failed) else answer
        return [c for c, lack in zip(candidates, lacks, strict=True) if lack]


def _cheapest(by_value: dict[bytes, list[Same]], value: Value, k: int) -> Term | None:
    same = by_value.get(value.keys[k], ())
    return min((s.best(k) for s in same), key=lambda e: e.better(k)).term if same else None
