"""Queries of those who show counterexamples."""

from __future__ import annotations

from isel.ir.build import all_of
from isel.model.hints import Near
from isel.smt.query import Answer, Query, Sat
from isel.verify.prove import Checker, Staged


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
