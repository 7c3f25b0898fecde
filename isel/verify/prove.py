"""Obligations to verdicts: identity first, then one query per distinct lane up to renaming."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, runtime_checkable

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir.build import all_of, band, make, ne
from isel.ir.canon import canonical, instantiate
from isel.ir.choices import joined
from isel.ir.expr import Expr, const, leaves, postorder
from isel.ir.ranges import decide
from isel.model.verdict import Certificate, Proved, Refuted, Unknown, Verdict
from isel.smt.enumeration import enumerate_inputs
from isel.smt.portfolio import default_portfolio
from isel.smt.products import without_products
from isel.smt.query import Answer, GaveUp, Query, Sat, Unsat, smtlib
from isel.verify.limits import SUM_BITS, SUM_WORK
from isel.verify.partition import parts_of
from isel.verify.read import as_read
from isel.verify.samples import sample_model
from isel.verify.sums import without_sums

if TYPE_CHECKING:
    from isel.model.steps import Finder, Near

IDENTITY: Final = "identity"
_QUICK: Final = 1  # turns of the solvers before inner terms are merged
_FEW_BITS: Final = 16  # of inner terms that are evaluated before a solver is asked


@dataclass(frozen=True, slots=True)
class Obligation:
    """Where the one-bit ``premise`` is 1, ``left`` equals ``right``; ``where`` names the lane
    for the reader.
    """

    premise: Expr
    left: Expr
    right: Expr
    where: str = ""

    def negation(self) -> Expr:
        """Return the one-bit term that is 1 exactly where the obligation fails."""
        return band(self.premise, ne(self.left, self.right))


class Checker(Protocol):
    """Anything that answers queries within its own limits."""

    def check(self, query: Query) -> Answer:
        """Answer a query or give up."""
        ...


@runtime_checkable
class Staged(Protocol):
    """A checker of several turns: the cheap ones first, so that easier forms of a query can be
    tried before the others.
    """

    def split(self, count: int) -> tuple[Checker, Checker]:
        """Return the first ``count`` turns and the others."""
        ...


@runtime_checkable
class Certified(Protocol):
    """A checker with a certificate, which is looked at before anything is tried."""

    def solver_of(self, key: Expr) -> str | None:
        """Return the solver that is on record for having shown that a canonical one-bit term is
        never 1.
        """
        ...


Known: TypeAlias = dict[Expr, str]
_NO_COUNTEREXAMPLE: Final = "a solver's counterexample does not satisfy the query"


class Seeking:
    """A checker that asks for an assignment near by before it asks solvers: for those who show
    counterexamples.
    """

    def __init__(self, solvers: Checker, near: Near) -> None:
        self._solvers, self._near = solvers, near

    def check(self, query: Query) -> Answer:
        """Return a model that was found near by, else what solvers say."""
        model = self._near(all_of(*query.assertions))
        return self._solvers.check(query) if model is None else Sat("samples", model)

    def split(self, count: int) -> tuple[Checker, Checker]:
        """Return the first turns, with samples before them, and the others."""
        if not isinstance(self._solvers, Staged):
            return self, self._solvers
        first, others = self._solvers.split(count)
        return Seeking(first, self._near), others


def prove(
    obligations: Sequence[Obligation],
    facts: Sequence[Expr] = (),
    effort: int = 1,
    checker: Checker | None = None,
    known: Known | None = None,
    steps: Finder | None = None,
) -> Verdict:
    """Prove that every obligation holds for all values of the leaves that satisfy ``facts``.

    The first obligation that fails decides; otherwise the first that stays open.  ``known``
    remembers canonical queries without a model, and who answered, from one call to the next;
    what ``steps`` finds is replayed before it counts.
    """
    asker = _Asker(checker, effort, {} if known is None else known, steps)
    settled = _settled(facts)
    seen: set[Expr] = set()
    open_reason = ""
    for o in obligations:
        whole = _whole(o, settled, facts)
        if whole.is_const and whole.value == 0:
            asker.hashes.setdefault(IDENTITY, IDENTITY)
            continue
        key, holes = canonical(whole)
        if key in seen:
            continue
        seen.add(key)
        if _by_parts(o, settled, facts, asker):
            continue
        answer = asker.ask(key)
        match answer:
            case Unsat():
                continue
            case Sat(_, found):
                values = {x: found.get(k, 0) for x, k in zip(holes, leaves(key), strict=True)}
                if not holds(whole, values):
                    open_reason = open_reason or _NO_COUNTEREXAMPLE
                    continue
                return Refuted(_completed(values, facts, asker), o.where)
            case GaveUp(reason):
                open_reason = open_reason or (f"{o.where}: {reason}" if o.where else reason)
                asker.last = None  # nothing will be proved: only a counterexample is still of use
    if open_reason:
        return Unknown(open_reason)
    if not asker.hashes:
        asker.hashes[IDENTITY] = IDENTITY
    return Proved(Certificate(tuple(asker.hashes), tuple(asker.hashes.values())))


def _by_parts(
    o: Obligation, settled: dict[Expr, Expr], facts: Sequence[Expr], asker: _Asker
) -> bool:
    """Tell whether an obligation of long sums and the like was shown part by part."""
    parts = [Obligation(*part) for part in parts_of(o.premise, o.left, o.right)]
    return bool(parts) and all(
        k is const(0, 1) or _by_parts(p, settled, facts, asker) or isinstance(asker.ask(k), Unsat)
        for p in parts
        for k in [canonical(_whole(p, settled, facts))[0]]
    )


def _whole(o: Obligation, settled: dict[Expr, Expr], facts: Sequence[Expr]) -> Expr:
    """Return the one-bit term that is 1 where an obligation fails and the facts hold."""
    failing = instantiate(o.negation(), settled) if settled else o.negation()
    return band(failing, _relevant(failing, facts))


class _Asker:
    """Answers about one-bit terms, from what is quick first and from a solver's long turns last."""

    def __init__(
        self, checker: Checker | None, effort: int, known: Known, steps: Finder | None
    ) -> None:
        self.first: Checker = checker or default_portfolio(effort)
        self.last: Checker | None = None
        self.certified = self.first if isinstance(self.first, Certified) else None
        if isinstance(self.first, Staged):
            self.first, self.last = self.first.split(_QUICK)
        self.known, self.steps = known, steps
        self.hashes: dict[str, str] = {}

    def ask(self, key: Expr) -> Answer:
        """Is there an assignment under which ``key``, a canonical term, is 1?"""
        solver = self.known.get(key) or (
            None if self.certified is None else self.certified.solver_of(key)
        )
        if solver is None:
            model = sample_model(key)
            answer = self._read(key) if model is None else Sat("samples", model)
            if not isinstance(answer, Unsat):
                return answer
            solver = answer.solver
        self.hashes[query_hash(key)] = self.known[key] = solver
        return Unsat(solver)

    def _read(self, key: Expr) -> Answer:
        """Ask about those bits of the leaves that are read."""
        fewer, new = as_read(key)
        answer = self._solve(fewer)
        if not new or not isinstance(answer, Sat):
            return answer
        return Sat(answer.solver, {x: answer.model.get(y, 0) for x, y in new.items()})

    def _solve(self, key: Expr) -> Answer:
        decided = joined(decide(key))
        fewer = without_products(decided, bounded=False)
        given = [e for e in (decided, fewer and joined(decide(fewer))) if e]
        freer = [
            f
            for e in given
            for inner in (False, True)
            if (f := without_sums(e, innermost=inner)) is not None
        ]
        for sums in dict.fromkeys(freer):
            every = enumerate_inputs(sums, SUM_BITS, SUM_WORK)
            if isinstance(every, Unsat):
                return every
        for simpler in (without_products(key), decided, *dict.fromkeys(freer[:2])):
            if simpler is not None and simpler is not key:
                if isinstance(found := self._ask_easier(simpler), Unsat):
                    return found
        answer = self.first.check(Query((key,)))
        if not isinstance(answer, GaveUp):
            return answer
        every = self._by_steps(key) or enumerate_inputs(key)
        if every is not None:
            return every
        easier = self._easier(key)
        if easier is not None and isinstance(again := self._ask_easier(easier), Unsat):
            return again
        last = None if self.last is None else self.last.check(Query((key,)))
        if isinstance(last, GaveUp):
            return GaveUp(f"{answer.reason}; {last.reason}")
        return last or answer

    def _ask_easier(self, key: Expr) -> Answer:
        if key.is_const and not key.value:
            return Unsat("narrowing")
        return self.first.check(Query((canonical(key)[0],)))

    def _by_steps(self, key: Expr) -> Unsat | None:
        if self.steps is None:
            return None
        from isel.verify.stepwise import by_steps  # few queries get so far

        return by_steps(key, self.steps)

    def _easier(self, key: Expr) -> Expr | None:
        """Return an equal term in which what is compared lacks decided comparisons, has its inner
        terms merged and is narrowed.

        None if that was not shown.
        """
        from isel.verify.narrow import Narrower  # few queries get so far
        from isel.verify.sweep import cut, sweep

        swaps: dict[Expr, Expr] = {}
        for e in [
            x
            for x in postorder([key])
            if x.op == "eq" and x.args[0].args and x.args[1].args and x.args[0].width > 1
        ]:
            sides = sweep(decide(e.args[0]), decide(e.args[1]), self._never)
            narrower = Narrower()
            small = [narrower.narrow(x) for x in sides]
            if all(self._never(cut(x, y)) for x, y in zip(sides, small, strict=True)):
                sides = (small[0], small[1])
            swaps[e] = make("eq", sides)
        easier = decide(instantiate(key, swaps))
        return None if easier is key or (easier.is_const and easier.value) else easier

    def _never(self, bit: Expr) -> bool:
        """Tell whether a one-bit term was shown to be 0 for all inputs; only a solver or all
        inputs say so of what is no literal.
        """
        if bit.is_const:
            return bit.value == 0
        key = canonical(bit)[0]
        if key not in self.known:
            answer = enumerate_inputs(key, _FEW_BITS) or self.first.check(Query((key,)))
            if not isinstance(answer, Unsat):
                return False
            self.known[key] = answer.solver
        self.hashes[query_hash(key)] = self.known[key]
        return True


