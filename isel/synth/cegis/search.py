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
from dataclasses import dataclass, field, replace

from isel.ir.build import ne
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, leaves
from isel.smt.portfolio import quick_portfolio
from isel.smt.query import Answer, GaveUp, Query, Sat, Unsat
from isel.synth.cegis.encode import Encoding, Line, Shape
from isel.synth.cegis.samples import Bank, bank, essential
from isel.synth.cegis.slots import usable
from isel.synth.cegis.types import Component, Exhausted, Found, Grammar, Outcome, OutOfSteps, replay
from isel.synth.limits import (
    CHEAPER_STEPS,
    DEFAULT_EFFORT,
    FIRST_EXAMPLES,
    MOST_UNDECIDED,
)

Check = Callable[[Query], Answer]
Accept = Callable[[Found], bool]


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
    accepts: Accept = field(default=lambda found: True)
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

    def _available(self) -> frozenset[int]:
        """Return the widths that inputs may have."""
        return frozenset(e.width for e in (*self.leaves, *self.grammar.constants))

    def shape(self, depth: int) -> Shape | None:
        parts, constants = self.grammar.components, self.grammar.constants
        slots = usable(parts, self._available(), self.lane.width, depth)
        if not all(slots):
            return None
        needed = set(essential(self.lane, self.samples, self.premise))
        numbers = tuple(i for i, e in enumerate(self.leaves) if e in needed)
        most = sum(max(len(parts[j].widths) for j in s) for s in slots) - (depth - 1)
        if len(numbers) > most:
            return None
        return Shape(parts, slots, self.leaves, constants, numbers)

    def part(self, line: Line) -> Component:
        c = self.grammar.components[line.part]
        return c.members[line.member] if c.members else c

    def values(self, lines: tuple[Line, ...]) -> tuple[Expr, ...]:
        inputs = (*self.leaves, *self.grammar.constants)
        return replay(inputs, ((self.part(x), x.operands) for x in lines))


def cegis(
    lane: Expr,
    grammar: Grammar,
    effort: int = DEFAULT_EFFORT,
    premise: Expr | None = None,
    *,
    check: Check | None = None,
    lanes: int = 1,
    accepts: Accept = lambda found: True,
) -> Outcome:
    """Search ``grammar`` for a program equal to ``lane`` wherever the one-bit term ``premise`` is
    1.

    ``effort`` is in calls of bitwuzla's terminator over all sizes; multipliers and the terms built
    count as calls of about the same time.  Proofs of candidates have the portfolio's own limits.
    ``check`` replaces the portfolio (for tests).  ``lanes`` is how many lanes of a vector an
    example constrains: the one that fails alone (lane-wise, HYDRIDE section 4.3), or others with
    it, which are samples.  A program that ``accepts`` refuses is none, and costs as many steps as
    an example.
    """
    holds = const(1, 1) if premise is None else premise
    over = leaves(lane, holds)
    asked, samples = check or quick_portfolio().check, bank(lane, holds, over)
    search = _Search(lane, holds, grammar, asked, over, samples, effort, lanes, accepts)
    search.examples.extend(map(samples.example, range(min(FIRST_EXAMPLES, samples.size))))
    for depth in range(1, grammar.depth + 1):
        shape = search.shape(depth)
        if shape is None:
            continue
        outcome = _at_depth(search, shape)
        if outcome is not None:
            return outcome
    if search.undecided:
        why = "a candidate could not be decided"
        return OutOfSteps(grammar.name, grammar.depth, search.spent, why)
    return Exhausted(grammar.name, grammar.depth, search.spent)


def _at_depth(search: _Search, shape: Shape) -> Found | OutOfSteps | None:
    """Return the cheapest program of this size that was met, ``None`` when there is none, or that
    the effort ran out.
    """
    depth, price = len(shape.slots), shape.step_price
    if search.spent + shape.example_price * len(search.examples) * search.lanes >= search.effort:
        return OutOfSteps(search.grammar.name, depth, search.spent, "the steps are used up")
    encoding = Encoding(shape)
    best: Found | None = None
    limit = search.effort
    for values in search.examples:
        _add(search, encoding, values)
    while True:
        answer = encoding.session.check(max(limit - search.spent, 0) // price)
        search.spent += encoding.session.steps * price
        if not isinstance(answer, Sat):
            return _ended(search, depth, best, answer)
        lines = encoding.program()
        verdict = _refute(search, search.values(lines)[-1])
        if isinstance(verdict, tuple):
            search.examples.append(verdict)
            _add(search, encoding, verdict)
        elif isinstance(verdict, GaveUp):
            search.undecided += 1
            if search.undecided >= MOST_UNDECIDED:
                return _ended(search, depth, best, verdict)
            encoding.exclude(lines)
        elif search.accepts(found := _found(search, lines, search.values(lines))):
            best = found if best is None else replace(found, others=(best, *best.others))
            encoding.require_cheaper(best.cost)
            limit = min(search.effort, search.spent + search.spent * CHEAPER_STEPS)
        else:
            search.spent += shape.example_price
            encoding.exclude(lines)


def _ended(
    search: _Search, depth: int, best: Found | None, answer: Unsat | GaveUp
) -> Found | OutOfSteps | None:
    """Return what was found of a size when a solver has nothing more of it."""
    if best is not None:
        return replace(best, effort=search.spent)
    if isinstance(answer, Unsat):
        return None
    return OutOfSteps(search.grammar.name, depth, search.spent, answer.reason)


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
    inputs = (*search.leaves, *search.grammar.constants)
    steps = tuple((search.part(x).name, x.operands) for x in lines)
    cost, optimal = sum(search.part(x).cost for x in lines), search.undecided == 0
    return Found(search.grammar.name, inputs, steps, values, cost, optimal, search.spent)


__all__ = [
    "DEFAULT_EFFORT", "Check", "Component", "Exhausted", "Found", "Grammar", "OutOfSteps",
    "Outcome", "cegis",
]  # fmt: skip
