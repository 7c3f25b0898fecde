"""Proofs replayed from certificates: obligations are derived again, only the solvers are not asked again."""

from __future__ import annotations

from isel.smt.portfolio import Portfolio, default_portfolio
from isel.smt.query import Answer, Query, Unsat
from isel.verify.prove import query_hash
from isel.verify.verdict import Certificate


class Recorded:
    """A checker that believes a certificate about the queries it names and asks the solvers about all others."""

    def __init__(self, certificate: Certificate, effort: int, portfolio: Portfolio | None = None) -> None:
        self._certificate = certificate
        self._known = dict(zip(certificate.queries, certificate.solvers, strict=True))
        self._portfolio = portfolio or default_portfolio(effort)

    def split(self, count: int) -> tuple[Recorded, Portfolio]:
        """Return a checker that asks only the first ``count`` turns of the solvers, and the other turns."""
        quick, slow = self._portfolio.split(count)
        return Recorded(self._certificate, 1, quick), slow

    def check(self, query: Query) -> Answer:
        """See :class:`isel.verify.prove.Checker`; queries are found by the hash of their text."""
        return self.recall(query) or self._portfolio.check(query)

    def recall(self, query: Query) -> Unsat | None:
        """Return what the certificate says of a query."""
        name = self._known.get(query_hash(query.assertions[0])) if len(query.assertions) == 1 else None
        return None if name is None else Unsat(name)
