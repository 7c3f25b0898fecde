"""Rules applied to terms: the first that fits, all that fit, and until none fits any more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from isel.ir.build import make
from isel.ir.canon import formal
from isel.ir.expr import Expr, unseen
from isel.rules.make import Make, maker
from isel.rules.match import Match, matcher, outline
from isel.rules.proofs import Proofs
from isel.rules.syntax import Guard, Rule, leaves

Ask: TypeAlias = Callable[..., bool]


@dataclass(frozen=True, eq=False)
class _Question:
    """A guard: its answer, what makes the terms asked about, and the widths of formals in them."""

    ask: Ask
    makers: tuple[Make, ...]
    formals: tuple[Callable[[Mapping[str, int]], int], ...]

    def answer(self, rule: Rule, sizes: tuple[int, ...], terms: tuple[Expr, ...]) -> bool:
        named = dict(zip(rule.sizes, sizes, strict=True)) if self.formals else {}
        more = [formal(k, width(named)) for k, width in enumerate(self.formals)]
        return self.ask(*(m(sizes, (*terms, *more)) for m in self.makers))


class _Ready:
    """A rule whose parts are compiled when they are first of use."""

    def __init__(self, rule: Rule, guards: Mapping[str, Ask]) -> None:
        self.rule = rule
        self.op, self.below = outline(rule.left)
        self._guards = guards

    @cached_property
    def match(self) -> Match:
        return matcher(self.rule)

    @cached_property
    def make(self) -> Make:
        return maker(self.rule, self.rule.right)

    @cached_property
    def questions(self) -> tuple[_Question, ...]:
        return tuple(self._question(g) for g in self.rule.guards)

    def _question(self, g: Guard) -> _Question:
        bound = {*self.rule.terms, *self.rule.literals}
        free = {
            x.name: x.width.value
            for p in g.patterns
            for x in leaves(p)
            if x.name not in bound and x.width is not None
        }
        makers = tuple(maker(self.rule, p, tuple(free)) for p in g.patterns)
        return _Question(self._guards[g.name], makers, tuple(free.values()))


class RuleSet:
    """Rules in the order in which they are tried; ``guards`` answer their questions."""

    def __init__(
        self, rules: Sequence[Rule], proofs: Proofs, guards: Mapping[str, Ask] | None = None
    ) -> None:
        self._proofs = proofs
        self._rules: dict[str | None, list[_Ready]] = {}
        self._fitting: dict[tuple[str, ...], tuple[_Ready, ...]] = {}
        for rule in rules:
            ready = _Ready(rule, guards or {})
            self._rules.setdefault(ready.op, []).append(ready)

    def first(self, e: Expr) -> Expr | None:
        """Return what the first rule that applies at the root makes of a term."""
        return next((made for _, made in self.every(e)), None)

    def every(self, e: Expr) -> Iterator[tuple[Rule, Expr]]:
        """Yield what rules make of a term at its root, once for each way in which one matches."""
        if e.op not in self._rules:
            return
        key = (e.op, *[a.op for a in e.args])
        rows = self._fitting.get(key)
        if rows is None:
            rows = self._fitting[key] = self._fit(key)
        for ready in rows:
            for made in self._made(ready, e):
                self._proofs.used[ready.rule.name] += 1
                yield ready.rule, made

    def _fit(self, key: tuple[str, ...]) -> tuple[_Ready, ...]:
        return tuple(
            r
            for r in self._rules[key[0]]
            if all(want in (None, op) for want, op in zip(r.below, key[1:], strict=True))
        )

    def _made(self, r: _Ready, e: Expr) -> Iterator[Expr]:
        for sizes, terms in r.match(e):
            if all(q.answer(r.rule, sizes, terms) for q in r.questions):
                if self._proofs.holds(r.rule, sizes):
                    made = r.make(sizes, terms)
                    if made is not e:
                        yield made


class Fixpoint:
    """Rewrites terms from the leaves up until ``step`` changes nothing any more."""

    def __init__(self, step: Callable[[Expr], Expr | None]) -> None:
        self._step = step
        self._done: dict[Expr, Expr] = {}

    def __call__(self, root: Expr) -> Expr:
        """Return an equal term."""
        done = self._done
        for e in unseen(root, done):
            args = tuple([done[a] for a in e.args])
            done[e] = self._settled(make(e.op, args, e.attr)) if args else e
        return done[root]

    def _settled(self, e: Expr) -> Expr:
        """Return a term over settled operands in its final form."""
        made = self._step(e)
        if made is None or made is e:
            return e
        self._done[e] = e  # what leads back to it ends there
        return self(made)
