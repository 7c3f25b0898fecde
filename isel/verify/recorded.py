"""Proofs replayed from certificates: obligations are derived again, only the solvers are not asked again."""

from __future__ import annotations

from isel.smt.portfolio import default_portfolio
from isel.smt.query import Answer, Query, Unsat
from isel.verify.prove import query_hash
from isel.verify.verdict import Certificate


class Recorded:
    """A checker that believes a certificate about the queries it names and asks the solvers about all others."""

    def __init__(self, certificate: Certificate, effort: int) -> None:
        self._known = dict(zip(certificate.queries, certificate.solvers, strict=True))
        self._portfolio = default_portfolio(effort)

    def check(self, query: Query) -> Answer:
        """See :class:`isel.verify.prove.Checker`; queries are found by the hash of their text."""
        name = self._known.get(query_hash(query.assertions[0])) if len(query.assertions) == 1 else None
        return Unsat(name) if name is not None else self._portfolio.check(query)
