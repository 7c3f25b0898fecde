"""Bitwuzla and z3 in turns with growing limits: neither dominates, and each answers in steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from isel.smt.query import Answer, GaveUp, Query, Solver


@dataclass(frozen=True, slots=True)
class Portfolio:
    """Ask ``turns`` in order until one answers; the first that does not give up wins."""

    turns: Sequence[tuple[Solver, int]]

    def split(self, count: int) -> tuple[Portfolio, Portfolio]:
        """Return the first ``count`` turns and the others."""
        return Portfolio(self.turns[:count]), Portfolio(self.turns[count:])

    def check(self, query: Query) -> Answer:
        """Return the first definite answer, or why there is none."""
        reasons: list[str] = []
        for solver, effort in self.turns:
            answer = solver.check(query, effort)
            if not isinstance(answer, GaveUp):
                return answer
            reasons.append(answer.reason)
        return GaveUp("; ".join(dict.fromkeys(reasons)) or "no solver")


@dataclass(frozen=True, slots=True)
class _Z3:
    """z3, which is loaded when it is first asked: few questions come to its turn."""

    name: str = "z3"

    def check(self, query: Query, effort: int) -> Answer:
        """See :class:`isel.smt.query.Solver`."""
        from isel.smt.z3_solver import Z3Solver

        return Z3Solver().check(query, effort)


def default_portfolio(scale: int = 1) -> Portfolio:
    """Return the usual turns; ``scale`` multiplies every limit and counts as 1 where it is less.

    Loads the first solver.
    """
    from isel.smt.bitwuzla_solver import BitwuzlaSolver

    scale = max(scale, 1)
    bitwuzla: Solver = BitwuzlaSolver()
    z3: Solver = _Z3()
    return Portfolio(
        (
            (bitwuzla, 300 * scale),
            (z3, 1_000_000 * scale),
            (bitwuzla, 2_000 * scale),
            (z3, 3_000_000 * scale),
        )
    )


def first_turns(count: int) -> Portfolio:
    """Return so many of the usual turns, for what others may stand in for.

    Loads the first solver.
    """
    return default_portfolio().split(count)[0]


def quick_portfolio() -> Portfolio:
    """Return the first turns of the usual ones, for what is only a candidate.

    Loads the first solver.
    """
    return first_turns(2)