def _completed(values: dict[Expr, int], facts: Sequence[Expr], asker: _Asker) -> dict[Expr, int]:
    """Extend a counterexample to leaves that only facts mention, so that it obeys them."""
    open_facts = [f for f in facts if not holds(f, values)]
    if not open_facts:
        return values
    fixed = {x: const(v, x.width) for x, v in values.items()}
    answer = asker.first.check(Query(tuple(instantiate(f, fixed) for f in open_facts)))
    return {**answer.model, **values} if isinstance(answer, Sat) else values


@lru_cache(maxsize=256)  # a query is looked up in a certificate, then noted in the next
def query_hash(failing: Expr) -> str:
    """Return the SHA-256 of the query's SMT-LIB text."""
    return hashlib.sha256(smtlib(Query((failing,))).encode()).hexdigest()


def holds(bit: Expr, values: dict[Expr, int]) -> bool:
    """Tell whether a one-bit term is 1 under an assignment of its leaves."""
    return evaluate_all([bit], {x: values.get(x, 0) for x in leaves(bit)}, Integer())[bit] == 1


def _settled(facts: Sequence[Expr]) -> dict[Expr, Expr]:
    """Return the sub-terms that the facts decide, and their values."""
    found: dict[Expr, Expr] = {}
    for f in facts:
        if f.op == "not":
            found[f.args[0]] = const(0, 1)
        elif not f.is_const:
            found[f] = const(1, 1)
    return found


def _relevant(failing: Expr, facts: Sequence[Expr]) -> Expr:
    """Return the conjunction of the facts that share leaves with the query, directly or through
    each other.
    """
    reached = set(leaves(failing))
    todo = list(facts)
    result = const(1, 1)
    again = True
    while again:
        again = False
        for f in list(todo):
            mine = leaves(f)
            if reached.intersection(mine):
                reached.update(mine)
                result = band(result, f)
                todo.remove(f)
                again = True
    return result


def conjoined(proofs: Sequence[Proved]) -> Proved:
    """Return several proofs as one."""
    asked = {
        query: solver
        for p in proofs
        for query, solver in zip(p.certificate.queries, p.certificate.solvers, strict=True)
    } or {IDENTITY: IDENTITY}
    return Proved(Certificate(tuple(asked), tuple(asked.values())))
