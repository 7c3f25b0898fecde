"""Proofs replayed from certificates: obligations are derived again, only the solvers are not
asked again.
"""

from __future__ import annotations

from functools import cached_property

from isel.ir.expr import Expr
from isel.model.verdict import Certificate
from isel.smt.portfolio import Portfolio, default_portfolio
from isel.smt.query import Answer, Query, Unsat
from isel.verify.prove import query_hash


class Recorded:
    """A checker that believes a certificate about the queries it names and asks the solvers
    about all others.
    """

    def __init__(
        self,
        certificate: Certificate,
        effort: int,
        turns: tuple[int | None, int | None] = (None, None),
    ) -> None:
        self._certificate = certificate
        self._known = dict(zip(certificate.queries, certificate.solvers, strict=True))
        self._effort = effort
        self._turns = turns

    @cached_property
    def _portfolio(self) -> Portfolio:
        """The solvers, which are not loaded while the certificate answers."""
        return Portfolio(default_portfolio(self._effort).turns[slice(*self._turns)])

    def split(self, count: int) -> tuple[Recorded, Recorded]:
        """Return a checker that asks only the first ``count`` turns of the solvers, and one for
        the other turns.
        """
        return Recorded(self._certificate, self._effort, (None, count)), Recorded(
            self._certificate, self._effort, (count, None)
        )

    def solver_of(self, key: Expr) -> str | None:
        """See :class:`isel.verify.prove.Certified`; queries are found by the hash of their text."""
        return self._known.get(query_hash(key))

    def check(self, query: Query) -> Answer:
        """See :class:`isel.verify.prove.Checker`."""
        name = self.solver_of(query.assertions[0]) if len(query.assertions) == 1 else None
        return Unsat(name) if name is not None else self._portfolio.check(query)
