"""Component-based CEGIS on one lane: the smallest straight-line program of a grammar that equals a
lane function.

The unit is always one lane, never a vector: operands are elements, so layout plays no part here and
the answers are edges for the lane graph.  Opcodes and operand selectors are unknowns of an
incremental bitwuzla session (Gulwani et al., PLDI'11; HYDRIDE sections 4.2 and 4.3), the size grows
from one component, and a candidate counts only when the portfolio has proved it for all inputs.
Effort is counted in calls of bitwuzla's terminator, so answers are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from isel.ir.build import ne
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, leaves
from isel.smt.portfolio import default_portfolio
from isel.smt.query import Answer, GaveUp, Query, Sat, Unsat
from isel.synth.cegis.encode import Encoding, Line, Shape
from isel.synth.cegis.samples import Bank, bank, essential
from isel.synth.cegis.slots import usable
from isel.synth.cegis.types import Component, Exhausted, Found, Grammar, Outcome, OutOfSteps

DEFAULT_EFFORT = 8000
_FIRST_EXAMPLES = 2
_UNDECIDED = 2

Check = Callable[[Query], Answer]


@dataclass
class _Search:
    """The state that grows over depths: the samples, the examples given to the solver, the
    effort left.
    """

    lane: Expr
    premise: Expr
    grammar: Grammar
    check: Check
    leaves: tuple[Expr, ...]
    samples: Bank
    effort: int
    lanes: int = 1
    spent: int = 0
    examples: list[tuple[int, ...]] = field(default_factory=list)
    undecided: int = 0

    def target(self, values: tuple[int, ...]) -> Expr:
        return instantiate(
            self.lane, {e: const(v, e.width) for e, v in zip(self.leaves, values, strict=True)}
        )

    def beside(self) -> list[tuple[int, ...]]:
        """Return the values of an example's other lanes: samples, each time the next ones."""
        first = len(self.examples) * (self.lanes - 1)
        return [
            self.samples.example((first + k) % self.samples.size) for k in range(self.lanes - 1)
        ]

    def shape(self, depth: int) -> Shape | None:
        constants = self.grammar.constants
        available = frozenset(e.width for e in (*self.leaves, *constants))
        slots = usable(self.grammar.components, available, self.lane.width, depth)
        if not all(slots):
            return None
        needed = set(essential(self.lane, self.samples, self.premise))
        numbers = tuple(i for i, e in enumerate(self.leaves) if e in needed)
        most = sum(max(len(self.grammar.components[j].widths) for j in s) for s in slots) - (
            depth - 1
        )
        return (
            Shape(self.grammar.components, slots, self.leaves, constants, numbers)
            if len(numbers) <= most
            else None
        )

    def values(self, lines: tuple[Line, ...]) -> tuple[Expr, ...]:
        known = [*self.leaves, *self.grammar.constants]
        for j, numbers in lines:
            c = self.grammar.components[j]
            known.append(
                instantiate(c.fn, dict(zip(c.formals, (known[n] for n in numbers), strict=True)))
            )
        return tuple(known[len(known) - len(lines) :])


def cegis(
    lane: Expr,
    grammar: Grammar,
    effort: int = DEFAULT_EFFORT,
    premise: Expr | None = None,
    *,
    check: Check | None = None,
    lanes: int = 1,
) -> Outcome:
    """Search ``grammar`` for a program equal to ``lane`` wherever the one-bit term ``premise`` is
    1.

    ``effort`` is in calls of bitwuzla's terminator over all sizes; multipliers and the terms built
    count as calls of about the same time.  Proofs of candidates have the portfolio's own limits.
    ``check`` replaces the portfolio (for tests).  ``lanes`` is how many lanes of a vector an
    example constrains: the one that fails alone (lane-wise, HYDRIDE section 4.3), or others with
    it, which are samples.
    """
    holds = const(1, 1) if premise is None else premise
    over = leaves(lane, holds)
    search = _Search(
        lane,
        holds,
        grammar,
        check or default_portfolio().check,
        over,
        bank(lane, holds, over),
        effort,
        lanes,
    )
    search.examples.extend(
        search.samples.example(i) for i in range(min(_FIRST_EXAMPLES, search.samples.size))
    )
    for depth in range(1, grammar.depth + 1):
        shape = search.shape(depth)
        if shape is None:
            continue
        outcome = _at_depth(search, shape)
        if outcome is not None:
            return outcome
    if search.undecided:
        return OutOfSteps(
            grammar.name, grammar.depth, search.spent, "a candidate could not be decided"
        )
    return Exhausted(grammar.name, grammar.depth, search.spent)


def _at_depth(search: _Search, shape: Shape) -> Found | OutOfSteps | None:
    """Return a program of this size, ``None`` when there is none, or that the effort ran out."""
    depth, price = len(shape.slots), shape.step_price
    if search.spent + shape.example_price * len(search.examples) * search.lanes >= search.effort:
        return OutOfSteps(search.grammar.name, depth, search.spent, "the steps are used up")
    encoding = Encoding(shape)
    for values in search.examples:
        _add(search, encoding, values)
    while True:
        answer = encoding.session.check(max(search.effort - search.spent, 0) // price)
        search.spent += encoding.session.steps * price
        if isinstance(answer, Unsat):
            return None
        if isinstance(answer, GaveUp):
            return OutOfSteps(search.grammar.name, depth, search.spent, answer.reason)
        lines = encoding.program()
        values_of = search.values(lines)
        verdict = _refute(search, values_of[-1])
        if isinstance(verdict, Unsat):
            return _found(search, lines, values_of)
        if isinstance(verdict, GaveUp):
            search.undecided += 1
            if search.undecided >= _UNDECIDED:
                return OutOfSteps(search.grammar.name, depth, search.spent, verdict.reason)
            encoding.exclude(lines)
            continue
        search.examples.append(verdict)
        _add(search, encoding, verdict)


def _add(search: _Search, encoding: Encoding, values: tuple[int, ...]) -> None:
    for lane in (values, *search.beside()):
        encoding.add_example(lane, search.target(lane))
        search.spent += encoding.shape.example_price


def _refute(search: _Search, candidate: Expr) -> tuple[int, ...] | Unsat | GaveUp:
    """Return an input on which the candidate is wrong, or that there is none, or that nobody
    knows.
    """
    at = search.samples.mismatch(candidate)
    if at is not None:
        return search.samples.example(at)
    answer = search.check(Query((search.premise, ne(search.lane, candidate))))
    if not isinstance(answer, Sat):
        return answer
    search.samples = search.samples.extended(search.lane, [answer.model])
    return search.samples.example(search.samples.size - 1)


def _found(search: _Search, lines: tuple[Line, ...], values: tuple[Expr, ...]) -> Found:
    parts = search.grammar.components
    steps = tuple((parts[j].name, numbers) for j, numbers in lines)
    inputs = (*search.leaves, *search.grammar.constants)
    cost = sum(parts[j].cost for j, _ in lines)
    return Found(
        search.grammar.name, inputs, steps, values, cost, search.undecided == 0, search.spent
    )


__all__ = [
    "DEFAULT_EFFORT", "Check", "Component", "Exhausted", "Found", "Grammar", "OutOfSteps",
    "Outcome", "cegis",
]  # fmt: skip
