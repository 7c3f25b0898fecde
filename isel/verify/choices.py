"""Refinement where both sides may choose: freezes, undef lanes, open corners of target intrinsics.

A target refines a source if for all inputs and all *early* choices of the target (frozen once, seen
by every later use) the source has early choices such that for all *late* choices of the target
(undef, made anew at each use) the source has late choices that give the same result:

    for all I, Te  exists Se  for all Tl  exists Sl :  fine(I, Te, Se, Tl, Sl)

Proofs substitute terms over I and T for the source's choices (early ones over I and Te alone);
refutations fix I and T and ask the solver for source choices that would do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from isel.ir.build import all_of, band, bnot, bor, eq
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, elem, leaves, postorder
from isel.model.steps import SILENT, Hints
from isel.model.verdict import Proved, Refuted, Unknown, Verdict
from isel.smt.portfolio import default_portfolio
from isel.smt.query import GaveUp, Query, Sat, Unsat
from isel.verify.prove import Checker, Known, Obligation, holds, prove

_ROUNDS = 16
_LOOKS = 6  # at values, whose choices are solved for alone
Terms = dict[Expr, Expr]


@dataclass(frozen=True, slots=True)
class Lane:
    """One result lane on both sides: values and poison bits."""

    where: str
    source: Expr
    source_poison: Expr
    target: Expr
    target_poison: Expr

    def fine(self) -> Expr:
        """Return whether the target's lane refines the source's, undefined behaviour apart."""
        return bor(self.source_poison, band(bnot(self.target_poison), eq(self.source, self.target)))

    def over(self, terms: Terms) -> Lane:
        """Replace choices."""
        parts = (
            instantiate(e, terms)
            for e in (self.source, self.source_poison, self.target, self.target_poison)
        )
        return Lane(self.where, *parts)


@dataclass(frozen=True, slots=True)
class Choices:
    """The free choices of one side; ``early`` ones are made once, the others again at each use."""

    early: frozenset[Expr] = frozenset()
    late: frozenset[Expr] = frozenset()

    def among(self, terms: Sequence[Expr]) -> Choices:
        """Keep those that occur in ``terms``."""
        used = frozenset(leaves(*terms))
        return Choices(self.early & used, self.late & used)


@dataclass(frozen=True, slots=True)
class Problem:
    """Lanes, undefined behaviour of each side, facts of the inputs, and each side's choices.

    ``strategies`` are guesses for the source's choices, tried in order; choices that a guess lacks
    become 0.
    """

    lanes: tuple[Lane, ...]
    source_undefined: Expr
    target_undefined: Expr
    facts: tuple[Expr, ...]
    source: Choices
    target: Choices
    strategies: tuple[Mapping[Expr, Expr], ...]

    def fine(self) -> Expr:
        """Return whether the target's behaviour is one of the source's, for given choices."""
        return bor(
            self.source_undefined,
            band(bnot(self.target_undefined), all_of(*(x.fine() for x in self.lanes))),
        )

    def terms(self) -> list[Expr]:
        """Return every term of the problem but the facts."""
        lanes = [
            e for x in self.lanes for e in (x.source, x.source_poison, x.target, x.target_poison)
        ]
        return [*lanes, self.source_undefined, self.target_undefined]

    def over(self, terms: Terms) -> Problem:
        """Replace choices."""
        source, target = (
            instantiate(self.source_undefined, terms),
            instantiate(self.target_undefined, terms),
        )
        return replace(
            self,
            lanes=tuple(x.over(terms) for x in self.lanes),
            source_undefined=source,
            target_undefined=target,
        )

    def in_numbers(self) -> Problem:
        """Return the problem with nothing to be shown where the target is poison or undefined
        behaviour: where that is refuted this one is.
        """
        lanes = tuple(
            Lane(x.where, x.source, bor(x.source_poison, x.target_poison), x.target, const(0, 1))
            for x in self.lanes
        )
        undefined = bor(self.source_undefined, self.target_undefined)
        return replace(self, lanes=lanes, source_undefined=undefined, target_undefined=const(0, 1))

    def obligations(self) -> list[Obligation]:
        """Return what is to be shown when the source has no choice left."""
        defined = bnot(self.source_undefined)
        made = [
            Obligation(
                defined, self.target_undefined, const(0, 1), "undefined behaviour of the target"
            )
        ]
        for x in self.lanes:
            wanted = band(defined, bnot(x.source_poison))
            made.append(Obligation(wanted, x.target_poison, const(0, 1), x.where))
            made.append(Obligation(wanted, x.source, x.target, x.where))
        return made


def refines(
    problem: Problem,
    known: Known,
    effort: int = 1,
    checker: Checker | None = None,
    hints: Hints = SILENT,
) -> Verdict:
    """Decide whether the target refines the source."""
    used = problem.terms()
    problem = replace(problem, source=problem.source.among(used), target=problem.target.among(used))
    ask = partial(prove, effort=effort, checker=checker, known=known, steps=hints.steps)
    if not problem.source.early and not problem.source.late:
        return ask([_generalised(o, problem.facts) for o in problem.obligations()], problem.facts)
    return _Search(problem, ask, checker or default_portfolio(effort), hints).run()


class _Search:
    def __init__(
        self, problem: Problem, ask: Callable[..., Verdict], checker: Checker, hints: Hints
    ) -> None:
        self.problem, self.ask = problem, ask
        self.checker, self.hints = checker, hints
        self.open = "no choice of the source was found"

    def run(self) -> Verdict:
        """Guess first, then learn choices from counterexamples."""
        p = self.problem
        solved = tuple(g for s in p.strategies[:1] for g in self._solved(s))
        guesses = [g for g in (self._guess(s) for s in (*p.strategies, *solved)) if g is not None]
        for guess in guesses:
            verdict = self._try(guess)
            if verdict is not None:
                return verdict
        mixed = bool(p.source.early and p.target.late)
        return self._learn(
            _doubled(p) if mixed else p, [] if mixed else guesses, may_prove=not mixed
        )

    def _solved(self, base: Mapping[Expr, Expr]) -> Iterator[Mapping[Expr, Expr]]:
        """Yield ``base`` with the choices for which lanes can be solved: all of them, then
        those of one look at a value alone.
        """
        choices, found = self.problem.source.early | self.problem.source.late, Terms()
        for x in self.problem.lanes:
            self.hints.solve(x.source, x.target, choices, base, found)
        yield {**base, **found}
        looks = sorted({x.source for x in found})
        for look in looks[:_LOOKS] if len(looks) > 1 else ():
            yield {**base, **{x: e for x, e in found.items() if x.source == look}}

    def _guess(self, strategy: Mapping[Expr, Expr]) -> Terms | None:
        p, guess = self.problem, Terms()
        for x in _ordered(p.source):
            wanted = strategy.get(x, const(0, x.width))
            if x in p.source.early and not p.target.late.isdisjoint(leaves(wanted)):
                return None
            guess[x] = wanted
        return guess

    def _try(self, guess: Terms) -> Verdict | None:
        done = self.problem.over(guess)
        asked = [_generalised(o, done.facts) for o in done.obligations()]
        verdict = self.ask(asked, self.problem.facts)
        match verdict:
            case Proved():
                return verdict
            case Refuted(model, where):
                hopeless = self._hopeless(self.problem, dict(model))
                return Refuted(model, where) if hopeless is True else None
            case Unknown(reason):
                self.open = reason
                return None

    def _hopeless(self, p: Problem, model: Terms | dict[Expr, int]) -> bool | dict[Expr, int]:
        """Tell whether no choice of the source does for this input; else return one, or False
        if the solver gave up.
        """
        choices = p.source.early | p.source.late
        fixed: Terms = {
            x: const(_number(model.get(x, 0)), x.width)
            for x in leaves(p.fine(), *p.facts)
            if x not in choices
        }
        if not all(holds(f, {x: e.value for x, e in fixed.items()}) for f in p.facts):
            return False
        question = instantiate(p.fine(), fixed)
        if question.is_const:
            return {} if question.value else True
        match self.checker.check(Query((question,))):
            case Unsat():
                return True
            case Sat(_, found):
                return dict(found)
            case GaveUp(reason):
                self.open = reason
                return False

    def _learn(self, p: Problem, guesses: Sequence[Terms], *, may_prove: bool) -> Verdict:
        tried = [p.over(g).fine() for g in guesses]
        for _ in range(_ROUNDS):
            failing = all_of(*(bnot(t) for t in tried), *p.facts)
            verdict = self.ask([Obligation(const(1, 1), failing, const(0, 1))])
            match verdict:
                case Proved(certificate):
                    return Proved(certificate) if may_prove else Unknown(self.open)
                case Unknown(reason):
                    return Unknown(reason)
                case Refuted(model, _):
                    answer = self._hopeless(p, dict(model))
                    if answer is True:
                        return Refuted(model, "no choice of the source gives it")
                    if answer is False:
                        return Unknown(self.open)
                    assert isinstance(answer, dict)
                    constants = {x: const(answer.get(x, 0), x.width) for x in _ordered(p.source)}
                    tried.append(p.over(constants).fine())
        return Unknown(self.open)


def _number(value: Expr | int) -> int:
    return value if isinstance(value, int) else value.value


def _ordered(choices: Choices) -> list[Expr]:
    return sorted(choices.early | choices.late, key=repr)


def _doubled(p: Problem) -> Problem:
    """Return a problem in which the late choices are made twice for the same early ones; it is
    necessary for the first.
    """
    again: Terms = {
        x: elem(f"{x.source}.again", x.offset, x.width)
        for x in sorted(p.source.late | p.target.late, key=repr)
    }
    second = p.over(again)
    undefined = Problem(
        (),
        band(p.source_undefined, second.source_undefined),
        const(0, 1),
        (),
        p.source,
        p.target,
        (),
    )
    both = tuple(_guarded(x, p.source_undefined) for x in p.lanes) + tuple(
        _guarded(x, second.source_undefined) for x in second.lanes
    )
    target = bor(
        band(bnot(p.source_undefined), p.target_undefined),
        band(bnot(second.source_undefined), second.target_undefined),
    )
    source = Choices(p.source.early, p.source.late | {again[x] for x in p.source.late})
    late = p.target.late | {again[x] for x in p.target.late}
    return Problem(
        both, undefined.source_undefined, target, p.facts, source, Choices(p.target.early, late), ()
    )


def _guarded(lane: Lane, undefined: Expr) -> Lane:
    return replace(lane, source_poison=bor(lane.source_poison, undefined))


def _generalised(o: Obligation, facts: Sequence[Expr]) -> Obligation:
    """Replace ``ite(u, choice, value)``, or the same bit by bit, by ``value`` where none of the
    three occurs elsewhere: it may be anything in both.
    """
    roots = (o.premise, o.left, o.right)
    users: dict[Expr, list[Expr]] = {e: [] for e in postorder(roots)}
    for e in users:
        for a in e.args:
            users[a].append(e)
    pinned = frozenset((*roots, *leaves(*facts)))
    swaps = {e: value for e in users if (value := _free(e, users, pinned)) is not None}
    if not swaps:
        return o
    premise, left, right = (instantiate(e, swaps) for e in roots)
    return Obligation(premise, left, right, o.where)


def _free(e: Expr, users: Mapping[Expr, Sequence[Expr]], pinned: frozenset[Expr]) -> Expr | None:
    """Return the value that a term chooses instead of another one, if nothing else depends on
    what it is made of.
    """
    if e.op == "ite":
        alone = len(set(e.args)) == 3 and all(
            a.is_leaf and users[a] == [e] and a not in pinned for a in e.args
        )
        return e.args[2] if alone else None
    if e.op != "or":
        return None
    return next(
        (
            v
            for p, q in (e.args, e.args[::-1])
            if (v := _masked(e, p, q, users, pinned)) is not None
        ),
        None,
    )


def _masked(
    e: Expr, chosen: Expr, rest: Expr, users: Mapping[Expr, Sequence[Expr]], pinned: frozenset[Expr]
) -> Expr | None:
    """Return ``v`` of ``(x & m) | (v & ~m)``, in any order, if nothing else depends on x, m and
    v.
    """
    if not (chosen.op == rest.op == "and" and users[chosen] == users[rest] == [e]):
        return None
    for inverse, v in (rest.args, rest.args[::-1]):
        if inverse.op != "not" or users[inverse] != [rest] or inverse.args[0] not in chosen.args:
            continue
        m = inverse.args[0]
        x = chosen.args[1] if chosen.args[0] is m else chosen.args[0]
        parts = (x, m, v)
        if (
            len(set(parts)) == 3
            and all(a.is_leaf and a not in pinned for a in parts)
            and users[x] == [chosen]
            and users[v] == [rest]
            and len(users[m]) == 2
        ):
            return v
    return None
