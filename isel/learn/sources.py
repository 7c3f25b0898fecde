"""Terms of a grammar, which is data: what code spells, by size, each value a few times."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from importlib.resources import files
from itertools import chain, product
from typing import Final

from isel.errors import SyntaxProblem
from isel.ir.ops import WidthError
from isel.learn.limits import MOST_SIZE, SPELLINGS
from isel.learn.samples import Given, Samples, Value
from isel.learn.term import Term, read_term

SHIPPED: Final = "sources.grammar"
START: Final = "TERM"
_GIVEN: Final = re.compile(r"given ([\w: ]+?)(?: if (.*))?$")
_WORD: Final = re.compile(r"\w+")
_ALTERNATIVE: Final = re.compile(r"\s*\|\s*")
_EACH: Final = re.compile(r"for ([A-Z, ]+) in ([\w, ]+)$")


class Sources:
    """Grammars of one file: what their names may be, and what leaves they are about."""

    def __init__(self, text: str, file: str) -> None:
        self.givens: list[Given] = []
        self.met: list[Term] = []  # in modules
        self._rules: dict[str, str] = {}
        self._rows: list[dict[str, str]] = [{}]
        at = 0
        for row in text.splitlines(keepends=True):
            line = row.split("#")[0].strip()
            name, equals, rest = line.partition(" = ")
            if given := _GIVEN.match(line):
                premise = given[2].split(", ") if given[2] else []
                self.givens.append(_read_given(given[1].split(), premise))
            elif each := _EACH.match(line):
                names = each[1].split(", ")
                rows = (zip(names, x.split(), strict=False) for x in each[2].split(", "))
                self._rows = list(map(dict, rows))
            elif equals:
                self._rules[name] = rest
            elif line:
                raise SyntaxProblem("expected 'given ...' or 'NAME = term | term'", text, at, file)
            at += len(row)
        if START not in self._rules:
            raise SyntaxProblem(f"no '{START} = ...'", text, 0, file)

    @cached_property
    def grammars(self) -> tuple[dict[str, tuple[Term, ...]], ...]:
        """The grammars: by name the terms that it stands for."""
        return tuple(
            {name: tuple(_alternatives(rest, row)) for name, rest in self._rules.items()}
            for row in self._rows
        )

    def terms(self, samples: Samples, most: int) -> Iterator[tuple[Term, Value]]:
        """Yield what was met in modules, then the terms of the start symbol over the leaves of
        samples, the smaller ones first, each value a few times; no more than ``most``.
        """
        met: set[Term] = set()
        for t, value in chain(self._of_modules(samples), self._of_grammar(samples)):
            if len(met) == most:
                return
            if t not in met:
                met.add(t)
                yield t, value

    def _of_modules(self, samples: Samples) -> Iterator[tuple[Term, Value]]:
        if samples.given.is_plain:
            some = (t for t in self.met if t.leaves <= {*samples.given.leaves})
            yield from ((t, samples.value(t)) for t in some)

    def _of_grammar(self, samples: Samples) -> Iterator[tuple[Term, Value]]:
        searches = [_Expansion(rules, samples) for rules in self.grammars]
        for n, search in product(range(MOST_SIZE + 1), searches):
            yield from search.of(START, n)


def _read_given(words: Sequence[str], premise: Sequence[str]) -> Given:
    leaves = [x.partition(":") for x in words]
    bit = next((name for name, colon, _ in leaves if colon), "")
    return Given(tuple(name for name, _, _ in leaves), tuple(premise), bit)


def _alternatives(text: str, row: Mapping[str, str]) -> Iterator[Term]:
    """Yield the terms of an alternative with the words of a row of ``for``."""
    for one in _ALTERNATIVE.split(text):
        yield read_term(_WORD.sub(lambda m: row.get(m[0], m[0]), one))


class _Expansion:
    """Terms of each name by the number of their operations."""

    def __init__(self, rules: Mapping[str, Sequence[Term]], samples: Samples) -> None:
        self._rules = rules
        self._samples = samples
        self._done: dict[tuple[str, int], list[tuple[Term, Value]]] = {}
        self._met: dict[str, dict[tuple[bytes, ...], int]] = {name: {} for name in rules}

    def of(self, name: str, size: int) -> list[tuple[Term, Value]]:
        """Return the terms of a name that have so many operations."""
        key = (name, size)
        if key not in self._done:
            self._done[key] = []  # a name that is itself adds nothing
            met, most = self._met[name], SPELLINGS if name == START else 1
            for alternative in self._rules[name]:
                for t, value in self._terms(alternative, size):
                    if (t.leaves or name != START) and met.get(value.keys, 0) < most:
                        met[value.keys] = met.get(value.keys, 0) + 1
                        self._done[key].append((t, value))
        return self._done[key]

    def _terms(self, t: Term, size: int) -> Iterator[tuple[Term, Value]]:
        """Yield what a term of names may be."""
        if not t.op:
            yield from self._leaf(t, size)
            return
        for sizes in _split(size - 1, len(t.args)):
            parts = [list(self._terms(a, n)) for a, n in zip(t.args, sizes, strict=True)]
            for some in product(*parts):
                args = tuple(x for x, _ in some)
                with suppress(WidthError):
                    value = self._samples.apply(t.op, t.attributes, [v for _, v in some])
                    yield Term(t.op, t.attributes, args, t.width), value

    def _leaf(self, t: Term, size: int) -> Iterator[tuple[Term, Value]]:
        if t.attributes[0] in self._rules:
            yield from self.of(t.attributes[0], size)
        elif size == 0 and t.leaves <= {*self._samples.given.leaves}:
            yield t, self._samples.leaf(t)


def _split(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to be a sum of so many integers."""
    if parts == 0:
        if total == 0:
            yield ()
    elif total >= 0:
        for first in range(total + 1):
            for rest in _split(total - first, parts - 1):
                yield first, *rest


def shipped_sources() -> Sources:
    """Return the grammar that is part of the product."""
    text = files("isel.learn").joinpath(SHIPPED).read_text(encoding="utf-8")
    return Sources(text, f"isel/learn/{SHIPPED}")
